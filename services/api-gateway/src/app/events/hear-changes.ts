import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';

export function hearChanges({ changes }: AppParts): Handler<Operations['hearChanges']> {
  return async ({ req, res, present }) => {
    changes.open(present, res);
    if (req.method === 'HEAD') res.end();
  };
}

import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';

export function hearChanges({ changes }: AppParts): Handler<Operations['hearChanges']> {
  return async ({ res, present }) => changes.open(present, res);
}

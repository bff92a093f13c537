import { CALL_STATUSES } from '@call-analytics/contracts';
import { z } from 'zod';
import { readParameters } from '../http/parameters.ts';

function whole(min: number, max: number) {
  const rule = `must be a whole number from ${min} to ${max}`;
  return z
    .string(rule)
    .regex(/^-?\d{1,16}$/, rule)
    .transform(Number)
    .pipe(z.int(rule).min(min, rule).max(max, rule));
}

/** The query of GET /calls; the API description is made from this too. */
export const CallsQuery = z.strictObject({
  limit: whole(1, 100).default(50).describe('Maximum number of calls'),
  offset: whole(0, Number.MAX_SAFE_INTEGER).default(0).describe('Number of calls to skip'),
  status: z
    .enum(CALL_STATUSES, `must be one of ${CALL_STATUSES.join(', ')}`)
    .optional()
    .describe('Only calls with this status'),
});
export type CallsQuery = z.infer<typeof CallsQuery>;

const NOTHING_ASKED: CallsQuery = CallsQuery.parse({});

/**
 * @param url as in the request line
 * @throws HttpProblem naming the parameter, its value and the rule
 */
export function readQuery(url: string): CallsQuery {
  return url.includes('?') ? readParameters(url, CallsQuery, ({ message }) => message) : NOTHING_ASKED;
}

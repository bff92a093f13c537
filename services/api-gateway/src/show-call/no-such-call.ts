import { HttpProblem } from '../http/problem.ts';

/** The same for a call of another account, one that was deleted and one that never was. */
export function noSuchCall(): HttpProblem {
  return new HttpProblem('call_not_found', 'Call not found. "GET /api/v1/calls" lists the calls of this account.');
}

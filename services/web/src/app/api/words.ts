import { common } from '../texts/outside.ts';
import { ProblemError, UnreachableError } from './problem.ts';

/** What went wrong, for people. */
export function wordsFor(error: unknown): string {
  if (error instanceof ProblemError) return error.message;
  if (error instanceof UnreachableError) return common.unreachable;
  return common.somethingBrokeWhy;
}

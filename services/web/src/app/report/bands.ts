/** A word for a score, so that nobody needs its colour. */
export type Band = 'strong' | 'fair' | 'weak';

/** @param score 0 to 100 */
export function bandOf(score: number): Band {
  if (score >= 75) return 'strong';
  return score >= 50 ? 'fair' : 'weak';
}

/**
 * The delay before try number `failures` + 1: doubled each time, capped, and spread by up to a fifth so that calls that failed together do not return together.
 * @param failures tries that have failed so far, at least 1
 * @returns milliseconds
 */
export function backoffMs(
  failures: number,
  {
    firstMs = 2_000,
    capMs = 5 * 60_000,
    random = Math.random,
  }: { firstMs?: number; capMs?: number; random?: () => number } = {},
): number {
  const exact = Math.min(capMs, firstMs * 2 ** (failures - 1));
  return Math.round(exact * (0.8 + 0.4 * random()));
}

/**
 * For what need not be looked at whenever something changes. A run that throws does not count.
 * @returns a function that runs `run` when the last run is `ms` ago, and does nothing otherwise
 */
export function atMostEvery(ms: number, run: () => Promise<unknown>): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  return async () => {
    // On a clock that nobody sets.
    const now = performance.now();
    if (now - last < ms) return;
    await run();
    last = now;
  };
}

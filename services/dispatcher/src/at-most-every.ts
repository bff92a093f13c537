/**
 * For what need not be looked at whenever something changes. A run that throws does not count.
 * @param isDue says that it is to be run all the same
 * @returns a function that runs `run` when the last run is `ms` ago, and does nothing otherwise
 */
export function atMostEvery(ms: number, run: () => Promise<unknown>, isDue = () => false): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  return async () => {
    // On a clock that nobody sets.
    const now = performance.now();
    if (now - last < ms && !isDue()) return;
    await run();
    last = now;
  };
}

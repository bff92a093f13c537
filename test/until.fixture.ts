import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks until the answer is right, for what has no event to wait for. A pause is a tenth of the time waited so far, at
 * most 100 ms: the requests of a long wait must not keep a processor busy.
 * @param right checks the answer; or, for an answer that must be true, the words for it in the error
 * @param shortestPauseMs between two questions
 * @throws after `withinMs`, with the last answer
 */
export async function until<T>(
  ask: () => T | Promise<T>,
  right: string | ((answer: T) => boolean),
  withinMs = 30_000,
  shortestPauseMs = 10,
): Promise<T> {
  const start = performance.now();
  for (;;) {
    const answer = await ask();
    if (typeof right === 'string' ? answer : right(answer)) return answer;
    const waitedMs = performance.now() - start;
    if (waitedMs > withinMs) {
      const what = typeof right === 'string' ? right : `right; the last answer is ${JSON.stringify(answer)}`;
      throw new Error(`after ${withinMs} ms still not: ${what}`);
    }
    await sleep(Math.max(shortestPauseMs, Math.min(waitedMs / 10, 100)));
  }
}

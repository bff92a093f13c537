import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks until the answer is right. For what has no event to wait for.
 * @param right checks the answer; or, for an answer that must be true, the words for it in the error
 * @param everyMs the pause between two questions
 * @throws after `withinMs`, with the last answer
 */
export async function until<T>(
  ask: () => T | Promise<T>,
  right: string | ((answer: T) => boolean),
  withinMs = 30_000,
  everyMs = 10,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (typeof right === 'string' ? answer : right(answer)) return answer;
    if (performance.now() > deadline) {
      const what = typeof right === 'string' ? right : `right; the last answer is ${JSON.stringify(answer)}`;
      throw new Error(`after ${withinMs} ms still not: ${what}`);
    }
    await sleep(everyMs);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again until the answer is right, for what announces itself in no other way. @throws after `withinMs`, with the last answer */
export async function until<T>(
  ask: () => T | Promise<T>,
  isRight: (answer: T) => boolean,
  withinMs = 10_000,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (isRight(answer)) return answer;
    if (performance.now() > deadline)
      throw new Error(`still not so after ${withinMs} ms; last answer: ${JSON.stringify(answer)}`);
    await sleep(5);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again until the answer is right, for what announces itself in no other way. @throws after ten seconds, with the last answer */
export async function until<T>(ask: () => T | Promise<T>, isRight: (answer: T) => boolean): Promise<T> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const answer = await ask();
    if (isRight(answer)) return answer;
    if (performance.now() > deadline) throw new Error(`still not so after ten seconds; last answer: ${JSON.stringify(answer)}`);
    await sleep(5);
  }
}

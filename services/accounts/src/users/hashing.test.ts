import { expect, it } from '@jest/globals';
import { Hashing } from './identities.ts';

const now = new Date('2026-05-01T10:00:00Z');

it('hashes two passwords at a time, lets sixteen wait, and sends others away for a moment', async () => {
  const hashing = new Hashing({ now: () => now });
  const gate = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await gate.promise;
    running -= 1;
    return 'done';
  };
  const first = Array.from({ length: 18 }, () => hashing.run(work));
  await expect(hashing.run(work)).rejects.toMatchObject({
    failure: { kind: 'rate-limited', code: 'too_many_attempts', until: new Date(now.getTime() + 2_000) },
  });
  gate.resolve();
  expect(new Set(await Promise.all(first))).toEqual(new Set(['done']));
  expect(most).toBe(2);
  expect(await hashing.run(work)).toBe('done');
});

it('gives its turn to the next also when a hash fails', async () => {
  const hashing = new Hashing({ now: () => now });
  const fails = async () => {
    throw new Error('no memory');
  };
  const all = await Promise.allSettled(Array.from({ length: 10 }, () => hashing.run(fails)));
  expect(all.every(({ status }) => status === 'rejected')).toBe(true);
  expect(await hashing.run(async () => 'done')).toBe('done');
});

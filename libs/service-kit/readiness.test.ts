import { describe, expect, it, jest } from '@jest/globals';
import { whyNotReady } from './lifecycle.ts';

describe('whether a process can work', () => {
  it('is yes when every check says so, and when there is none', async () => {
    expect(await whyNotReady([() => null, async () => null])).toEqual([]);
    expect(await whyNotReady([])).toEqual([]);
  });

  it('is no with the reason of each check that says no, fails or throws', async () => {
    const checks = [
      () => 'not listening',
      () => null,
      async () => 'no broker',
      () => Promise.reject(new Error('a secret')),
      () => {
        throw new Error('a secret');
      },
    ];
    expect(await whyNotReady(checks)).toEqual(['not listening', 'no broker', 'a check failed', 'a check failed']);
  });

  it('is no when a check does not answer, and the others are not kept waiting for longer than that', async () => {
    jest.useFakeTimers();
    try {
      const asked = whyNotReady([() => new Promise<null>(() => {}), () => 'no broker']);
      await jest.advanceTimersByTimeAsync(2_000);
      expect(await asked).toEqual(['no answer within 2000 ms', 'no broker']);
    } finally {
      jest.useRealTimers();
    }
  });
});

import { makeLogger, WorkError } from '@call-analytics/service-kit';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Steps } from './loop.ts';

const failure = (code: string) => new WorkError({ kind: 'transient', code, message: 'Not now.' });

describe('the steps of a tick', () => {
  const lines: string[] = [];
  const log = makeLogger('test', 'info', { write: (line) => lines.push(line) });
  beforeEach(() => {
    lines.length = 0;
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('wait for nothing when none failed', async () => {
    expect(await new Steps([{ name: 'work', run: async () => {} }], log).run()).toBe(Number.POSITIVE_INFINITY);
  });

  it('leave out one that fails until its next try, later each time, and run the others meanwhile', async () => {
    const broken = jest.fn(async () => {
      throw failure('broker_unavailable');
    });
    const sound = jest.fn(async () => {});
    const steps = new Steps(
      [
        { name: 'break', run: broken },
        { name: 'work', run: sound },
      ],
      log,
    );
    const waits: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      waits.push(await steps.run());
      await steps.run();
      jest.advanceTimersByTime(Math.ceil(waits[n] ?? 0));
    }
    expect(broken).toHaveBeenCalledTimes(4);
    expect(sound).toHaveBeenCalledTimes(8);
    for (const [n, wait] of waits.entries()) expect(wait).toBeGreaterThan(waits[n - 1] ?? 0);
    expect(lines).toHaveLength(1);
  });

  it('all wait when the store is what failed, and none is asked for before the store is tried again', async () => {
    let storeDown = false;
    const broken = jest.fn(async () => {
      throw failure('broker_unavailable');
    });
    const needsStore = jest.fn(async () => {
      if (storeDown) throw failure('store_unavailable');
    });
    const steps = new Steps(
      [
        { name: 'break', run: broken },
        { name: 'read', run: needsStore },
      ],
      log,
    );
    await steps.run();
    storeDown = true;
    for (let n = 0; n < 6; n += 1) {
      const wait = await steps.run();
      const calls = [broken.mock.calls.length, needsStore.mock.calls.length];
      expect(wait).toBeGreaterThan(50);
      await steps.run();
      expect([broken.mock.calls.length, needsStore.mock.calls.length]).toEqual(calls);
      jest.advanceTimersByTime(Math.ceil(wait));
    }
  });

  it('say when a failure becomes another one, when it is a bug, and when it is over', async () => {
    let error: Error | null = failure('broker_unavailable');
    const steps = new Steps(
      [
        {
          name: 'work',
          run: async () => {
            if (error !== null) throw error;
          },
        },
      ],
      log,
    );
    const tryAgain = async () => jest.advanceTimersByTime(Math.ceil(Math.min(60_000, await steps.run())));
    await tryAgain();
    await tryAgain();
    expect(steps.failing).toBe('could not work: broker_unavailable');
    error = new Error('a bug');
    await tryAgain();
    error = null;
    await tryAgain();
    expect(steps.failing).toBeNull();
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(['warn', 'error', 'info']);
  });
});

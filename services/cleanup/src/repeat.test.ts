import { makeLogger } from '@call-analytics/service-kit';
import { describe, expect, it } from '@jest/globals';
import { repeat } from './cleanup.ts';

describe('what is repeated', () => {
  it('comes at once and then again, one at a time, also after a failure', async () => {
    const lines: string[] = [];
    const enough = Promise.withResolvers<void>();
    let times = 0;
    let running = 0;
    let mostAtOnce = 0;
    const stop = repeat(
      'the sweep',
      async () => {
        running += 1;
        mostAtOnce = Math.max(mostAtOnce, running);
        await new Promise(setImmediate);
        running -= 1;
        times += 1;
        if (times === 3) enough.resolve();
        if (times === 1) throw new Error('the database is locked');
      },
      1,
      makeLogger('test', 'info', { write: (line) => lines.push(line) }),
    );
    await enough.promise;
    await stop();
    expect(mostAtOnce).toBe(1);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'error',
      msg: 'the sweep failed',
      err: { message: 'the database is locked' },
    });
  });

  it('is told to stop, is waited for, and comes no more', async () => {
    const started = Promise.withResolvers<void>();
    let ended = 0;
    const stop = repeat(
      'the sweep',
      async (signal) => {
        started.resolve();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        await new Promise(setImmediate);
        ended += 1;
      },
      1,
      makeLogger('test', 'silent'),
    );
    await started.promise;
    await stop();
    expect(ended).toBe(1);
  });

  it('does not wait for the next time when it is stopped between two', async () => {
    const once = Promise.withResolvers<void>();
    const stop = repeat('the sweep', async () => once.resolve(), 86_400_000, makeLogger('test', 'silent'));
    await once.promise;
    await stop();
  });
});

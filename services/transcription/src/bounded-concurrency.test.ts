import { describe, expect, it } from '@jest/globals';
import { BoundedConcurrency } from './bounded-concurrency.ts';

describe('tasks side by side', () => {
  it('never run more than a few at a time, and all run', async () => {
    const tasks = new BoundedConcurrency(3);
    let running = 0;
    let most = 0;
    let done = 0;
    for (let i = 0; i < 20; i += 1) {
      await tasks.start(async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        done += 1;
      });
    }
    await tasks.finish();
    expect({ most, done }).toEqual({ most: 3, done: 20 });
  });

  it('start nothing new after a failure, and let what runs come to its end', async () => {
    const tasks = new BoundedConcurrency(2);
    const long = Promise.withResolvers<void>();
    let longDone = false;
    await tasks.start(async () => {
      await long.promise;
      longDone = true;
    });
    await tasks.start(() => Promise.reject(new Error('no')));
    let started = false;
    const next = tasks.start(async () => {
      started = true;
    });
    await expect(next).rejects.toThrow('no');
    long.resolve();
    await tasks.settle();
    expect({ started, longDone }).toEqual({ started: false, longDone: true });
    await expect(tasks.finish()).rejects.toThrow('no');
  });
});

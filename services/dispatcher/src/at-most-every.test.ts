import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { atMostEvery } from './loop.ts';

describe('what runs at most every second', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('runs when it is first asked, and again when its time is over, however often it is asked in between', async () => {
    const run = jest.fn(async () => {});
    const step = atMostEvery(1_000, run);
    await step();
    await step();
    jest.advanceTimersByTime(999);
    await step();
    expect(run).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(1);
    await step();
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('runs before its time when it is due', async () => {
    const run = jest.fn(async () => {});
    let due = false;
    const step = atMostEvery(1_000, run, () => due);
    await step();
    await step();
    due = true;
    await step();
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('runs again at once after it failed', async () => {
    const run = jest.fn(async () => {});
    run.mockRejectedValueOnce(new Error('no answer'));
    const step = atMostEvery(1_000, run);
    await expect(step()).rejects.toThrow('no answer');
    await step();
    expect(run).toHaveBeenCalledTimes(2);
  });
});

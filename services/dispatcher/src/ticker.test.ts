import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Ticker } from './loop.ts';

const MINUTE = 60_000;

describe('the ticker', () => {
  const tick = jest.fn(async () => Number.POSITIVE_INFINITY);
  const untilNext = jest.fn(async () => 5_000);
  let ticker: Ticker;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    jest.clearAllMocks();
    ticker = new Ticker(tick, untilNext, MINUTE);
  });
  afterEach(async () => {
    await ticker.stop();
    jest.useRealTimers();
  });

  const wake = async () => {
    ticker.wake();
    await nextTurn();
    await nextTurn();
  };

  it('makes one tick of what comes within a moment of the last', async () => {
    await wake();
    expect(tick).toHaveBeenCalledTimes(1);
    for (let n = 0; n < 10; n += 1) await wake();
    await jest.advanceTimersByTimeAsync(4);
    expect(tick).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(tick).toHaveBeenCalledTimes(2);
    await jest.advanceTimersByTimeAsync(5);
    await wake();
    expect(tick).toHaveBeenCalledTimes(3);
  });

  it.each([
    { took: 12, apart: 24 },
    { took: 45, apart: 50 },
    { took: 70, apart: 70 },
  ])('leaves a busy store alone for as long as a tick took ($took ms), but not for long', async ({ took, apart }) => {
    const ended = Promise.withResolvers<number>();
    tick.mockReturnValueOnce(ended.promise);
    await wake();
    await jest.advanceTimersByTimeAsync(took);
    ticker.wake();
    ended.resolve(Number.POSITIVE_INFINITY);
    await nextTurn();
    await nextTurn();
    if (apart > took) {
      await jest.advanceTimersByTimeAsync(apart - took - 1);
      expect(tick).toHaveBeenCalledTimes(1);
      await jest.advanceTimersByTimeAsync(1);
    }
    expect(tick).toHaveBeenCalledTimes(2);
  });

  it('asks how long to wait when it has been left alone for a moment, and not between two wakes', async () => {
    for (let n = 1; n <= 5; n += 1) {
      await wake();
      await jest.advanceTimersByTimeAsync(9);
    }
    expect(tick).toHaveBeenCalledTimes(5);
    expect(untilNext).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(untilNext).toHaveBeenCalledTimes(1);
  });

  it('ticks again when the time that it was told has come', async () => {
    await wake();
    await jest.advanceTimersByTimeAsync(10 + 5_000 - 1);
    await nextTurn();
    expect(tick).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(1);
    await nextTurn();
    expect(tick).toHaveBeenCalledTimes(2);
  });

  it('waits no longer than its interval', async () => {
    untilNext.mockResolvedValueOnce(Number.POSITIVE_INFINITY);
    await wake();
    await jest.advanceTimersByTimeAsync(MINUTE - 1);
    await nextTurn();
    expect(tick).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(1);
    await nextTurn();
    expect(tick).toHaveBeenCalledTimes(2);
  });

  it('waits no longer than the last tick said', async () => {
    tick.mockResolvedValueOnce(100);
    await wake();
    await jest.advanceTimersByTimeAsync(100);
    await nextTurn();
    expect(tick).toHaveBeenCalledTimes(2);
  });

  it('does not lose a wake that comes while it asks', async () => {
    const answer = Promise.withResolvers<number>();
    untilNext.mockReturnValueOnce(answer.promise);
    await wake();
    await jest.advanceTimersByTimeAsync(10);
    ticker.wake();
    answer.resolve(MINUTE);
    await nextTurn();
    await nextTurn();
    expect(tick).toHaveBeenCalledTimes(2);
  });

  it('does not ask when it was woken in the same turn: never two things at once', async () => {
    await wake();
    ticker.wake();
    jest.advanceTimersByTime(10);
    await nextTurn();
    expect(tick).toHaveBeenCalledTimes(2);
    expect(untilNext).not.toHaveBeenCalled();
  });

  it('does nothing more once it has stopped', async () => {
    await wake();
    await ticker.stop();
    ticker.wake();
    await jest.advanceTimersByTimeAsync(MINUTE);
    await nextTurn();
    expect(tick).toHaveBeenCalledTimes(1);
    expect(untilNext).not.toHaveBeenCalled();
  });
});

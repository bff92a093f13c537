import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { QueueWindow } from './grant-work.ts';

const grant = (window: QueueWindow, ...seconds: number[]) => {
  for (const each of seconds) window.granted(each);
};

describe('the calls that may wait in a queue', () => {
  let window: QueueWindow;
  beforeEach(() => {
    jest.useFakeTimers();
    window = new QueueWindow();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('are half as many as are worked on, and one at least', () => {
    for (const [leased, calls] of [
      [0, 1],
      [1, 1],
      [2, 1],
      [4, 2],
      [9, 4],
    ] as const) {
      expect(window.room({ granted: 0, leased }).calls).toBe(calls);
    }
    expect(window.room({ granted: 2, leased: 9 }).calls).toBe(2);
  });

  it('are as many as are worked on when they are of newcomers: each has its worker within the time of one job', () => {
    expect(window.room({ granted: 1, leased: 2 })).toMatchObject({ calls: 0, newcomers: 1 });
    expect(window.room({ granted: 2, leased: 2 }).newcomers).toBe(0);
    expect(window.room({ granted: 4, leased: 9 })).toMatchObject({ calls: 0, newcomers: 5 });
  });

  it('are no more because many workers were idle and took their first call at once', () => {
    grant(window, ...Array<number>(10).fill(60));
    expect(window.room({ granted: 0, leased: 10 })).toMatchObject({ calls: 5, shortCalls: 0 });
    expect(window.room({ granted: 4, leased: 6 })).toMatchObject({ shortCalls: -4 });
  });

  it('are as many as ended within a moment, while jobs are that short', () => {
    grant(window, ...Array<number>(10).fill(60));
    expect(window.room({ granted: 0, leased: 2 })).toMatchObject({ calls: 1, shortCalls: 8, shortSeconds: 60 });
    expect(window.room({ granted: 3, leased: 2 }).shortCalls).toBe(2);
  });

  it('are let in on the account of short jobs only when they are no longer than those', () => {
    grant(window, 60, 90, 30);
    expect(window.room({ granted: 0, leased: 1 })).toMatchObject({ shortCalls: 2, shortSeconds: 90 });
  });

  it('are no more once jobs take longer', () => {
    grant(window, ...Array<number>(10).fill(60));
    jest.advanceTimersByTime(251);
    grant(window, 60);
    expect(window.room({ granted: 0, leased: 1 })).toMatchObject({ calls: 1, shortCalls: 0, shortSeconds: 60 });
  });
});

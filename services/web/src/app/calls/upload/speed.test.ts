import { describe, expect, it } from '@jest/globals';
import { Speed } from './speed.ts';

describe('the speed of an upload', () => {
  it('is not known at first', () => {
    const speed = new Speed();
    expect(speed.bytesPerSecond()).toBeNull();
    speed.add(0, 0);
    speed.add(900, 1_000_000);
    expect([speed.bytesPerSecond(), speed.secondsLeft(2_000_000)]).toEqual([null, null]);
  });

  it('is that of the latest seconds, and tells how long the rest takes', () => {
    const speed = new Speed();
    for (let second = 0; second <= 10; second += 1) speed.add(second * 1_000, second * 1_000);
    for (let second = 1; second <= 10; second += 1) speed.add(10_000 + second * 1_000, 10_000 + second * 500);
    expect(speed.bytesPerSecond()).toBe(500);
    expect(speed.secondsLeft(20_000)).toBe(10);
  });

  it('of an upload that stands still is nothing, and nobody knows when it ends', () => {
    const speed = new Speed();
    for (let second = 0; second <= 10; second += 1) speed.add(second * 1_000, 7);
    expect([speed.bytesPerSecond(), speed.secondsLeft(100)]).toEqual([0, null]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { Speed, shownBytes } from './send.ts';

describe('a file size', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [1_023, '1,023 bytes'],
    [1_024, '1 KiB'],
    [1_500, '1.5 KiB'],
    [5_000_000, '4.8 MiB'],
    [2 ** 30 - 1, '1 GiB'],
    [2 ** 31, '2 GiB'],
    [2 ** 41, '2,048 GiB'],
  ])('of %d bytes is shown as %s', (bytes, shown) => expect(shownBytes(bytes)).toBe(shown));
});

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

import { describe, expect, it } from '@jest/globals';
import { shownBytes } from './format.ts';

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

import { expect, it } from '@jest/globals';
import { shownEstimate, shownLength } from './format.ts';

it.each([
  [0, '1 minute'],
  [61, '2 minutes'],
  [600, '10 minutes'],
  [601, '10 minutes'],
  [1_400, '25 minutes'],
  [3_420, '55 minutes'],
  [3_421, '1 hour'],
  [9_000, '3 hours'],
  [172_000, '2 days'],
])('an estimate of %d seconds does not pretend precision', (seconds, shown) => {
  expect(shownEstimate(seconds)).toBe(shown);
});

it.each([
  [0.9, '0:00'],
  [245.9, '4:05'],
  [3_845, '1:04:05'],
])('a length of %d seconds is shown as a clock', (seconds, shown) => {
  expect(shownLength(seconds)).toBe(shown);
});

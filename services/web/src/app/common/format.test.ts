import { expect, it } from '@jest/globals';
import { shownEstimate } from './format.ts';

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

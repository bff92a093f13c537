import { expect, it } from '@jest/globals';
import { counted, shownDuration } from './amounts.ts';

it('an amount of one is in the singular', () => {
  expect([0, 1, 2].map((n) => counted(n, 'call'))).toEqual(['0 calls', '1 call', '2 calls']);
  expect([1, 2].map((n) => counted(n, 'call waits', 'calls wait'))).toEqual(['1 call waits', '2 calls wait']);
});

it('a duration is in the largest unit that needs no fraction', () => {
  const shown = [1_000, 20_000, 60_000, 90_000, 5_400_000, 3_600_000, 86_400_000, 1_499].map(shownDuration);
  expect(shown).toEqual([
    ...['1 second', '20 seconds', '1 minute', '90 seconds', '90 minutes', '1 hour', '24 hours', '1 second'],
  ]);
});

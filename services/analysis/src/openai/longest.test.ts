import { CATALOGUE } from '@call-analytics/contracts';
import { expect, it } from '@jest/globals';
import { analysisSettings } from '../settings.ts';
import { windowsOf } from './prompt.ts';

it('the analysis of the longest recording ends before the time for its message, however slow each request is', () => {
  // The limit of the decoder: 6 hours. One line in ten seconds.
  const spans = Array.from({ length: 6 * 360 }, (_, index) => ({
    ...{ utterance: index, speaker: 'A', text: 'Yes, of course.' },
    ...{ startMs: index * 10_000, endMs: index * 10_000 + 9_000 },
  }));
  const windows = windowsOf(spans as unknown as Parameters<typeof windowsOf>[0], Number.POSITIVE_INFINITY).length;
  // Each window is read, read again after an answer that cannot be used, and read once more for a scorecard; one
  // request checks the findings of all.
  const requests = 3 * windows + 1;
  const longestMs = requests * analysisSettings.parse({}).ANALYSIS_TIMEOUT;
  expect(longestMs).toBeGreaterThan(4 * 3_600_000);
  expect(longestMs).toBeLessThan(CATALOGUE['analysis.requested'].timeoutMs);
});

import { describe, expect, it } from '@jest/globals';
import { estimatedDollars } from './index.ts';

describe('the estimated cost of a request', () => {
  it('goes by minutes of audio where these are charged for', () => {
    expect(estimatedDollars('gpt-transcribe', { seconds: 120, tokens: { input: 1, output: 1 } })).toBeCloseTo(
      0.009,
      10,
    );
  });

  it('goes by tokens where these are charged for, of a dated snapshot as of its model', () => {
    const used = { seconds: 1, tokens: { input: 100_000, output: 10_000 } };
    expect(estimatedDollars('gpt-5.6-luna', used)).toBeCloseTo(0.02 + 0.012, 10);
    expect(estimatedDollars('gpt-5.6-luna-2026-07-09', used)).toBeCloseTo(0.032, 10);
  });

  it('is higher for all of a request whose prompt is long', () => {
    expect(estimatedDollars('gpt-5.6-luna', { tokens: { input: 272_000, output: 0 } })).toBeCloseTo(0.0544, 10);
    expect(estimatedDollars('gpt-5.6-luna', { tokens: { input: 300_000, output: 10_000 } })).toBeCloseTo(
      0.12 + 0.018,
      10,
    );
  });

  it('is not made up where the price, or what is charged for, is not known', () => {
    expect(estimatedDollars('llama-5', { seconds: 60, tokens: { input: 1, output: 1 } })).toBeNull();
    expect(estimatedDollars('whisper-1', { seconds: 60 })).toBeNull();
    expect(estimatedDollars('gpt-transcribe', { tokens: { input: 1, output: 1 } })).toBeNull();
    expect(estimatedDollars('gpt-5.6-luna', { seconds: 60 })).toBeNull();
  });
});

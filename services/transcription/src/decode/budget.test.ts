import { describe, expect, it } from '@jest/globals';
import { decodableSeconds, decodingTimeMs } from './budget.ts';

const HOUR = 3_600;
const SIX_HOURS = 6 * HOUR;

describe('what decoding may cost', () => {
  it.each([
    ['MP3 at 8 kbit/s, 8 kHz', 1_000, { channels: 1, sampleRate: 8_000 }],
    ['Opus at 6 kbit/s, which decodes to 48 kHz', 750, { channels: 1, sampleRate: 48_000 }],
    ['AAC at 24 kbit/s, stereo at 44.1 kHz', 3_000, { channels: 2, sampleRate: 44_100 }],
    ['FLAC of a call, stereo at 48 kHz', 20_000, { channels: 2, sampleRate: 48_000 }],
  ])('leaves room for six hours of %s, at a tenth of the speed of a recent processor', (_, bytesPerSecond, sound) => {
    const bytes = SIX_HOURS * bytesPerSecond;
    expect(decodableSeconds(bytes, sound)).toBeGreaterThan(SIX_HOURS);
    // Measured: a recent processor decodes an hour of stereo within 6 s.
    expect(decodingTimeMs(bytes, SIX_HOURS)).toBeGreaterThan(10 * 6 * 6_000);
  });

  it('leaves room for an hour and a half of silence that compresses to nothing', () => {
    expect(decodableSeconds(0, { channels: 2, sampleRate: 44_100 })).toBeGreaterThan(1.5 * HOUR);
  });

  it('ends 8 MB of the widest sound within 20 minutes of it', () => {
    expect(decodableSeconds(8e6, { channels: 8, sampleRate: 192_000 })).toBeLessThan(0.3 * HOUR);
  });

  it('ends a decoder that gives nothing within a minute, for 8 MB', () => {
    expect(decodingTimeMs(8e6, 0)).toBeLessThan(60_000);
  });
});

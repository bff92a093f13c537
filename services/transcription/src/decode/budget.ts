import type { Sound } from '@call-analytics/contracts';

// What reading a recording may cost, in proportion to its bytes and its length. Both limits are far from what real recordings need, also on a slow
// machine, and end a small file that decodes to a lot within seconds.

/** Starting the process and reading the header, on a busy machine. */
const BASE_MS = 30_000;
/** A tenth of the speed of a slow disk. */
const MS_PER_MEGABYTE = 1_000;
/** Fifty times as fast as it plays. A recent processor is twenty times faster than that. */
const MS_PER_SECOND = 20;

/** An hour and a half of stereo at 44.1 kHz, whatever the size of the file: silence compresses to nothing. */
const BASE_SAMPLES = 500_000_000;
/** Speech codecs at their lowest rates give 64 samples for each byte. */
const SAMPLES_PER_BYTE = 128;

/** @returns how long the decoder of this file may keep its reader waiting, in ms, when it has given this many seconds of audio */
export function decodingTimeMs(fileBytes: number, decodedSeconds: number): number {
  return BASE_MS + (MS_PER_MEGABYTE * fileBytes) / 1e6 + MS_PER_SECOND * decodedSeconds;
}

/** @returns the longest audio, in seconds, that a file of this size may decode to */
export function decodableSeconds(fileBytes: number, { channels, sampleRate }: Sound): number {
  return (BASE_SAMPLES + SAMPLES_PER_BYTE * fileBytes) / (channels * sampleRate);
}

import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FILES } from '@call-analytics/stand-in/recordings';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { type DecodeLimits, Decoding } from './decode.ts';

const LIMITS: DecodeLimits = { timeMs: 60_000, memoryBytes: 2 ** 30, audioSeconds: 6 * 3_600 };
export const linux = { what: 'Linux', present: process.platform === 'linux' };
/** The work folder of a test, made before it and removed after it. */
export let dir: string;
const open: Decoding[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'decode-'));
});
afterEach(async () => {
  for (const decoding of open.splice(0)) await decoding.close();
  await rm(dir, { recursive: true, force: true });
});

export async function start(
  file: string,
  limits: Partial<DecodeLimits> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Decoding> {
  await copyFile(join(FILES, file), join(dir, 'recording'));
  return begin(limits, signal);
}

export function begin(
  limits: Partial<DecodeLimits> = {},
  signal: AbortSignal = new AbortController().signal,
): Decoding {
  const decoding = new Decoding(dir, { ...LIMITS, ...limits }, signal);
  open.push(decoding);
  return decoding;
}

/** Reads all samples of a recording that is open. */
export async function lengthOf(decoding: Decoding): Promise<number> {
  let length = 0;
  for await (const samples of decoding.samples()) length += samples.length;
  return length;
}

export async function decodeAll(decoding: Decoding): Promise<{ channels: number; seconds: number; loudest: number }> {
  const channels = await decoding.open((await stat(join(dir, 'recording'))).size);
  let length = 0;
  let loudest = 0;
  for await (const samples of decoding.samples()) {
    length += samples.length;
    for (const sample of samples) if (sample > loudest) loudest = sample;
  }
  return { channels, seconds: length / channels / 16_000, loudest };
}

export function rejectedAs(code: string, message = '') {
  const failure = { kind: 'rejected', code, message: expect.stringContaining(message) };
  return expect.objectContaining({ failure: expect.objectContaining(failure) });
}

export async function gone(pid: number | undefined): Promise<void> {
  const isGone = () => {
    try {
      return !process.kill(pid ?? 0, 0);
    } catch {
      return true;
    }
  };
  await until(isGone, 'there is no such process');
}

import { join } from 'node:path';
import { audioFile } from '@call-analytics/stand-in/recordings';
import { describeNeeds, REAL_RECORDINGS, realRecording } from '@call-analytics/test/requirements.fixture.ts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Voices } from '../plan/planner.ts';
import { noise, pcm } from '../plan/sounds.fixture.ts';
import { decoded, heard, inOneChannel, sumOf, threePeople, wrongShare } from './recordings.fixture.ts';
import { separateVoices } from './separate.ts';

const REAL = 'real-phone-call-8khz-stereo.flac';

describe('two voices in one channel', () => {
  let channels: Int16Array[];
  let voices: Voices | null;
  beforeAll(async () => {
    channels = await decoded(audioFile('bundled-call.mp3').path);
    voices = separateVoices(heard(inOneChannel(channels)));
  });

  it('are told apart, surely', () => {
    expect(voices?.confidence).toBeGreaterThan(0.9);
    expect(voices === null ? 1 : wrongShare(channels, voices)).toBeLessThan(0.01);
  });

  it('are told apart in the same way however the samples come', () => {
    expect(separateVoices(heard(inOneChannel(channels), 7_777))).toEqual(voices);
  });

  it('are numbered in the order in which they begin, and their parts leave no gap', () => {
    const { stretches = [] } = voices ?? {};
    expect(stretches[0]).toMatchObject({ startMs: 0, voice: 0 });
    stretches.slice(1).forEach(({ startMs }, index) => {
      expect(startMs).toBe(stretches[index]?.endMs);
    });
    expect(new Set(stretches.map(({ voice }) => voice))).toEqual(new Set([0, 1]));
  });
});

describe('three voices in one channel', () => {
  let people: Int16Array[];
  let voices: Voices | null;
  beforeAll(async () => {
    const { path, turns } = audioFile('bundled-call.mp3');
    people = threePeople(await decoded(path), turns);
    voices = separateVoices(heard(sumOf(people)));
  });

  it('are three, surely', () => {
    expect(new Set(voices?.stretches.map(({ voice }) => voice))).toEqual(new Set([0, 1, 2]));
    expect(voices?.confidence).toBeGreaterThan(0.6);
    expect(voices === null ? 1 : wrongShare(people, voices)).toBeLessThan(0.01);
  });
});

describe('a recording without two voices', () => {
  it('of one person is not surely two people', async () => {
    for (const channel of await decoded(audioFile('bundled-call.mp3').path))
      expect(separateVoices(heard(channel))?.confidence).toBeLessThan(0.5);
  });

  it('that holds too little speech to tell gives nothing', () => {
    expect(separateVoices(heard(pcm(noise(3, 1, -20))))).toBeNull();
    expect(separateVoices(heard(new Int16Array(16_000 * 60)))).toBeNull();
    expect(separateVoices(heard(new Int16Array(100)))).toBeNull();
  });
});

describeNeeds(realRecording(REAL), 'a real phone call mixed to one channel', () => {
  let channels: Int16Array[];
  beforeAll(async () => {
    channels = await decoded(join(REAL_RECORDINGS, REAL));
  });

  it.each([0, 12, -12])('has less than 1%% under the wrong voice with the caller %d dB louder', (db) => {
    const voices = separateVoices(heard(inOneChannel(channels, db)));
    expect(voices?.confidence).toBeGreaterThan(0.9);
    expect(voices === null ? 1 : wrongShare(channels, voices)).toBeLessThan(0.01);
  });

  it('is not surely two people when only one of them is there', () => {
    for (const channel of channels) expect(separateVoices(heard(channel))?.confidence).toBeLessThan(0.5);
  });
});

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audioFile } from '@call-analytics/stand-in/recordings';
import { describeNeeds, itNeeds, program } from '@call-analytics/test/requirements.fixture.ts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Voices } from '../plan/planner.ts';
import { noise, pcm } from '../plan/sounds.fixture.ts';
import { embeddingsOf, WindowAudio } from './embedding-process.ts';
import { FRAME_MS, type VoiceFeatures } from './features.ts';
import {
  decoded,
  heard,
  inOneChannel,
  sumOf,
  threePeople,
  VOICE_MODEL,
  voiceModel,
  wrongShare,
} from './recordings.fixture.ts';
import { separateVoices } from './separate.ts';
import { BANDS, FilterBank } from './speaker-embedding.ts';
import { windowsToEmbed, withEmbeddings } from './with-embeddings.ts';

const FRAME = 16 * FRAME_MS;

const { path, turns } = audioFile('bundled-call.mp3');
/** Of windows of one person, against a distance of 1.4 between people. */
const SCATTER = 0.6;
const signal = () => new AbortController().signal;
const countOf = ({ stretches }: Voices) => new Set(stretches.map(({ voice }) => voice)).size;

/** @returns for each window a point of its person, with some noise */
function ideal(people: readonly Int16Array[], windows: readonly { from: number; to: number }[]): Float32Array[] {
  return windows.map(({ from, to }, index) => {
    const powers = people.map((channel) =>
      channel.subarray(from * FRAME, to * FRAME).reduce((sum, sample) => sum + sample * sample, 0),
    );
    const vector = noise(0.004, 1 + index, -20).map((sample) => sample * SCATTER);
    vector[powers.indexOf(Math.max(...powers))] = 1;
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  });
}

describe('voices with a speaker embedding', () => {
  let people: Int16Array[];
  let features: VoiceFeatures;
  beforeAll(async () => {
    people = threePeople(await decoded(path), turns);
    features = heard(sumOf(people));
  });

  it('are as many as the embeddings say where the spectrum is not sure, and change where it says', () => {
    const unsure = { confidence: 0.3, stretches: [{ startMs: 0, endMs: 120_000, voice: 0, confidence: 1 }] };
    const voices = withEmbeddings(features, ideal(people, windowsToEmbed(features)), unsure);
    expect(countOf(voices)).toBe(3);
    expect(voices.confidence).toBeGreaterThan(0.8);
    expect(wrongShare(people, voices)).toBeLessThan(0.01);
  });

  it('are those of the spectrum where it is surer of as many, and unsure where the embeddings are of one', () => {
    const { confidence, stretches } = separateVoices(features) as Voices;
    expect(confidence).toBeGreaterThan(0.95);
    const sure = { confidence, stretches: stretches.map((stretch) => ({ ...stretch, confidence: 0.5 })) };
    const windows = windowsToEmbed(features);
    const agreed = withEmbeddings(features, ideal(people, windows), sure);
    expect(agreed.stretches).toEqual(sure.stretches);
    expect(agreed.confidence).toBeGreaterThan(0.9);
    const voices = withEmbeddings(features, ideal(people.slice(0, 1), windows), sure);
    expect(voices.stretches).toEqual(sure.stretches);
    expect(voices.confidence).toBeLessThan(0.3);
  });

  it('need 20 windows of speech', () => {
    expect(windowsToEmbed(heard(pcm(noise(10, 1, -20))))).toEqual([]);
  });
});

describe('the audio of windows', () => {
  it('is the same however the recording comes, and silent in gaps', () => {
    const windows = [
      { from: 2, to: 152 },
      { from: 77, to: 227 },
    ];
    const recording = Int16Array.from({ length: 300 * FRAME }, (_, i) => i % 30_000);
    const audio = new WindowAudio(windows);
    for (let at = 0; at < recording.length; at += 7_680)
      if (at !== 15_360) audio.push({ startMs: at / 16, samples: recording.subarray(at, at + 7_680) });
    const expected = recording.slice();
    expected.fill(0, 15_360, 23_040);
    expect(audio.samples).toEqual(windows.map(({ from, to }) => expected.slice(from * FRAME, to * FRAME)));
  });
});

describe('the filter bank', () => {
  /** In the second half a tone of 1 kHz, which lies in the 28th band. */
  const values = (level: number) => {
    const samples = Int16Array.from({ length: 16_000 }, (_, i) =>
      i < 8_000 ? 0 : level * Math.sin((2 * Math.PI * 1_000 * i) / 16_000),
    );
    return new FilterBank().of(samples);
  };
  const band = (all: Float32Array, index: number) => all.filter((_, i) => i % BANDS === index);

  it('has 98 frames in a second, and bands whose mean is 0', () => {
    expect(values(8_000)).toHaveLength(98 * BANDS);
    const sum = band(values(8_000), 27).reduce((total, value) => total + value, 0);
    expect(sum / 98).toBeCloseTo(0, 3);
  });

  it('finds a tone in its band', () => {
    const last = [...values(8_000).slice(-BANDS)];
    expect(last.indexOf(Math.max(...last))).toBe(27);
  });
});

describe('the process of the speaker embedding', () => {
  it('says that it ended where the file is no model', async () => {
    await expect(embeddingsOf([new Int16Array(24_000)], import.meta.filename, signal())).rejects.toThrow(
      'ended with 1',
    );
  });

  itNeeds(program('mkfifo'), 'ends where it hangs, so that the next one begins', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'voices-'));
    const pipe = join(folder, 'model');
    try {
      // Nobody writes into it: who opens it to read waits forever.
      execFileSync('mkfifo', [pipe]);
      await expect(embeddingsOf([new Int16Array(24_000)], pipe, signal(), 2_000)).rejects.toThrow('timeout');
    } finally {
      rmSync(folder, { recursive: true });
    }
    await expect(embeddingsOf([new Int16Array(24_000)], import.meta.filename, signal())).rejects.toThrow(
      'ended with 1',
    );
  });

  it('ends with the signal', async () => {
    const controller = new AbortController();
    const asked = embeddingsOf([new Int16Array(24_000)], import.meta.filename, controller.signal);
    controller.abort(new Error('the lease is lost'));
    await expect(asked).rejects.toThrow('the lease is lost');
  });
});

describeNeeds(voiceModel, 'with CAM++', () => {
  it('its process ends with the service, also when that is killed', async () => {
    const service = spawn(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `const { embeddingsOf } = await import('${new URL('./embedding-process.ts', import.meta.url)}');
        await embeddingsOf(Array(10_000).fill(new Int16Array(24_000)), '${VOICE_MODEL}', new AbortController().signal);`,
      ],
      { stdio: 'ignore' },
    );
    const children = () => readFileSync(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8').trim();
    await until(() => children() !== '', 'the process of the embedding runs');
    const [child = ''] = children().split(' ');
    service.kill('SIGKILL');
    await once(service, 'exit');
    await until(() => !existsSync(`/proc/${child}`), 'it has ended too');
  });

  let channels: Int16Array[];
  beforeAll(async () => {
    channels = (await decoded(path)).map((channel) => channel.slice(0, 30 * 16_000));
  });

  async function embedded(samples: Int16Array): Promise<{ before: Voices; after: Voices }> {
    const features = heard(samples);
    const before = separateVoices(features) as Voices;
    const audio = new WindowAudio(windowsToEmbed(features));
    audio.push({ startMs: 0, samples });
    return {
      before,
      after: withEmbeddings(features, await embeddingsOf(audio.samples, VOICE_MODEL, signal()), before),
    };
  }

  it('half a minute of two people is surer', async () => {
    const { before, after } = await embedded(inOneChannel(channels));
    expect(before.confidence).toBeLessThan(0.9);
    expect(after.confidence).toBeGreaterThan(0.95);
    expect(countOf(after)).toBe(2);
    expect(wrongShare(channels, after)).toBeLessThan(0.03);
  });

  it('one person is not surely two', async () => {
    const [first] = await decoded(path);
    const { after } = await embedded(first as Int16Array);
    expect(after.confidence).toBeLessThan(0.2);
  });
});

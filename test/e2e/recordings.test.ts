import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type AudioFile, FILES, readManifest } from '@call-analytics/stand-in/recordings';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { itNeeds, REAL_RECORDINGS, realRecording } from '../requirements.fixture.ts';
import { until } from '../until.fixture.ts';
import type { Client } from './client.fixture.ts';
import { Installation } from './installation.fixture.ts';

const manifest = readManifest();

// The whole product, as a client sees it, with each recording there is.
describe('each recording', () => {
  let installation: Installation;
  let client: Client;

  beforeAll(async () => {
    installation = await Installation.withStandIn();
    await installation.start();
    client = await installation.client();
  });

  afterAll(() => installation.remove());

  /** @returns how many recordings the audio store holds; those of failed calls stay for their retention */
  const recordingsKept = async () => {
    const entries = await readdir(join(installation.dataDir, 'audio'), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).length;
  };
  const expectAudioDeleted = (keptBefore: number) =>
    until(async () => (await recordingsKept()) === keptBefore, 'the recording is gone from the audio store');

  for (const file of manifest.files.filter(({ expected }) => expected.ends === 'speech')) {
    it(`${file.name} (${file.about}) is transcribed and analysed`, async () => {
      const kept = await recordingsKept();
      const call = await client.finished(await client.uploaded(join(FILES, file.name)));
      expect({ status: call.status, why: call.errorMessage }).toEqual({ status: 'completed', why: undefined });
      const said = wordsOf(
        manifest.scripts[file.script ?? '']?.turns
          .filter((turn) => isHeard(file, turn.channel))
          .map((turn) => turn.text) ?? [],
      );
      const written = wordsOf((call.transcript ?? '').split('\n').map((line) => line.replace(/^[^:]+: /, '')));
      expect(recall(said, written)).toBeGreaterThan(0.95);
      expect(recall(written, said)).toBeGreaterThan(0.95);
      expect(call.detailedReport).toHaveLength(6);
      await expectAudioDeleted(kept);
    });
  }

  for (const file of manifest.files.filter(({ expected }) => expected.ends === 'no-speech')) {
    it(`${file.name} (${file.about}) completes, with an empty transcript, no score, and a summary that says that no speech was found`, async () => {
      const kept = await recordingsKept();
      const call = await client.finished(await client.uploaded(join(FILES, file.name)));
      expect({ status: call.status, transcript: call.transcript, score: call.score }).toEqual({
        status: 'completed',
        transcript: '',
        score: null,
      });
      expect(call.summary).toMatch(/no speech/i);
      await expectAudioDeleted(kept);
    });
  }

  for (const file of manifest.files.filter(({ expected }) => expected.ends === 'failed' || expected.ends === null)) {
    it(`${file.name} (${file.about}) is refused, or fails with a reason that says what to do`, async () => {
      const response = await client.upload(join(FILES, file.name));
      expect(file.expected.upload).toContain(response.status);
      if (response.status !== 202) {
        const problem = (await response.json()) as { detail: string; code: string };
        expect(problem.detail).toMatch(/MP3|recording|file/i);
        return;
      }
      const call = await client.finished(((await response.json()) as { id: string }).id);
      expect(call.status).toBe('failed');
      expect(call.errorMessage).toMatch(/recording|file/i);
    });
  }

  it('tells the two people of the bundled call apart, exactly, and names their roles', async () => {
    const kept = await recordingsKept();
    const call = await client.finished(
      await client.uploaded(join(FILES, 'bundled-call.mp3'), { reportType: 'detailed' }),
    );
    const lines = (call.transcript ?? '').split('\n');
    for (const role of ['manager', 'customer'] as const) {
      const label = role === 'manager' ? 'Manager: ' : 'Customer: ';
      const said = wordsOf(
        manifest.scripts['bundled-call']?.turns.filter(({ speaker }) => speaker === role).map(({ text }) => text) ?? [],
      );
      const written = wordsOf(lines.filter((line) => line.startsWith(label)).map((line) => line.slice(label.length)));
      expect(recall(said, written)).toBeGreaterThan(0.97);
    }
    expect(call).toMatchObject({ saleStatus: 'follow_up', product: expect.stringMatching(/horizon/i) });
    expect(call.objections.join(' ')).toMatch(/price|expensive/i);
    expect(call.nextStep).toMatch(/tuesday/i);
    expect(call.score).toBeGreaterThan(50);
    expect(call.detailedReport).toHaveLength(10);
    await expectAudioDeleted(kept);
  });

  // Nobody has written down what is said in it: the engine's words are made up, and everything else is real.
  itNeeds(
    realRecording('real-phone-call-8khz-stereo.flac'),
    'a real stereo phone call comes to the engine turn by turn, and its report tells the two people apart',
    async () => {
      installation.standIn.faults.push({
        endpoint: 'transcriptions',
        do: { kind: 'words', text: 'Thank you for calling, how can I help you today?' },
      });
      const before = installation.standIn.requests.length;
      const kept = await recordingsKept();
      const id = await client.uploaded(join(REAL_RECORDINGS, 'real-phone-call-8khz-stereo.flac'));
      const call = await client.finished(id, 120_000);
      installation.standIn.faults.length = 0;
      expect({ status: call.status, why: call.errorMessage }).toEqual({ status: 'completed', why: undefined });
      expect(installation.standIn.requests.length - before).toBeGreaterThan(10);
      expect(call.transcript).toMatch(/^Manager: /m);
      expect(call.transcript).toMatch(/^Customer: /m);
      await expectAudioDeleted(kept);
    },
  );
});

const wordsOf = (texts: string[]) =>
  texts
    .join(' ')
    .toLowerCase()
    .match(/[\p{L}\p{N}']+/gu) ?? [];

/** The share of `wanted` that is in `given`, in the same order (longest common subsequence). */
function recall(wanted: string[], given: string[]): number {
  let row = new Array<number>(given.length + 1).fill(0);
  for (const word of wanted) {
    const next = [0];
    for (let i = 0; i < given.length; i += 1) {
      next.push(given[i] === word ? (row[i] ?? 0) + 1 : Math.max(row[i + 1] ?? 0, next[i] ?? 0));
    }
    row = next;
  }
  return wanted.length === 0 ? 1 : (row.at(-1) ?? 0) / wanted.length;
}

const isHeard = (file: AudioFile, channel: string) => file.name !== 'one-channel-silent.mp3' || channel === 'left';

import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { analysis, transcript } from '../contract/call-store.fixture.ts';
import type { Segment, Utterance } from '../transcript.ts';
import { packedTimes } from '../word-times.ts';
import { type Watched, watchedStore } from './watched.fixture.ts';

const HOURS = 6;
const SEGMENT_MS = 7 * 60_000;
const UTTERANCE_MS = 3_000;
/** Nobody stops talking, at 170 words a minute, in a script that takes two bytes a letter. */
const WORDS = 'здравствуйте меня зовут Анна компания Черепица Плюс вы интересовались крышей для дома'.split(' ');
const WORDS_IN_UTTERANCE = Math.round((170 * UTTERANCE_MS) / 60_000);
/** What one document may have: https://www.mongodb.com/docs/v6.0/reference/limits/#bson-documents */
const LIMIT_BYTES = 16 * 1024 * 1024;

function talk(fromMs: number, toMs: number): Utterance[] {
  const utterances: Utterance[] = [];
  for (let startMs = fromMs; startMs < toMs; startMs += UTTERANCE_MS) {
    const words = Array.from(
      { length: WORDS_IN_UTTERANCE },
      (_, n) => WORDS[(startMs / UTTERANCE_MS + n * 7) % WORDS.length],
    );
    const wordMs = UTTERANCE_MS / words.length;
    const times = words.map((_, n) => ({ startMs: startMs + n * wordMs + 20, endMs: startMs + (n + 1) * wordMs }));
    utterances.push({
      speaker: (startMs / UTTERANCE_MS) % 2,
      startMs,
      endMs: startMs + UTTERANCE_MS,
      text: words.join(' '),
      words: packedTimes(times, startMs) ?? '',
    });
  }
  return utterances;
}

describeWithServers('the document of a call', (servers) => {
  let watched: Watched;
  beforeAll(async () => {
    watched = await watchedStore(servers);
  });
  afterAll(() => watched.close());

  const bytes = async (callId: string): Promise<number> => {
    const [size] = await watched.database.calls
      .aggregate<{ bytes: number }>([{ $match: { _id: callId } }, { $project: { bytes: { $bsonSize: '$$ROOT' } } }])
      .toArray();
    return size?.bytes ?? Number.NaN;
  };
  const segments: Segment[] = [];
  for (let startMs = 0; startMs < HOURS * 3_600_000; startMs += SEGMENT_MS) {
    const endMs = Math.min(startMs + SEGMENT_MS, HOURS * 3_600_000);
    segments.push({
      key: `channel mixed, ${startMs} to ${endMs}, openai gpt-transcribe`,
      channel: null,
      startMs,
      endMs,
      utterances: talk(startMs, endMs),
      language: 'ru',
    });
  }
  const utterances = segments.flatMap((segment) => segment.utterances);
  const finding = { text: 'Интерес к крыше', quote: utterances[0]?.text ?? '', line: 0 };

  it('has less than a quarter of what MongoDB allows for six hours of ceaseless talk, at every stage', async () => {
    const { fixture } = watched;
    const { id } = await fixture.accept('a', HOURS * 3_600);
    const lease = await fixture.claim(id);
    for (const segment of segments) expect(await fixture.calls.saveSegment(lease, segment)).toBe(true);
    expect(await fixture.store.segments(id)).toHaveLength(segments.length);
    const transcribing = await bytes(id);

    await fixture.calls.commitTranscript(lease, { ...transcript, utterances });
    const transcribed = await bytes(id);

    const lines = utterances.map(({ words: _, ...utterance }) => ({
      role: utterance.speaker === 0 ? ('manager' as const) : ('customer' as const),
      ...utterance,
    }));
    const findings = Array(200).fill(finding);
    const report = {
      ...analysis,
      lines,
      positives: findings,
      issues: findings,
      objections: findings,
      managerMistakes: findings,
    };
    await fixture.calls.commitAnalysis(await fixture.claim(id, 'analysis'), report);
    const analyzed = await bytes(id);

    if (process.env.SHOW_SIZES !== undefined)
      process.stdout.write(`${JSON.stringify({ transcribing, transcribed, analyzed })}\n`);
    expect(Math.max(transcribing, transcribed, analyzed)).toBeLessThan(LIMIT_BYTES / 4);
    expect(await fixture.store.detail('a', id)).toMatchObject({ transcript: null, analysis: report });
    expect((await fixture.store.transcript(id))?.utterances).toEqual(utterances);
    expect(await fixture.store.segments(id)).toEqual([]);
  });

  it('that would outgrow its limit is refused for good, and the call can be failed with that reason', async () => {
    const { fixture } = watched;
    const { id } = await fixture.accept('a');
    const lease = await fixture.claim(id);
    const flood = { speaker: 0, startMs: 0, endMs: 1, text: 'x'.repeat(LIMIT_BYTES - 400_000) };
    const tooLarge = {
      failure: { kind: 'rejected', code: 'result_too_large', message: expect.stringContaining('in parts') },
    };
    const beyond = { ...flood, text: 'x'.repeat(LIMIT_BYTES + 1) };
    const farBeyond = { ...flood, text: 'x'.repeat(60_000_000) };
    for (const utterance of [beyond, farBeyond]) {
      await expect(
        fixture.calls.saveSegment(lease, { ...(segments[0] as Segment), utterances: [utterance] }),
      ).rejects.toMatchObject(tooLarge);
      await expect(
        fixture.calls.commitTranscript(lease, { ...transcript, utterances: [utterance] }),
      ).rejects.toMatchObject(tooLarge);
    }
    await fixture.calls.saveSegment(lease, { ...(segments[0] as Segment), key: 'flood', utterances: [flood] });
    await expect(
      fixture.calls
        .saveSegment(lease, segments[1] as Segment)
        .then(() => fixture.calls.saveSegment(lease, { ...(segments[2] as Segment), utterances })),
    ).rejects.toMatchObject(tooLarge);
    await fixture.calls.failAttempt(lease, {
      kind: 'rejected',
      code: 'result_too_large',
      message: 'The call has more text than can be stored.',
    });
    expect(await fixture.read(id)).toMatchObject({ status: 'failed', failure: { code: 'result_too_large' } });
  });
});

import { readFileSync } from 'node:fs';
import { decodeAudio, type StandIn, startStandIn } from '@call-analytics/stand-in';
import { audioFile } from '@call-analytics/stand-in/recordings';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { SpeechEngine } from '../engine.ts';
import { languageCode, openaiEngine, readAnswer, requestDeadlineMs } from './engine.ts';
import { type Answering, startSpeechServer } from './speech-server.fixture.ts';

/** Before the shutdown of the older models. */
const clock = { now: () => new Date('2026-11-21T12:00:00Z') };

let standIn: StandIn;
const opened: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  standIn = await startStandIn({ speech: 'known-text', clock });
});
afterEach(async () => {
  for (const part of opened.splice(0)) await part.close();
  await standIn.close();
});

function open(model: string, apiKey = standIn.key): SpeechEngine {
  const engine = openaiEngine({ model, apiKey, baseUrl: standIn.url, deadlineMs: 600_000, clock });
  opened.push(engine);
  return engine;
}

/** @returns the manager's sentence of the excerpt, as the planner would cut it */
function segment(): { samples: Int16Array } {
  const [left] = decodeAudio(readFileSync(audioFile('excerpt.mp3').path), 'stereo')?.channels ?? [];
  if (left === undefined) throw new Error('no excerpt');
  return { samples: left.slice(0, 5.6 * 16_000) };
}

const signal = new AbortController().signal;

describe('transcribing through an OpenAI-compatible endpoint', () => {
  it('gpt-transcribe gives text alone, and takes the languages that calls may be in', async () => {
    const engine = open('gpt-transcribe');
    expect(engine.limits).toMatchObject({ timestamps: false, maxSeconds: 480 });
    const answer = await engine.transcribe(segment(), { signal, languages: ['en', 'de'] });
    expect(answer.text).toBe('Hello, this is Peter from River Bank Printing. How are your new business cards?');
    expect(answer.utterances).toBeUndefined();
    expect(answer.language).toBe('en');
  });

  it('whisper-1 says when things were said', async () => {
    const engine = open('whisper-1');
    expect(engine.limits.timestamps).toBe(true);
    const { utterances = [], language } = await engine.transcribe(segment(), { signal, languages: ['en'] });
    expect(language).toBe('en');
    expect(utterances.map(({ text }) => text).join(' ')).toContain('Peter from River Bank Printing');
    for (const { startMs, endMs } of utterances) expect(startMs).toBeLessThan(endMs);
    expect(utterances.at(-1)?.endMs).toBeLessThanOrEqual(5_700);
  });

  it('gpt-4o-transcribe-diarize says when things were said, and by whom', async () => {
    const engine = open('gpt-4o-transcribe-diarize');
    expect(engine.limits.diarizes).toBe(true);
    const answer = await engine.transcribe(segment(), { signal });
    expect(answer.utterances?.length).toBeGreaterThan(0);
    expect(answer.utterances?.map(({ speaker }) => speaker)).toEqual(answer.utterances?.map(() => 'A'));
  });

  it('a segment shorter than the endpoint takes is made longer with silence', async () => {
    const answer = await open('gpt-transcribe')
      .transcribe({ samples: segment().samples.subarray(0, 800) }, { signal })
      .catch((error: unknown) => error);
    expect(standIn.requests[0]?.seconds).toBeGreaterThan(0.45);
    expect(answer).not.toMatchObject({ failure: { code: 'audio_refused', message: expect.stringContaining('short') } });
  });

  it('sends MP3, whose sound is the sound of the segment', async () => {
    await open('gpt-transcribe').transcribe(segment(), { signal });
    expect(standIn.requests[0]?.seconds).toBeCloseTo(5.6, 0);
    // Recognized by its sound, so it has arrived.
    expect(standIn.requests[0]?.answered).toBe(200);
  });
});

describe('a vocabulary', () => {
  const served = async (model: string, answering: Answering) => {
    const server = await startSpeechServer(answering);
    const engine = openaiEngine({ model, apiKey: 'key', baseUrl: server.url, deadlineMs: 60_000, clock });
    opened.push(engine, server);
    return { engine, server };
  };
  const vocabulary = ['Platinum Motors', 'Sitilli', 'Tesla Model S', 'Acme'];
  const text = (said: string) => ({ body: { text: said } });

  it.each(['gpt-transcribe', 'whisper-1'])('is taken by the API for %s', async (model) => {
    const answer = await open(model).transcribe(segment(), { signal, vocabulary });
    expect(answer.text).toContain('Peter from River Bank Printing');
    expect(standIn.requests.map(({ answered }) => answered)).toEqual([200]);
  });

  it('is sent as keywords, the first hundred, where the model takes them', async () => {
    const { engine, server } = await served('gpt-transcribe', () => text('Hello.'));
    const many = Array.from({ length: 500 }, (_, n) => `Term ${n}`);
    await engine.transcribe(segment(), { signal, vocabulary: many });
    expect(server.asked[0]?.fields['keywords[]']).toEqual(many.slice(0, 100));
  });

  it.each(['whisper-1', 'gpt-4o-transcribe', 'Systran/faster-whisper-base'])(
    'is the prompt for %s, the most important term last, in at most 224 tokens',
    async (model) => {
      const { engine, server } = await served(model, () => text('Hello.'));
      await engine.transcribe(segment(), { signal, vocabulary });
      const longest = Array.from({ length: 500 }, (_, n) => `${'𠀀'.repeat(56)}a${String(n).padStart(3, '0')}`);
      await engine.transcribe(segment(), { signal, vocabulary: longest });
      await engine.transcribe(segment(), { signal });
      const prompts = server.asked.map(({ fields }) => fields.prompt);
      expect(prompts).toEqual([['Acme, Tesla Model S, Sitilli, Platinum Motors.'], [`${longest[0]}.`], undefined]);
      for (const { fields } of server.asked) expect(fields['keywords[]']).toBeUndefined();
    },
  );

  it('is not sent to a model that takes none', async () => {
    const { engine, server } = await served('gpt-4o-transcribe-diarize', () => text('Hello.'));
    await engine.transcribe(segment(), { signal, vocabulary });
    expect(Object.keys(server.asked[0]?.fields ?? {}).filter((name) => /prompt|keywords/.test(name))).toEqual([]);
  });

  it.each([
    ['alone', 'Platinum Motors, Sitilli, Tesla Model S, Acme.'],
    ['in part', 'sitilli tesla model'],
    ['among words', 'Well, I think Sitilli, Tesla Model S, Acme and so on.'],
  ])('that the engine repeats %s is asked again without it', async (_, echo) => {
    const { engine, server } = await served('gpt-transcribe', (_asked, number) => text(number === 1 ? echo : 'Mhm.'));
    expect((await engine.transcribe(segment(), { signal, vocabulary })).text).toBe('Mhm.');
    expect(server.asked.map(({ fields }) => fields['keywords[]']?.length)).toEqual([4, undefined]);
  });

  it('does not make real words an echo', async () => {
    const said = ['Mr. Sitilli has a Tesla Model S from Acme.', 'Tesla Model S.'];
    const { engine, server } = await served('gpt-transcribe', (_asked, number) => text(said[number - 1] ?? ''));
    for (const _ of said) await engine.transcribe(segment(), { signal, vocabulary });
    expect(server.asked).toHaveLength(said.length);
  });
});

describe('failures of the endpoint', () => {
  it.each([
    [
      'a rate limit',
      { kind: 'rate-limit', retryAfterSeconds: 7 },
      { kind: 'rate-limited', until: new Date('2026-11-21T12:00:07Z') },
    ],
    ['an account without credit', { kind: 'quota' }, { kind: 'out-of-quota' }],
    ['a server that is away', { kind: 'server-error', status: 503 }, { kind: 'unavailable' }],
    ['an error of its own', { kind: 'server-error', status: 500 }, { kind: 'unanswered' }],
  ] as const)('%s is told apart', async (_, effect, failure) => {
    standIn.faults.push({ do: effect });
    await expect(open('gpt-transcribe').transcribe(segment(), { signal })).rejects.toMatchObject({ failure });
  });

  it('a refused key is the operator’s to mend', async () => {
    await expect(open('gpt-transcribe', 'sk-wrong').transcribe(segment(), { signal })).rejects.toMatchObject({
      failure: { kind: 'out-of-quota', code: 'engine_key_refused' },
    });
  });

  it('an answer of another shape is a failure that passes', async () => {
    standIn.faults.push({ do: { kind: 'error', status: 200, body: { transcript: 'hello' } } });
    await expect(open('gpt-transcribe').transcribe(segment(), { signal })).rejects.toMatchObject({
      failure: { kind: 'unanswered', code: 'engine_answer_unreadable' },
    });
  });

  it('stopping ends a request at once', async () => {
    standIn.faults.push({ do: { kind: 'hang' } });
    const stop = new AbortController();
    const answer = open('gpt-transcribe').transcribe(segment(), { signal: stop.signal });
    await until(() => standIn.requests.length > 0, 'the request has come');
    stop.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
  });
});

describe('the deadline of a request', () => {
  it('is in proportion to its audio, and never longer than the operator allows', () => {
    expect(requestDeadlineMs(1.8, 300_000)).toBe(78_000);
    // Timers take whole milliseconds, and 7.02 * 10 * 1000 is none.
    expect(requestDeadlineMs(7.02, 300_000)).toBe(130_200);
    expect(requestDeadlineMs(60, 300_000)).toBe(300_000);
    expect(requestDeadlineMs(1.8, 5_000)).toBe(5_000);
  });
});

describe('reading an answer', () => {
  it('takes the first of the languages of gpt-transcribe, and the tokens', () => {
    const usage = { type: 'tokens', input_tokens: 140, output_tokens: 9, total_tokens: 149 };
    expect(readAnswer({ text: ' Hello. ', languages: [{ code: 'en' }, { code: 'de' }], usage })).toEqual({
      text: 'Hello.',
      language: 'en',
      tokens: { input: 140, output: 9 },
    });
  });

  it('takes what a small server says: text and nothing else', () => {
    expect(readAnswer({ text: '' })).toEqual({ text: '', language: null });
  });

  it('takes no language from an empty list', () => {
    expect(readAnswer({ text: 'x', languages: [] }).language).toBeNull();
  });

  it('takes times in seconds', () => {
    expect(
      readAnswer({
        text: 'a b',
        language: 'english',
        duration: 2,
        segments: [{ id: 0, start: 0.5, end: 1.25, text: ' a b' }],
      }),
    ).toEqual({ text: 'a b', language: 'en', utterances: [{ startMs: 500, endMs: 1_250, text: 'a b' }] });
  });

  it('takes words with their times, and how sure the engine is of its segments', () => {
    const { words, confidence } = readAnswer({
      text: 'a b',
      segments: [
        { start: 0, end: 3, text: 'a', avg_logprob: -0.2 },
        { start: 3, end: 4, text: 'b', avg_logprob: -1 },
      ],
      words: [
        { word: 'a', start: 0, end: 0.5 },
        { word: 'b', start: 3, end: 3.5 },
      ],
    });
    expect(words).toEqual([
      { startMs: 0, endMs: 500, text: 'a' },
      { startMs: 3_000, endMs: 3_500, text: 'b' },
    ]);
    expect(confidence).toBeCloseTo(-0.4);
  });

  it('takes the speakers of lines, as letters or numbers, and then no words, which have none', () => {
    const segments = [
      { start: 0, end: 1, text: 'a', speaker: 'SPEAKER_00' },
      { start: 1, end: 2, text: 'b', speaker: 1 },
      { start: 2, end: 3, text: 'c', speaker: null },
      { start: 3, end: 4, text: 'd', speaker_id: 'speaker_2' },
    ];
    const words = [{ word: 'a', start: 0, end: 1 }];
    const answer = readAnswer({ text: 'a b c d', segments, words });
    expect(answer.utterances).toEqual([
      { startMs: 0, endMs: 1_000, text: 'a', speaker: 'SPEAKER_00' },
      { startMs: 1_000, endMs: 2_000, text: 'b', speaker: '1' },
      { startMs: 2_000, endMs: 3_000, text: 'c' },
      { startMs: 3_000, endMs: 4_000, text: 'd', speaker: 'speaker_2' },
    ]);
    expect(answer.words).toBeUndefined();
  });

  it('refuses what is no answer', () => {
    expect(() => readAnswer({ error: 'busy' })).toThrow();
    expect(() => readAnswer('hello')).toThrow();
  });
});

describe('the name of a language', () => {
  it.each([
    ['english', 'en'],
    ['Russian', 'ru'],
    ['en', 'en'],
    ['pt-br', 'pt-BR'],
    ['klingonese of the north', null],
    ['', null],
  ])('"%s" is %s', (said, code) => {
    expect(languageCode(said)).toBe(code);
  });
});

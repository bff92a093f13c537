import { watchPoints } from '@call-analytics/service-kit';
import type { StandIn } from '@call-analytics/stand-in';
import { audioFile } from '@call-analytics/stand-in/recordings';
import { itNeeds } from '@call-analytics/test/requirements.fixture.ts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FIVE_PIECES, openScenes, paymentsOf, type Scenes } from './transcription.fixture.ts';
import { VOICE_MODEL, voiceModel } from './voices/recordings.fixture.ts';

let standIn: StandIn;
let open: Scenes['open'];
let close: Scenes['close'];

beforeEach(async () => {
  ({ standIn, open, close } = await openScenes());
});
afterEach(() => close());

describe('transcribing a call', () => {
  it('gives each person the words of their own channel, in the order of time', async () => {
    const scene = await open();
    const { call, transcript } = await scene.transcribed(await scene.uploaded('excerpt.mp3'));
    expect(call.status).toBe('analyzing');
    expect(transcript?.utterances.map(({ speaker, text }) => `${speaker}: ${text}`)).toEqual([
      '0: Hello, this is Peter from River Bank Printing. How are your new business cards?',
      '1: Hi Peter. The cards look very good, but the box came too late.',
    ]);
    expect(transcript).toMatchObject({
      speakersBy: 'channels',
      language: 'en',
      engine: { name: 'openai', model: 'gpt-transcribe' },
    });
    expect(transcript?.audio.seconds).toBeCloseTo(9.9, 1);
    expect(call.audio.seconds).toBe(transcript?.audio.seconds);
    await until(async () => (await scene.leftovers()).length === 0, 'no files are left');
  });

  it('keeps where a recording ends that its header promises more of', async () => {
    const scene = await open();
    const { call, transcript } = await scene.transcribed(await scene.uploaded('excerpt.flac', { bytes: 40_000 }));
    expect(call.status).toBe('analyzing');
    expect(transcript?.audio.cutOff?.declaredSeconds).toBeCloseTo(9.9, 1);
    expect(transcript?.audio.seconds).toBeLessThan(8);
    const whole = await scene.transcribed(await scene.uploaded('excerpt.flac'));
    expect(whole.transcript?.audio.cutOff).toBeNull();
  });

  it('logs once how the decoder is isolated', async () => {
    const scene = await open();
    await scene.transcribed(await scene.uploaded('excerpt.mp3'));
    await scene.transcribed(await scene.uploaded('excerpt.mp3'));
    const said = scene.lines.filter(({ msg }) => /^the decoder is (not )?isolated/.test(String(msg)));
    expect(said).toEqual([expect.objectContaining({ layers: expect.any(Array) })]);
  });

  it.each([
    ['mono-in-both-channels.mp3', 2, 'voices'],
    ['one-channel-silent.mp3', 1, 'nothing'],
    ['crosstalk.mp3', 2, 'channels'],
  ])('hears nothing twice in %s', async (file, requests, speakersBy) => {
    const scene = await open();
    const { transcript } = await scene.transcribed(await scene.uploaded(file));
    expect(standIn.requests).toHaveLength(requests);
    const words = transcript?.utterances.flatMap(({ text }) => text.match(/Hello|Hi Peter/g) ?? []) ?? [];
    expect(words).toEqual(file === 'one-channel-silent.mp3' ? ['Hello'] : ['Hello', 'Hi Peter']);
    expect(transcript?.speakersBy).toBe(speakersBy);
  });

  it('tells the people of a call in one channel apart by their voices', async () => {
    const scene = await open();
    const { transcript } = await scene.transcribed(await scene.uploaded('bundled-call-mono.mp3'));
    expect(transcript).toMatchObject({ speakersBy: 'voices' });
    expect(transcript?.speakersConfidence).toBeGreaterThan(0.9);
    const { turns } = audioFile('bundled-call-mono.mp3');
    const words = turns.flatMap((turn) =>
      turn.words.map((word) => ({ ...word, who: turn.channel === 'left' ? 0 : 1 })),
    );
    const right = words.filter(({ startMs, endMs, who }) =>
      transcript?.utterances.some(
        (said) => said.speaker === who && said.startMs <= (startMs + endMs) / 2 && said.endMs >= (startMs + endMs) / 2,
      ),
    );
    expect(right.length / words.length).toBeGreaterThan(0.97);
    const text =
      transcript?.utterances
        .map((said) => said.text)
        .join(' ')
        .split(/\s+/).length ?? 0;
    expect(Math.abs(text - words.length)).toBeLessThan(0.02 * words.length);
    expect(transcript?.audio.speechSeconds).toHaveLength(2);
  });

  it('tells them apart without the speaker embedding where that fails, and logs it', async () => {
    const scene = await open({ VOICE_MODEL: import.meta.filename });
    const { transcript } = await scene.transcribed(await scene.uploaded('bundled-call-mono.mp3'));
    expect(transcript).toMatchObject({ speakersBy: 'voices' });
    expect(transcript?.speakersConfidence).toBeGreaterThan(0.9);
    expect(scene.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', msg: expect.stringContaining('the speaker embedding failed') }),
    );
  });

  it('does not start where VOICE_MODEL is no file', async () => {
    await expect(open({ VOICE_MODEL: 'nowhere.onnx' })).rejects.toThrow('VOICE_MODEL: nowhere.onnx is not a file.');
  });

  itNeeds(voiceModel, 'tells them apart with the speaker embedding that VOICE_MODEL names', async () => {
    const scene = await open({ VOICE_MODEL });
    const { transcript } = await scene.transcribed(await scene.uploaded('bundled-call-mono.mp3'));
    const without = await open();
    const before = await without.transcribed(await without.uploaded('bundled-call-mono.mp3'));
    expect(transcript?.speakersConfidence).toBeGreaterThan(0.9);
    expect(transcript?.speakersConfidence).not.toBe(before.transcript?.speakersConfidence);
    expect(scene.lines).toContainEqual(expect.objectContaining({ file: VOICE_MODEL }));
    expect(scene.lines.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  it('continues a call of the previous release, cut without voices, with what is paid for', async () => {
    const scene = await open();
    const uploaded = await scene.uploaded('mono-in-both-channels.mp3');
    await scene.calls.grant(uploaded.id);
    const claimed = await scene.calls.claim(uploaded.id, 'transcription', 'the previous release');
    if ('refused' in claimed) throw new Error(claimed.refused);
    const key = 'all:180-9760:openai/gpt-transcribe:plan1';
    const utterances = [{ speaker: null, startMs: 500, endMs: 9_640, text: 'Hello. Hi Peter.' }];
    const segment = { key, channel: null, startMs: 180, endMs: 9_760, utterances, language: 'en' };
    expect(await scene.calls.saveSegment(claimed.lease, segment)).toBe(true);
    await scene.calls.release(claimed.lease);
    const { transcript } = await scene.transcribed(uploaded);
    expect((await scene.store.segments(uploaded.id)).map((one) => one.key)).toEqual([key]);
    expect(transcript).toMatchObject({ speakersBy: 'nothing', utterances });
    expect(standIn.requests).toEqual([]);
  });

  it('completes a silent recording with an empty transcript, and asks the engine nothing', async () => {
    const scene = await open();
    const { call, transcript } = await scene.transcribed(await scene.uploaded('silence.mp3'));
    expect(call.status).toBe('analyzing');
    expect(transcript).toMatchObject({
      utterances: [],
      audio: { coveredSeconds: 0, dropped: [{ startMs: 0, endMs: 30_000, reason: 'silence' }] },
    });
    expect(standIn.requests).toEqual([]);
  });

  it('sends no silence, and says where it was', async () => {
    const scene = await open();
    const { transcript } = await scene.transcribed(await scene.uploaded(FIVE_PIECES));
    expect(standIn.requests.map(({ seconds }) => Math.round(seconds ?? 0)).reduce((a, b) => a + b)).toBeLessThan(22);
    expect(transcript?.utterances.map(({ speaker, text }) => [speaker, text.split(' ')[0]])).toEqual([
      [0, 'Hello,'],
      [1, 'One'],
      [1, 'Here'],
      [0, 'Thank'],
      [1, 'Friday'],
    ]);
    const silent = transcript?.audio.dropped
      .filter(({ reason }) => reason === 'silence')
      .reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
    expect(silent).toBeGreaterThan(55_000);
  });

  it('leaves out what the engine made up, with the reason', async () => {
    standIn.faults.push({
      endpoint: 'transcriptions',
      nth: 1,
      do: { kind: 'words', text: `Well. ${'I will call you. '.repeat(40)}` },
    });
    const scene = await open({ SEGMENT_CONCURRENCY: '1' });
    const { transcript } = await scene.transcribed(await scene.uploaded('excerpt.mp3'));
    expect(transcript?.utterances[0]?.text).toBe('Well. I will call you.');
    expect(transcript?.audio.dropped).toEqual([expect.objectContaining({ reason: 'repeated_words' })]);
  });

  it('counts the seconds that the engine was given, and what they are estimated to cost', async () => {
    const scene = await open();
    const { call } = await scene.transcribed(await scene.uploaded('excerpt.mp3'));
    const { values } = await scene.metrics.engineSeconds.get();
    expect(values).toEqual([expect.objectContaining({ labels: { engine: 'openai', model: 'gpt-transcribe' } })]);
    expect(values[0]?.value).toBeCloseTo(9.8, 0);
    const [dollars] = (await scene.metrics.engineDollars.get()).values;
    const expected = ((values[0]?.value ?? 0) / 60) * 0.0045;
    expect(dollars?.value).toBeCloseTo(expected, 6);
    const [cost] = await scene.calls.spending.costs(call.id);
    expect(cost).toMatchObject({ attempt: 1, stage: 'transcription', engine: { model: 'gpt-transcribe' } });
    expect(cost?.dollars).toBeCloseTo(expected, 6);
    expect((await scene.calls.spending.today('account_1')).dollars).toBeCloseTo(expected, 6);
  });
});

describe('a recording that cannot be transcribed', () => {
  it('fails the call with a reason that its owner can act on', async () => {
    const scene = await open();
    const { call } = await scene.transcribed(await scene.uploaded('truncated.m4a'));
    expect(call).toMatchObject({
      status: 'failed',
      failure: { code: 'audio_unreadable', message: expect.stringContaining('convert it to MP3') },
    });
    expect(await scene.leftovers()).toEqual([]);
  });

  it('fails the call when it is longer than is allowed', async () => {
    const scene = await open({ MAX_AUDIO_DURATION: '60s' });
    const { call } = await scene.transcribed(await scene.uploaded(FIVE_PIECES));
    expect(call).toMatchObject({ status: 'failed', failure: { code: 'audio_too_long' } });
    expect(standIn.requests).toEqual([]);
  });
});

describe('an engine that does not answer as it should', () => {
  it('a rate limit keeps what is done, waits as long as it is told, and pays for nothing twice', async () => {
    standIn.faults.push({ endpoint: 'transcriptions', nth: 3, do: { kind: 'rate-limit', retryAfterSeconds: 30 } });
    const scene = await open({ SEGMENT_CONCURRENCY: '1' });
    const uploaded = await scene.uploaded(FIVE_PIECES);
    const first = await scene.transcribed(uploaded);
    expect(first.call).toMatchObject({ status: 'transcribing', failures: 0, lastFailure: { kind: 'rate-limited' } });
    expect(await scene.store.segments(uploaded.id)).toHaveLength(2);
    expect((first.call.nextAttemptAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(20_000);

    // The consumer pauses until then; another worker may go on.
    const other = await open({ SEGMENT_CONCURRENCY: '1' }, scene.dir);
    other.step(31_000);
    const second = await other.transcribed(uploaded);
    expect(second.transcript?.utterances).toHaveLength(5);
    expect(paymentsOf(standIn)).toEqual([1, 1, 1, 1, 1]);
  });

  it.each([
    ['an error of its own', { kind: 'server-error' }],
    ['a connection that breaks', { kind: 'hang-up' }],
    ['half an answer', { kind: 'cut' }],
    ['something that is no JSON', { kind: 'not-json' }],
  ] as const)('of %s waits while the engine answers no other request, and is not counted', async (_, effect) => {
    standIn.faults.push({ endpoint: 'transcriptions', nth: 1, do: effect });
    const scene = await open();
    const { call } = await scene.transcribed(await scene.uploaded('one-channel-silent.mp3'));
    expect(call).toMatchObject({ status: 'transcribing', failures: 0, waiting: { for: 'speech_engine' } });
  });

  it('of one recording counts while the engine answers others', async () => {
    const scene = await open({ SEGMENT_CONCURRENCY: '1' });
    standIn.faults.push({ endpoint: 'transcriptions', nth: 2, do: { kind: 'server-error' } });
    const { call } = await scene.transcribed(await scene.uploaded(FIVE_PIECES));
    expect(call).toMatchObject({
      failures: 1,
      waiting: null,
      lastFailure: { kind: 'unanswered', code: 'engine_error' },
    });
  });

  it('of silence ends at the deadline', async () => {
    standIn.faults.push({ endpoint: 'transcriptions', do: { kind: 'hang' } });
    const scene = await open({ TRANSCRIPTION_DEADLINE: '1s' });
    const { call } = await scene.transcribed(await scene.uploaded('one-channel-silent.mp3'));
    expect(call).toMatchObject({ failures: 0, waiting: { for: 'speech_engine' } });
  });

  it.each([
    ['rate limit', { kind: 'rate-limit', retryAfterSeconds: 7 }],
    ['an account without credit', { kind: 'quota' }],
    [
      'a refused key',
      { kind: 'error', status: 401, body: { error: { message: 'Incorrect API key', code: 'invalid_api_key' } } },
    ],
    ['an unknown model', { kind: 'error', status: 404, body: { error: { message: 'no', code: 'model_not_found' } } }],
    ['502', { kind: 'server-error', status: 502 }],
    ['503', { kind: 'server-error', status: 503 }],
    ['504', { kind: 'server-error', status: 504 }],
  ] as const)('of %s waits whatever else the engine answers', async (_, effect) => {
    const scene = await open({ SEGMENT_CONCURRENCY: '1' });
    standIn.faults.push({ endpoint: 'transcriptions', nth: 2, do: effect });
    const { call } = await scene.transcribed(await scene.uploaded(FIVE_PIECES));
    expect(call).toMatchObject({ status: 'transcribing', failures: 0, waiting: { for: 'speech_engine' } });
  });

  it('that it waited for is forgotten as soon as the engine answers', async () => {
    standIn.faults.push({ endpoint: 'transcriptions', nth: 1, do: { kind: 'server-error', status: 503 } });
    const scene = await open({ SEGMENT_CONCURRENCY: '1' });
    const uploaded = await scene.uploaded(FIVE_PIECES);
    await scene.transcribed(uploaded);
    scene.step(60_000);
    const waits: unknown[] = [];
    const unwatch = watchPoints(async (name) => {
      if (name === 'segment.transcribed') waits.push((await scene.now(uploaded)).waiting);
    });
    await scene.transcribed(uploaded).finally(unwatch);
    expect(waits.map((waiting) => waiting !== null)).toEqual([true, false, false, false, false]);
  });
});

import { readFileSync } from 'node:fs';
import { classifyOpenAiError, openaiClient, toFile } from '@call-analytics/openai';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Effect, type Fault, type StandIn, startStandIn } from './index.ts';
import { audioFile } from './recordings.ts';
import { post, transcribe } from './requests.fixture.ts';

const excerpt = readFileSync(audioFile('excerpt.mp3').path);
const silence = readFileSync(audioFile('silence.mp3').path);
const open: StandIn[] = [];
afterEach(async () => {
  for (const standIn of open.splice(0)) await standIn.close();
});

async function start(faults: Fault[] = []): Promise<StandIn> {
  const standIn = await startStandIn({ speech: 'known-text', faults });
  open.push(standIn);
  return standIn;
}

const hello = { model: 'gpt-5.6-luna', messages: [{ role: 'user', content: 'Hello' }] };
const statuses = async (times: number, ask: () => Promise<{ status: number }>) => {
  const all: number[] = [];
  for (let i = 0; i < times; i += 1) all.push((await ask()).status);
  return all;
};

describe('a fault is met', () => {
  const broken: Effect = { kind: 'server-error' };

  it('by every request when it names none', async () => {
    const standIn = await start([{ do: broken }]);
    expect(await statuses(2, () => post(standIn, '/chat/completions', hello))).toEqual([500, 500]);
    expect((await transcribe(standIn, silence)).status).toBe(500);
  });

  it('by endpoint and model', async () => {
    const standIn = await start([{ endpoint: 'transcriptions', model: 'whisper-1', do: broken }]);
    expect((await post(standIn, '/chat/completions', hello)).status).toBe(200);
    expect((await transcribe(standIn, silence)).status).toBe(200);
    expect((await transcribe(standIn, silence, { model: 'whisper-1' })).status).toBe(500);
  });

  it('by the number of the request among those it is about', async () => {
    const standIn = await start([{ endpoint: 'chat', nth: [1, 3], do: broken }]);
    await transcribe(standIn, silence);
    expect(await statuses(4, () => post(standIn, '/chat/completions', hello))).toEqual([500, 200, 500, 200]);
  });

  it('by what is spoken, by what is written, and by the hash of the file', async () => {
    const standIn = await start([{ content: 'River Bank', do: broken }]);
    expect((await transcribe(standIn, excerpt)).status).toBe(500);
    expect((await transcribe(standIn, silence)).status).toBe(200);
    const written = { ...hello, messages: [{ role: 'user', content: 'Peter from River Bank Printing' }] };
    expect((await post(standIn, '/chat/completions', written)).status).toBe(500);
    standIn.faults.splice(0, 1, { content: audioFile('silence.mp3').sha256, do: broken });
    expect((await transcribe(standIn, silence)).status).toBe(500);
    expect((await transcribe(standIn, excerpt)).status).toBe(200);
  });

  it('as long as it is in the list', async () => {
    const standIn = await start();
    const ask = () => post(standIn, '/chat/completions', hello);
    expect(await statuses(1, ask)).toEqual([200]);
    standIn.faults.push({ do: broken });
    expect(await statuses(1, ask)).toEqual([500]);
    standIn.faults.length = 0;
    expect(await statuses(1, ask)).toEqual([200]);
  });
});

describe('the fault', () => {
  /** What the product makes of it, through the vendor's SDK. */
  const failure = async (effect: Effect, timeoutMs = 10_000) => {
    const { url, key } = await start([{ do: effect }]);
    const client = openaiClient({ apiKey: key, baseUrl: url, timeoutMs });
    const file = await toFile(new Uint8Array(silence), 'x.mp3', { type: 'audio/mpeg' });
    try {
      await client.audio.transcriptions.create({ file, model: 'gpt-transcribe' });
    } catch (error) {
      return classifyOpenAiError(error, new Date('2026-11-21T12:00:00Z'));
    }
    return null;
  };

  it.each<[string, Effect, object]>([
    [
      'rate limit',
      { kind: 'rate-limit', retryAfterSeconds: 7 },
      { kind: 'rate-limited', until: new Date('2026-11-21T12:00:07Z') },
    ],
    ['empty account', { kind: 'quota' }, { kind: 'out-of-quota', code: 'engine_out_of_quota' }],
    ['server error', { kind: 'server-error', status: 503 }, { kind: 'unavailable', code: 'engine_unavailable' }],
    ['connection that ends at once', { kind: 'hang-up' }, { kind: 'unanswered', code: 'engine_connection_lost' }],
    ['answer that is cut', { kind: 'cut' }, { kind: 'unanswered', code: 'engine_connection_lost' }],
    ['answer that is no JSON', { kind: 'not-json' }, { kind: 'unanswered', code: 'engine_answer_unreadable' }],
    [
      'error of one’s own',
      {
        kind: 'error',
        status: 400,
        body: {
          error: { message: 'flagged', type: 'invalid_request_error', param: null, code: 'content_policy_violation' },
        },
      },
      { kind: 'rejected', code: 'engine_refused_content' },
    ],
  ])('%s is what the product takes it for', async (_name, effect, expected) => {
    expect(await failure(effect)).toMatchObject(expected);
  });

  it.each<[string, Effect]>([
    ['hang', { kind: 'hang' }],
    ['stalled answer', { kind: 'stall' }],
  ])('%s never ends by itself', async (_name, effect) => {
    const standIn = await start([{ do: effect }]);
    const gaveUp = transcribe(standIn, silence, { signal: AbortSignal.timeout(300) });
    await expect(gaveUp).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(standIn.requests).toMatchObject([{ answered: null }]);
  });

  it('delay answers whole, later', async () => {
    const standIn = await start([{ do: { kind: 'delay', ms: 100 } }]);
    expect(await transcribe(standIn, silence)).toMatchObject({ status: 200, body: { text: '' } });
  });

  it('words are heard where nobody speaks', async () => {
    const standIn = await start([{ do: { kind: 'words', text: 'Thank you for watching.' } }]);
    expect((await transcribe(standIn, silence)).body).toMatchObject({ text: 'Thank you for watching.' });
  });

  it('refusal, length, broken JSON and wrong schema come in a good answer of both endpoints', async () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    };
    const standIn = await start();
    const viaChat = async (effect: Effect) => {
      standIn.faults.splice(0, 1, { do: effect });
      const response_format = { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } };
      const { status, body } = await post(standIn, '/chat/completions', { ...hello, response_format });
      expect(status).toBe(200);
      return (
        body as { choices: { finish_reason: string; message: { content: string | null; refusal: string | null } }[] }
      ).choices[0];
    };
    const viaResponses = async (effect: Effect) => {
      standIn.faults.splice(0, 1, { do: effect });
      const text = { format: { type: 'json_schema', name: 'answer', strict: true, schema } };
      const { status, body } = await post(standIn, '/responses', { model: 'gpt-5.6-luna', input: 'Hello', text });
      expect(status).toBe(200);
      return body;
    };
    expect(await viaChat({ kind: 'refusal' })).toMatchObject({
      finish_reason: 'stop',
      message: { content: null, refusal: expect.any(String) },
    });
    const length = await viaChat({ kind: 'length' });
    expect(length).toMatchObject({ finish_reason: 'length', message: { refusal: null } });
    expect(() => JSON.parse(length?.message.content ?? '')).toThrow();
    const invalid = await viaChat({ kind: 'invalid-json' });
    expect(invalid?.finish_reason).toBe('stop');
    expect(() => JSON.parse(invalid?.message.content ?? '')).toThrow();
    expect(JSON.parse((await viaChat({ kind: 'wrong-schema' }))?.message.content ?? '')).not.toHaveProperty('a');
    expect(await viaResponses({ kind: 'refusal' })).toMatchObject({
      status: 'completed',
      output: [{ content: [{ type: 'refusal' }] }],
    });
    expect(await viaResponses({ kind: 'length' })).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    });
  });
});

describe('the record of requests', () => {
  it('has what was asked and what was answered', async () => {
    const standIn = await start([{ nth: 2, do: { kind: 'quota' } }]);
    await transcribe(standIn, excerpt);
    await transcribe(standIn, excerpt, { model: 'whisper-1' });
    await post(standIn, '/chat/completions', hello);
    const { sha256, seconds } = audioFile('excerpt.mp3');
    expect(standIn.requests).toMatchObject([
      { endpoint: 'transcriptions', model: 'gpt-transcribe', hash: sha256, answered: 200, at: expect.any(Date) },
      { endpoint: 'transcriptions', model: 'whisper-1', hash: sha256, answered: 429 },
      { endpoint: 'chat', model: 'gpt-5.6-luna', seconds: null, answered: 200 },
    ]);
    expect(Math.abs((standIn.requests[0]?.seconds ?? 0) - (seconds ?? 0))).toBeLessThan(0.1);
  });

  it('says of a request whose client left, or whose answer was cut, that it was not answered', async () => {
    const standIn = await start([
      { endpoint: 'chat', do: { kind: 'cut' } },
      { endpoint: 'transcriptions', do: { kind: 'hang' } },
    ]);
    await expect(post(standIn, '/chat/completions', hello)).rejects.toThrow();
    await expect(transcribe(standIn, silence, { signal: AbortSignal.timeout(200) })).rejects.toThrow();
    expect(standIn.requests.map(({ answered }) => answered)).toEqual([null, null]);
  });

  it('closing ends the requests that hang', async () => {
    const standIn = await startStandIn({ speech: 'known-text', faults: [{ do: { kind: 'hang' } }] });
    const asked = post(standIn, '/chat/completions', hello).then(
      () => 'answered',
      () => 'ended',
    );
    await until(() => standIn.requests.length > 0, 'the request has come');
    await standIn.close();
    expect(await asked).toBe('ended');
  });
});

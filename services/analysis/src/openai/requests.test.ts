import type { ServerResponse } from 'node:http';
import { WorkError } from '@call-analytics/service-kit';
import { describe, expect, it } from '@jest/globals';
import type { Tokens } from '../analyst.ts';
import { analyze, answer, completion, failure, type Script, transcript } from './analyst.fixture.ts';
import { estimatedTokens } from './prompt.ts';

describe('an answer that is of no use', () => {
  it.each<[string, Script, string, string]>([
    ['a refusal', completion(null, { refusal: "I'm sorry, I can't help with that." }), 'rejected', 'engine_refused'],
    [
      'a stop by the content filter',
      completion('', { finish_reason: 'content_filter' }),
      'rejected',
      'engine_refused_content',
    ],
    [
      'an answer that was cut',
      completion('{"language": "en", "spea', { finish_reason: 'length' }),
      'transient',
      'engine_answer_cut',
    ],
    ['invalid JSON', completion('Sure! Here is the analysis:'), 'transient', 'engine_answer_invalid'],
    ['nothing at all', completion(null), 'transient', 'engine_answer_invalid'],
    ['another shape', completion({ score: 100 }), 'transient', 'engine_answer_invalid'],
    ['a prompt that the server has cut', completion(answer(), { read: 0.88 }), 'rejected', 'call_too_long_for_model'],
  ])('%s', async (_name, script, kind, code) => {
    expect(await failure(script)).toMatchObject({ kind, code });
  });

  it('was paid for all the same', async () => {
    const error = await analyze(completion('{', { finish_reason: 'length' })).catch(
      (reason: { spent: Tokens[] }) => reason,
    );
    expect((error as { spent: Tokens[] }).spent).toEqual([
      { input: expect.any(Number), output: 400 },
      { input: expect.any(Number), output: 400 },
    ]);
  });
});

describe('an endpoint in trouble', () => {
  const status =
    (code: number, body: unknown, headers = {}) =>
    (_request: unknown, response: ServerResponse) =>
      response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

  it('that limits the rate says when to come back', async () => {
    const before = Date.now();
    const found = await failure(
      status(
        429,
        { error: { message: 'Rate limit', type: 'tokens', code: 'rate_limit_exceeded' } },
        { 'retry-after': '30' },
      ),
    );
    expect(found).toMatchObject({ kind: 'rate-limited', code: 'engine_rate_limited' });
    expect((found as { until: Date }).until.getTime()).toBeGreaterThanOrEqual(before + 30_000);
  });

  it('whose account is empty is the operator’s matter', async () => {
    expect(
      await failure(
        status(429, { error: { message: 'quota', type: 'insufficient_quota', code: 'insufficient_quota' } }),
      ),
    ).toMatchObject({ kind: 'out-of-quota' });
  });

  it('that has an error of its own may work later', async () => {
    expect(await failure(status(503, { error: { message: 'overloaded' } }))).toMatchObject({
      kind: 'unavailable',
      code: 'engine_unavailable',
    });
  });

  it('that hangs is given up at the deadline', async () => {
    expect(await failure(() => {}, { timeoutMs: 150 })).toMatchObject({ kind: 'unanswered' });
  });

  it('is left at once when the result is not wanted any more', async () => {
    const stop = new AbortController();
    const error = await analyze(() => stop.abort(), { signal: stop.signal }).catch((reason: unknown) => reason);
    expect(error).not.toBeInstanceOf(WorkError);
    expect(String(error)).toMatch(/abort/i);
  });
});

describe('a call of great or no length', () => {
  it('is never cut in silence: a model with a small context reads it in parts', async () => {
    const lines = Array.from({ length: 600 }, (_, index): [number, string] => [
      index % 2,
      `${'many words '.repeat(9)}${index}.`,
    ]);
    const call = transcript(lines);
    // All of it within half an hour, so that only its words are too many.
    for (const utterance of call.utterances) Object.assign(utterance, { startMs: 0, endMs: 1_000 });
    const { requests, analysis } = await analyze(completion(answer()), {
      call,
      model: 'llama-5',
      contextTokens: 32_000,
    });
    const read = requests.map(({ messages }) => {
      const prompt = messages[1]?.content ?? '';
      expect(estimatedTokens(`${messages[0]?.content}${prompt}`)).toBeLessThan(32_000 - 18_000 + 20);
      return [...prompt.matchAll(/^(\d+) S/gm)].map(([, line]) => Number(line));
    });
    expect([...new Set(read.flat())]).toEqual(lines.map((_line, index) => index));
    for (const [index, part] of read.slice(1).entries()) expect(part[0]).toBeLessThan(read[index]?.at(-1) ?? 0);
    expect(requests.length).toBeLessThan(5);
    expect(analysis.lines).toHaveLength(600);
  });

  it('is refused before anything is paid when the context holds no part worth reading', async () => {
    const asked = { model: 'llama-5', contextTokens: 20_000 };
    expect(await failure(completion(answer()), asked)).toMatchObject({
      kind: 'rejected',
      code: 'call_too_long_for_model',
    });
    expect((await analyze(completion(answer()), { ...asked, contextTokens: 24_000 })).spent).toHaveLength(1);
  });

  it('costs what the settings say, with what the provider read from its cache and wrote to it', async () => {
    const details = { cached_tokens: 1_000, cache_write_tokens: 500 };
    const price = { millionInput: 1, millionOutput: 10, millionCached: 0.5, millionCacheWrite: 2 };
    const { spent, dollars } = await analyze(completion(answer(), { details }), { model: 'llama-5', price });
    const [{ input = 0 } = {}] = spent;
    expect(spent).toEqual([{ input, output: 400, cached: 1_000, cacheWrite: 500 }]);
    expect(dollars[0]).toBeCloseTo((input - 1_500 + 500 + 1_000 + 4_000) / 1e6, 12);
    expect((await analyze(completion(answer(), { details }), { model: 'llama-5' })).dollars).toEqual([null]);
  });

  it('without speech asks nobody and has no score', async () => {
    const { analysis, requests } = await analyze(completion(answer()), { call: transcript([]) });
    expect(requests).toEqual([]);
    expect(analysis).toMatchObject({ score: null, saleStatus: 'unclear', notScored: { code: 'no_speech' } });
  });
});

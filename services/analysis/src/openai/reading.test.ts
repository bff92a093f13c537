import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { analyze, answer, CALL, completion, failure, inTurn, type Script, transcript } from './analyst.fixture.ts';
import { estimatedTokens } from './prompt.ts';

describe('an answer with bad items', () => {
  const price = answer().objections[0];
  const bad = {
    ...answer(),
    objections: [price, { ...price, kind: 'weather' }, { ...price, quote: 'That is too expensive for me.' }, 7],
    positives: [{ line: 7, quote: 'Paid by the year', text: 'x'.repeat(5_000) }],
    checks: { ...answer().checks, greeted: 'yes', introduced: { line: 3, quote: 'Good morning, I am Emma' } },
    mistakes: Array.from({ length: 200 }, () => ({ line: 6, quote: 'You are all fools', kind: 'rude', text: 'x' })),
  };

  it('loses these alone, counts them by reason, and merges what is said twice', async () => {
    const { analysis, drops, requests } = await analyze(completion(bad));
    expect(requests).toHaveLength(1);
    expect(analysis.objections).toHaveLength(1);
    expect(analysis).toMatchObject({
      saleStatus: 'sold',
      product: 'Business plan',
      positives: [],
      managerMistakes: [],
    });
    expect(drops).toEqual({ malformed: 154, duplicate: 1, unproven: 51 });
  });

  it('is asked for once more when whole fields are missing, and the model hears what is wrong', async () => {
    const { speakers: _speakers, outcome: _outcome, ...half } = answer();
    const { analysis, requests } = await analyze(inTurn(completion(half), completion(answer())));
    expect(analysis.saleStatus).toBe('sold');
    expect(requests[1]?.messages.at(-1)?.content).toContain('"speakers" is missing; "outcome" is missing');
    expect(requests[1]?.messages.at(-2)).toMatchObject({ role: 'assistant', content: JSON.stringify(half) });
  });

  it.each<[string, Script]>([
    ['is nonsense', completion('Sorry!')],
    ['is cut', completion('{"call_kind"', { finish_reason: 'length' })],
  ])('keeps what is known when the second answer %s', async (_name, second) => {
    const { outcome: _outcome, ...half } = answer();
    const { analysis } = await analyze(inTurn(completion(half), second));
    expect(analysis).toMatchObject({ saleStatus: 'unclear', product: 'Business plan', nextStep: 'The login is sent' });
  });

  it('without speakers gives an unscored report that says why', async () => {
    const { analysis, requests } = await analyze(completion(answer({ speakers: [] })));
    expect(requests).toHaveLength(2);
    expect(analysis).toMatchObject({ score: null, notScored: { code: 'roles_unclear' } });
  });

  it('loses invisible characters, and keeps markup as text', async () => {
    const text = 'A\u0000 <b>cheaper</b>\u202e way';
    const { analysis } = await analyze(
      completion(answer({ positives: [{ line: 7, quote: 'Paid by the year', text }] })),
    );
    expect(analysis.positives).toMatchObject([{ text: 'A <b>cheaper</b> way' }]);
  });
});

describe('who is who', () => {
  it('may hold a third person, who is neither', async () => {
    const call = transcript([...CALL, [2, 'Good evening, this is the operator speaking.']]);
    const speakers = [...answer().speakers, { speaker: 3, role: 'other' as const }];
    const { analysis } = await analyze(completion(answer({ speakers })), { call });
    expect(analysis.lines.at(-1)?.role).toBe('other');
    expect(analysis.score).toBe(50);
  });

  it('makes a service call of one in which nobody sells', async () => {
    const speakers = [1, 2].map((speaker) => ({ speaker, role: 'other' as const }));
    const { analysis, requests } = await analyze(completion(answer({ speakers })));
    expect(requests).toHaveLength(1);
    expect(analysis).toMatchObject({ score: null, callKind: { kind: 'service' } });
  });
});

describe('the second request', () => {
  const accused = answer({
    mistakes: [{ line: 5, quote: 'Our Business plan sends them for you', kind: 'promise', text: 'Promises too much' }],
  });
  const verdicts =
    (shown: (finding: number) => boolean): Script =>
    (request, response) => {
      const findings = [...request.body.matchAll(/Finding (\d+):/g)].map(([, number]) => Number(number));
      completion({ verdicts: findings.map((finding) => ({ finding, shown: shown(finding) })) })(request, response);
    };

  it('shows each finding with its context only, and asks for no thought', async () => {
    const { requests, analysis } = await analyze(
      inTurn(
        completion(accused),
        verdicts(() => true),
      ),
      { verify: true },
    );
    const asked = requests[1]?.messages[1]?.content ?? '';
    expect(asked).toMatch(/The customer objects: .*\n.*\n.*\n> customer: That is too expensive for me\. \(quote: "too/);
    expect(asked).toContain('The manager makes a mistake: guarantees what nobody can keep. Promises too much');
    expect(JSON.stringify(requests[1]).length).toBeLessThan(JSON.stringify(requests[0]).length);
    expect(analysis.managerMistakes).toHaveLength(1);
  });

  it('drops what the context does not show', async () => {
    const { analysis, drops } = await analyze(
      inTurn(
        completion(accused),
        verdicts(() => false),
      ),
      { verify: true },
    );
    expect(analysis).toMatchObject({ saleStatus: 'unclear', nextStep: null, objections: [], positives: [] });
    expect(analysis.managerMistakes.map(({ text }) => text)).toEqual([
      'Agreed on no next step: The call ends without one.',
    ]);
    expect(drops.refuted).toBeGreaterThan(8);
  });

  it.each<[string, Script]>([
    ['fails', (_request, response) => response.writeHead(503).end()],
    ['says nothing', completion({ verdicts: [] })],
    ['is refused', completion(null, { refusal: 'No.' })],
    ['has read half', completion({ verdicts: [{ finding: 1, shown: false }] }, { read: 0.5 })],
  ])('drops only what is held against the manager when it %s', async (_name, second) => {
    const { analysis } = await analyze(inTurn(completion(accused), second), { verify: true });
    expect(analysis).toMatchObject({ saleStatus: 'sold', managerMistakes: [], score: 50 });
  });

  it('is not made for a call that gets no score, nor when it is switched off', async () => {
    const service = answer({ call_kind: { evidence: null, kind: 'service' } });
    expect((await analyze(completion(service), { verify: true })).requests).toHaveLength(1);
    expect((await analyze(completion(accused))).requests).toHaveLength(1);
  });
});

describe('a prompt that was cut', () => {
  // Counted by o200k_base (gpt-tokenizer 3.4) for the numbered lines of each call.
  const counted = { 'en, punctuated': 357, 'en, without punctuation': 257, de: 233, ru: 181, 'es, fr and others': 256 };
  const calls = readFileSync(join(import.meta.dirname, '../call/planted-quotes.txt'), 'utf8')
    .split(/^## /m)
    .slice(1);

  it.each(Object.entries(counted))('is told from a whole one by an estimate within 10%%: %s', (name, tokens) => {
    const call = calls.find((text) => text.startsWith(`${name}\n`)) ?? '';
    const said = /### said\n([\s\S]*?)\n\n/.exec(call)?.[1]?.split('\n') ?? [];
    const prompt = said.map((row, index) => `${index + 200} S${(index % 2) + 1}: ${row.slice(2)}`).join('\n');
    expect(estimatedTokens(prompt) / tokens).toBeGreaterThan(0.9);
    expect(estimatedTokens(prompt) / tokens).toBeLessThan(1.1);
  });

  it('is refused when a tenth and a little more is missing, and not before', async () => {
    expect(await failure(completion(answer(), { read: 0.88 }))).toMatchObject({ code: 'call_too_long_for_model' });
    expect((await analyze(completion(answer(), { read: 0.92 }))).analysis.score).toBe(50);
  });
});

describe('a long call', () => {
  const minute = (at: number): [number, string] => [at % 2, `We talk about point number ${at} of the long list today.`];
  const call = transcript(Array.from({ length: 900 }, (_, index) => minute(index)));

  it('is read in windows that overlap, and its end counts as much as its beginning', async () => {
    const { analysis, requests } = await analyze(
      (request, response) => {
        const numbers = [...request.body.matchAll(/\\n(\d+) S\d: /g)].map(([, number]) => Number(number));
        const last = numbers.at(-1) ?? 0;
        const quoted = { line: last, quote: `We talk about point number ${last} of the long list` };
        completion(
          answer({
            positives: [{ ...quoted, text: `Point ${last}` }],
            outcome: { evidence: quoted, status: last === 899 ? 'not_sold' : 'follow_up' },
          }),
        )(request, response);
      },
      { call },
    );
    const ranges = requests.map(({ messages }) => {
      const numbers = [...(messages[1]?.content ?? '').matchAll(/^(\d+) S/gm)].map(([, number]) => Number(number));
      return [numbers[0], numbers.at(-1)];
    });
    // 75 minutes, a line every 5 seconds: windows of 25 minutes that begin 22 minutes after each other.
    expect(ranges).toEqual([
      [0, 299],
      [264, 563],
      [528, 827],
      [792, 899],
    ]);
    expect(requests[1]?.messages[1]?.content).toMatch(/^Part 2 of 4 of the call\.\n264 S1: /);
    expect(analysis.positives.map(({ text }) => text)).toEqual(['Point 299', 'Point 563', 'Point 827', 'Point 899']);
    expect(analysis.saleStatus).toBe('not_sold');
  });
});

describe('a server that does not take a JSON schema', () => {
  const refuses =
    (status: number, body: unknown): Script =>
    (_request, response) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const vllm = refuses(400, {
    object: 'error',
    message: 'The provided JSON schema contains features not supported by xgrammar.',
    type: 'BadRequestError',
    param: null,
    code: 400,
  });
  const llamaCpp = refuses(400, {
    error: { code: 400, message: 'failed to parse grammar', type: 'invalid_request_error' },
  });

  it.each([
    ['vLLM', vllm],
    ['llama.cpp', llamaCpp],
  ])('is asked for any JSON object, with the schema in the instructions: %s', async (_name, refusal) => {
    const { analysis, requests } = await analyze(inTurn(refusal, completion(answer())), { model: 'qwen' });
    expect(analysis.score).toBe(50);
    expect(requests.map(({ response_format }) => response_format?.type)).toEqual(['json_schema', 'json_object']);
    expect(requests[1]?.messages[0]?.content).toMatch(/fits this JSON schema:\n\{.*"call_kind"/);
  });

  it('is asked without a format when it takes none, and its thoughts and fences are left out', async () => {
    const text = `<think>Is {this} a sale?</think>\nHere it is:\n\`\`\`json\n${JSON.stringify(answer())}\n\`\`\``;
    const { analysis, requests } = await analyze(inTurn(vllm, llamaCpp, completion(text)), { model: 'qwen' });
    expect(analysis.score).toBe(50);
    expect(requests[2]).not.toHaveProperty('response_format');
  });

  it('is not taken for one that has another fault', async () => {
    const wrong = refuses(400, { error: { message: 'The model `qwen` does not exist', code: 'model_not_found' } });
    expect(await failure(wrong, { model: 'qwen' })).toMatchObject({ code: 'engine_misconfigured' });
  });
});

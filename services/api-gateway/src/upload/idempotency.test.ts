import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { audioFile, form } from '../testing/forms.fixture.ts';
import { type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await runGateway();
});
afterAll(() => gateway.stop());

const MP3 = audioFile('excerpt.mp3');
const WAV = audioFile('excerpt.wav');
type Parts = Parameters<typeof form>[0];
const upload = (key: string, parts: Parts = [['file', MP3]], headers = {}) =>
  gateway.upload(form(parts), { 'idempotency-key': key, ...headers });
const idOf = (answer: { body: unknown }) => (answer.body as { id: string }).id;

describe('an upload with an Idempotency-Key', () => {
  it('that is sent again gets the first answer with the status of the call now, and there is one call with one recording', async () => {
    const before = (await gateway.recordings()).length;
    const first = await upload('sent twice');
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    await gateway.calls.claim(idOf(first), 'transcription', 'test');
    const again = await upload('sent twice');
    expect(again).toMatchObject({ status: 202, body: { ...(first.body as object), status: 'transcribing' } });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(await gateway.recordings()).toHaveLength(before + 1);
    const call = await gateway.store.get(idOf(first));
    expect(await gateway.audioStore.stat(call?.audio.key ?? '')).toMatchObject({ bytes: MP3.length });
  });

  it.each<[string, Parts]>([
    ['another recording', [['file', WAV]]],
    ['another file name', [['file', { name: 'other.mp3', bytes: MP3 }]]],
    [
      'another language',
      [
        ['file', MP3],
        ['language', 'de'],
      ],
    ],
    [
      'another vocabulary',
      [
        ['file', MP3],
        ['vocabulary', 'Sitilli'],
      ],
    ],
    [
      'another report type',
      [
        ['file', MP3],
        ['reportType', 'detailed'],
      ],
    ],
  ])('that was used for %s is a conflict, and nothing is kept', async (what, parts) => {
    const first = await upload(`conflict ${what}`);
    const before = (await gateway.recordings()).sort();
    expect(await upload(`conflict ${what}`, parts)).toMatchObject({
      status: 409,
      body: { code: 'idempotency_conflict' },
    });
    expect((await gateway.recordings()).sort()).toEqual(before);
    expect(idOf(await upload(`conflict ${what}`))).toBe(idOf(first));
  });

  it('is the same whether the default report type is named or not', async () => {
    const first = await upload('default', [['file', MP3]]);
    const named = await upload('default', [
      ['reportType', 'medium'],
      ['file', MP3],
    ]);
    expect(idOf(named)).toBe(idOf(first));
  });

  it('that is sent ten times at once makes one call', async () => {
    const before = (await gateway.recordings()).length;
    const answers = await Promise.all(Array.from({ length: 10 }, () => upload('at once')));
    expect(new Set(answers.map(idOf)).size).toBe(1);
    expect(answers.filter((answer) => answer.headers.get('idempotency-replayed') === null)).toHaveLength(1);
    expect(await gateway.recordings()).toHaveLength(before + 1);
  });

  it('means nothing for another account', async () => {
    const other = await gateway.newClient('Other');
    const mine = await upload('shared');
    const theirs = await upload('shared', [['file', WAV]], other.headers);
    expect(theirs.status).toBe(202);
    expect(idOf(theirs)).not.toBe(idOf(mine));
  });

  it('that was refused can be used again', async () => {
    expect((await upload('refused', [['file', audioFile('document.pdf')]])).status).toBe(415);
    expect(await upload('refused')).toMatchObject({ status: 202 });
  });

  it.each([
    ['a UUID', '0197a3c2-b1d0-7c5e-9a4f-3e2d1c0b9a88', true],
    ['one character', '!', true],
    ['255 characters', '~'.repeat(255), true],
    ['spaces inside', 'a b  c', true],
    ['empty', '', false],
    ['only a space', ' ', false],
    ['256 characters', 'x'.repeat(256), false],
    ['not ASCII', 'é', false],
    ['a tab inside', 'a\tb', false],
  ])('is taken or refused as the OpenAPI document says: %s', async (_, key, taken) => {
    expect(new RegExp(await patternOf('post', '/api/v1/calls', 'Idempotency-Key')).test(key)).toBe(taken);
    const answer = await upload(key);
    if (taken) expect(answer.status).toBe(202);
    else
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'invalid_idempotency_key', detail: expect.stringContaining('255') },
      });
  });
});

describe('an X-Request-Id', () => {
  it.each([
    ['well formed', 'my-request.1_A', true],
    ['128 characters', 'x'.repeat(128), true],
    ['129 characters', 'x'.repeat(129), false],
    ['with a space', 'a b', false],
    ['with a slash', 'a/b', false],
    ['empty', '', false],
  ])(
    'of any form is allowed, as the OpenAPI document says, and used when it is well formed: %s',
    async (_, id, used) => {
      expect(new RegExp(await patternOf('get', '/api/v1/me', 'X-Request-Id')).test(id)).toBe(true);
      const answer = await gateway.ask('/api/v1/me', { headers: { ...gateway.client.headers, 'x-request-id': id } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-request-id') === id).toBe(used);
    },
  );
});

interface Parameter {
  $ref?: string;
  name?: string;
  schema: { type: string; pattern?: string; minLength?: number; maxLength?: number };
}

/** @returns what the document says of a header's value; everything matches where it has no rule */
async function patternOf(method: string, path: string, name: string): Promise<string> {
  const document = (await gateway.ask('/api/v1/openapi.json')).body as {
    paths: Record<string, Record<string, { parameters: Parameter[] }>>;
    components: { parameters: Record<string, Parameter> };
  };
  const all = document.paths[path]?.[method]?.parameters ?? [];
  const named = all.map((each) =>
    each.$ref === undefined ? each : document.components.parameters[each.$ref.split('/').at(-1) ?? ''],
  );
  const schema = named.find((each) => each?.name === name)?.schema;
  if (schema === undefined) throw new Error(`${method} ${path} has no parameter ${name}`);
  expect({ minLength: schema.minLength, maxLength: schema.maxLength }).toEqual({
    minLength: undefined,
    maxLength: undefined,
  });
  return schema.pattern ?? '';
}

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type StandIn, startStandIn } from './index.ts';
import { error, post } from './requests.fixture.ts';

let standIn: StandIn;
beforeAll(async () => {
  standIn = await startStandIn({ speech: 'known-text' });
});
afterAll(() => standIn.close());

describe('a request for text', () => {
  const hello = { model: 'gpt-5.6-luna', messages: [{ role: 'user', content: 'Hello' }] };
  const object = (properties: object, more: object = {}) => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
    ...more,
  });
  const format = (schema: unknown, name = 'answer') => ({
    type: 'json_schema',
    json_schema: { name, strict: true, schema },
  });

  it.each<[string, object | string, string | null, string | null]>([
    ['that is no JSON', '{"model":', null, null],
    ['without a model', { ...hello, model: undefined }, null, null],
    ['without messages', { model: 'gpt-5.6-luna' }, 'missing_required_parameter', 'messages'],
    ['with no message', { ...hello, messages: [] }, 'empty_array', 'messages'],
    [
      'with a role that is none',
      { ...hello, messages: [{ role: 'boss', content: 'Hello' }] },
      'invalid_value',
      'messages[0].role',
    ],
    [
      'with a content that is none',
      { ...hello, messages: [{ role: 'user', content: 7 }] },
      'invalid_type',
      'messages[0].content',
    ],
    ['with an unknown parameter', { ...hello, top_k: 1 }, 'unknown_parameter', 'top_k'],
    [
      'with a temperature, which reasoning models refuse',
      { ...hello, temperature: 0 },
      'unsupported_parameter',
      'temperature',
    ],
    [
      'with max_tokens, which reasoning models refuse',
      { ...hello, max_tokens: 10 },
      'unsupported_parameter',
      'max_tokens',
    ],
    ['with a limit of 0', { ...hello, max_completion_tokens: 0 }, 'integer_below_min_value', 'max_completion_tokens'],
    [
      'for JSON without saying the word',
      { ...hello, response_format: { type: 'json_object' } },
      null,
      'response_format',
    ],
    ['for a strange format', { ...hello, response_format: { type: 'xml' } }, 'invalid_value', 'response_format.type'],
  ])('%s is refused', async (_what, body, code, param) => {
    expect(await post(standIn, '/chat/completions', body)).toMatchObject({ status: 400, body: error(code, param) });
  });

  it.each<[string, unknown, RegExp]>([
    ['whose root is no object', { type: 'array', items: { type: 'string' } }, /type: "object"/],
    [
      'without additionalProperties: false',
      { ...object({}), additionalProperties: undefined },
      /In context=\(\), 'additionalProperties'/,
    ],
    [
      'with a nested object that is open',
      object({ a: { type: 'object', properties: {}, required: [] } }),
      /'properties', 'a'\), 'additionalProperties'/,
    ],
    ['with a key that is not required', object({ a: { type: 'string' } }, { required: [] }), /Missing 'a'/],
    [
      'with an open object in a list',
      object({ a: { type: 'array', items: { type: 'object', properties: {} } } }),
      /'a', 'items'/,
    ],
    [
      'with an open object in a choice',
      object({ a: { anyOf: [{ type: 'null' }, { type: 'object', properties: {} }] } }),
      /'anyOf', '1'/,
    ],
    ['with maxLength', object({ a: { type: 'string', maxLength: 5 } }), /'maxLength' is not permitted/],
    ['with a default', object({ a: { type: 'string', default: 'x' } }), /'default' is not permitted/],
    ['with allOf', object({ a: { type: 'string', allOf: [] } }), /'allOf' is not permitted/],
    ['with an untyped value', object({ a: {} }), /must have a 'type' key/],
    ['with a list of nothing', object({ a: { type: 'array' } }), /missing items/],
  ])('with a strict schema %s is refused', async (_what, schema, message) => {
    const body = error('invalid_json_schema', 'response_format', expect.stringMatching(message));
    expect(await post(standIn, '/chat/completions', { ...hello, response_format: format(schema) })).toMatchObject({
      status: 400,
      body,
    });
  });

  it('with a schema of a bad name is refused, and with a good one taken', async () => {
    const schema = object({
      a: { type: ['string', 'null'] },
      b: { type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: 3 },
    });
    expect(
      (await post(standIn, '/chat/completions', { ...hello, response_format: format(schema, 'a name') })).status,
    ).toBe(400);
    expect((await post(standIn, '/chat/completions', { ...hello, response_format: format(schema) })).status).toBe(200);
  });

  it('goes to the other endpoint under other names', async () => {
    const schema = object({ a: { type: 'string' } });
    const text = { format: { type: 'json_schema', name: 'answer', strict: true, schema } };
    const ask = (body: object) => post(standIn, '/responses', { model: 'gpt-5.6-luna', input: 'Hello', ...body });
    expect((await ask({ text })).status).toBe(200);
    expect(await ask({ response_format: format(schema) })).toMatchObject({
      status: 400,
      body: error('unsupported_parameter', null),
    });
    expect(await ask({ messages: [] })).toMatchObject({ status: 400, body: error('unknown_parameter', 'messages') });
    expect(await ask({ text: { format: { ...text.format, schema: { ...schema, required: [] } } } })).toMatchObject({
      status: 400,
      body: error('invalid_json_schema', 'text.format.schema'),
    });
  });

  it('that is longer than the context of the model is refused', async () => {
    const content = 'word '.repeat(900_000);
    expect(await post(standIn, '/chat/completions', { ...hello, messages: [{ role: 'user', content }] })).toMatchObject(
      {
        status: 400,
        body: error('context_length_exceeded', 'messages'),
      },
    );
  });
});

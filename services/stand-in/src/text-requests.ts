import {
  ApiError,
  invalidType,
  invalidValue,
  missingParameter,
  unknownParameter,
  unsupportedParameter,
} from './faults.ts';
import { chatModel } from './models.ts';

/** What a request for text comes to, whichever of the two endpoints it was sent to. */
export interface TextRequest {
  model: string;
  /** Everything that was said to the model, instructions first. */
  said: string[];
  /** The last thing that the user said. */
  asked: string;
  /** null: any text will do. */
  schema: Schema | null;
  maxTokens: number | null;
}

type Body = Readonly<Record<string, unknown>>;

// The parameters of openai@7.55.0, resources/chat/completions and resources/responses.
const CHAT = `messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens
max_tokens metadata modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key
prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier stop
store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options`;
const RESPONSES = `access_programs background context_management conversation image include input instructions
max_output_tokens max_tool_calls metadata model moderation parallel_tool_calls previous_response_id prompt
prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store stream
stream_options temperature text tool_choice tools top_logprobs top_p truncation user`;
/** Known to the API and not to this stand-in: better refused than ignored. */
const CANNOT = [
  'audio',
  'function_call',
  'functions',
  'tools',
  'stream',
  'previous_response_id',
  'conversation',
  'background',
  'web_search_options',
  'image',
];
/** Refused, or fixed to 1, by models that reason. */
const NOT_WHEN_REASONING = [
  'temperature',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'logprobs',
  'logit_bias',
  'max_tokens',
  'stop',
];

/** @throws ApiError naming what is wrong with a body sent to /chat/completions */
export function checkChat(body: unknown, today: Date): TextRequest {
  const given = parameters(body, CHAT);
  const model = checkedModel(given, 'v1/chat/completions', today);
  if (given.messages === undefined) throw missingParameter('messages');
  const messages = said(given.messages, 'messages', ['system', 'developer', 'user', 'assistant', 'tool']);
  if (given.n !== undefined && given.n !== 1)
    throw new ApiError(400, 'This stand-in gives one choice.', { param: 'n', code: 'stand_in_cannot' });
  return {
    model,
    ...messages,
    schema: chatSchema(given.response_format, messages.said),
    maxTokens: count(given, 'max_completion_tokens') ?? count(given, 'max_tokens'),
  };
}

/** @throws ApiError naming what is wrong with a body sent to /responses */
export function checkResponses(body: unknown, today: Date): TextRequest {
  if (isSchema(body) && 'response_format' in body) {
    throw new ApiError(
      400,
      "Unsupported parameter: 'response_format'. In the Responses API, this parameter has moved to 'text.format'. " +
        'Try again with the new parameter.',
      { code: 'unsupported_parameter' },
    );
  }
  const given = parameters(body, RESPONSES);
  const model = checkedModel(given, 'v1/responses', today);
  if (given.input === undefined) throw missingParameter('input');
  const messages =
    typeof given.input === 'string'
      ? { said: [given.input], asked: given.input }
      : said(given.input, 'input', ['system', 'developer', 'user', 'assistant']);
  const instructions = typeof given.instructions === 'string' ? [given.instructions] : [];
  const format = isSchema(given.text) ? given.text.format : undefined;
  const all = [...instructions, ...messages.said];
  return {
    model,
    said: all,
    asked: messages.asked,
    schema:
      isSchema(format) && format.type === 'json_schema'
        ? checkedSchema(format, 'text.format', 'text.format.schema')
        : plain(format, 'text.format', all),
    maxTokens: count(given, 'max_output_tokens'),
  };
}

function parameters(body: unknown, known: string): Body {
  if (!isSchema(body)) {
    throw new ApiError(
      400,
      'We could not parse the JSON body of your request. (HINT: This likely means you aren’t using your HTTP library ' +
        'correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)',
    );
  }
  const names = known.split(/\s+/);
  const strange = Object.keys(body).find((name) => !names.includes(name));
  if (strange !== undefined) throw unknownParameter(strange);
  const beyond = CANNOT.find((name) => body[name] !== undefined && body[name] !== null && body[name] !== false);
  if (beyond !== undefined)
    throw new ApiError(400, `This stand-in knows no '${beyond}'.`, { param: beyond, code: 'stand_in_cannot' });
  return body;
}

function checkedModel(given: Body, path: string, today: Date): string {
  if (given.model === undefined) throw new ApiError(400, 'you must provide a model parameter');
  if (typeof given.model !== 'string') throw invalidType('model', 'a string');
  const { reasons } = chatModel(given.model, path, today);
  const refused = NOT_WHEN_REASONING.find(
    (name) => reasons && given[name] !== undefined && given[name] !== null && given[name] !== 1,
  );
  if (refused === 'max_tokens') throw unsupportedParameter(refused, " Use 'max_completion_tokens' instead.");
  if (refused !== undefined) throw unsupportedParameter(refused);
  return given.model;
}

function said(messages: unknown, param: string, roles: readonly string[]): { said: string[]; asked: string } {
  if (!Array.isArray(messages)) throw invalidType(param, 'an array of objects');
  if (messages.length === 0) {
    throw new ApiError(
      400,
      `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
      { param, code: 'empty_array' },
    );
  }
  const texts = messages.map((message: unknown, index) => {
    if (!isSchema(message)) throw invalidType(`${param}[${index}]`, 'an object');
    if (!roles.includes(String(message.role))) throw invalidValue(`${param}[${index}].role`, message.role, roles);
    return { role: message.role, text: contentText(message.content, `${param}[${index}].content`) };
  });
  return { said: texts.map(({ text }) => text), asked: texts.findLast(({ role }) => role === 'user')?.text ?? '' };
}

function contentText(content: unknown, param: string): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw invalidType(param, 'one of an array of objects or string');
  return content
    .map((part: unknown) => {
      if (isSchema(part) && typeof part.text === 'string') return part.text;
      throw new ApiError(400, 'This stand-in reads text alone.', { param, code: 'stand_in_cannot' });
    })
    .join('\n');
}

function count(given: Body, name: string): number | null {
  const value = given[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' || !Number.isInteger(value)) throw invalidType(name, 'an integer');
  if (value < 1)
    throw new ApiError(400, `Invalid '${name}': integer below minimum value.`, {
      param: name,
      code: 'integer_below_min_value',
    });
  return value;
}

function chatSchema(format: unknown, all: readonly string[]): Schema | null {
  if (!isSchema(format) || format.type !== 'json_schema') return plain(format, 'response_format', all);
  if (!isSchema(format.json_schema)) throw missingParameter('response_format.json_schema');
  return checkedSchema(format.json_schema, 'response_format.json_schema', 'response_format');
}

function checkedSchema(format: Schema, path: string, param: string): Schema {
  if (typeof format.name !== 'string') throw missingParameter(`${path}.name`);
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(format.name)) {
    throw new ApiError(
      400,
      `Invalid '${path}.name': string does not match pattern. Expected a string that matches the pattern ` +
        `'^[a-zA-Z0-9_-]+$'.`,
      { param: `${path}.name`, code: 'invalid_value' },
    );
  }
  if (!isSchema(format.schema)) throw missingParameter(`${path}.schema`);
  const problem = format.strict === true ? strictSchemaProblem(format.schema) : null;
  if (problem !== null)
    throw new ApiError(400, `Invalid schema for response_format '${format.name}': ${problem}`, {
      param,
      code: 'invalid_json_schema',
    });
  return format.schema;
}

/** Text, or JSON of any shape: which must be asked for in words too, or models write white space without end. */
function plain(format: unknown, path: string, all: readonly string[]): Schema | null {
  if (format === undefined || format === null) return null;
  const type = isSchema(format) ? format.type : format;
  if (type === 'text') return null;
  if (type !== 'json_object') throw invalidValue(`${path}.type`, type, ['json_object', 'json_schema', 'text']);
  if (all.some((text) => /json/i.test(text))) return { type: 'object', properties: {} };
  throw new ApiError(
    400,
    `'messages' must contain the word 'json' in some form, to use '${path}' of type 'json_object'.`,
    { param: path },
  );
}

/** A JSON schema, as far as it is known. */
export type Schema = { readonly [key: string]: unknown };

// developers.openai.com/api/docs/guides/structured-outputs, "Supported schemas", read 2026-11-21.
const MAX_PROPERTIES = 5_000;
const DEEPEST = 10;
const TAKEN_EVERYWHERE = [
  'type',
  'description',
  'title',
  'enum',
  'const',
  'anyOf',
  '$ref',
  '$defs',
  'definitions',
  '$schema',
  '$id',
];
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items', 'minItems', 'maxItems'],
  string: ['pattern', 'format'],
  number: ['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  integer: ['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  boolean: [],
  null: [],
};

/** Where schemas are within a schema, and how much deeper they count. */
const NESTED = [
  ['properties', 1],
  ['items', 1],
  ['anyOf', 0],
  ['$defs', 0],
  ['definitions', 0],
] as const;

/** @returns what strict mode has against the schema, in the API's words; null when it takes it */
function strictSchemaProblem(schema: unknown): string | null {
  if (!isSchema(schema) || schema.type !== 'object') {
    const type = isSchema(schema) ? String(schema.type ?? 'None') : 'None';
    return `schema must be a JSON Schema of 'type: "object"', got 'type: "${type}"'.`;
  }
  let properties = 0;
  const visit = (node: unknown, path: readonly string[], depth: number): string | null => {
    const context = `In context=(${path.map((step) => `'${step}'`).join(', ')}${path.length === 1 ? ',' : ''}), `;
    if (!isSchema(node)) return `${context}schema must have a 'type' key.`;
    if (depth > DEEPEST) return `${context}schema exceeds the limit of ${DEEPEST} levels of nesting.`;
    const types = [node.type ?? []].flat().map(String);
    if (types.length === 0 && !['anyOf', '$ref', 'enum', 'const'].some((key) => key in node))
      return `${context}schema must have a 'type' key.`;
    const taken = [...TAKEN_EVERYWHERE, ...types.flatMap((type) => TAKEN[type] ?? [])];
    const refused = Object.keys(node).find((key) => !taken.includes(key));
    if (refused !== undefined) return `${context}'${refused}' is not permitted.`;
    if (types.includes('object')) {
      const keys = Object.keys(isSchema(node.properties) ? node.properties : {});
      properties += keys.length;
      if (properties > MAX_PROPERTIES) return `schema exceeds the limit of ${MAX_PROPERTIES} properties.`;
      if (node.additionalProperties !== false)
        return `${context}'additionalProperties' is required to be supplied and to be false.`;
      const required = Array.isArray(node.required) ? node.required : [];
      const missing = keys.find((key) => !required.includes(key));
      if (missing !== undefined) {
        return (
          `${context}'required' is required to be supplied and to be an array including every key in properties. ` +
          `Missing '${missing}'.`
        );
      }
      const extra = required.find((key) => !keys.includes(String(key)));
      if (extra !== undefined) return `${context}'required' holds '${String(extra)}', which is no property.`;
    }
    if (types.includes('array') && !isSchema(node.items)) return `${context}array schema missing items.`;
    for (const [key, deeper] of NESTED) {
      const inner = node[key];
      const isList = key === 'anyOf';
      const children = key === 'items' ? [['', inner] as const] : Array.isArray(inner) === isList ? entries(inner) : [];
      for (const [name, child] of children) {
        if (child === undefined) continue;
        const problem = visit(child, [...path, key, name].filter(Boolean), depth + deeper);
        if (problem !== null) return problem;
      }
    }
    return null;
  };
  return visit(schema, [], 0);
}

/** @returns the schema that a `$ref` within the same document points at */
export function resolved(node: Schema, root: Schema): Schema {
  if (typeof node.$ref !== 'string') return node;
  let target: unknown = root;
  for (const step of node.$ref.replace(/^#\/?/, '').split('/').filter(Boolean))
    target = isSchema(target) ? target[step] : undefined;
  return isSchema(target) ? target : {};
}

export function isSchema(node: unknown): node is Schema {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

/** Of an object, or of an array by its indices. */
function entries(node: unknown): [string, unknown][] {
  return typeof node === 'object' && node !== null ? Object.entries(node) : [];
}

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelFacts } from '@call-analytics/openai';
import { ApiError, type Effect } from './faults.ts';
import { isSchema, resolved, type Schema, type TextRequest } from './text-requests.ts';

interface Said {
  text: string | null;
  refusal: string | null;
  cut: boolean;
  usage: { input: number; output: number };
}

/** About four bytes to a token, as for English. */
const tokensOf = (text: string) => Math.ceil(Buffer.byteLength(text) / 4);
const REFUSAL = "I'm sorry, but I can't assist with that request.";

/** @returns the body of /chat/completions */
export function chatAnswer(request: TextRequest, effect: Effect | null, now: Date): unknown {
  const { text, refusal, cut, usage } = say(request, effect);
  return {
    id: `chatcmpl-${randomUUID()}`,
    object: 'chat.completion',
    created: Math.floor(now.getTime() / 1000),
    model: request.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, refusal, annotations: [] },
        logprobs: null,
        finish_reason: cut ? 'length' : 'stop',
      },
    ],
    usage: {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
    },
    service_tier: 'default',
  };
}

/** @returns the body of /responses */
export function responsesAnswer(request: TextRequest, effect: Effect | null, now: Date): unknown {
  const { text, refusal, cut, usage } = say(request, effect);
  const content =
    refusal === null ? { type: 'output_text', text, annotations: [], logprobs: [] } : { type: 'refusal', refusal };
  return {
    id: `resp_${randomUUID()}`,
    object: 'response',
    created_at: Math.floor(now.getTime() / 1000),
    model: request.model,
    status: cut ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: cut ? { reason: 'max_output_tokens' } : null,
    output: [
      {
        id: `msg_${randomUUID()}`,
        type: 'message',
        role: 'assistant',
        status: cut ? 'incomplete' : 'completed',
        content: [content],
      },
    ],
    usage: {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.input + usage.output,
    },
  };
}

function say(request: TextRequest, effect: Effect | null): Said {
  const input =
    tokensOf(request.said.join('\n')) + (request.schema === null ? 0 : tokensOf(JSON.stringify(request.schema)));
  const context = modelFacts(request.model)?.chat?.contextTokens;
  if (context !== undefined && input > context) {
    throw new ApiError(
      400,
      `This model's maximum context length is ${context} tokens. However, your messages resulted in ${input} tokens. ` +
        'Please reduce the length of the messages.',
      { param: 'messages', code: 'context_length_exceeded' },
    );
  }
  if (effect?.kind === 'refusal')
    return { text: null, refusal: REFUSAL, cut: false, usage: { input, output: tokensOf(REFUSAL) } };
  const whole = effect?.kind === 'words' ? effect.text : written(request, effect);
  const limit =
    effect?.kind === 'length' ? Math.floor(tokensOf(whole) / 2) : (request.maxTokens ?? Number.POSITIVE_INFINITY);
  const cut = tokensOf(whole) > limit;
  const text = cut ? whole.slice(0, limit * 4) : whole;
  return { text, refusal: null, cut, usage: { input, output: tokensOf(text) } };
}

function written({ schema, asked }: TextRequest, effect: Effect | null): string {
  if (effect?.kind === 'wrong-schema') return JSON.stringify({ answer: 'This fits no schema.' });
  if (schema === null) return 'This stand-in has no opinion.';
  const json = JSON.stringify(analysisFor(schema, asked));
  return effect?.kind === 'invalid-json' ? json.slice(0, -2) : json;
}

// Plays the model that reads a call. It has read one call, the bundled one; of any other it says what its schema
// demands and nothing more.

interface Line {
  number: number;
  speaker: number | null;
  text: string;
}

const prepared = JSON.parse(readFileSync(join(import.meta.dirname, 'bundled-analysis.json'), 'utf8')) as Schema;
/** The share of the prepared quotes that must be there for the call to be the one that was read. */
const SAME_CALL = 0.6;

/**
 * @param asked what the user said to the model: the transcript as numbered lines, `12: text` or `12 S1: text`
 * @returns a value that fits the schema. Quotes in it are taken from the lines, letter by letter.
 */
function analysisFor(schema: Schema, asked: string): unknown {
  const properties = isSchema(schema.properties) ? schema.properties : {};
  if ('verdicts' in properties) return verdictsOn(asked);
  const questions = [...asked.matchAll(/^Q(\d+) \([^)]*\): (.*)$/gm)].map(([, number, text = '']) => ({
    question: Number(number),
    text,
  }));
  // The second look at what the first reading did not find: the script has no words for it either.
  if ('questions' in properties && !('call_kind' in properties))
    return { questions: questions.map(({ question }) => ({ question, evidence: null })) };
  const lines = linesIn(asked);
  const quotes = quotesIn(prepared);
  const known =
    lines.length > 0 && quotes.filter((quote) => find(quote, lines) !== null).length >= SAME_CALL * quotes.length;
  const scorecard = questions.map(({ question, text }) => ({ ...scripted(known, text), question }));
  const given: Schema = { ...(known ? prepared : {}), ...whoIsWho(lines), scorecard };
  return fill(schema, schema, given, lines) ?? {};
}

/** @returns the prepared answer to a question of a scorecard */
function scripted(known: boolean, question: string): Schema {
  const answers = known && Array.isArray(prepared.scorecard) ? prepared.scorecard.filter(isSchema) : [];
  return answers.find((answer) => answer.question === question) ?? { answer: 'not_judged' };
}

/** A finding is shown when its quote is in the marked line of its context. */
function verdictsOn(asked: string): unknown {
  const findings = [...asked.matchAll(/^Finding (\d+): .*\n(?: {2}.*\n)*> \w+: (.*) \(quote: "(.*)"\)$/gm)];
  return {
    verdicts: findings.map(([, finding, line = '', quote = '']) => ({
      finding: Number(finding),
      shown: line.includes(quote),
    })),
  };
}

function linesIn(asked: string): Line[] {
  return [...asked.matchAll(/^(\d+)(?: S(\d+))?: (.*)$/gm)].map(([, number, speaker, text = '']) => ({
    number: Number(number),
    speaker: speaker === undefined ? null : Number(speaker),
    text,
  }));
}

/** The manager is who says most of the manager's prepared quotes; in a call that was not read, who speaks first. */
function whoIsWho(lines: readonly Line[]): Schema {
  const ofManager = new Set(
    quotesIn(isSchema(prepared.checks) ? prepared.checks : {}).flatMap(
      (quote) => find(quote, lines)?.line.number ?? [],
    ),
  );
  const speakers = [...new Set(lines.flatMap(({ speaker }) => speaker ?? []))];
  const said = (speaker: number) =>
    lines.filter((line) => line.speaker === speaker && ofManager.has(line.number)).length;
  const manager = speakers.toSorted((a, b) => said(b) - said(a))[0];
  return {
    speakers: speakers.map((speaker) => ({ speaker, role: speaker === manager ? 'manager' : 'customer' })),
    turns:
      speakers.length > 0
        ? []
        : lines.map(({ number }) => ({ from: number, to: number, role: roleOf(number, lines, ofManager) })),
  };
}

/**
 * Without speakers a line is the manager's when the prepared reading quotes it as such; questions and answers alternate
 * otherwise.
 */
function roleOf(number: number, lines: readonly Line[], ofManager: ReadonlySet<number>): string {
  if (ofManager.has(number)) return 'manager';
  const text = lines.find((line) => line.number === number)?.text ?? '';
  return quotesIn({ said: prepared.objections, outcome: prepared.outcome }).some((quote) => alike(quote, text))
    ? 'customer'
    : number % 2 === 0
      ? 'manager'
      : 'customer';
}

/**
 * What is given where it fits, the least that the schema allows elsewhere.
 * @returns undefined for what was given and cannot be proven from the lines
 */
function fill(node: Schema, root: Schema, given: unknown, lines: readonly Line[]): unknown {
  const schema = resolved(node, root);
  const choices = Array.isArray(schema.anyOf)
    ? schema.anyOf.filter(isSchema).map((choice) => resolved(choice, root))
    : null;
  if (choices !== null) {
    const value = choices.find((choice) => choice.type !== 'null');
    const filled =
      given === undefined || given === null || value === undefined ? undefined : fill(value, root, given, lines);
    if (filled !== undefined) return filled;
    return choices.some((choice) => choice.type === 'null')
      ? null
      : value === undefined
        ? null
        : fill(value, root, undefined, lines);
  }
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum.includes(given) ? given : schema.enum.at(-1);
  const types = [schema.type].flat();
  if (types.includes('null') && given === undefined) return null;
  switch (types.find((type) => type !== 'null')) {
    case 'object':
      return fillObject(schema, root, given, lines);
    case 'array':
      return fillArray(schema, root, given, lines);
    case 'integer':
    case 'number':
      return typeof given === 'number' ? given : typeof schema.minimum === 'number' ? schema.minimum : 0;
    case 'boolean':
      return given === true;
    default:
      return typeof given === 'string' ? given : 'Nothing is said of this call.';
  }
}

function fillObject(schema: Schema, root: Schema, given: unknown, lines: readonly Line[]): unknown {
  const values: Record<string, unknown> = isSchema(given) ? { ...given } : {};
  const properties = isSchema(schema.properties) ? schema.properties : {};
  if ('quote' in properties) {
    const place = find(typeof values.quote === 'string' ? values.quote : '', lines);
    if (isSchema(given) && place === null) return undefined;
    values.line = place?.line.number ?? 0;
    values.quote = place?.quote ?? lines[0]?.text ?? '';
  }
  return Object.fromEntries(
    Object.entries(properties).map(([key, child]) => [
      key,
      fill(isSchema(child) ? child : {}, root, values[key], lines) ?? null,
    ]),
  );
}

function fillArray(schema: Schema, root: Schema, given: unknown, lines: readonly Line[]): unknown[] {
  const items = isSchema(schema.items) ? schema.items : {};
  const wanted: unknown[] = Array.isArray(given)
    ? given
    : Array.from({ length: typeof schema.minItems === 'number' ? schema.minItems : 0 });
  return wanted.flatMap((item) => fill(items, root, item, lines) ?? []);
}

function quotesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(quotesIn);
  if (!isSchema(value)) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === 'quote' && typeof child === 'string' ? [child] : quotesIn(child),
  );
}

/**
 * The line that a quote is in, and its words as they stand there. A recognizer may have left out commas, or cut the
 * sentence.
 */
function find(quote: string, lines: readonly Line[]): { line: Line; quote: string } | null {
  if (quote === '') return null;
  const whole = lines.find(({ text }) => text.includes(quote));
  if (whole !== undefined) return { line: whole, quote };
  const line = lines.find(({ text }) => alike(quote, text));
  return line === undefined ? null : { line, quote: line.text };
}

/** At least three of four words of either are in the other, in order. */
function alike(one: string, other: string): boolean {
  const a = plainWords(one);
  const b = plainWords(other);
  let common = 0;
  let from = 0;
  for (const word of a) {
    const at = b.indexOf(word, from);
    if (at < 0) continue;
    common += 1;
    from = at + 1;
  }
  return Math.min(a.length, b.length) > 1 && common >= 0.75 * Math.max(a.length, b.length);
}

function plainWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
}

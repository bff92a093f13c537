import { CALL_KINDS, SALE_STATUSES, SCORECARD_ANSWERS } from '@call-analytics/contracts';
import { classifyOpenAiError, modelFacts, type OpenAI, zodResponseFormat } from '@call-analytics/openai';
import { type Clock, WorkError } from '@call-analytics/service-kit';
import { z } from 'zod';
import type { Tokens } from '../analyst.ts';
import { CHECK_IDS, CHECKS, OBJECTIONS } from '../call/catalogue.ts';
import { HEARD_MISTAKES, type HeardMistake } from './prompt.ts';

// Strict structured outputs: every key is required, so values that may be missing are nullable, and bounds are checked
// again here. Keys are answered in their order, so quotes come before what they prove.

// Lengths are not in the schema that is sent, because strict mode has no maxLength.
const upTo = (characters: number) =>
  z.string().refine((value) => value.length <= characters, `at most ${characters} characters`);
const text = upTo(1_000);
const line = z.int().min(0).describe('Number of the line');
const evidence = z.object({
  line,
  quote: upTo(1_000).describe('Copied from that line, letter by letter: three words at least'),
});
const finding = z.object({ ...evidence.shape, text });
const roles = z.enum(['manager', 'customer', 'other']);

export const Answer = z.object({
  call_kind: z
    .object({
      evidence: evidence.nullable().describe('What shows the kind; null when no words do'),
      kind: z.enum(CALL_KINDS),
    })
    .describe('What kind of conversation this is'),
  language: upTo(35).describe('BCP 47 tag of the language spoken'),
  speakers: z
    .array(z.object({ speaker: z.int().min(1), role: roles }))
    .describe('One entry for each speaker S1, S2, ...; empty when lines name none'),
  turns: z
    .array(z.object({ from: line, to: line, role: roles }))
    .describe('Only when lines name no speakers: who says which lines; all lines, in order'),
  product: z
    .object({ ...evidence.shape, name: upTo(200) })
    .nullable()
    .describe('What is sold, by its name in the quote'),
  customer_intent: finding.nullable().describe('What the customer wants, quoted from the customer'),
  checks: z.object(
    Object.fromEntries(
      CHECK_IDS.map((id) => [id, evidence.nullable().describe(`The manager: ${CHECKS[id].title}`)]),
    ) as Record<(typeof CHECK_IDS)[number], z.ZodNullable<typeof evidence>>,
  ),
  questions: z.array(evidence).describe('Questions of the manager about the situation or need of the customer'),
  customer_questions: z
    .array(z.object({ ...evidence.shape, answer: evidence.nullable().describe('Where the manager answers it') }))
    .describe('Questions of the customer about the offer or its terms'),
  objections: z.array(
    z.object({
      ...evidence.shape,
      kind: z.enum(Object.keys(OBJECTIONS) as [keyof typeof OBJECTIONS]),
      text,
      answer: evidence.nullable().describe('Where the manager takes it up; null when they do not'),
    }),
  ),
  mistakes: z.array(z.object({ ...evidence.shape, kind: z.enum(Object.keys(HEARD_MISTAKES) as [HeardMistake]), text })),
  positives: z.array(finding),
  issues: z.array(finding),
  next_steps: z
    .array(
      z.object({
        ...evidence.shape,
        text,
        when: z
          .object({ ...evidence.shape, words: upTo(200).describe('The time, as in the quote') })
          .nullable()
          .describe('When it happens; null when no time was said'),
        who: z.enum(['manager', 'customer', 'both']).nullable().describe('Who does it; null when that is not certain'),
      }),
    )
    .describe('What was agreed to happen after the call; empty when nothing was'),
  outcome: z
    .object({ evidence: evidence.nullable().describe('What shows the status'), status: z.enum(SALE_STATUSES) })
    .describe('How the sale stands at the end of the call'),
  summary: z.array(finding),
  recommendations: z.array(finding),
});
/** With the questions of an account's scorecard. */
export const AnswerWithScorecard = Answer.extend({
  scorecard: z
    .array(
      z.object({
        question: z.int().min(1).describe('Number of the scorecard question'),
        evidence: evidence.nullable().describe('What proves the answer; null when no words do'),
        answer: z.enum(SCORECARD_ANSWERS),
      }),
    )
    .describe('One entry for each scorecard question'),
});
export type Answer = z.infer<typeof Answer> & Partial<z.infer<typeof AnswerWithScorecard>>;

const NONE: Answer = {
  call_kind: { evidence: null, kind: 'other' },
  language: '',
  speakers: [],
  turns: [],
  product: null,
  customer_intent: null,
  checks: Object.fromEntries(CHECK_IDS.map((id) => [id, null])) as Answer['checks'],
  questions: [],
  customer_questions: [],
  objections: [],
  mistakes: [],
  positives: [],
  issues: [],
  next_steps: [],
  outcome: { evidence: null, status: 'unclear' },
  summary: [],
  recommendations: [],
  scorecard: [],
};

/** A list longer than this is cut: a call has no 50 objections. */
const MAX_ITEMS = 50;

/** What can be used of an answer. */
export interface Reading {
  answer: Answer;
  /** Items that do not fit the schema and were left out. */
  malformed: number;
  /** What is wrong with whole fields, in words for the model. Empty when all can be used. */
  problems: string[];
}

/**
 * Reads an answer field by field and item by item, so that one bad item costs only itself.
 * @param json what the model wrote, parsed
 * @param asked the schema that it was asked for
 * @returns null when not even the kind of call can be read
 */
export function readAnswer(json: unknown, asked: typeof Answer | typeof AnswerWithScorecard = Answer): Reading | null {
  if (typeof json !== 'object' || json === null) return null;
  const given = json as Record<string, unknown>;
  const answer: Record<string, unknown> = { ...NONE };
  const problems: string[] = [];
  let malformed = 0;
  for (const [key, schema] of Object.entries(asked.shape)) {
    const value = given[key];
    const whole = schema.safeParse(value);
    if (Array.isArray(value) && schema instanceof z.ZodArray) {
      const items = value.map((item) => (schema.element as z.ZodType).safeParse(item));
      const fitting = items.flatMap((item) => (item.success ? [item.data] : []));
      const kept = key === 'turns' ? fitting : fitting.slice(0, MAX_ITEMS);
      answer[key] = kept;
      malformed += value.length - kept.length;
    } else if (whole.success) answer[key] = whole.data;
    else if (key === 'checks' && typeof value === 'object' && value !== null) {
      const checks = CHECK_IDS.map(
        (id) => [id, evidence.nullable().safeParse((value as Record<string, unknown>)[id])] as const,
      );
      answer[key] = Object.fromEntries(checks.map(([id, check]) => [id, check.success ? check.data : null]));
      malformed += checks.filter(([, check]) => !check.success).length;
    } else {
      malformed += 1;
      problems.push(value === undefined ? `"${key}" is missing` : `"${key}" does not fit the schema`);
    }
  }
  if (problems.some((problem) => problem.startsWith('"call_kind"'))) return null;
  return { answer: answer as Answer, malformed, problems };
}

type Message = OpenAI.Chat.ChatCompletionMessageParam;

/**
 * How JSON is asked for, best first. A server that does not know one gets the next, and keeps it.
 * - json_schema: OpenAI, vLLM, Ollama, llama.cpp
 * - json_object with the schema in the instructions: older servers, and vLLM with a schema its grammar cannot express
 * - none: the schema in the instructions only
 */
const FORMATS = ['json_schema', 'json_object', 'none'] as const;

/**
 * Errors of a server that does not take the format: vLLM "The provided JSON schema contains features not supported by
 * xgrammar" (400), "Grammar error: …" (500); llama.cpp "failed to parse grammar" (400). Read on 2026-11-22 in
 * vllm-project/vllm issues 16321 and 26421, ggml-org/llama.cpp issue 19051.
 */
const FORMAT_REFUSED = /response_format|json_?schema|json_?object|grammar|guided|structured|xgrammar/i;
const REFUSING_STATUSES = [400, 422, 500, 501];

/** A model's answer that can be used, or the reason why not. */
export type Reply = { json: unknown; content: string } | { problem: string; content: string; cut: boolean };

export interface Question<T extends z.ZodType> {
  name: string;
  schema: T;
  messages: Message[];
  /** Whether the answer needs no thought: the model's least effort is asked for, where the model table has it. */
  quick?: boolean;
}

export interface Model {
  /** @throws WorkError for a failed request or a refusal */
  ask<T extends z.ZodType>(question: Question<T>, signal: AbortSignal): Promise<Reply & { tokens: Tokens }>;
}

export function chatModel(client: OpenAI, model: string, clock: Clock): Model {
  let format = 0;
  const request = async <T extends z.ZodType>({ name, schema, messages, quick }: Question<T>, signal: AbortSignal) => {
    const wanted = zodResponseFormat(schema, name);
    const kind = FORMATS[format];
    const effort = quick ? modelFacts(model)?.chat?.efforts[0] : undefined;
    // No temperature: models that reason refuse it. The score does not depend on it, but on the quotes.
    return client.chat.completions.create(
      {
        model,
        messages: kind === 'json_schema' ? messages : withSchema(messages, wanted.json_schema.schema),
        ...(kind === 'json_schema' && { response_format: wanted }),
        ...(kind === 'json_object' && { response_format: { type: 'json_object' } }),
        ...(effort !== undefined && { reasoning_effort: effort as 'none' }),
      },
      { signal },
    );
  };
  return {
    async ask(question, signal) {
      for (;;) {
        try {
          const completion = await request(question, signal);
          const {
            prompt_tokens: input = 0,
            completion_tokens: output = 0,
            prompt_tokens_details,
          } = completion.usage ?? {};
          const { cached_tokens: cached = 0, cache_write_tokens: cacheWrite = 0 } = prompt_tokens_details ?? {};
          const fromCache = { ...(cached > 0 && { cached }), ...(cacheWrite > 0 && { cacheWrite }) };
          return { ...replyIn(completion), tokens: { input, output, ...fromCache } };
        } catch (error) {
          if (format < FORMATS.length - 1 && refusesFormat(error)) format += 1;
          else throw new WorkError(classifyOpenAiError(error, clock.now()), { cause: error });
        }
      }
    },
  };
}

function withSchema(messages: readonly Message[], schema: unknown): Message[] {
  const [first, ...rest] = messages;
  const instructions = `${String(first?.content)}\n\nAnswer with one JSON object that fits this JSON schema:\n`;
  return [{ role: 'system', content: instructions + JSON.stringify(schema) }, ...rest];
}

function refusesFormat(error: unknown): boolean {
  const { status, message } = error as { status?: unknown; message?: unknown };
  return REFUSING_STATUSES.includes(Number(status)) && FORMAT_REFUSED.test(String(message));
}

/** @throws WorkError `rejected` for a refusal */
function replyIn(completion: OpenAI.Chat.ChatCompletion): Reply {
  const choice = completion.choices?.[0];
  const content = choice?.message?.content ?? '';
  if (choice?.message?.refusal) {
    const message = 'The AI model refused to analyze this call.';
    throw new WorkError({ kind: 'rejected', code: 'engine_refused', message });
  }
  if (choice?.finish_reason === 'content_filter') {
    const message = 'The AI provider rejected the content of this call under its usage policy.';
    throw new WorkError({ kind: 'rejected', code: 'engine_refused_content', message });
  }
  if (choice?.finish_reason === 'length') return { problem: 'it stops in the middle', content, cut: true };
  const json = parsed(content);
  return json === undefined ? { problem: 'it is not JSON', content, cut: false } : { json, content };
}

/** Control characters, and those that reverse the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
const INVISIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Local models write their thoughts before the JSON, or a code fence around it. @returns undefined without JSON */
function parsed(content: string): unknown {
  const answer = content.replace(/^[\s\S]*<\/think(?:ing)?>/i, '').trim();
  const fenced = /^```(?:json)?\s*([\s\S]*?)\s*```$/i.exec(answer)?.[1] ?? answer;
  for (const text of [fenced, fenced.slice(fenced.indexOf('{'), fenced.lastIndexOf('}') + 1)]) {
    try {
      return JSON.parse(text, (_key, value) => (typeof value === 'string' ? value.replace(INVISIBLE, '') : value));
    } catch {}
  }
  return undefined;
}

import { classifyOpenAiError, modelFacts, type OpenAI, zodResponseFormat } from '@call-analytics/openai';
import { type Clock, WorkError } from '@call-analytics/service-kit';
import type { z } from 'zod';
import type { Tokens } from '../analyst.ts';

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
    throw new WorkError({
      kind: 'rejected',
      code: 'engine_refused',
      message: 'The AI model refused to analyze this call.',
    });
  }
  if (choice?.finish_reason === 'content_filter') {
    throw new WorkError({
      kind: 'rejected',
      code: 'engine_refused_content',
      message: 'The AI provider rejected the content of this call under its usage policy.',
    });
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

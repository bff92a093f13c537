import { randomUUID } from 'node:crypto';
import { modelFacts } from '@call-analytics/openai';
import { analysisFor } from './analyst.ts';
import { ApiError } from './errors.ts';
import type { Effect } from './faults.ts';
import type { TextRequest } from './text-requests.ts';

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
      `This model's maximum context length is ${context} tokens. However, your messages resulted in ${input} tokens. Please reduce the length of the messages.`,
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

import type { Transcript } from '@call-analytics/calls';
import {
  classifyOpenAiError,
  estimatedDollars,
  modelFacts,
  type OpenAI,
  openaiClient,
  zodResponseFormat,
} from '@call-analytics/openai';
import { type Clock, systemClock, WorkError } from '@call-analytics/service-kit';
import type { Analyst } from '../analyst.ts';
import { NO_SPEECH } from '../call/not-scored.ts';
import { nothingToJudge } from '../call/nothing.ts';
import { piecesOf } from './pieces.ts';
import { INSTRUCTIONS, numbered } from './prompt.ts';
import { analysisOf } from './reading.ts';
import { Answer } from './schema.ts';

/** Left for the instructions, the schema and the answer. Tokens. */
const RESERVED_TOKENS = 40_000;
/** Bytes of UTF-8 to a token: at least three in any language (so a prompt is never thought shorter than it is), never more than fourteen. */
const BYTES_PER_TOKEN = { least: 3, most: 14 };

/** Analyses calls with a chat model of an OpenAI-compatible endpoint: one request with a strict schema; everything it answers is checked against the transcript. */
export function openaiAnalyst({
  model,
  clock = systemClock,
  ...access
}: {
  apiKey: string;
  model: string;
  timeoutMs: number;
  baseUrl?: string;
  clock?: Clock;
}): Analyst {
  const client = openaiClient(access);
  const engine = { name: 'openai', model };
  return {
    ...engine,
    async analyse(transcript: Transcript, { signal, spent }) {
      const pieces = piecesOf(transcript);
      if (pieces.length === 0) return nothingToJudge(transcript, engine, NO_SPEECH);
      const prompt = numbered(pieces);
      const bytes = Buffer.byteLength(prompt);
      const context = modelFacts(model)?.chat?.contextTokens;
      if (context !== undefined && bytes / BYTES_PER_TOKEN.least > context - RESERVED_TOKENS) throw tooLong();

      const completion = await ask(client, model, prompt, signal).catch((error: unknown) => {
        throw new WorkError(classifyOpenAiError(error, clock.now()), { cause: error });
      });
      const tokens = { input: completion.usage?.prompt_tokens ?? 0, output: completion.usage?.completion_tokens ?? 0 };
      spent(tokens, estimatedDollars(model, { tokens }));
      // Some servers cut a prompt that is too long and say nothing; the count of what they read tells.
      if (tokens.input > 0 && tokens.input < bytes / BYTES_PER_TOKEN.most) throw tooLong();
      return analysisOf(transcript, pieces, readAnswer(completion), engine);
    },
  };
}

function ask(client: OpenAI, model: string, prompt: string, signal: AbortSignal): Promise<OpenAI.Chat.ChatCompletion> {
  // No temperature: the models named in the table refuse it. The score does not hang on it, it is computed from what the quotes prove.
  return client.chat.completions.create(
    {
      model,
      messages: [
        { role: 'system', content: INSTRUCTIONS },
        { role: 'user', content: prompt },
      ],
      response_format: zodResponseFormat(Answer, 'call_analysis'),
    },
    { signal },
  );
}

/** @throws WorkError `rejected` for a refusal, `transient` for an answer that is cut or not what was asked for: another try may bring a whole one */
function readAnswer(completion: OpenAI.Chat.ChatCompletion): Answer {
  const choice = completion.choices?.[0];
  if (choice?.message === undefined) throw unreadable('engine_answer_invalid', 'gave no answer');
  if (choice.message.refusal) {
    throw new WorkError({
      kind: 'rejected',
      code: 'engine_refused',
      message: 'The AI model refused to analyze this call.',
    });
  }
  if (choice.finish_reason === 'content_filter') {
    throw new WorkError({
      kind: 'rejected',
      code: 'engine_refused_content',
      message: 'The AI provider rejected the content of this call under its usage policy.',
    });
  }
  if (choice.finish_reason === 'length') throw unreadable('engine_answer_cut', 'stopped in the middle of its answer');
  let json: unknown;
  try {
    json = JSON.parse(choice.message.content ?? '');
  } catch (error) {
    throw unreadable('engine_answer_invalid', 'gave an answer that is not JSON', error);
  }
  const answer = Answer.safeParse(json);
  if (!answer.success)
    throw unreadable('engine_answer_invalid', 'gave an answer that does not fit what was asked for', answer.error);
  return answer.data;
}

function unreadable(code: string, what: string, cause?: unknown): WorkError {
  return new WorkError({ kind: 'transient', code, message: `The AI model ${what}.` }, { cause });
}

function tooLong(): WorkError {
  return new WorkError({
    kind: 'rejected',
    code: 'call_too_long_for_model',
    message: 'This call is too long for the analysis model of this installation. Upload it in parts.',
  });
}

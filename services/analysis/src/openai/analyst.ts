import type { Transcript } from '@call-analytics/calls';
import { estimatedDollars, modelFacts, openaiClient, type Price } from '@call-analytics/openai';
import { type Clock, systemClock, WorkError } from '@call-analytics/service-kit';
import type { Analyst, Tokens } from '../analyst.ts';
import { NO_SPEECH, nothingToJudge } from '../call/not-scored.ts';
import {
  Answer,
  AnswerWithScorecard,
  chatModel,
  type Model,
  type Question,
  type Reading,
  type Reply,
  readAnswer,
} from './answer.ts';
import { analysisFrom, type Findings, findingsIn } from './findings.ts';
import { masked } from './masking.ts';
import { estimatedTokens, INSTRUCTIONS, knownRoles, numbered, spansOf, windowsOf } from './prompt.ts';
import type { Drops } from './proofs.ts';
import { confirmedAbsences, scorecardPrompt, secondReadingRequest } from './scorecard.ts';
import { claimsOf, refutedEvidence, verificationRequest, withoutRefuted } from './verify.ts';

/** Tokens reserved for the schema (5,000), an answer that is repaired, and the error of the estimate. */
const RESERVED_TOKENS = 18_000;
/** With fewer tokens for the lines of a window, the parts of a call say too little. */
const MIN_WINDOW_TOKENS = 1_000;
/** A server that read a smaller share of the estimated tokens cut the prompt. The estimate is 5% too high at most. */
const READ_SHARE = 0.9;

/**
 * Analyzes calls with a chat model of an OpenAI-compatible endpoint: one request reads the call (several for a long
 * one), and code checks every quote and computes the score.
 * @param options.verify whether further requests check each finding against its context, and look once more in the
 *   whole call for what a scorecard asks and was not found
 * @param options.price, options.contextTokens instead of those in the model table
 */
export function openaiAnalyst({
  model,
  verify = true,
  clock = systemClock,
  price,
  contextTokens = modelFacts(model)?.chat?.contextTokens,
  ...access
}: {
  apiKey: string;
  model: string;
  timeoutMs: number;
  baseUrl?: string;
  verify?: boolean;
  clock?: Clock;
  price?: Price | undefined;
  contextTokens?: number | undefined;
}): Analyst {
  const chat = chatModel(openaiClient(access), model, clock);
  const engine = { name: 'openai', model };
  return {
    ...engine,
    async analyze(transcript: Transcript, { signal, scorecard, spent, dropped }) {
      const call = masked(transcript);
      const spans = spansOf(call.transcript);
      if (spans.length === 0) return nothingToJudge(transcript, engine, NO_SPEECH, scorecard && { scorecard });
      const ask: Ask = async (question) => {
        const reply = await chat.ask(question, signal);
        spent(reply.tokens, estimatedDollars(model, { tokens: reply.tokens }, price));
        return reply;
      };
      const questions = scorecard && {
        ...scorecard,
        questions: scorecard.questions.map((each) => ({ ...each, question: call.mask(each.question) })),
      };
      const asked = questions === undefined ? '' : scorecardPrompt(questions);
      const head = knownRoles(transcript) + asked;
      const windowTokens =
        (contextTokens ?? Number.POSITIVE_INFINITY) - RESERVED_TOKENS - estimatedTokens(INSTRUCTIONS + head);
      if (windowTokens < MIN_WINDOW_TOKENS) throw tooLong();
      const windows = windowsOf(spans, windowTokens);
      const parts = windows.map(([from, to]) => numbered(spans, from, to));
      const prompts = parts.map((lines, index) => {
        const part = windows.length > 1 ? `Part ${index + 1} of ${windows.length} of the call.\n` : '';
        return part + head + lines;
      });

      const readings: Reading[] = [];
      const schema = scorecard === undefined ? Answer : AnswerWithScorecard;
      for (const prompt of prompts) readings.push(await requestAnswer(ask, prompt, schema));
      const drops: Drops = { malformed: readings.reduce((sum, { malformed }) => sum + malformed, 0) };
      const answers = readings.map(({ answer }) => answer);
      const found = findingsIn(transcript, call, spans, answers, questions);
      const isChecked = verify && found.observed.kind.kind === 'sales';
      const shown = isChecked ? await verifyFindings(ask, found, signal) : found;
      const verified = await confirmAbsences(isChecked ? ask : null, shown, parts, signal);
      for (const [reason, items] of Object.entries({ ...drops, ...verified.drops }))
        if (items > 0) dropped?.(reason, items);
      return analysisFrom(transcript, verified, engine, scorecard);
    },
  };
}

type Asked = typeof Answer | typeof AnswerWithScorecard;
type Ask = (question: Question<Parameters<Model['ask']>[0]['schema']>) => Promise<Reply & { tokens: Tokens }>;

/**
 * Asks for the analysis of a transcript, and once more when fields of the answer cannot be used.
 * @throws WorkError `transient` when also the second answer cannot be used, `rejected` when the server cut the prompt
 */
async function requestAnswer(ask: Ask, prompt: string, schema: Asked): Promise<Reading> {
  const messages: Question<Asked>['messages'] = [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: prompt },
  ];
  const question = { name: 'call_analysis', schema, messages };
  const first = await ask(question);
  if (isCut(first, question)) throw tooLong();
  const usable = 'json' in first ? readAnswer(first.json, schema) : null;
  const problems = problemsOf(first, usable);
  if (problems === null && usable !== null) return usable;

  const again = await ask({
    ...question,
    messages: [
      ...messages,
      { role: 'assistant', content: first.content },
      { role: 'user', content: `This answer cannot be used: ${problems}. Answer again, in full, as JSON.` },
    ],
  });
  const better = ('json' in again ? readAnswer(again.json, schema) : null) ?? usable;
  if (better !== null) return better;
  const code = 'cut' in again && again.cut ? 'engine_answer_cut' : 'engine_answer_invalid';
  const problem = 'problem' in again ? again.problem : 'it does not fit the schema';
  const message = `The AI model gave an answer that cannot be used, twice: ${problem}.`;
  throw new WorkError({ kind: 'transient', code, message });
}

function problemsOf(reply: Reply, read: Reading | null): string | null {
  if ('problem' in reply) return reply.cut ? `${reply.problem}: use fewer and shorter items` : reply.problem;
  if (read === null) return 'it does not fit the schema, or "call_kind" is missing';
  const { answer, problems } = read;
  const named = [...answer.speakers, ...answer.turns].length > 0;
  const unnamed = answer.call_kind.kind === 'sales' && !named ? ['it does not say who is who'] : [];
  const all = [...problems, ...unnamed];
  return all.length === 0 ? null : all.join('; ');
}

/** Drops what the context of a quote does not show. Without an answer, what is held against the manager is dropped. */
async function verifyFindings(ask: Ask, found: Findings, signal: AbortSignal): Promise<Findings> {
  const claims = claimsOf(found);
  if (claims.length === 0) return found;
  return withoutRefuted(
    found,
    refutedEvidence(claims, await askOrNull(ask, verificationRequest(claims, found.labelled.lines), signal)),
  );
}

/**
 * Keeps a no without words to a question of the scorecard where a second reading of the whole call finds none either.
 * @param ask null when there is no second reading
 */
async function confirmAbsences(
  ask: Ask | null,
  found: Findings,
  parts: readonly string[],
  signal: AbortSignal,
): Promise<Findings> {
  const { judgment } = found;
  if (judgment === undefined) return found;
  const readings: unknown[] = [];
  for (const part of ask === null ? [] : parts) {
    const question = secondReadingRequest(judgment.scorecard, judgment.answers, part);
    if (ask === null || question === null) break;
    readings.push(await askOrNull(ask, question, signal));
  }
  return { ...found, judgment: { ...judgment, answers: confirmedAbsences(judgment.answers, readings) } };
}

/** @returns what the model wrote, parsed; null when there is no answer, or the server has cut the prompt */
async function askOrNull(ask: Ask, question: Question<Parameters<Model['ask']>[0]['schema']>, signal: AbortSignal) {
  const reply = await ask(question).catch((error: unknown) => {
    if (signal.aborted || !(error instanceof WorkError)) throw error;
    return null;
  });
  return reply !== null && 'json' in reply && !isCut(reply, question) ? reply.json : null;
}

/** Some servers cut a long prompt without an error. The number of tokens they read shows it. */
function isCut({ tokens }: { tokens: Tokens }, { messages }: { messages: Question<Asked>['messages'] }): boolean {
  const prompt = messages.map(({ content }) => content).join('');
  return tokens.input > 0 && tokens.input < READ_SHARE * estimatedTokens(prompt);
}

function tooLong(): WorkError {
  const message = 'This call is too long for the analysis model of this installation. Upload it in parts.';
  return new WorkError({ kind: 'rejected', code: 'call_too_long_for_model', message });
}

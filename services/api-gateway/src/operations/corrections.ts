import {
  type AttemptCost,
  type Correction,
  type EarlierAnalysis,
  earlierOf,
  MAX_EARLIER_ANALYSES,
  speakersOf,
} from '@call-analytics/calls';
import {
  type AnalysisEngine,
  CallAnalyses,
  CallCorrections,
  CallDetail,
  CallSpeakers,
  CORRECTED_FIELDS,
  CORRECTED_VALUES,
  CorrectedAnswer,
  NewAnalysis,
  SpeakerRoles,
} from '@call-analytics/contracts';
import { z } from 'zod';
import { LIST_BODY_BYTES } from '../http/input.ts';
import { HttpProblem, RETRY_AFTER_SECONDS } from '../http/problem.ts';
import { ANALYSES, ANALYZING, CORRECTIONS, SPEAKERS } from '../openapi/examples.ts';
import type { Client } from '../session/sessions.ts';
import { idempotencyKeyOf } from '../upload/uploads.ts';
import { callDetail } from './call-view.ts';
import { callNotFound, callWithReport, idempotencyKey, REPLAYED } from './calls.ts';
import { notCompleted } from './evidence.ts';
import { type Dependencies, operation } from './operation.ts';
import { sumOfAttempts } from './spending.ts';

const ANSWER = { description: 'The corrections', schema: CallCorrections, examples: { corrected: CORRECTIONS } };

/** What people say of single answers of a report. */
export const correctionOperations = {
  getCorrections: operation(
    {
      method: 'get',
      path: '/api/v1/calls/{id}/corrections',
      tag: 'Calls',
      summary: 'Read the corrections of a report',
      description: 'The answers that people have corrected or confirmed, beside the answers of the engine.',
      caller: 'client',
      answer: { status: 200, ...ANSWER },
      problems: ['call_not_found'],
    },
    async ({ id, caller: { account } }, { calls }) => {
      const { call } = await callWithReport(calls, account.id, id);
      return shown(id, call.corrections);
    },
  ),

  correctAnswer: operation(
    {
      method: 'put',
      path: '/api/v1/calls/{id}/corrections/{field}',
      pathParameters: { field: z.enum(CORRECTED_FIELDS).describe('The answer, by its name in the report') },
      tag: 'Calls',
      summary: 'Correct an answer of a report',
      description:
        'Says what one answer of the report of a completed call should be. The report, the list, its filters and the ' +
        'overview show this answer; the score and `detailedReport` stay those of the engine. The same value as in ' +
        'the report confirms it. When the call is analyzed again, a correction stays, except of a list in which none ' +
        'of the findings that it removed is found again.',
      caller: 'client',
      body: CorrectedAnswer,
      bodyBytes: LIST_BODY_BYTES,
      answer: { status: 200, ...ANSWER },
      problems: ['call_not_found', 'call_not_completed'],
    },
    async ({ id, parameters, body, caller }, { calls }) => {
      const field = z.enum(CORRECTED_FIELDS).parse(parameters.field);
      const read = CORRECTED_VALUES[field].nullable().safeParse(body.value);
      if (!read.success) throw new HttpProblem('invalid_body', `"value" ${WANTED[field]}.`);
      const result = await calls.corrections.correctAnswer(caller.account.id, id, field, read.data, nameOf(caller));
      if (result === null) throw callNotFound();
      if ('corrections' in result) return shown(id, result.corrections);
      if (result.refused === 'not completed') throw notCompleted();
      throw new HttpProblem('invalid_body', `"value" may have only texts that "${field}" of the report has.`);
    },
  ),
};

const LIST = 'must be a list of texts of the report';
const WANTED: Readonly<Record<keyof typeof CORRECTED_VALUES, string>> = {
  saleStatus: `must be one of ${CORRECTED_VALUES.saleStatus.options.join(', ')}`,
  product: 'must be a text of at most 200 characters',
  nextStep: 'must be a text of at most 1,000 characters',
  objections: LIST,
  managerMistakes: LIST,
};

function nameOf({ session, key }: Client): string {
  return session === null ? key.name : session.user.name || session.user.email;
}

function shown(callId: string, corrections: readonly Correction[]): CallCorrections {
  return { callId, corrections: [...corrections] };
}

/** Who is who in a completed call, and its correction by a person. The API counts speakers from 1. */
export const speakerOperations = {
  getSpeakers: operation(
    {
      method: 'get',
      path: '/api/v1/calls/{id}/speakers',
      tag: 'Calls',
      summary: 'Read the speakers of a call',
      description: 'Who speaks in a completed call, with their roles and first words.',
      caller: 'client',
      answer: { status: 200, description: 'The speakers', schema: CallSpeakers, examples: { completed: SPEAKERS } },
      problems: ['call_not_found', 'call_not_completed'],
    },
    async ({ id, caller: { account } }, { calls }) => speakersIn(calls, account.id, id),
  ),

  setSpeakers: operation(
    {
      method: 'put',
      path: '/api/v1/calls/{id}/speakers',
      tag: 'Calls',
      summary: 'Correct the speakers of a call',
      description:
        'Says who is who. The call is analyzed again with these roles, from its stored transcript: poll it as after ' +
        'an upload. Name each speaker once. The request can be repeated safely.',
      caller: 'client',
      body: SpeakerRoles,
      answer: {
        status: 202,
        description: 'The call is analyzed again, or has these roles already',
        schema: CallDetail,
        examples: { analyzing: ANALYZING },
        headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
      },
      problems: ['call_not_found', 'call_not_completed'],
    },
    async ({ id, res, body, caller: { account } }, { calls }) => {
      const roles = body.speakers.map(({ speaker, role }) => ({ speaker: speaker - 1, role }));
      const result = await calls.corrections.setSpeakers(account.id, id, roles);
      if (result === null) throw callNotFound();
      if ('refused' in result) {
        if (result.refused === 'not completed') throw speakersNotKnown();
        const { speakers } = await speakersIn(calls, account.id, id);
        const numbers = speakers.map(({ speaker }) => speaker).join(', ');
        throw new HttpProblem('invalid_body', `The call has these speakers: ${numbers}. Name each of them once.`);
      }
      res.setHeader('Retry-After', RETRY_AFTER_SECONDS);
      const { call } = result;
      return callDetail({ call, transcript: null, analysis: await calls.reads.analysis(call.id) });
    },
  ),
};

async function speakersIn(calls: Dependencies['calls'], accountId: string, id: string): Promise<CallSpeakers> {
  const { call, analysis } = await callWithReport(calls, accountId, id);
  const transcript = await calls.reads.transcript(id);
  if (call.status !== 'completed' || analysis === null || transcript === null) throw speakersNotKnown();
  const { lines, rolesConfidence: confidence } = analysis;
  const speakers = speakersOf(transcript, lines).map((each) => ({ ...each, speaker: each.speaker + 1 }));
  return { callId: id, confidence, speakers };
}

function speakersNotKnown(): HttpProblem {
  const detail = 'The speakers are known when the call is completed. Read its status with "GET /api/v1/calls/{id}".';
  return new HttpProblem('call_not_completed', detail);
}

/** The analyses of a call, and a new one from its stored transcript. */
export const analysisOperations = {
  listAnalyses: operation(
    {
      method: 'get',
      path: '/api/v1/calls/{id}/analyses',
      tag: 'Calls',
      summary: 'List the analyses of a call',
      description: 'The analysis of the report and those that it replaced, with what each of them found.',
      caller: 'client',
      answer: { status: 200, description: 'The analyses', schema: CallAnalyses, examples: { twice: ANALYSES } },
      problems: ['call_not_found'],
    },
    async ({ id, caller: { account } }, { calls, engines }) => {
      const { call, analysis } = await callWithReport(calls, account.id, id);
      const costs = await calls.spending.costs(id);
      const { updatedAt, reportType, earlierAnalyses } = call;
      const isShown = call.status === 'completed' && analysis !== null;
      const latest = isShown ? [earlierOf(analysis, { at: updatedAt.toISOString(), reportType })] : [];
      const all = [...earlierAnalyses, ...latest].map((each, index, { [index - 1]: before }) => {
        // What came before the oldest one that is kept is not known.
        const isCut = index === 0 && earlierAnalyses.length === MAX_EARLIER_ANALYSES;
        return listed(each, isCut ? null : dollarsBetween(costs, before?.at ?? '', each.at));
      });
      return { callId: id, engines: [...engines], analyses: all.reverse() };
    },
  ),

  analyzeAgain: operation(
    {
      method: 'post',
      path: '/api/v1/calls/{id}/analyses',
      tag: 'Calls',
      summary: 'Analyze a call again',
      description:
        'Analyzes a completed call again from its stored transcript, with the engine that the request names, or the ' +
        'usual one, and the present scorecard of the account; nothing is transcribed again. Poll the call as after ' +
        'an upload. While it is analyzed, another request is refused; after that, each request pays for one more ' +
        'analysis. It waits until 00:00 UTC when the account is at its spending limit. The corrections of people stay.',
      caller: 'client',
      headers: [
        idempotencyKey(
          'Makes it safe to send the same request again: the call is analyzed once, and the answer has its status ' +
            'now. The keys of the latest 20 analyses of a call are known.',
        ),
      ],
      body: NewAnalysis,
      answer: {
        status: 202,
        description: 'The call is analyzed again',
        schema: CallDetail,
        examples: { analyzing: ANALYZING },
        headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' }, 'Idempotency-Replayed': REPLAYED },
      },
      problems: [
        ...(['call_not_found', 'call_not_completed', 'invalid_idempotency_key', 'idempotency_conflict'] as const),
        'engine_not_available',
      ],
    },
    async ({ id, req, res, body, caller: { account } }, { calls, engines }) => {
      if (body.engine !== undefined && !engines.includes(body.engine)) throw notAvailable(body.engine, engines);
      const key = idempotencyKeyOf(req);
      const result = await calls.corrections.analyzeAgain(account.id, id, body, key);
      if (result === null) throw callNotFound();
      if ('refused' in result) {
        if (result.refused === 'not completed') throw notCompleted();
        const detail =
          'This Idempotency-Key was used for another report type or engine. Use a new key for a new analysis.';
        throw new HttpProblem('idempotency_conflict', detail);
      }
      res.setHeader('Retry-After', RETRY_AFTER_SECONDS);
      if (!result.isReplay) return callDetail({ call: result.call, transcript: null, analysis: null });
      res.setHeader('Idempotency-Replayed', 'true');
      return callDetail(await callWithReport(calls, account.id, id));
    },
  ),
};

function listed(analysis: EarlierAnalysis, dollars: number | null) {
  const { at, reportType, engine, product, saleStatus, score, scorecard: scorecardVersion = null } = analysis;
  const made = { at, reportType, engine: `${engine.name} ${engine.model}`, scorecardVersion, dollars };
  return { ...made, product: product ?? '', saleStatus, score };
}

/** What the attempts at an analysis have cost, up to the one that made it. The times are ISO 8601. */
function dollarsBetween(costs: readonly AttemptCost[], after: string, until: string): number | null {
  const paid = costs.filter(({ stage, at }) => {
    const time = at.toISOString();
    return stage === 'analysis' && time > after && time <= until;
  });
  return sumOfAttempts(paid);
}

function notAvailable(engine: AnalysisEngine, engines: readonly AnalysisEngine[]): HttpProblem {
  const offered =
    engines.length === 0
      ? 'This installation offers no choice: leave "engine" out.'
      : `It must be ${engines.join(' or ')}.`;
  return new HttpProblem('engine_not_available', `"engine" is "${engine}", which is not available. ${offered}`);
}

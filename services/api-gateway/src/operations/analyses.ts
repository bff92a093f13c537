import { type AttemptCost, type EarlierAnalysis, earlierOf, MOST_EARLIER } from '@call-analytics/calls';
import { type AnalysisEngine, CallAnalyses, CallDetail, NewAnalysis } from '@call-analytics/contracts';
import { HttpProblem, RETRY_AFTER_SECONDS } from '../http/problem.ts';
import { ANALYSES, ANALYZING } from '../openapi/examples.ts';
import { idempotencyKeyOf } from '../upload/uploads.ts';
import { callDetail } from './call-view.ts';
import { callNotFound, callWithReport, idempotencyKey, REPLAYED } from './calls.ts';
import { notCompleted } from './evidence.ts';
import { operation } from './operation.ts';
import { sumOfAttempts } from './spending.ts';

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
        const isCut = index === 0 && earlierAnalyses.length === MOST_EARLIER;
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
        'usual one, and the present scorecard of the account; nothing is transcribed again. Poll the call as after an upload. ' +
        'While it is analyzed, another request is refused; after that, each request pays for one more analysis. At ' +
        'its spending limit the account waits for it until 00:00 UTC. The corrections of people stay.',
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

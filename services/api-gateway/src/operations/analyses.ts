import type { EarlierAnalysis } from '@call-analytics/calls';
import { CallAnalyses, CallDetail, NewAnalysis } from '@call-analytics/contracts';
import { HttpProblem, RETRY_AFTER_SECONDS } from '../http/problem.ts';
import { ANALYSES, ANALYZING } from '../openapi/examples.ts';
import { idempotencyKeyOf } from '../upload/uploads.ts';
import { callDetail } from './call-view.ts';
import { callNotFound, callWithReport, idempotencyKey, REPLAYED } from './calls.ts';
import { notCompleted } from './evidence.ts';
import { operation } from './operation.ts';

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
    async ({ id, caller: { account } }, { calls }) => {
      const { call, analysis } = await callWithReport(calls, account.id, id);
      const { updatedAt, reportType, earlierAnalyses } = call;
      const isShown = call.status === 'completed' && analysis !== null;
      const latest = isShown ? [listed({ ...analysis, at: updatedAt.toISOString(), reportType })] : [];
      return { callId: id, analyses: [...latest, ...earlierAnalyses.map(listed).reverse()] };
    },
  ),

  analyzeAgain: operation(
    {
      method: 'post',
      path: '/api/v1/calls/{id}/analyses',
      tag: 'Calls',
      summary: 'Analyze a call again',
      description:
        'Analyzes a completed call again from its stored transcript, with the engine that the installation uses now ' +
        'and the present scorecard of the account; nothing is transcribed again. Poll the call as after an upload. ' +
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
      problems: ['call_not_found', 'call_not_completed', 'invalid_idempotency_key', 'idempotency_conflict'],
    },
    async ({ id, req, res, body, caller: { account } }, { calls }) => {
      const key = idempotencyKeyOf(req);
      const result = await calls.corrections.analyzeAgain(account.id, id, body.reportType ?? null, key);
      if (result === null) throw callNotFound();
      if ('refused' in result) {
        if (result.refused === 'not completed') throw notCompleted();
        const detail = 'This Idempotency-Key was used for another report type. Use a new key for a new analysis.';
        throw new HttpProblem('idempotency_conflict', detail);
      }
      res.setHeader('Retry-After', RETRY_AFTER_SECONDS);
      if (!result.isReplay) return callDetail({ call: result.call, transcript: null, analysis: null });
      res.setHeader('Idempotency-Replayed', 'true');
      return callDetail(await callWithReport(calls, account.id, id));
    },
  ),
};

function listed({ at, reportType, engine, product, saleStatus, score }: EarlierAnalysis) {
  return { at, reportType, engine: `${engine.name} ${engine.model}`, product: product ?? '', saleStatus, score };
}

import type { EarlierAnalysis } from '@call-analytics/calls';
import { CallAnalyses, CallDetail, NewAnalysis } from '@call-analytics/contracts';
import { RETRY_AFTER_SECONDS } from '../http/problem.ts';
import { ANALYSES, ANALYZING } from '../openapi/examples.ts';
import { callDetail } from './call-view.ts';
import { callNotFound, callWithReport } from './calls.ts';
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
        'Analyzes a completed call again from its stored transcript, with the engine that the installation uses now and ' +
        'the present scorecard of the account; nothing is transcribed again. Poll the call as after an upload. While it ' +
        'is analyzed, a second request is refused; after that, each request pays for one more analysis. The ' +
        'corrections of people stay.',
      caller: 'client',
      body: NewAnalysis,
      answer: {
        status: 202,
        description: 'The call is analyzed again',
        schema: CallDetail,
        examples: { analyzing: ANALYZING },
        headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
      },
      problems: ['call_not_found', 'call_not_completed'],
    },
    async ({ id, res, body, caller: { account } }, { calls }) => {
      const result = await calls.corrections.analyzeAgain(account.id, id, body.reportType ?? null);
      if (result === null) throw callNotFound();
      if ('refused' in result) throw notCompleted();
      res.setHeader('Retry-After', RETRY_AFTER_SECONDS);
      return callDetail({ call: result.call, transcript: null, analysis: null });
    },
  ),
};

function listed({ at, reportType, engine, product, saleStatus, score }: EarlierAnalysis) {
  return { at, reportType, engine: `${engine.name} ${engine.model}`, product: product ?? '', saleStatus, score };
}

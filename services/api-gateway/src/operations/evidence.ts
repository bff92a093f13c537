import { type Analysis, corrected, type Finding, type Proof } from '@call-analytics/calls';
import { CallEvidence, CallMetrics } from '@call-analytics/contracts';
import { HttpProblem } from '../http/problem.ts';
import { EVIDENCE, METRICS } from '../openapi/examples.ts';
import { roleName } from './call-view.ts';
import { callWithReport } from './calls.ts';
import { type Dependencies, operation } from './operation.ts';

/** What a report rests on: the words of the call, and its numbers. */
export const evidenceOperations = {
  getEvidence: operation(
    {
      method: 'get',
      path: '/api/v1/calls/{id}/evidence',
      tag: 'Calls',
      summary: 'Read the evidence of a report',
      description:
        'The words of the call that each finding rests on, with their speaker, time and line of the transcript; the ' +
        'action items; and the questions of the customer. The lists have the order of the report. A finding about ' +
        'something that is missing has no words.',
      caller: 'client',
      answer: { status: 200, description: 'The evidence', schema: CallEvidence, examples: { completed: EVIDENCE } },
      problems: ['call_not_found', 'call_not_completed'],
    },
    async ({ id, caller: { account } }, { calls }) => evidenceOf(id, await reportIn(calls, account.id, id)),
  ),

  getMetrics: operation(
    {
      method: 'get',
      path: '/api/v1/calls/{id}/metrics',
      tag: 'Calls',
      summary: 'Read the numbers of a call',
      description: 'Computed from the recording and the transcript. `null` where it is not known.',
      caller: 'client',
      answer: { status: 200, description: 'The numbers', schema: CallMetrics, examples: { completed: METRICS } },
      problems: ['call_not_found', 'call_not_completed'],
    },
    async ({ id, caller: { account } }, { calls }) => {
      const { numbers } = await reportIn(calls, account.id, id);
      const names = Object.keys(CallMetrics.shape).filter((name) => name !== 'callId');
      return CallMetrics.parse({
        callId: id,
        ...Object.fromEntries(names.map((name) => [name, numbers[name] ?? null])),
      });
    },
  ),
};

export async function reportIn(calls: Dependencies['calls'], accountId: string, id: string): Promise<Analysis> {
  const { call, analysis } = await callWithReport(calls, accountId, id);
  if (call.status !== 'completed' || analysis === null) throw notCompleted();
  return corrected(analysis, call.corrections);
}

export function notCompleted(): HttpProblem {
  const detail = 'There is a report when the call is completed. Read its status with "GET /api/v1/calls/{id}".';
  return new HttpProblem('call_not_completed', detail);
}

/** @returns the words that prove something, with their speaker and time; null when none do */
export function wordsOf(
  proof: { quote: string | null; line: number | null } | null,
  lines: Analysis['lines'],
): CallEvidence['product'] {
  const line = lines[proof?.line ?? -1];
  if (proof === null || proof.quote === null || proof.line === null || line === undefined) return null;
  return { quote: proof.quote, line: proof.line, start: line.startMs / 1000, speaker: roleName(line) };
}

function evidenceOf(callId: string, { lines, evidence, ...report }: Analysis): CallEvidence {
  const words = (proof: Parameters<typeof wordsOf>[0]) => wordsOf(proof, lines);
  const findings = (list: readonly Finding[]) =>
    list.map(({ text, kind, ...proof }) => ({ text, kind: kind ?? null, words: words(proof) }));
  const single = (proof: Proof | null | undefined) => words(proof ?? null);
  return {
    callId,
    positives: findings(report.positives),
    issues: findings(report.issues),
    objections: findings(report.objections),
    managerMistakes: findings(report.managerMistakes),
    callKind: single(evidence?.kind),
    product: single(evidence?.product),
    saleStatus: single(evidence?.saleStatus),
    customerIntent: single(evidence?.customerIntent),
    nextSteps: (evidence?.nextSteps ?? []).map(({ what, when, day, who, ...proof }) => ({
      what,
      when,
      day,
      who,
      words: words(proof),
    })),
    customerQuestions: (evidence?.customerQuestions ?? []).map(({ answer, unanswered, ...question }) => ({
      words: words(question),
      answered: unanswered ? false : answer === null ? null : true,
      answer: words(answer),
    })),
  };
}

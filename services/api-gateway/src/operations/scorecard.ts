import { type Analysis, type Call, replaceScorecard, scorecardOf } from '@call-analytics/calls';
import { AccountScorecard, SCORECARD_LIMITS, Scorecard } from '@call-analytics/contracts';
import { LIST_BODY_BYTES } from '../http/input.ts';
import { revisionConflict } from '../http/problem.ts';
import { JUDGED, NOT_SCORED, SCORECARD, SCORED } from '../openapi/scorecard-examples.ts';
import { NO_REASON, reportOf } from './call-view.ts';
import { callWithReport } from './calls.ts';
import { wordsOf } from './evidence.ts';
import { operation } from './operation.ts';

/** The questions by which an account judges its calls, and what they say of each call. */
export const scorecardOperations = {
  getAccountScorecard: operation(
    {
      method: 'get',
      path: '/api/v1/scorecard',
      tag: 'Account',
      summary: 'Read the scorecard of the account',
      description: 'The questions by which calls are judged. Without questions, they are judged by the default rubric.',
      caller: 'client',
      answer: {
        status: 200,
        description: 'The scorecard',
        schema: AccountScorecard,
        examples: { scorecard: SCORECARD },
      },
    },
    async ({ caller: { account } }, { calls }) => scorecardOf(calls, account.id),
  ),

  setAccountScorecard: operation(
    {
      method: 'put',
      path: '/api/v1/scorecard',
      tag: 'Account',
      summary: 'Replace the scorecard of the account',
      description:
        'Replaces all questions and makes the next version; the same questions again make none. Calls that are ' +
        'analyzed from now on are judged by them alone. Analyzed calls keep the questions that they were judged by. ' +
        'Without questions, the default rubric is used again. Send the `version` that you have read: if others have ' +
        'changed the ' +
        `scorecard since, the answer is 409 and nothing changes. At most ${SCORECARD_LIMITS.questions} questions.\n\n` +
        'A language model answers any question; the rules answer those with a `check`. An answer needs words of the ' +
        'call that prove it, else it is `not_judged` and does not count.',
      caller: 'client',
      body: AccountScorecard,
      bodyBytes: LIST_BODY_BYTES,
      answer: {
        status: 200,
        description: 'The new scorecard',
        schema: AccountScorecard,
        examples: { scorecard: { ...SCORECARD, version: SCORECARD.version + 1 } },
      },
      problems: ['revision_conflict'],
    },
    async ({ body, caller: { account } }, { calls }) => {
      const { isSaved, scorecard } = await replaceScorecard(calls, account.id, body);
      if (!isSaved) throw revisionConflict('The scorecard', scorecard.version, body.version, 'version');
      return scorecard;
    },
  ),

  getScorecard: operation(
    {
      method: 'get',
      path: '/api/v1/calls/{id}/scorecard',
      tag: 'Calls',
      summary: 'Read the scorecard of a call',
      description:
        'The questions that the call was judged by, with their answers, words and points, or why the call has no ' +
        'score. Only sales calls are scored.',
      caller: 'client',
      answer: {
        status: 200,
        description: 'The scorecard',
        schema: Scorecard,
        examples: { accountScorecard: JUDGED, defaultRubric: SCORED, notScored: NOT_SCORED },
      },
      problems: ['call_not_found'],
    },
    async ({ id, caller: { account } }, { calls }) => {
      const { call, analysis } = await callWithReport(calls, account.id, id);
      return callScorecard(call, analysis);
    },
  ),
};

/** How the score was computed, or why there is none. */
export function callScorecard(call: Call, analysis: Analysis | null): Scorecard {
  const report = reportOf(call, analysis);
  const score = report?.score ?? null;
  // An earlier release knew the default rubric alone, and kept its points by criterion.
  const { version, questions, failedBy } = report?.scorecard ?? { version: 0, questions: [], failedBy: null };
  return {
    callId: call.id,
    status: call.status,
    callKind: report?.callKind?.kind ?? null,
    callKindQuote: report?.callKind?.quote ?? '',
    score,
    notScored: score === null ? whyNotScored(call, report) : null,
    rolesConfidence: report?.rolesConfidence ?? null,
    version: report === null ? null : version,
    questions: questions.map(({ proof, autoFail = false, check = null, ...judged }) => ({
      ...judged,
      autoFail,
      check,
      words: wordsOf(proof, report?.lines ?? []),
    })),
    failedBy,
    criteria: score === null ? [] : (report?.rubric ?? []),
  };
}

function whyNotScored({ status, failure }: Call, report: Analysis | null): NonNullable<Scorecard['notScored']> {
  if (report === null) {
    const message = status === 'failed' ? (failure?.message ?? NO_REASON) : 'The call is not analyzed yet.';
    return { code: 'not_analyzed', message };
  }
  if (report.notScored) return report.notScored;
  // Earlier versions stored no reason. They left a call without a score in these two cases only.
  return report.lines.length === 0
    ? { code: 'no_speech', message: 'No speech was found in this recording.' }
    : { code: 'language_not_supported', message: 'The language of this call is not analyzed by this installation.' };
}

import type { Analysis, Call } from '@call-analytics/calls';
import type { Scorecard } from '@call-analytics/contracts';

/** How the score of a call was given, or why it has none. */
export function scorecardOf(call: Call, analysis: Analysis | null): Scorecard {
  // An analysis counts once its call is completed.
  const report = call.status === 'completed' ? analysis : null;
  const score = report?.score ?? null;
  return {
    callId: call.id,
    status: call.status,
    callKind: report?.callKind?.kind ?? null,
    callKindQuote: report?.callKind?.quote ?? '',
    score,
    notScored: score === null ? notScoredOf(call, report) : null,
    rolesConfidence: report?.rolesConfidence ?? null,
    criteria: score === null ? [] : (report?.rubric ?? []),
  };
}

function notScoredOf({ status, failure }: Call, report: Analysis | null): NonNullable<Scorecard['notScored']> {
  if (report === null) {
    const message =
      status === 'failed' ? (failure?.message ?? 'The call could not be processed.') : 'The call is not analyzed yet.';
    return { code: 'not_analyzed', message };
  }
  if (report.notScored) return report.notScored;
  // Earlier versions stored no reason: they left a call without a score for these two alone.
  return report.lines.length === 0
    ? { code: 'no_speech', message: 'No speech was found in this recording.' }
    : { code: 'language_not_supported', message: 'The language of this call is not analyzed by this installation.' };
}

import type { Analysis, Line, Transcript } from '@call-analytics/calls';
import { type NotScored, withoutRoles } from './not-scored.ts';
import { numbersOf } from './numbers.ts';
import { recordingIssues } from './recording-issues.ts';
import { sectionsOf } from './sections.ts';

/** The analysis of a call that cannot be judged: it completes with what is known of it, no score, and says why. */
export function nothingToJudge(transcript: Transcript, engine: Analysis['engine'], notScored: NotScored): Analysis {
  const lines: Line[] = transcript.utterances
    .filter(({ text }) => text.trim() !== '')
    .map(({ speaker, startMs, endMs, text }) => ({ role: 'other', speaker, startMs, endMs, text }));
  const analysis: Omit<Analysis, 'sections'> = {
    engine,
    language: transcript.language,
    lines,
    rolesBy: 'nothing',
    rolesConfidence: 0,
    product: null,
    customerIntent: null,
    nextStep: null,
    saleStatus: 'unclear',
    summary: notScored.message,
    positives: [],
    issues: recordingIssues(transcript).map(({ text }) => ({ text, quote: null, line: null })),
    objections: [],
    managerMistakes: [],
    recommendations: [],
    score: null,
    notScored,
    rubric: [],
    numbers: withoutRoles(numbersOf(transcript, lines, { manager: 0, customer: 0, other: 0 })),
  };
  return { ...analysis, sections: sectionsOf(analysis, null) };
}

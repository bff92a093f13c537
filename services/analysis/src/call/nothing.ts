import type { Analysis, Line, Transcript } from '@call-analytics/calls';
import { numbersOf } from './numbers.ts';
import { sectionsOf } from './sections.ts';

const REASONS = {
  no_speech: {
    summary: 'No speech was found in this recording.',
    issue: 'No speech was found. Check that the right file was uploaded and that the recording is not silent.',
  },
  not_english: {
    summary: 'This call was transcribed but not analysed: the built-in analyst reads English only.',
    issue: 'The built-in analyst reads English only. With ANALYSIS_ENGINE=openai the service analyses calls in other languages too.',
  },
} as const;

/** The analysis of a call that cannot be judged: it completes with what is known of it, no score, and says why. */
export function nothingToJudge(transcript: Transcript, engine: Analysis['engine'], reason: keyof typeof REASONS): Analysis {
  const { summary, issue } = REASONS[reason];
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
    summary,
    positives: [],
    issues: [{ text: issue, quote: null, line: null }],
    objections: [],
    managerMistakes: [],
    recommendations: [],
    score: null,
    rubric: [],
    numbers: numbersOf(transcript, lines, { manager: 0, customer: 0, other: 0 }),
  };
  return { ...analysis, sections: sectionsOf(analysis, null) };
}

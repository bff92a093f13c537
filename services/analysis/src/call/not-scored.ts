import type { Analysis, Line, Transcript } from '@call-analytics/calls';
import { type CallKind, ROLES_SURE } from '@call-analytics/contracts';
import { wordsOf } from '../rules/patterns.ts';
import { CHECK_IDS } from './catalogue.ts';
import { type Numbers, numbersOf, recordingIssues } from './numbers.ts';
import type { Labelled, NotScored, Observations } from './observations.ts';
import { DEFAULT_RUBRIC, judgedBy, type OwnJudgment } from './scorecard.ts';
import { sectionsOf } from './sections.ts';

/** A shorter call shows nothing of how somebody sells. */
const SHORTEST = { words: 40, turns: 4 };

const NOT_SALES: Readonly<Record<Exclude<CallKind, 'sales'>, string>> = {
  service: 'This is a service call.',
  other: 'This is not a sales call.',
  voicemail: 'This is a voicemail message.',
  wrong_number: 'The caller reached a wrong number.',
  no_conversation: 'This recording holds no conversation.',
};

export const NO_SPEECH: NotScored = {
  code: 'no_speech',
  message:
    'No speech was found in this recording. Check that the right file was uploaded and that the recording is not silent.',
};

export const LANGUAGE_NOT_SUPPORTED: NotScored = {
  code: 'language_not_supported',
  message: 'This call was transcribed but not scored: this installation analyzes calls in English only.',
};

const KIND_UNCLEAR: NotScored = {
  code: 'kind_unclear',
  message: 'It is not clear whether this is a sales call, so it is not scored. Read the transcript to judge it.',
};

/** @returns why this call gets no score; null when it gets one */
export function whyNotScored(
  { kind }: Pick<Observations, 'kind'>,
  { rolesConfidence, lines }: Labelled,
  { words }: Numbers,
): NotScored | null {
  if (kind.kind !== null && kind.kind !== 'sales')
    return { code: 'not_a_sales_call', message: `${NOT_SALES[kind.kind]} Only sales calls are scored.` };
  // Without any role there are no turns to count.
  if (words < SHORTEST.words || (rolesConfidence > 0 && turnsOf(lines) < SHORTEST.turns)) {
    const { words: least, turns } = SHORTEST;
    return {
      code: 'too_short',
      message: `The call is too short to score: a score needs at least ${turns} turns and ${least} words.`,
    };
  }
  if (kind.kind === null) return KIND_UNCLEAR;
  if (rolesConfidence < ROLES_SURE) {
    const percent = Math.floor(100 * rolesConfidence);
    const message =
      `It is not certain who is the manager and who is the customer (${percent}%), so the call is not scored. ` +
      'Say who is who, or record each speaker on a separate channel, to get a score.';
    return { code: 'roles_unclear', message };
  }
  return null;
}

function turnsOf(lines: readonly Line[]): number {
  return lines.filter(({ role }, index) => role !== lines[index - 1]?.role).length;
}

const NO_CHECKS = Object.fromEntries(CHECK_IDS.map((id) => [id, null])) as Observations['checks'];

/**
 * Removes judgments from the observations of a call without a score, and what depends on uncertain roles. How a sale
 * ended has its quote, also where it is not clear that the call is a sales call.
 */
export function withoutJudgment(
  observations: Observations,
  { rolesConfidence }: Labelled,
  { code }: NotScored,
): Observations {
  const isUnsure = rolesConfidence < ROLES_SURE;
  const hasOutcome = code === 'kind_unclear' && !isUnsure;
  return {
    ...observations,
    product: null,
    customerIntent: isUnsure ? null : observations.customerIntent,
    checks: NO_CHECKS,
    saleStatus: hasOutcome ? observations.saleStatus : 'unclear',
    outcome: hasOutcome ? observations.outcome : null,
    objections: [],
    mistakes: [],
    positives: [],
    questions: [],
    customerQuestions: isUnsure ? [] : observations.customerQuestions,
    recommendations: [],
    issues: isUnsure ? [] : observations.issues,
    summary: isUnsure ? '' : observations.summary,
  };
}

/** The numbers that do not depend on roles. */
export function withoutRoles({ seconds, silenceSeconds, words, turns }: Numbers): Analysis['numbers'] {
  return { seconds, silenceSeconds, words, turns };
}

/** The analysis of a call that cannot be judged: its lines and numbers, without a score, and the reason. */
export function nothingToJudge(
  transcript: Transcript,
  engine: Analysis['engine'],
  notScored: NotScored,
  own?: OwnJudgment,
): Analysis {
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
    scorecard: judgedBy(own ?? DEFAULT_RUBRIC, [], notScored),
    rubric: [],
    numbers: withoutRoles(numbersOf(transcript, lines)),
  };
  return { ...analysis, sections: sectionsOf(analysis, null) };
}

/** The most common words of spoken English: about half of an English conversation, and rare in other languages. */
const COMMON = new Set(
  `the a an i you we he she it they is are was were am be have has had do does did not and or but so to of in on at
  for with that this what how when yes no okay thank thanks hello hi my your our can will would just like know if
  about me us there get got one all good right well please`
    .trim()
    .split(/\s+/),
);
const SHARE = 0.25;
/** Words that are read for this decision. */
const SAMPLE = 2_000;

/** Decides by the words, because some speech engines report "en" without detection. */
export function isEnglish(transcript: Transcript): boolean {
  const sample: string[] = [];
  for (const { text } of transcript.utterances) {
    if (sample.length > SAMPLE) break;
    for (const word of wordsOf(text.slice(0, 20_000))) sample.push(word.text);
  }
  if (sample.length === 0) return false;
  const common = sample.filter((word) => COMMON.has(word)).length / sample.length;
  const said = transcript.language?.toLowerCase().split('-')[0];
  // Few words prove little, so the language of the speech engine decides.
  if (sample.length < 10) return said === undefined ? common >= SHARE : said === 'en';
  return common >= SHARE;
}

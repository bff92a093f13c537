import type { Line, Role, Transcript } from '@call-analytics/calls';
import type { Evidence, Observations } from './observations.ts';

/** Computed from the lines and the audio; null where unknown. Seconds and counts are whole numbers. */
export interface Numbers {
  [name: string]: number | null;
  seconds: number;
  silenceSeconds: number | null;
  words: number;
  turns: number;
  /** The manager's share of the speech of manager and customer. */
  managerTalkPercent: number | null;
  longestMonologueSeconds: number | null;
  /** Turns of the customer with `LONG_TURN` words or more. */
  customerLongTurns: number;
  /** Turns of the manager with `EXPLAINING_TURN` words or more. */
  managerLongTurns: number;
  /** How often the manager began while the customer was speaking; null without separate speakers. */
  interruptions: number | null;
  /** Null where questions have no marks, as some recognizers write. */
  managerQuestions: number | null;
  customerQuestions: number | null;
  managerWordsPerMinute: number | null;
  customerWordsPerMinute: number | null;
}

/** The slowest speech, in words per second: a longer line contains pauses or the other person. */
const SLOWEST = 1.5;
/** A "yes", "okay" or "I see" of the listener does not end the other person's turn. */
export const BACKCHANNEL_WORDS = 3;
/** A turn of the customer with so many words explains something. */
export const LONG_TURN = 12;
/** A turn of the manager with so many words explains something: a question is shorter. */
export const EXPLAINING_TURN = 25;
/** Shorter is normal turn-taking. The overlap of two lines is less exact than that of two voices. */
const TWO_VOICES_MS = 500;
const TWO_LINES_MS = 700;
/** What ends so was said to its end: "I wanted to ask whether you..." was not. */
const FINISHED = /[.!?。！？]["'”’)]*$/;
const QUESTION_MARKS = /[?？؟]+/g;
const BROKEN_OFF = /(\.\.|…|[-–—])["'”’)]*$/;

/** Computes the numbers of a call from its recording and its lines. */
export function numbersOf(transcript: Transcript, lines: readonly Line[]): Numbers {
  const counts = lines.map((line) => line.text.split(/\s+/).filter((word) => word !== '').length);
  const spoken = lines.map((line, index) => spokenSeconds(line, counts[index] ?? 0));
  const total = (role: Role, of: readonly number[]) =>
    lines.reduce((sum, line, index) => (line.role === role ? sum + (of[index] ?? 0) : sum), 0);
  const { speechSeconds, anySpeechSeconds } = transcript.audio;
  const manager = talkingSeconds('manager', lines, spoken, speechSeconds);
  const customer = talkingSeconds('customer', lines, spoken, speechSeconds);
  const timed = transcript.timesEstimated !== true;
  // Transcripts of earlier versions have only the seconds of each speaker.
  const speech = anySpeechSeconds ?? speechSeconds.reduce((sum, seconds) => sum + seconds, 0);
  const turns = turnsOf(lines, counts);
  const longTurns = (by: Role, least: number) =>
    turns.filter(({ role, words }) => role === by && words >= least).length;
  return {
    seconds: Math.round(transcript.audio.seconds),
    silenceSeconds: speech > 0 ? Math.max(0, Math.round(transcript.audio.seconds - speech)) : null,
    words: counts.reduce((sum, count) => sum + count, 0),
    turns: lines.filter((line, index) => line.role !== lines[index - 1]?.role).length,
    managerTalkPercent: manager + customer > 0 ? Math.round((100 * manager) / (manager + customer)) : null,
    longestMonologueSeconds: timed && manager > 0 ? Math.round(longestMonologue(lines, counts, spoken)) : null,
    customerLongTurns: longTurns('customer', LONG_TURN),
    managerLongTurns: longTurns('manager', EXPLAINING_TURN),
    interruptions:
      timed && !['nothing', 'voices', 'engine', 'person'].includes(transcript.speakersBy)
        ? interruptions(transcript, lines, counts)
        : null,
    managerQuestions: questionsOf('manager', lines),
    customerQuestions: questionsOf('customer', lines),
    managerWordsPerMinute: timed ? rate(total('manager', counts), manager) : null,
    customerWordsPerMinute: timed ? rate(total('customer', counts), customer) : null,
  };
}

/** Counts the questions of a role by their marks; null where nobody's questions have any. */
function questionsOf(by: Role, lines: readonly Line[]): number | null {
  const marks = lines.map(({ text }) => text.match(QUESTION_MARKS)?.length ?? 0);
  if (marks.every((count) => count === 0)) return null;
  return lines.reduce((sum, { role }, index) => sum + (role === by ? (marks[index] ?? 0) : 0), 0);
}

/** Joins the lines of one person that follow each other. */
function turnsOf(lines: readonly Line[], counts: readonly number[]): { role: Role; words: number }[] {
  const turns: { role: Role; words: number }[] = [];
  lines.forEach(({ role }, index) => {
    const last = turns.at(-1);
    if (last?.role === role) last.words += counts[index] ?? 0;
    else turns.push({ role, words: counts[index] ?? 0 });
  });
  return turns;
}

function spokenSeconds(line: Line, words: number): number {
  const lasted = (line.endMs - line.startMs) / 1000;
  const longest = words / SLOWEST;
  return lasted > 0 ? Math.min(lasted, longest) : longest / 2;
}

/** The time of the lines of a role, without the pauses within them where the speech of their speakers was measured. */
function talkingSeconds(
  role: Role,
  lines: readonly Line[],
  spoken: readonly number[],
  measured: readonly number[],
): number {
  const seconds = new Map<number | null, number>();
  lines.forEach((line, index) => {
    if (line.role === role) seconds.set(line.speaker, (seconds.get(line.speaker) ?? 0) + (spoken[index] ?? 0));
  });
  return [...seconds].reduce(
    // What is measured may hold music too, which the lines do not.
    (sum, [speaker, most]) => sum + Math.min(most, measured[speaker ?? -1] || Number.POSITIVE_INFINITY),
    0,
  );
}

function rate(words: number, seconds: number): number | null {
  return seconds >= 1 ? Math.round((60 * words) / seconds) : null;
}

function longestMonologue(lines: readonly Line[], counts: readonly number[], spoken: readonly number[]): number {
  let longest = 0;
  let current = 0;
  lines.forEach((line, index) => {
    if (line.role === 'manager') current += spoken[index] ?? 0;
    else if ((counts[index] ?? 0) > BACKCHANNEL_WORDS) current = 0;
    longest = Math.max(longest, current);
  });
  return longest;
}

/** The manager begins while the customer speaks, both are heard for a while, and the customer does not finish. */
function interruptions({ audio }: Transcript, lines: readonly Line[], counts: readonly number[]): number {
  const bothSpeak = (from: number, to: number) =>
    audio.overlaps === undefined
      ? to - from > TWO_LINES_MS
      : audio.overlaps.some(({ startMs, endMs }) => Math.min(endMs, to) - Math.max(startMs, from) >= TWO_VOICES_MS);
  return lines.filter((line, index) => {
    const before = lines[index - 1];
    return (
      line.role === 'manager' &&
      before?.role === 'customer' &&
      (counts[index] ?? 0) > BACKCHANNEL_WORDS &&
      (counts[index - 1] ?? 0) > BACKCHANNEL_WORDS &&
      bothSpeak(line.startMs, before.endMs) &&
      (!FINISHED.test(before.text) || BROKEN_OFF.test(before.text))
    );
  }).length;
}

/** A longer stretch of the manager is a monologue: about a minute and a half at 150 words a minute. */
const MONOLOGUE_WORDS = 220;
const INTERRUPTIONS = 3;

type Found = Observations['mistakes'][number];

/** The mistakes that code counts, the same for each engine. @param said the mistakes that the engine found in words */
export function countedMistakes(
  lines: readonly Line[],
  numbers: Numbers,
  said: readonly Found[],
  { checks, questions, nextStep, saleStatus }: Pick<Observations, 'checks' | 'questions' | 'nextStep' | 'saleStatus'>,
): Found[] {
  const found: Found[] = [];
  if (!said.some(({ kind }) => kind === 'interrupting') && (numbers.interruptions ?? 0) >= INTERRUPTIONS) {
    found.push({ kind: 'interrupting', text: `${numbers.interruptions} times.`, evidence: null });
  }
  const monologue = mostWords(lines);
  if (monologue.words > MONOLOGUE_WORDS) {
    found.push({
      kind: 'monologue',
      text: `${monologue.words} words without a break.`,
      evidence: opening(lines, monologue.first),
    });
  }
  if (questions.length === 0 && checks.named_offer !== null) {
    found.push({ kind: 'no_discovery', text: 'No question about the situation or need.', evidence: null });
  }
  if (nextStep === null && (saleStatus === 'unclear' || saleStatus === 'follow_up')) {
    found.push({ kind: 'no_next_step', text: 'The call ends without one.', evidence: null });
  }
  return found;
}

function mostWords(lines: readonly Line[]): { words: number; first: number } {
  let longest = { words: 0, first: 0 };
  let current = { words: 0, first: 0 };
  lines.forEach(({ role, text }, index) => {
    const words = text.split(/\s+/).filter((word) => word !== '').length;
    if (role === 'manager') {
      if (current.words === 0) current.first = index;
      current.words += words;
      if (current.words > longest.words) longest = { ...current };
    } else if (words > BACKCHANNEL_WORDS) current = { words: 0, first: 0 };
  });
  return longest;
}

/** Quotes the first words of a line. */
function opening(lines: readonly Line[], line: number): Evidence {
  const quote = /^\s*((?:\S+\s+){0,11}\S+)/.exec(lines[line]?.text ?? '')?.[1] ?? '';
  return { quote, line };
}

/** Reasons for leaving out what was no speech. */
const NO_SPEECH_LOST = /silen|no speech|no_words|sounds_as_words|counted_numbers/i;
/** A shorter loss is not reported. */
const MIN_LOST_MS = 1_000;

/** @returns the reasons why the recording is not the whole call, for readers of the report */
export function recordingIssues({ audio }: Transcript): { text: string; evidence: null }[] {
  const issues: string[] = [];
  if (audio.cutOff) issues.push(cutOffIssue(audio.seconds, audio.cutOff.declaredSeconds));
  const lostMs = audio.dropped
    .filter(({ reason }) => !NO_SPEECH_LOST.test(reason))
    .reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  if (lostMs >= MIN_LOST_MS)
    issues.push(`${Math.round(lostMs / 1000)} seconds of the recording could not be transcribed.`);
  return issues.map((text) => ({ text, evidence: null }));
}

function cutOffIssue(seconds: number, declaredSeconds: number | null): string {
  if (declaredSeconds === null) return `The recording is damaged and ends at ${clock(seconds)}.`;
  return `The recording is cut off at ${clock(seconds)} of ${clock(declaredSeconds)}.`;
}

/** Formats as 0:31, or 1:02:03 from an hour on. */
function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const two = (part: number) => String(part).padStart(2, '0');
  const hours = Math.floor(whole / 3_600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

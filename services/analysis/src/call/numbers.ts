import type { Line, Role, Transcript } from '@call-analytics/calls';

/** Computed from the lines and the audio; null where they do not tell. Seconds and counts are whole numbers. */
export interface Numbers {
  [name: string]: number | null;
  seconds: number;
  silenceSeconds: number | null;
  words: number;
  turns: number;
  /** Of all that manager and customer say. */
  managerTalkPercent: number | null;
  longestMonologueSeconds: number | null;
  /** Times the manager began while the customer was still speaking; null when speakers were not told apart. */
  interruptions: number | null;
  managerQuestions: number;
  customerQuestions: number;
  managerWordsPerMinute: number | null;
  customerWordsPerMinute: number | null;
}

/** Speech is hardly ever slower: a line that lasts longer holds pauses (or the other's turn). Words per second. */
const SLOWEST = 1.5;
/** A listener's "yes", "okay", "I see" does not end the other's turn. */
const BACKCHANNEL_WORDS = 3;
/** Talking over each other for less than this is how people take turns. Milliseconds. */
const OVERLAP_MS = 700;

/** @param questions how many of the lines' sentences ask something, by role */
export function numbersOf(transcript: Transcript, lines: readonly Line[], questions: Record<Role, number>): Numbers {
  const counts = lines.map((line) => line.text.split(/\s+/).filter((word) => word !== '').length);
  const spoken = lines.map((line, index) => spokenSeconds(line, counts[index] ?? 0));
  const total = (role: Role, of: readonly number[]) =>
    lines.reduce((sum, line, index) => (line.role === role ? sum + (of[index] ?? 0) : sum), 0);
  const manager = total('manager', spoken);
  const customer = total('customer', spoken);
  const { speechSeconds, anySpeechSeconds } = transcript.audio;
  // Transcripts of earlier versions know each speaker's seconds only.
  const speech = anySpeechSeconds ?? speechSeconds.reduce((sum, seconds) => sum + seconds, 0);
  return {
    seconds: Math.round(transcript.audio.seconds),
    silenceSeconds: speech > 0 ? Math.max(0, Math.round(transcript.audio.seconds - speech)) : null,
    words: counts.reduce((sum, count) => sum + count, 0),
    turns: lines.filter((line, index) => line.role !== lines[index - 1]?.role).length,
    managerTalkPercent: manager + customer > 0 ? Math.round((100 * manager) / (manager + customer)) : null,
    longestMonologueSeconds: manager > 0 ? Math.round(longestMonologue(lines, counts, spoken)) : null,
    interruptions: transcript.speakersBy === 'nothing' ? null : interruptions(lines, counts),
    managerQuestions: questions.manager,
    customerQuestions: questions.customer,
    managerWordsPerMinute: rate(total('manager', counts), manager),
    customerWordsPerMinute: rate(total('customer', counts), customer),
  };
}

function spokenSeconds(line: Line, words: number): number {
  const lasted = (line.endMs - line.startMs) / 1000;
  const longest = words / SLOWEST;
  return lasted > 0 ? Math.min(lasted, longest) : longest / 2;
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

function interruptions(lines: readonly Line[], counts: readonly number[]): number {
  return lines.filter((line, index) => {
    const before = lines[index - 1];
    return (
      line.role === 'manager' &&
      before?.role === 'customer' &&
      (counts[index] ?? 0) > BACKCHANNEL_WORDS &&
      (counts[index - 1] ?? 0) > BACKCHANNEL_WORDS &&
      before.endMs - line.startMs > OVERLAP_MS
    );
  }).length;
}

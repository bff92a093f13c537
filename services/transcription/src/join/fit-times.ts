import type { Stretch } from '../plan/frames.ts';

export interface TimedText extends Stretch {
  text: string;
  /** The times of its words, in order and without overlap. */
  words?: Stretch[];
  /** The engine's name for who speaks. */
  speaker?: string;
}

/** A longer pause ends an utterance. */
const PAUSE_MS = 1_000;
/** How far engines err about the beginning and the end of an utterance. */
const SLACK_MS = 1_000;

/**
 * Fits what an engine heard in a segment to the speech that was measured in it: engines let their times run into
 * silence. With the times of words, an utterance ends where the speaker pauses, otherwise where the engine says; each
 * word is moved into the speech that it belongs to.
 * @param speech in order
 * @param utterances in order, and `words` with the same letters
 */
export function fitTimes(
  speech: readonly Stretch[],
  utterances: readonly TimedText[],
  words: readonly TimedText[] = [],
): TimedText[] {
  if (speech.length === 0) return [...utterances];
  const tokens = timedTokens(utterances.map(({ text }) => text).join(' '), words);
  return tokens === null ? trimmed(speech, utterances) : betweenPauses(speech, tokens);
}

const LETTERS = /[\p{L}\p{M}\p{N}]/gu;
const lettersOf = (text: string) => text.toLowerCase().match(LETTERS) ?? [];

/**
 * Gives each token of the text, which has the punctuation, the time of the words with its letters.
 * @returns null when the letters are not the same
 */
export function timedTokens(text: string, words: readonly TimedText[]): TimedText[] | null {
  const letters = words.flatMap(({ text: word }, index) => lettersOf(word).map((letter) => ({ letter, index })));
  const tokens: TimedText[] = [];
  let at = 0;
  for (const token of text.split(/\s+/).filter((part) => part !== '')) {
    const own = lettersOf(token);
    if (own.some((letter, i) => letters[at + i]?.letter !== letter)) return null;
    const first = words[letters[at]?.index ?? -1];
    const last = words[letters[at + own.length - 1]?.index ?? -1];
    at += own.length;
    const before = tokens.at(-1);
    if (own.length > 0 && first !== undefined && last !== undefined)
      tokens.push({ text: token, startMs: first.startMs, endMs: last.endMs });
    else if (before !== undefined) before.text = `${before.text} ${token}`;
  }
  return at === letters.length && tokens.length > 0 ? tokens : null;
}

/** Runs of words without a pause. Each word belongs to a stretch of speech: times of words run into silence too. */
function betweenPauses(speech: readonly Stretch[], tokens: readonly TimedText[]): TimedText[] {
  const runs: { first: number; last: number; tokens: TimedText[] }[] = [];
  let at = 0;
  let saidMs = Number.NEGATIVE_INFINITY;
  for (const token of tokens) {
    at = Math.max(at, stretchOf(speech, token));
    const run = runs.at(-1);
    const pause = run === undefined ? Number.POSITIVE_INFINITY : startOf(speech, at) - endOf(speech, run.last);
    const stretch = speech[at] as Stretch;
    const startMs = Math.max(saidMs, Math.min(Math.max(token.startMs, stretch.startMs), stretch.endMs));
    saidMs = Math.max(startMs, Math.min(token.endMs, stretch.endMs));
    const word = { startMs, endMs: saidMs, text: token.text };
    if (run === undefined || (at !== run.last && pause >= PAUSE_MS)) runs.push({ first: at, last: at, tokens: [word] });
    else {
      run.last = at;
      run.tokens.push(word);
    }
  }
  return runs.map((run, index) => {
    const after = runs[index + 1]?.first ?? speech.length;
    const before = runs[index - 1]?.last ?? -1;
    // Speech beside the run that no word was given to belongs to it.
    let { first, last } = run;
    while (last + 1 < after && startOf(speech, last + 1) - endOf(speech, last) < PAUSE_MS) last += 1;
    while (first - 1 > before && startOf(speech, first) - endOf(speech, first - 1) < PAUSE_MS) first -= 1;
    const text = run.tokens.map((token) => token.text).join(' ');
    const words = run.tokens.map(({ startMs, endMs }) => ({ startMs, endMs }));
    return { startMs: startOf(speech, first), endMs: endOf(speech, last), text, words };
  });
}

const startOf = (speech: readonly Stretch[], index: number) => (speech[index] as Stretch).startMs;
const endOf = (speech: readonly Stretch[], index: number) => (speech[index] as Stretch).endMs;

/** The stretch that holds most of the word; the nearest to its end when none does, because ends are more exact. */
function stretchOf(speech: readonly Stretch[], { startMs, endMs }: Stretch): number {
  let best = 0;
  let score = Number.NEGATIVE_INFINITY;
  speech.forEach((stretch, index) => {
    const shared = Math.min(endMs, stretch.endMs) - Math.max(startMs, stretch.startMs);
    const away = Math.max(stretch.startMs - endMs, endMs - stretch.endMs, 0);
    const value = shared > 0 ? shared : -away;
    if (value > score) {
      best = index;
      score = value;
    }
  });
  return best;
}

/** Moves beginnings and ends that lie in silence, or near the edge of speech that nothing else claims, to that edge. */
function trimmed(speech: readonly Stretch[], utterances: readonly TimedText[]): TimedText[] {
  return utterances.map(({ startMs, endMs, ...said }, index) => {
    const before = utterances[index - 1]?.endMs ?? Number.NEGATIVE_INFINITY;
    const after = utterances[index + 1]?.startMs ?? Number.POSITIVE_INFINITY;
    const under = speech.filter((stretch) => stretch.endMs > startMs && stretch.startMs < endMs);
    const [first] = under;
    const last = under.at(-1);
    if (first === undefined || last === undefined) return { startMs, endMs, ...said };
    const early = startMs - first.startMs <= SLACK_MS && before <= first.startMs;
    const late = last.endMs - endMs <= SLACK_MS && after >= last.endMs;
    return {
      startMs: startMs < first.startMs || early ? first.startMs : startMs,
      endMs: endMs > last.endMs || late ? last.endMs : endMs,
      ...said,
    };
  });
}

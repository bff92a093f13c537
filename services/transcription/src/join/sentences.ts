import { packedTimes, timedWords, type Utterance } from '@call-analytics/calls';

export const SENTENCE_END = /[.?!…。！？]["'”’)]?$/;

/** Within a sentence people pause for less than this, and an utterance becomes no longer than that. */
const THINKING_MS = 3_000;
const MAX_SENTENCE_MS = 30_000;

/**
 * Joins what one person says in one sentence, when nobody speaks in between: a pause or a cut parted it.
 * @param utterances in order of time
 */
export function inSentences(utterances: readonly Utterance[]): Utterance[] {
  const joined: Utterance[] = [];
  // Without any punctuation nothing tells where a sentence ends.
  if (!utterances.some(({ text }) => SENTENCE_END.test(text))) return [...utterances];
  for (const next of utterances) {
    const last = joined.at(-1);
    const goesOn =
      last !== undefined &&
      last.speaker === next.speaker &&
      last.language === next.language &&
      !SENTENCE_END.test(last.text) &&
      next.startMs - last.endMs <= THINKING_MS &&
      next.endMs - last.startMs <= MAX_SENTENCE_MS;
    if (goesOn) joined[joined.length - 1] = together(last, next);
    else joined.push(next);
  }
  return joined;
}

function together(first: Utterance, second: Utterance): Utterance {
  const { startMs, text, confidence = null } = first;
  const endMs = Math.max(first.endMs, second.endMs);
  let saidMs = startMs;
  const times = [first, second].flatMap(timedWords).map((word) => {
    const from = Math.max(saidMs, word.startMs);
    saidMs = Math.max(from, word.endMs);
    return { startMs: from, endMs: saidMs };
  });
  const known = first.words !== undefined && second.words !== undefined;
  const words = known ? packedTimes(times, startMs) : undefined;
  const { words: _, ...rest } = first;
  return {
    ...rest,
    endMs,
    text: `${text} ${second.text}`,
    ...(words !== undefined && { words }),
    ...(confidence !== null && { confidence: Math.min(confidence, second.confidence ?? confidence) }),
  };
}

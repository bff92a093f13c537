import { encodedLine, encodedPieces } from '@call-analytics/analysis/encoder';
import type { TrainingCall } from '../corpus.ts';

const PIECES = encodedPieces();
/** Lines before and after one that proposes or agrees to a step, in which what is done is named. */
const NEAR = { before: 6, after: 2 };

/** The tokens of the lines of a call for `step_words.py`, and which of them name what is done in its next step. */
export function stepWordsOf({ lines, truth: { nextStep } }: Pick<TrainingCall, 'lines' | 'truth'>) {
  const placesOf = (...tags: string[]) =>
    lines.flatMap((line, at) => (tags.some((tag) => line.tags.has(tag)) ? [at] : []));
  const steps = placesOf('step', 'agree');
  const places = steps.length > 0 ? steps : placesOf('accept', 'close');
  return lines.map(({ role, text }, at) => {
    const { ids, spans } = encodedLine({ role, text }, PIECES);
    const isNear = places.some((place) => at >= place - NEAR.before && at <= place + NEAR.after);
    const said = text.toLowerCase().replaceAll('’', "'");
    const named = (nextStep?.what ?? []).flatMap((what) => wordsAt(what.toLowerCase(), said));
    const isNamed = ([start, end]: readonly [number, number]) => named.some(([from, to]) => start < to && end > from);
    return { ids, names: isNear && nextStep !== null ? spans.map((span) => (isNamed(span) ? 1 : 0)) : null };
  });
}

/** @returns begins and ends of words that begin so */
function wordsAt(name: string, text: string): [number, number][] {
  const places: [number, number][] = [];
  for (let at = text.indexOf(name); name !== '' && at >= 0; at = text.indexOf(name, at + 1))
    if (!/[a-z]/.test(text[at - 1] ?? '')) places.push([at, at + name.length]);
  return places;
}

/** The tokens at the begin of a stretch and after each line. */
export function stretchEnds(): { begin: number; separator: number } {
  return { begin: PIECES.get('[CLS]') ?? 0, separator: PIECES.get('[SEP]') ?? 0 };
}

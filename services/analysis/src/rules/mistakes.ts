import type { MistakeKind } from '../call/catalogue.ts';
import { countedMistakes } from '../call/mistakes.ts';
import type { Numbers } from '../call/numbers.ts';
import type { Evidence, Observations } from '../call/observations.ts';
import type { Dialogue } from './dialogue.ts';

type Found = Observations['mistakes'][number];

/** What the manager did wrong; each kind once, at its first place. */
export function mistakesOf(
  dialogue: Dialogue,
  numbers: Numbers,
  observed: Pick<Observations, 'checks' | 'nextStep' | 'saleStatus'>,
): Found[] {
  const said = (
    ['rude', 'pressure', 'promise', 'badmouthing', 'jargon', 'unanswered', 'interrupting'] as const
  ).flatMap((kind) => {
    const first = dialogue.find(`mistake.${kind}`)[0];
    return first === undefined ? [] : [withQuote(kind, dialogue.evidence(first))];
  });
  const found: Found[] = [...said];
  const pushed = pushedAfter(dialogue);
  if (pushed !== null && observed.saleStatus !== 'sold') found.push(withQuote('pushy', dialogue.evidence(pushed)));
  return [
    ...found,
    ...countedMistakes(dialogue.lines, numbers, found, observed).filter(({ kind }) => isCertain(dialogue, kind)),
  ];
}

/** What is missing from a call can be in words that no cue knows: it counts only where nothing comes near it. */
function isCertain(dialogue: Dialogue, kind: MistakeKind): boolean {
  const { clauses, roles } = dialogue;
  if (kind === 'no_next_step') {
    const ending = Math.floor(clauses.length / 2);
    return !clauses
      .slice(ending)
      .some(({ cues }) => [...cues].some((cue) => cue === 'when' || cue.startsWith('next.')));
  }
  if (kind === 'no_discovery')
    return !clauses.some(({ cues, text }, index) => {
      const asks = text.includes('?') || cues.has('question.start') || /\btell me\b/i.test(text);
      return asks && roles[index] === 'manager' && !cues.has('question.small') && !cues.has('check.purpose');
    });
  return true;
}

function withQuote(kind: MistakeKind, evidence: Evidence): Found {
  return { kind, text: `“${evidence.quote}”`, evidence };
}

/** Going on is to argue or to present; to thank, or to ask what to do now, is not. */
const SELLING = ['answer.argues', 'check.benefit', 'check.price_or_proof', 'kind.sells.price', 'kind.sells.offer'];

/** The second clear no, when the manager had gone on selling after the first. @returns the place where they went on */
function pushedAfter(dialogue: Dialogue): number | null {
  const refusals = dialogue.find('outcome.refused').filter((index) => dialogue.weight(index, 'outcome.refused') >= 1);
  // Between neighbors is enough: what lies between any two refusals lies between some neighbors.
  for (const [order, first] of refusals.entries()) {
    const second = refusals[order + 1] ?? first;
    for (let index = first + 1; index < second; index += 1) {
      if (SELLING.some((cue) => dialogue.has(index, cue))) return index;
    }
  }
  return null;
}

import type { Acts } from './acts.ts';
import type { Act } from './classifier.ts';

/** A line as "M: text" or "C: text", with what is done in it, and how likely where it is not 0.9. */
export type WrittenLine = readonly [said: string, ...acts: (Act | readonly [Act, number])[]];

/** The part of a call before a step is agreed. */
export const TALK: WrittenLine[] = [
  ['M: how do you do it today'],
  ['C: on paper, which takes us hours'],
  ['M: ours does it by itself'],
  ['C: okay, I see'],
];

/** What a model would find that knows every line, so that tests of the rules do not depend on the trained models. */
export function writtenActs(lines: readonly WrittenLine[]): Acts {
  const pieces = lines.map(([said], line) => ({
    role: said.startsWith('M: ') ? ('manager' as const) : ('customer' as const),
    text: said.slice(3),
    line,
  }));
  const done = lines.map(([, ...acts]) => new Map(acts.map((act) => (typeof act === 'string' ? [act, 0.9] : act))));
  const heard = { pieces, probability: (at: number, act: Act) => done[at]?.get(act) ?? 0.01 };
  return {
    ...heard,
    byWords: heard,
    encoded: null,
    find: (act, least) => [...pieces.keys()].filter((at) => heard.probability(at, act) >= least),
    evidence: (at) => ({ quote: pieces[at]?.text ?? '', line: at }),
  };
}

import type { Line, Role, Transcript } from '@call-analytics/calls';
import type { Evidence } from '../call/evidence.ts';
import type { Clause } from './clauses.ts';
import { CUES } from './cues.ts';
import type { WithRoles } from './roles.ts';

/** The longest quote, in characters. */
const LONGEST_QUOTE = 240;

/** The clauses of a call with their roles and cues, as the rules for the outcome and moods read them. */
export interface Dialogue {
  clauses: readonly Clause[];
  roles: readonly Role[];
  lines: readonly Line[];
  /** Whether a clause has a cue with this name or prefix, said by the role that the cue is for. */
  has(index: number, cue: string): boolean;
  /** The indices of the clauses that have it. */
  find(cue: string): number[];
  evidence(index: number): Evidence;
}

export function dialogueOf(
  transcript: Transcript,
  clauses: readonly Clause[],
  { roles, lines, lineOf }: WithRoles,
): Dialogue {
  const places = placesOf(clauses, roles);
  return {
    clauses,
    roles,
    lines,
    has: (index, cue) => places.get(cue)?.has(index) ?? false,
    find: (cue) => [...(places.get(cue) ?? [])],
    evidence: (index) => ({ quote: cut(sentenceAround(transcript, clauses, lineOf, index)), line: lineOf[index] ?? 0 }),
  };
}

/** Maps each cue name and each prefix of it ("outcome", "outcome.sold") to its clauses. */
function placesOf(clauses: readonly Clause[], roles: readonly Role[]): Map<string, Set<number>> {
  const places = new Map<string, Set<number>>();
  clauses.forEach((clause, index) => {
    for (const cue of clause.cues) {
      const by = CUES[cue]?.by;
      if (by !== undefined && by !== roles[index]) continue;
      for (let end = cue.indexOf('.'); ; end = cue.indexOf('.', end + 1)) {
        const name = end < 0 ? cue : cue.slice(0, end);
        let found = places.get(name);
        if (found === undefined) {
          found = new Set();
          places.set(name, found);
        }
        found.add(index);
        if (end < 0) break;
      }
    }
  });
  return places;
}

const LINKS = new Set(['and', 'but', 'so', 'because', 'then', 'that', 'which']);
/** The number of words up to which a quote of text without punctuation is extended. */
const FULL_QUOTE = 24;

/**
 * Without punctuation a clause is often half a sentence, so following clauses of the line are added, and preceding ones
 * to a clause that begins with a link word.
 */
function sentenceAround(
  transcript: Transcript,
  clauses: readonly Clause[],
  lineOf: readonly number[],
  index: number,
): string {
  const clause = clauses[index];
  if (clause === undefined) return '';
  const text = transcript.utterances[clause.utterance]?.text ?? '';
  let [from, to, words] = [index, index, clause.words.length];
  const open = (at: number) => !/[.!?…]\s*$/.test(clauses[at]?.text ?? '');
  const joins = (at: number) => lineOf[at] === lineOf[index] && words + (clauses[at]?.words.length ?? 0) <= FULL_QUOTE;
  while (LINKS.has(clauses[from]?.words[0]?.text ?? '') && joins(from - 1) && open(from - 1)) {
    from -= 1;
    words += clauses[from]?.words.length ?? 0;
  }
  while (open(to) && joins(to + 1)) {
    to += 1;
    words += clauses[to]?.words.length ?? 0;
  }
  return text.slice(clauses[from]?.start, clauses[to]?.end).trim();
}

function cut(text: string): string {
  if (text.length <= LONGEST_QUOTE) return text;
  const end = text.lastIndexOf(' ', LONGEST_QUOTE);
  return text.slice(0, end > 0 ? end : LONGEST_QUOTE);
}

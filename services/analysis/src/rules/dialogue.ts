import type { Line, Role, Transcript } from '@call-analytics/calls';
import type { Evidence } from '../call/evidence.ts';
import { type Classified, classify } from './classifier.ts';
import type { Clause } from './clauses.ts';
import { CUES, weightOf } from './cues/index.ts';
import type { WithRoles } from './roles.ts';

/** The longest quote, in characters. */
const LONGEST_QUOTE = 240;

/** The clauses of a call with their roles and cues, as the rules for outcome, objections and others read them. */
export interface Dialogue {
  clauses: readonly Clause[];
  roles: readonly Role[];
  lines: readonly Line[];
  /** What is done in each line. */
  acts: Classified;
  /** The day of the call, null when it is not known. */
  date: string | null;
  /** Whether a clause has a cue with this name or prefix, said by the role that the cue is for. */
  has(index: number, cue: string): boolean;
  /** The weight of the strongest such cue, 0 without one. */
  weight(index: number, cue: string): number;
  /** The indices of the clauses that have it. */
  find(cue: string): number[];
  evidence(index: number): Evidence;
  /** A whole line as evidence. */
  evidenceOf(line: number): Evidence;
  utteranceText(utterance: number): string;
  /** Whether the utterance has a capital letter. */
  hasCapitals(utterance: number): boolean;
}

export function dialogueOf(
  transcript: Transcript,
  clauses: readonly Clause[],
  { roles, lines, lineOf }: WithRoles,
): Dialogue {
  const places = placesOf(clauses, roles);
  const capitals = transcript.utterances.map(({ text }) => /\p{Lu}/u.test(text));
  return {
    clauses,
    roles,
    lines,
    acts: classify(lines),
    date: transcript.date ?? null,
    has: (index, cue) => places.get(cue)?.has(index) ?? false,
    weight: (index, cue) => places.get(cue)?.get(index) ?? 0,
    find: (cue) => [...(places.get(cue)?.keys() ?? [])],
    hasCapitals: (utterance) => capitals[utterance] ?? false,
    utteranceText: (utterance) => transcript.utterances[utterance]?.text ?? '',
    evidenceOf: (line) => ({ quote: cut(lines[line]?.text.trim() ?? ''), line }),
    evidence: (index) => ({ quote: cut(sentenceAround(transcript, clauses, lineOf, index)), line: lineOf[index] ?? 0 }),
  };
}

/** Maps each cue name and each prefix of it ("outcome", "outcome.sold") to its clauses with their greatest weight. */
function placesOf(clauses: readonly Clause[], roles: readonly Role[]): Map<string, Map<number, number>> {
  const places = new Map<string, Map<number, number>>();
  clauses.forEach((clause, index) => {
    for (const cue of clause.cues) {
      const by = CUES[cue]?.by;
      if (by !== undefined && by !== roles[index]) continue;
      for (let end = cue.indexOf('.'); ; end = cue.indexOf('.', end + 1)) {
        const name = end < 0 ? cue : cue.slice(0, end);
        let found = places.get(name);
        if (found === undefined) {
          found = new Map();
          places.set(name, found);
        }
        found.set(index, Math.max(weightOf(cue), found.get(index) ?? 0));
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

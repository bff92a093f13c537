import type { Line, Role } from '@call-analytics/calls';
import { locate, provesAnything } from '../call/evidence.ts';
import type { Evidence } from '../call/observations.ts';
import type { Answer } from './answer.ts';
import { withoutMask } from './masking.ts';

/** Why items of an answer are left out. */
type DropReason = 'malformed' | 'unproven' | 'wrong_speaker' | 'duplicate' | 'refuted';
export type Drops = Partial<Record<DropReason, number>>;

type Said = { line: number; quote: string };
export type ListOfTexts = 'positives' | 'issues' | 'summary' | 'recommendations';
type ListOfFindings = ListOfTexts | 'questions' | 'customer_questions' | 'objections' | 'mistakes';

export type Prove = (said: Said | null | undefined, by?: Role) => Evidence | null;

/** Looks for the quotes of the answers in the lines of the call, and counts what is left out. */
export class Proofs {
  readonly drops: Drops = {};
  /** Quotes that are said by whom the finding needs, and by another. */
  readonly speakers = { right: 0, wrong: 0 };
  readonly #answers: readonly Answer[];
  readonly #lines: readonly Line[];
  readonly #lineOf: readonly number[];

  constructor(answers: readonly Answer[], lines: readonly Line[], lineOf: readonly number[]) {
    this.#answers = answers;
    this.#lines = lines;
    this.#lineOf = lineOf;
  }

  drop(reason: DropReason): void {
    this.drops[reason] = (this.drops[reason] ?? 0) + 1;
  }

  /** @param by who must say it; anyone by default */
  proven(said: Said | null | undefined, by?: Role): Evidence | null {
    if (said === null || said === undefined) return null;
    const hint = this.#lineOf[said.line] ?? null;
    const found = locate(said.quote, this.#lines, hint, by);
    // A mask has more words than what it stands for, and always as many, however long the name is.
    if (found !== null && !provesAnything(withoutMask(found.quote))) {
      this.drop('unproven');
      return null;
    }
    if (found !== null && by !== undefined) this.speakers.right += 1;
    if (found !== null) return found;
    const another = by === undefined ? null : locate(said.quote, this.#lines, hint);
    // Lines without a role count against the confidence already.
    if (another !== null && this.#lines[another.line]?.role !== 'other') this.speakers.wrong += 1;
    this.drop(another === null ? 'unproven' : 'wrong_speaker');
    return null;
  }

  /** The proven findings of a list in all answers, each once. */
  kept<N extends ListOfFindings, K>(name: N, by: Role | undefined, of: (item: Answer[N][number]) => K) {
    const found: (K & { evidence: Evidence; same: string })[] = [];
    for (const item of this.#answers.flatMap((answer): readonly Answer[N][number][] => answer[name])) {
      const evidence = this.proven(item, by);
      if (evidence === null) continue;
      const same = JSON.stringify('kind' in item ? item.kind : null);
      if (found.some((other) => other.same === same && alike(other.evidence, evidence))) this.drop('duplicate');
      else found.push({ ...of(item), evidence, same });
    }
    return found.map(({ same: _same, ...item }) => item as K & { evidence: Evidence });
  }

  /** What `prove` makes of the first answer of which it can. */
  first<T, K>(of: (answer: Answer) => T | null, prove: (item: T) => K | null): K | null {
    for (const answer of this.#answers) {
      const item = of(answer);
      const found = item === null ? null : prove(item);
      if (found !== null) return found;
    }
    return null;
  }
}

function alike(one: Evidence, other: Evidence): boolean {
  return one.line === other.line && (one.quote.includes(other.quote) || other.quote.includes(one.quote));
}

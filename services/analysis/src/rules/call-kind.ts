import type { CallKind } from '@call-analytics/contracts';
import type { Evidence } from '../call/evidence.ts';
import type { Acts } from './acts.ts';
import { type CallModel, judgeByWords, judgeCall, KINDS, tellingPiece } from './call-model.ts';
import type { Dialogue } from './dialogue.ts';

export interface KindFound {
  /** Null when it is not clear. */
  kind: CallKind | null;
  /** The words that show it; null where the kind follows from what is missing. */
  evidence: Evidence | null;
  /** Whether it is a sales call, or an unclear call that is likely one. */
  sells: boolean;
}

/** The least of a conversation. */
const CONVERSATION = { words: 20, turns: 3 };
/** Somebody who says less than this takes no part. */
const ONE_SIDED_WORDS = 8;
/**
 * A call is a sales call only when it is clear to the words and the encoder together and likely to each of them. Chosen
 * on calls that neither has learned from: a score for a call of another kind is worse than a sales call without one.
 */
const CLEAR = { likely: 0.98, each: 0.8 };
/** How likely another kind must be to be named, so that nine of ten are right in calls of authors that the model has not seen. */
const NAMED = 0.7;
/**
 * How likely a call of an unclear kind must be a sales call for its sale status to be said, and that a company or an
 * offer is named in it: sisters who buy a present together agree to buy as well.
 */
const SELLS = { likely: 0.9, named: 0.5 };

/** Finds the kind of conversation. Only clear sales calls are called so and get a score. */
export function callKindOf({ clauses, lines }: Dialogue, acts: Acts, model?: CallModel): KindFound {
  const words = clauses.reduce((sum, clause) => sum + clause.words.length, 0);
  const spoken = Map.groupBy(clauses, ({ speaker }) => speaker);
  const own = [...spoken.values()].map((said) => said.reduce((sum, clause) => sum + clause.words.length, 0));
  const few = spoken.size > 1 && lines.length < CONVERSATION.turns;
  const found = judgeCall('kind', acts, model);
  const [sales = 0] = found;
  const [byWords = 0] = judgeByWords('kind', acts.byWords, model);
  const isClear = sales >= CLEAR.likely && Math.min(byWords, acts.encoded?.kind[0] ?? byWords) >= CLEAR.each;
  const other = Math.max(...found.slice(1));
  const likeliest = isClear ? 0 : other >= NAMED ? found.lastIndexOf(other) : -1;
  const kind = KINDS[likeliest] ?? null;
  const oneSided = spoken.size === 2 && Math.min(...own) < ONE_SIDED_WORDS;
  const talks = kind === 'voicemail' || kind === 'wrong_number' || !(words < CONVERSATION.words || few || oneSided);
  if (!talks || kind === 'no_conversation') return { kind: 'no_conversation', evidence: null, sells: false };
  const isNamed = (['intro', 'offer'] as const).some((act) => acts.find(act, SELLS.named).length > 0);
  if (kind === null) return { kind, evidence: null, sells: isNamed && sales >= SELLS.likely };
  const piece = tellingPiece(kind, acts, model);
  return { kind, evidence: piece === null ? null : acts.evidence(piece), sells: kind === 'sales' };
}

import type { CallKind, SaleStatus } from '@call-analytics/contracts';
import { cut } from '../call/evidence.ts';
import type { Evidence } from '../call/observations.ts';
import { TWO_SIDED } from '../call/report.ts';
import type { Acts } from './acts.ts';
import { type CallModel, clearestPiece, judgeByWords, judgeCall, KINDS, STATUSES } from './call-model.ts';
import { mostLikely } from './checks.ts';
import type { Act } from './classifier.ts';
import type { Dialogue } from './dialogue.ts';
import { anyOf } from './proposals.ts';

/** How likely a piece must be the customer's yes or no to be the quote that shows it. */
const LEAST = { sold: 0.05, notSold: 0.02 };
/** A piece that is so likely a yes is one, whatever words are beside it: "is that eight hundred, yeah, do it". */
const YES = 0.95;
/**
 * How likely "sold" must be, so that nine of ten are right in calls of authors that the models have not seen, and how
 * likely by the words and by the encoder alone: one of them may be sure of something that is not so.
 */
const SOLD = { likely: 0.6, each: 0.1 };
/** A plain order counts when "sold" is at least this likely. */
const ORDERED = 0.001;
/** A sentence that is reported, conditional, denied, a question or about something to consider first is no yes. */
const NO_YES =
  /\b(told|said|says|asked|if|unless|whether|not (saying|sure)|think about|read (it|that|this|through)|look(ed)? (at|over|into)|have to see)\b|\?\s*$/i;
/** A yes to something free, a look at it, paper or a hold is agreed but not bought; one to somebody else is a no. */
const BUYS_NOTHING = anyOf(
  '(?:the|a|that|your) (?:free )?(?:demo|form|quote|sample|study|survey|tasting|test|trial|viewing|visit)',
  "free (?:go|month|trial|week)|we(?:['’]?ll| will) see|in writing|come (?:and|out|over|round)|take it away",
  'hold (?:the|it|that|this|them|one|my|our)\\b',
  'elsewhere|online|the (?:online|other) (?:company|fella|firm|guy|lot|one|place|quote)|go with (?:him|her|them)',
);
/** Words that buy in plain English; with a yes that is likely, they say more than the rest of the call does. */
const BUYS = anyOf(
  "let'?s (?:just )?(?:do|get|go) (?:with|it|that|this|them|both|the|one|two|three)",
  "(?:i|we)(?:'?ll| will) (?:just )?(?:take|have) (?:it|that|this|them|both|the|one|two|three)",
  "i(?:'?ll| will) do (?:it|that)|go ahead|go on(?: then)?|do (?:it|that)|yes please",
  '(?:sign|count) (?:me|us) (?:up|in)|put (?:me|us|it|her|him) (?:down|in)',
  "(?:book|order) (?:me|us|it|that|this|them|both|the|one|two|three)|(?:this|that)(?:'s| is) a yes",
  "i'?m (?:ready|in|doing it|(?:going to|gonna) do it)",
);
/** How likely a plain yes must be to count where a next step follows it, and a no after it to take it back. */
const PLAIN = { yes: 0.3, no: 0.5 };
/** The decision is in this last part of the call. */
const LAST_PART = 0.7;

/**
 * Finds how the sale ended, by the words of the last part of the call and by what is done in its lines: the likeliest
 * status that has its quote. The quote is the customer's yes, the agreed step, or the customer's no; `unclear` has
 * none.
 * @param nextStep where the next step was agreed, null when none was
 */
export function outcomeOf(
  dialogue: Dialogue,
  acts: Acts,
  nextStep: Evidence | null,
  model?: CallModel,
): { status: SaleStatus; evidence: Evidence | null; likely: number } {
  const found = judgeCall('status', acts, model);
  const outcome = statusOf(dialogue, acts, nextStep, found, model);
  return { ...outcome, likely: found[STATUSES.indexOf(outcome.status)] ?? 0 };
}

function statusOf(
  dialogue: Dialogue,
  acts: Acts,
  nextStep: Evidence | null,
  found: readonly number[],
  model?: CallModel,
): { status: SaleStatus; evidence: Evidence | null } {
  const isSold = isLikelySold(found, acts, model);
  const likely = STATUSES.map((status, at) => ({ status, probability: found[at] ?? 0 }));
  const order = (found[STATUSES.indexOf('sold')] ?? 0) < ORDERED ? null : orderOf(dialogue);
  likely.sort((a, b) => b.probability - a.probability);
  const plain = plainYes(acts);
  if (plain !== null && likely[0]?.status === 'follow_up') return { status: 'sold', evidence: acts.evidence(plain) };
  // "No, thanks" to an extra or "anything else?" does not take a plain yes back. "After ten, please" agrees to a step.
  if (order !== null && likely[0]?.status !== 'follow_up') return { status: 'sold', evidence: order };
  const never = dialogue.find('outcome.refused.final').at(-1) ?? takenBack(dialogue);
  if (order === null && never !== undefined) return { status: 'not_sold', evidence: dialogue.evidence(never) };
  const quotes: Readonly<Record<SaleStatus, () => Evidence | null>> = {
    sold: () => pieceThat(acts, 'accept', LEAST.sold, isYes),
    follow_up: () => nextStep,
    not_sold: () => pieceThat(acts, 'refuse', LEAST.notSold),
    unclear: () => null,
  };
  for (const { status } of likely) {
    const evidence = status === 'sold' && !isSold ? null : quotes[status]();
    if (evidence !== null || status === 'unclear') return { status, evidence };
  }
  return { status: 'unclear', evidence: null };
}

function isLikelySold(found: readonly number[], { byWords, encoded }: Acts, model?: CallModel): boolean {
  const sold = STATUSES.indexOf('sold');
  const words = judgeByWords('status', byWords, model)[sold] ?? 0;
  return (found[sold] ?? 0) >= SOLD.likely && Math.min(words, encoded?.status[sold] ?? words) >= SOLD.each;
}

/** Whether a sentence of the text can be a yes. */
function isYes({ text }: { text: string }): boolean {
  return text.split(/(?<=[.!?…])\s+/).some((sentence) => /\w\W+\w/.test(sentence) && !NO_YES.test(sentence));
}

/** @returns the piece of the last part in which the customer most likely buys in plain words and takes nothing back */
function plainYes(acts: Acts): number | null {
  const first = Math.floor(acts.pieces.length * (1 - LAST_PART));
  const no = acts.find('refuse', PLAIN.no).at(-1) ?? -1;
  const plain = acts.find('accept', PLAIN.yes).filter((piece) => {
    const said = acts.pieces[piece];
    return said !== undefined && piece >= first && piece > no && BUYS.test(said.text) && !NO_YES.test(said.text);
  });
  return mostLikely(
    acts,
    'accept',
    plain.filter((piece) => !BUYS_NOTHING.test(acts.pieces[piece]?.text ?? '')),
  );
}

/** @returns the clause in which the customer takes a plain yes back in plain words */
function takenBack(dialogue: Dialogue): number | undefined {
  const yes = dialogue.find('outcome.yes.explicit').at(-1);
  return yes === undefined ? undefined : refusals(dialogue).findLast((index) => index > yes);
}

function refusals(dialogue: Dialogue): number[] {
  return dialogue.find('outcome.refused').filter((index) => !dialogue.has(index, 'outcome.refused.weak'));
}

/** @returns where the customer orders in plain words ("I'll take it") and does not take it back in plain words */
function orderOf(dialogue: Dialogue): Evidence | null {
  const yes =
    dialogue.find('outcome.yes.explicit').findLast((index) => !BUYS_NOTHING.test(dialogue.evidence(index).quote)) ?? -1;
  return yes > (refusals(dialogue).at(-1) ?? -1) ? dialogue.evidence(yes) : null;
}

/** @returns the piece of the last part in which this is done most likely */
function pieceThat(
  acts: Acts,
  act: Act,
  least: number,
  counts: (piece: Acts['pieces'][number]) => boolean = () => true,
): Evidence | null {
  const first = Math.floor(acts.pieces.length * (1 - LAST_PART));
  let best = { probability: least, piece: -1 };
  for (const piece of acts.find(act, least)) {
    const probability = acts.probability(piece, act);
    const said = acts.pieces[piece];
    if (said === undefined || (probability < YES && !counts(said))) continue;
    if (act === 'accept' && BUYS_NOTHING.test(said.text)) continue;
    if (piece >= first && probability >= best.probability) best = { probability, piece };
  }
  return best.piece < 0 ? null : acts.evidence(best.piece);
}

interface KindFound {
  /** Null when it is not clear. */
  kind: CallKind | null;
  /** The words that show it; null where the kind follows from what is missing. */
  evidence: Evidence | null;
  /** How likely it is a sales call in which a company or an offer is named; 1 where that is clear. */
  sells: number;
  /** Whether somebody in it is a customer, who may want and ask something. */
  hasCustomer: boolean;
}

/** The least of a conversation. */
const CONVERSATION = { words: 20, turns: 3 };
/** Somebody who says less than this takes no part. */
const ONE_SIDED_WORDS = 8;
/**
 * A call is a sales call only when it is clear to the words and the encoder together and likely to each of them. Chosen
 * on calls that neither has learned from: a score for a call of another kind is worse than a sales call without one.
 */
const CLEAR = { likely: 0.96, each: 0.8 };
/** How likely another kind must be to be named: nine of ten are then right in calls of authors that are new. */
const NAMED = 0.65;
/** How likely an offer or a company must be named in a sales call: sisters who buy a present agree to buy as well. */
const SELLS = 0.5;
/** How likely a call of an unclear kind must be one for sales or service, so that somebody in it is a customer. */
const HAS_CUSTOMER = 0.6;

/** What an answering machine says, and nobody else. */
const MACHINE = new RegExp(
  String.raw`\b(?:reached|through to) the (?:voice ?mail|answer(?:ing|phone)?)\b|\bafter the (?:tone|beep)\b` +
    String.raw`|\bleave (?:me |us )?(?:a|your) (?:short |brief )?message (?:and|after|with)\b`,
  'i',
);
/** A machine speaks in the first lines, and so many more at most. */
const GREETING = { within: 4, lines: 2 };

/** @returns the greeting of an answering machine, to which only a message follows */
function machineIn(lines: Dialogue['lines']): Evidence | null {
  const line = lines.slice(0, GREETING.within).findIndex(({ text }) => MACHINE.test(text));
  const speaker = lines[line]?.speaker ?? null;
  if (speaker === null) return null;
  const isAnswered = lines.some((said, at) => at > line + GREETING.lines && said.speaker === speaker);
  return isAnswered ? null : { quote: cut(lines[line]?.text ?? ''), line };
}

/** Finds the kind of conversation. Only clear sales calls are called so and get a score. */
export function callKindOf({ clauses, lines }: Dialogue, acts: Acts, model?: CallModel): KindFound {
  const machine = machineIn(lines);
  if (machine !== null) return { kind: 'voicemail', evidence: machine, sells: 0, hasCustomer: false };
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
  if (!talks || kind === 'no_conversation')
    return { kind: 'no_conversation', evidence: null, sells: 0, hasCustomer: false };
  const isNamed = (['intro', 'offer'] as const).some((act) => acts.find(act, SELLS).length > 0);
  const [, service = 0] = found;
  if (kind === null)
    return { kind, evidence: null, sells: isNamed ? sales : 0, hasCustomer: sales + service >= HAS_CUSTOMER };
  // Nothing shows better that somebody sells than what they offer.
  const offer = kind === 'sales' ? mostLikely(acts, 'offer', acts.find('offer', SELLS)) : null;
  const piece = offer ?? clearestPiece(kind, acts, model);
  return {
    kind,
    evidence: piece === null ? null : acts.evidence(piece),
    sells: kind === 'sales' ? 1 : 0,
    hasCustomer: TWO_SIDED.has(kind),
  };
}

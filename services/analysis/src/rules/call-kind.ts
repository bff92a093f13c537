import type { CallKind } from '@call-analytics/contracts';
import type { Evidence } from '../call/evidence.ts';
import type { Dialogue } from './dialogue.ts';

export interface KindFound {
  kind: CallKind;
  /** The words that show it; null where the kind follows from what is missing. */
  evidence: Evidence | null;
}

const SELLS = ['kind.sells.purpose', 'kind.sells.offer', 'kind.sells.price', 'kind.sells.close'];
const BUYS = ['kind.buys.wants', 'kind.buys.price', 'kind.buys.decides'];
const SERVES = [
  'kind.service.trouble',
  'kind.service.desk',
  'kind.service.look_up',
  'kind.service.resolve',
  'kind.service.appointment',
];
const OTHERS = ['kind.other.job', 'kind.other.survey', 'kind.other.debt', 'kind.other.meeting', 'kind.other.private'];

/** The least of a conversation. */
const CONVERSATION = { words: 20, turns: 3 };
/** Somebody who says less than this takes no part. */
const ONE_SIDED_WORDS = 8;
/** The greeting of a mailbox is within these first clauses, and the call has at most these turns. */
const MAILBOX = { within: 8, turns: 6 };
/** A call to a wrong number has at most this many words. */
const WRONG_NUMBER_WORDS = 150;
/** Signs of selling and buying together. */
const SALE_SIGNS = 1;
/** A further mention of a sign adds this much, for up to MOST mentions. */
const REPEATED = 0.25;
const MOST = 4;
/** What people say in the first clauses is usually why they call, so it counts twice. */
const OPENING = 10;
/** Most calls are sales calls, and a customer tells of troubles in them too. */
const LIKELIER = 0.5;
/** With this many mentions a call is of another kind, however much it sounds like a sale. */
const OTHER_MENTIONS = 2;

/**
 * Finds the kind of conversation. A sales call has more signs of selling and buying than of service; with too few signs
 * a call is `service` or `other` and gets no score. Roles are not used, because they may be wrong.
 */
export function callKindOf(dialogue: Dialogue): KindFound {
  const { clauses, lines } = dialogue;
  const words = clauses.reduce((sum, clause) => sum + clause.words.length, 0);
  const shownBy = (cue: string): Evidence | null => {
    const index = dialogue.find(cue)[0];
    return index === undefined ? null : dialogue.evidence(index);
  };
  const mailbox = dialogue.find('kind.voicemail').filter((index) => index < MAILBOX.within);
  if (mailbox[0] !== undefined && lines.length <= MAILBOX.turns)
    return { kind: 'voicemail', evidence: dialogue.evidence(mailbox[0]) };
  if (words < WRONG_NUMBER_WORDS && dialogue.find('kind.wrong_number').length > 0)
    return { kind: 'wrong_number', evidence: shownBy('kind.wrong_number') };
  if (
    words < CONVERSATION.words ||
    (clauses.some(({ speaker }) => speaker !== null) && lines.length < CONVERSATION.turns)
  )
    return { kind: 'no_conversation', evidence: null };

  const spoken = Map.groupBy(clauses, ({ speaker }) => speaker);
  const least = Math.min(...[...spoken.values()].map((own) => own.reduce((sum, { words }) => sum + words.length, 0)));
  if (spoken.size === 2 && least < ONE_SIDED_WORDS) return { kind: 'no_conversation', evidence: null };

  const signs = (cues: readonly string[]) => cues.filter((cue) => dialogue.find(cue).length > 0);
  const other = OTHERS.map((cue) => ({ cue, mentions: dialogue.find(cue).length })).sort(
    (a, b) => b.mentions - a.mentions,
  )[0];
  const [sells, buys, serves] = [signs(SELLS), signs(BUYS), signs(SERVES)];
  if (other !== undefined && other.mentions >= OTHER_MENTIONS && sells.length < SELLS.length)
    return { kind: 'other', evidence: shownBy(other.cue) };
  const weigh = (found: readonly string[]) =>
    found.length + found.reduce((sum, cue) => sum + Math.min(MOST, dialogue.find(cue).length) - 1, 0) * REPEATED;
  const early = (cues: readonly string[]) =>
    cues.filter((cue) => dialogue.find(cue).some((index) => index < OPENING)).length;
  const sale = weigh([...sells, ...buys]) + early(['kind.sells.purpose', 'kind.buys.wants']);
  const service = weigh(serves) + early(['kind.service.desk', 'kind.service.trouble', 'kind.service.appointment']);
  if (sale >= SALE_SIGNS && sale + LIKELIER > service)
    return { kind: 'sales', evidence: shownBy(sells[0] ?? buys[0] ?? '') };
  if (serves.length > 0) return { kind: 'service', evidence: shownBy(serves[0] ?? '') };
  return { kind: 'other', evidence: other === undefined || other.mentions === 0 ? null : shownBy(other.cue) };
}

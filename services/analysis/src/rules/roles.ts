import type { Role, Transcript } from '@call-analytics/calls';
import { type Labelled, linesOf } from '../call/observations.ts';
import type { Clause } from './clauses.ts';
import { weightOf } from './cues/index.ts';

export interface WithRoles extends Labelled {
  /** The role of each clause. */
  roles: Role[];
  /** The line each clause is in. */
  lineOf: number[];
}

/** Says who is the manager and who the customer, and makes the lines. The words stay as they are: lines are cut from the utterances. */
export function assignRoles(transcript: Transcript, clauses: readonly Clause[]): WithRoles {
  const speakers = [...new Set(clauses.flatMap(({ speaker }) => (speaker === null ? [] : [speaker])))].sort(
    (a, b) => a - b,
  );
  if (speakers.length >= 2) return bySpeaker(transcript, clauses, speakers);
  return bySentence(transcript, clauses);
}

/** Above 0 speaks for the manager, below for the customer. */
function evidence(clause: Clause): number {
  let sum = 0;
  for (const cue of clause.cues) {
    if (cue.startsWith('role.manager')) sum += weightOf(cue);
    else if (cue.startsWith('role.customer')) sum -= weightOf(cue);
  }
  return sum;
}

function bySpeaker(transcript: Transcript, clauses: readonly Clause[], speakers: readonly number[]): WithRoles {
  const scores = speakers.map((speaker) => {
    const own = clauses.filter((clause) => clause.speaker === speaker);
    return {
      speaker,
      score: own.reduce((sum, clause) => sum + evidence(clause), 0),
      words: own.reduce((sum, { words }) => sum + words.length, 0),
    };
  });
  // Two speakers carry the call; who says hardly anything is neither, however it sounds.
  const two = [...scores].sort((a, b) => b.words - a.words).slice(0, 2);
  const [manager, customer] = two.sort((a, b) => b.score - a.score || a.speaker - b.speaker);
  const margin = (manager?.score ?? 0) - (customer?.score ?? 0);
  const roles = clauses.map(
    ({ speaker }): Role =>
      speaker === manager?.speaker ? 'manager' : speaker === customer?.speaker ? 'customer' : 'other',
  );
  return {
    ...linesOf(transcript, clauses, roles),
    roles,
    rolesBy: transcript.speakersBy === 'channels' ? 'channels' : 'speakers',
    rolesConfidence: round(0.5 + 0.5 * (1 - Math.exp(-margin / 4))),
  };
}

/** What goes against a change of speaker, or against staying, in evidence. A question wants an answer from the other; mid-turn nothing wants a change. */
export const TURNS = {
  /** Of a change between two sentences. */
  change: 1.5,
  changeBeforeAnswer: 0.3,
  changeAfterPause: 0.8,
  changeAfterQuestion: 0,
  /** Of staying after one's own question. */
  stayAfterQuestion: 2,
  /** ... when the next sentence asks again. */
  stayAfterQuestionAsking: 0.5,
  /** "You ..." is rather the manager, "I ..." rather the customer. */
  pronoun: 1.2,
};
const PAUSE_MS = 400;
const ANSWERS = new Set(
  'yes no okay sure great thanks perfect exactly hi hello hm um right well thank absolutely of alright got brilliant wonderful sorry wow oh bye'.split(
    ' ',
  ),
);

/**
 * The likeliest sequence of two speakers (Viterbi): each clause's own evidence, against the cost of a change of speaker before it.
 * Its confidence is how far the evidence agrees with the sequence; it never reaches that of told-apart speakers.
 */
function bySentence(transcript: Transcript, clauses: readonly Clause[]): WithRoles {
  const scores = clauses.map(evidence);
  const from: [boolean, boolean][] = [];
  let manager = 0;
  let customer = 0;
  clauses.forEach((clause, index) => {
    const { change, stay } = turnCosts(clauses[index - 1], clause);
    const managerSwitched = customer - change > manager - stay;
    const customerSwitched = manager - change > customer - stay;
    const score = (scores[index] ?? 0) + pronouns(clause);
    from.push([managerSwitched, customerSwitched]);
    [manager, customer] = [
      (managerSwitched ? customer - change : manager - stay) + score,
      (customerSwitched ? manager - change : customer - stay) - score,
    ];
  });
  const roles: Role[] = [];
  let current: Role = manager >= customer ? 'manager' : 'customer';
  for (let index = clauses.length - 1; index >= 0; index -= 1) {
    roles[index] = current;
    const switched = from[index]?.[current === 'manager' ? 0 : 1] ?? false;
    if (switched) current = current === 'manager' ? 'customer' : 'manager';
  }
  const agrees = scores.reduce((sum, score, index) => sum + (roles[index] === 'manager' ? score : -score), 0);
  const all = scores.reduce((sum, score) => sum + Math.abs(score), 0);
  const told = scores.filter((score) => score !== 0).length / Math.max(1, scores.length);
  return {
    ...linesOf(transcript, clauses, roles),
    roles,
    rolesBy: 'sentences',
    rolesConfidence: all === 0 ? 0 : round(0.85 * (0.5 + 0.5 * told) * (agrees / all)),
  };
}

function turnCosts(before: Clause | undefined, clause: Clause): { change: number; stay: number } {
  if (before === undefined) return { change: 0, stay: 0 };
  if (before.question)
    return {
      change: TURNS.changeAfterQuestion,
      stay: clause.question ? TURNS.stayAfterQuestionAsking : TURNS.stayAfterQuestion,
    };
  if (before.utterance !== clause.utterance && clause.startMs - before.endMs >= PAUSE_MS)
    return { change: TURNS.changeAfterPause, stay: 0 };
  return { change: ANSWERS.has(clause.words[0]?.text ?? '') ? TURNS.changeBeforeAnswer : TURNS.change, stay: 0 };
}

function pronouns({ words }: Clause): number {
  const you = words.some(({ text }) => text === 'you' || text === 'your');
  const me = words.some(({ text }) => text === 'i' || text === 'my' || text === 'me');
  return you === me ? 0 : you ? TURNS.pronoun : -TURNS.pronoun;
}

function round(confidence: number): number {
  return Math.round(Math.min(1, Math.max(0, confidence)) * 100) / 100;
}

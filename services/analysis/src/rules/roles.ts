import type { Role, Transcript } from '@call-analytics/calls';
import { type Labelled, linesOf, rolesByPerson } from '../call/observations.ts';
import type { Clause } from './clauses.ts';
import { weightOf } from './cues/index.ts';

export interface WithRoles extends Labelled {
  /** The role of each clause. */
  roles: Role[];
  /** The line of each clause. */
  lineOf: number[];
}

/** Finds who is the manager and who is the customer, and makes the lines. Lines are literal parts of the utterances. */
export function assignRoles(transcript: Transcript, clauses: readonly Clause[]): WithRoles {
  const given = rolesByPerson(transcript);
  if (given !== null) {
    const roles = clauses.map(({ speaker }) => given(speaker));
    return { ...linesOf(transcript, clauses, roles), roles, rolesBy: 'person', rolesConfidence: 1 };
  }
  const speakers = [...new Set(clauses.flatMap(({ speaker }) => (speaker === null ? [] : [speaker])))].sort(
    (a, b) => a - b,
  );
  if (speakers.length >= 2) return bySpeaker(transcript, clauses, speakers);
  return bySentence(transcript, clauses);
}

/** What the cues of other topics say about the speaker: the manager offers and asks to buy, the customer refuses. */
const LEANS: readonly (readonly [cue: string, weight: number])[] = [
  ['kind.sells', 1],
  ['kind.buys', -1],
  ['kind.service.desk', 1],
  ['outcome.asked_to_buy', 1.5],
  ['outcome.refused', -1],
  ['outcome.yes.explicit', -1.5],
];

/** Positive for the manager, negative for the customer. */
function evidence(clause: Clause): number {
  let sum = 0;
  for (const cue of clause.cues) {
    if (cue.startsWith('role.manager')) sum += weightOf(cue);
    else if (cue.startsWith('role.customer')) sum -= weightOf(cue);
  }
  // "How many do you have?" is more often the manager's.
  if (clause.question && clause.words.some(({ text }) => text === 'you' || text === 'your')) sum += 0.4;
  for (const [cue, weight] of LEANS) if ([...clause.cues].some((name) => name.startsWith(cue))) sum += weight;
  return sum;
}

/** The share of the words from which a third person takes part in the decision. */
const THIRD_PERSON = 0.2;

function bySpeaker(transcript: Transcript, clauses: readonly Clause[], speakers: readonly number[]): WithRoles {
  const scores = speakers.map((speaker) => {
    const own = clauses.filter((clause) => clause.speaker === speaker);
    return {
      speaker,
      score: own.reduce((sum, clause) => sum + evidence(clause), 0),
      words: own.reduce((sum, { words }) => sum + words.length, 0),
    };
  });
  // Manager and customer are the two speakers with most words. Another who says enough and does not sell decides with
  // the customer; others are neither.
  const two = [...scores].sort((a, b) => b.words - a.words).slice(0, 2);
  const [manager, customer] = two.sort((a, b) => b.score - a.score || a.speaker - b.speaker);
  const margin = (manager?.score ?? 0) - (customer?.score ?? 0);
  const words = scores.reduce((sum, each) => sum + each.words, 0);
  const customers = new Set(
    scores
      .filter(
        (each) => each !== manager && (each === customer || (each.words >= THIRD_PERSON * words && each.score < 0)),
      )
      .map(({ speaker }) => speaker),
  );
  const roles = clauses.map(
    ({ speaker }): Role =>
      speaker === manager?.speaker ? 'manager' : customers.has(speaker ?? -1) ? 'customer' : 'other',
  );
  return {
    ...linesOf(transcript, clauses, roles),
    roles,
    rolesBy: transcript.speakersBy === 'channels' ? 'channels' : 'speakers',
    rolesConfidence: round((0.5 + 0.5 * (1 - Math.exp(-margin / 4))) * (transcript.speakersConfidence ?? 1)),
  };
}

/** The costs of a change of speaker and of no change, in evidence. After a question a change is likely. */
export const TURNS = {
  /** A change between two sentences. */
  change: 1.5,
  changeBeforeAnswer: 0.3,
  changeAfterPause: 0.8,
  /** A change where the speech engine begins a new utterance, and where it does not although it separates them. */
  changeBetweenUtterances: 0.2,
  stayBetweenUtterances: 0.8,
  changeWithinUtterance: 3,
  changeAfterQuestion: 0,
  /** No change after one's own question. */
  stayAfterQuestion: 2,
  /** The same when the next sentence is also a question. */
  stayAfterQuestionAsking: 0.5,
  /** "You ..." is more often the manager, "I ..." the customer. */
  pronoun: 1.2,
};
const PAUSE_MS = 400;
const ANSWERS = new Set(
  'yes no okay sure great thanks perfect exactly hi hello hm um right well thank absolutely of alright got brilliant wonderful sorry wow oh bye'.split(
    ' ',
  ),
);

/**
 * Finds the most likely sequence of two speakers (Viterbi) from the evidence of each clause and the costs of changes.
 * The confidence is the share of evidence that agrees; it never reaches that of separate speakers.
 */
function bySentence(transcript: Transcript, clauses: readonly Clause[]): WithRoles {
  const scores = clauses.map(evidence);
  const separated = transcript.utterances.length >= SEPARATED;
  const from: [boolean, boolean][] = [];
  let manager = 0;
  let customer = 0;
  clauses.forEach((clause, index) => {
    const { change, stay } = turnCosts(clauses[index - 1], clause, separated);
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
    rolesConfidence:
      all === 0
        ? 0
        : round(
            Math.min(SUREST, (separated ? KNOWN_TURNS : 0) + SUREST * (0.5 + 0.5 * told) * (agrees / all)) *
              (transcript.speakersConfidence ?? 1),
          ),
  };
}

/** The confidence of roles by words alone never exceeds this. */
const SUREST = 0.85;
/** What known ends of turns add; measured on written calls, and rather low than high. */
const KNOWN_TURNS = 0.2;
/** From this many utterances on, the speech engine separates them where people stop speaking. */
const SEPARATED = 6;

function turnCosts(before: Clause | undefined, clause: Clause, separated: boolean): { change: number; stay: number } {
  if (before === undefined) return { change: 0, stay: 0 };
  if (separated && before.utterance === clause.utterance) return { change: TURNS.changeWithinUtterance, stay: 0 };
  if (before.question)
    return {
      change: TURNS.changeAfterQuestion,
      stay: clause.question ? TURNS.stayAfterQuestionAsking : TURNS.stayAfterQuestion,
    };
  if (separated) return { change: TURNS.changeBetweenUtterances, stay: TURNS.stayBetweenUtterances };
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

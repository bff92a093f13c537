import type { Role, Transcript } from '@call-analytics/calls';
import { linesOf, rolesByPerson } from '../call/observations.ts';
import { type LineModel, logistic, managerOdds } from './classifier.ts';
import type { Clause, WithRoles } from './dialogue.ts';

/** Finds who is the manager and who is the customer, and makes the lines. Lines are literal parts of the utterances. */
export function assignRoles(transcript: Transcript, clauses: readonly Clause[], model?: LineModel): WithRoles {
  const given = rolesByPerson(transcript);
  if (given !== null) {
    const roles = clauses.map(({ speaker }) => given(speaker));
    return { ...linesOf(transcript, clauses, roles), roles, rolesBy: 'person', rolesConfidence: 1 };
  }
  const speakers = [...new Set(clauses.flatMap(({ speaker }) => (speaker === null ? [] : [speaker])))].sort(
    (a, b) => a - b,
  );
  const odds = managerOdds(clauses, model);
  if (speakers.length >= 2) return bySpeaker(transcript, clauses, speakers, odds);
  return bySentence(transcript, clauses, odds);
}

/** The share of the words from which a third person takes part in the decision. */
const THIRD_PERSON = 0.15;

/** Clauses of one call resemble each other, so together they prove less than each alone. Chosen by cross-validation. */
const TOGETHER = 0.8;

function bySpeaker(
  transcript: Transcript,
  clauses: readonly Clause[],
  speakers: readonly number[],
  odds: readonly number[],
): WithRoles {
  const scores = speakers.map((speaker) => {
    const own = [...clauses.keys()].filter((at) => clauses[at]?.speaker === speaker);
    return {
      speaker,
      /** The log odds that it is the manager. */
      score: own.reduce((sum, at) => sum + (odds[at] ?? 0), 0),
      words: own.reduce((sum, at) => sum + (clauses[at]?.words.length ?? 0), 0),
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
    rolesConfidence: round(logistic(TOGETHER * margin) * (transcript.speakersConfidence ?? 1)),
  };
}

/** How likely the speaker changes between two clauses; learned from written calls, where lines end with the turn. */
const CHANGES = {
  /** The speech engine separates people where they stop speaking, so there is hardly a change within an utterance. */
  withinUtterance: 0.02,
  betweenUtterances: 0.6,
  /** Where the utterances say nothing about turns. */
  anywhere: 0.4,
  afterQuestion: 0.8,
  /** After a question that another question follows. */
  betweenQuestions: 0.4,
};
/** From this many utterances on, the speech engine separates them where people stop speaking. */
const SEPARATED = 6;
/** The confidence of roles by words alone never exceeds this. */
const SUREST = 0.85;

/**
 * Gives each clause the more likely of two speakers, from its words and from where speakers change (a hidden Markov
 * model, forward and backward). The confidence is the share of words that should be right; it never reaches that of
 * separate speakers.
 */
function bySentence(transcript: Transcript, clauses: readonly Clause[], odds: readonly number[]): WithRoles {
  const separated = transcript.utterances.length >= SEPARATED;
  const changes = clauses.map((clause, index) => changeBefore(clauses[index - 1], clause, separated));
  // The log odds of the manager for each clause, by the clauses before it and by those after it.
  const forward: number[] = [];
  const backward: number[] = [];
  for (let at = 0; at < clauses.length; at += 1)
    forward[at] = at === 0 ? 0 : passed((forward[at - 1] ?? 0) + (odds[at - 1] ?? 0), changes[at] ?? 0.5);
  for (let at = clauses.length - 1; at >= 0; at -= 1)
    backward[at] =
      at === clauses.length - 1 ? 0 : passed((backward[at + 1] ?? 0) + (odds[at + 1] ?? 0), changes[at + 1] ?? 0.5);
  const manager = clauses.map((_clause, at) => logistic((forward[at] ?? 0) + (odds[at] ?? 0) + (backward[at] ?? 0)));
  const roles = manager.map((probability): Role => (probability >= 0.5 ? 'manager' : 'customer'));
  const words = clauses.reduce((sum, clause) => sum + clause.words.length, 0);
  const right = clauses.reduce((sum, clause, at) => {
    const probability = manager[at] ?? 0;
    return sum + clause.words.length * Math.max(probability, 1 - probability);
  }, 0);
  // One speaker alone shows no roles.
  const confidence = new Set(roles).size < 2 ? 0 : Math.min(SUREST, right / Math.max(1, words));
  return {
    ...linesOf(transcript, clauses, roles),
    roles,
    rolesBy: 'sentences',
    rolesConfidence: round(confidence * (transcript.speakersConfidence ?? 1)),
  };
}

function changeBefore(before: Clause | undefined, clause: Clause, separated: boolean): number {
  if (before === undefined) return 0.5;
  if (separated && before.utterance === clause.utterance) return CHANGES.withinUtterance;
  if (before.question) return clause.question ? CHANGES.betweenQuestions : CHANGES.afterQuestion;
  return separated ? CHANGES.betweenUtterances : CHANGES.anywhere;
}

/** @returns the log odds after a possible change of speaker */
function passed(odds: number, change: number): number {
  const probability = logistic(odds);
  const next = probability * (1 - change) + (1 - probability) * change;
  return Math.log(next / (1 - next));
}

function round(confidence: number): number {
  return Math.round(Math.min(1, Math.max(0, confidence)) * 100) / 100;
}

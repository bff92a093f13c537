import type { SaleStatus } from '@call-analytics/contracts';

/** The closed sets that both engines use, with their names in a report. */

export const OBJECTIONS = {
  price: 'Price',
  timing: 'Timing',
  competitor: 'Has or prefers another provider',
  authority: 'Has to ask someone else',
  trust: 'Doubts',
  need: 'No need',
  commitment: 'Does not want to be tied',
  effort: 'Effort of changing',
  brush_off: 'Puts it off or refuses',
} as const;
export type ObjectionKind = keyof typeof OBJECTIONS;

/** `cost`: its deduction from the points for conduct; 0 where another criterion already loses points for it. */
export const MISTAKES = {
  rude: {
    title: 'Was rude',
    cost: 13,
    advice: 'Stay polite, also when a customer hesitates or says no: thank them and leave the door open.',
  },
  pushy: {
    title: 'Went on after a clear no',
    cost: 10,
    advice: 'After a clear no ask once what is behind it, and accept the second one.',
  },
  pressure: {
    title: 'Put the customer under pressure',
    cost: 10,
    advice: 'Let the offer convince: a deadline that exists only to hurry makes customers leave.',
  },
  promise: {
    title: 'Made a promise that cannot be kept',
    cost: 10,
    advice: 'Promise only what the contract says; put numbers and conditions in place of guarantees.',
  },
  badmouthing: {
    title: 'Spoke badly of a competitor',
    cost: 10,
    advice: 'Compare on what your own offer does better; speak of competitors with respect.',
  },
  interrupting: {
    title: 'Interrupted the customer',
    cost: 10,
    advice: 'Let the customer finish, and wait a second before you answer.',
  },
  unanswered: {
    title: 'Left a question without an answer',
    cost: 8,
    advice: 'Answer what was asked first; when you do not know, say when you will.',
  },
  jargon: {
    title: 'Used technical terms without explaining them',
    cost: 5,
    advice: 'Say it in the words the customer uses, or explain each term when you first say it.',
  },
  monologue: {
    title: 'Spoke too long at a stretch',
    cost: 0,
    advice: 'Give the offer in pieces of two or three sentences, and ask after each what the customer thinks.',
  },
  no_discovery: {
    title: 'Presented without asking about the need',
    cost: 0,
    advice: 'Ask three open questions about the situation before you speak of the offer.',
  },
  no_next_step: {
    title: 'Agreed on no next step',
    cost: 0,
    advice: 'End each call with who does what by when, and ask for a date.',
  },
} as const;
export type MistakeKind = keyof typeof MISTAKES;

/** A mistake of no certain kind. What would have been better depends on the kind, so a person has to listen. */
const OTHER_MISTAKE = {
  title: 'Mistake, kind unclear',
  cost: 8,
  advice: 'Listen with the manager to the mistakes of unclear kind in this call: what could be said instead?',
} as const;

/** @param kind null for a mistake of no certain kind */
export function mistakeOf(kind: MistakeKind | null): {
  title: string;
  cost: number;
  advice: string;
} {
  return kind === null ? OTHER_MISTAKE : MISTAKES[kind];
}

export const OUTCOMES: Readonly<Record<SaleStatus, string>> = {
  sold: 'The customer bought.',
  not_sold: 'The customer did not buy.',
  follow_up: 'A next step was agreed. No decision was found.',
  unclear: 'No decision was found.',
};

/** The checks, each yes with a quote or no. With what is computed, their points add up to those of the criterion. */
export const CHECKS = {
  greeted: { criterion: 'opening', points: 1, title: 'Greets the customer' },
  introduced: { criterion: 'opening', points: 2, title: 'Says their name or company' },
  purpose: { criterion: 'opening', points: 1, title: 'Says what the call is about, or asks how to help' },
  confirmed_need: { criterion: 'needs', points: 14, title: "Sums up the need in the manager's own words" },
  named_offer: { criterion: 'presentation', points: 1, title: 'Names the offer' },
  price_or_proof: { criterion: 'presentation', points: 1, title: 'Gives a price, a number or a reference' },
  courteous_end: { criterion: 'closing', points: 4, title: 'Ends the call politely' },
} as const;
export type CheckId = keyof typeof CHECKS;
export const CHECK_IDS = Object.keys(CHECKS) as CheckId[];

/** The points come from a regression on coaches' judgments of written calls (docs/scoring.md). */
export const CRITERIA = [
  { id: 'opening', title: 'Opening', of: 4 },
  { id: 'needs', title: 'Finding out the need', of: 47 },
  { id: 'presentation', title: 'Presenting the offer', of: 8 },
  { id: 'objections', title: 'Handling objections', of: 4 },
  { id: 'next_step', title: 'Next step', of: 8 },
  { id: 'closing', title: 'Closing', of: 4 },
  { id: 'listening', title: 'Letting the customer talk', of: 10 },
  { id: 'conduct', title: 'Conduct', of: 15 },
] as const;
export type CriterionId = (typeof CRITERIA)[number]['id'];

import type { TrackerSpeaker } from './trackers.ts';

/** The questions that each engine answers, also those of the default rubric. The pages import this file alone. */
export const SCORECARD_CHECKS = {
  greeted: { question: 'Does the manager greet the customer?', who: 'manager' },
  introduced: { question: 'Does the manager say their name or company?', who: 'manager' },
  purpose: { question: 'Does the manager say what the call is about, or ask how to help?', who: 'manager' },
  discovery_questions: { question: "Does the manager ask about the customer's situation or need?", who: 'manager' },
  confirmed_need: { question: 'Does the manager sum up the need in their own words?', who: 'manager' },
  named_offer: { question: 'Does the manager name the offer?', who: 'manager' },
  price_or_proof: { question: 'Does the manager give a price, a number or a reference?', who: 'manager' },
  objections_addressed: { question: "Does the manager address the customer's objections?", who: 'manager' },
  next_step: { question: 'Is a next step agreed?', who: 'anyone' },
  next_step_time: { question: 'Is a time named for the next step?', who: 'anyone' },
  courteous_end: { question: 'Does the manager end the call with thanks or a goodbye?', who: 'manager' },
} as const satisfies Readonly<Record<string, { question: string; who: TrackerSpeaker }>>;
export type ScorecardCheck = keyof typeof SCORECARD_CHECKS;

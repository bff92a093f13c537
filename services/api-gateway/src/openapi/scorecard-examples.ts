import type { AccountScorecard, Scorecard } from '@call-analytics/contracts';
import { ID } from './examples.ts';

const OFFER = { question: 'Does the manager name the offer?', who: 'manager', check: 'named_offer' } as const;
const RECORDED = {
  question: 'Does the manager say that the call is recorded?',
  who: 'manager',
  autoFail: true,
} as const;
const BUDGET = { question: 'Does the customer say what they can spend?', who: 'customer' } as const;
export const SCORECARD: AccountScorecard = {
  version: 3,
  questions: [
    { ...RECORDED, weight: 20 },
    { ...OFFER, weight: 5 },
    { ...BUDGET, weight: 10 },
  ],
};

const SCORED_CALL = {
  callId: ID,
  status: 'completed',
  callKind: 'sales',
  callKindQuote: 'I am calling about the Team plan.',
  notScored: null,
  rolesConfidence: 0.97,
  failedBy: null,
} as const;
const OFFER_WORDS = { quote: 'Our Team plan has all of that.', line: 9, start: 61.4, speaker: 'Manager' };
const RECORDED_WORDS = { quote: 'Please note that this call is recorded.', line: 2, start: 8.1, speaker: 'Manager' };

export const JUDGED: Scorecard = {
  ...SCORED_CALL,
  score: 100,
  version: 3,
  criteria: [],
  questions: [
    { ...RECORDED, weight: 20, check: null, answer: 'yes', words: RECORDED_WORDS, points: 20, of: 20 },
    { ...OFFER, weight: 5, autoFail: false, answer: 'yes', words: OFFER_WORDS, points: 5, of: 5 },
    { ...BUDGET, weight: 10, autoFail: false, check: null, answer: 'not_judged', words: null, points: 0, of: 0 },
  ],
};

const GREETING = { question: 'Does the manager greet the customer?', who: 'manager', check: 'greeted' } as const;
const PRICE_QUESTION = 'Does the manager give a price, a number or a reference?';
const PRICE = { question: PRICE_QUESTION, who: 'manager', check: 'price_or_proof' } as const;
const GREETING_WORDS = { quote: 'Good morning, this is Anna', line: 0, start: 1.2, speaker: 'Manager' };
export const SCORED: Scorecard = {
  ...SCORED_CALL,
  score: 50,
  version: 0,
  questions: [
    { ...GREETING, weight: 1, autoFail: false, answer: 'yes', words: GREETING_WORDS, points: 1, of: 1 },
    { ...OFFER, weight: 2, autoFail: false, answer: 'yes', words: OFFER_WORDS, points: 2, of: 2 },
    { ...PRICE, weight: 3, autoFail: false, answer: 'no', words: null, points: 0, of: 3 },
  ],
  criteria: [
    { id: 'opening', title: 'Opening', points: 1, of: 1, why: 'Greets the customer: yes (+1)' },
    {
      id: 'presentation',
      title: 'Presenting the offer',
      points: 2,
      of: 5,
      why: 'Names the offer: yes (+2); Gives a price, a number or a reference: no',
    },
  ],
};

export const NOT_SCORED: Scorecard = {
  ...SCORED,
  callKind: 'voicemail',
  callKindQuote: 'Please leave a message after the tone.',
  score: null,
  notScored: { code: 'not_a_sales_call', message: 'This is a voicemail message. Only sales calls are scored.' },
  questions: [],
  criteria: [],
};

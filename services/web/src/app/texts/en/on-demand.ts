import { LOCALE } from './common.ts';

/** Of the settings of the scorecard. Imported only there, to keep the first load small. */
export const scorecard = {
  title: 'Scorecard',
  lead: 'Judge new calls by your own questions. Calls that are already analyzed keep their score.',
  add: 'New question',
  none: 'Calls are judged by the default rubric',
  noneWhy: 'Add questions to replace it: the score then comes from your questions alone.',
  version: (version: number) => `Version ${version} of your scorecard`,
  builtIn: 'Question',
  ownWords: 'In my own words',
  builtInHint:
    'Every engine answers the questions of this list. Questions in your own words need a language model; without one ' +
    'they do not count.',
  question: 'Your question',
  questionExample: 'Does the manager say that the call is recorded?',
  questionHint: 'Ask for something that is said in the call, to be answered with yes or no.',
  who: 'Answered by the words of',
  speakers: { manager: 'The manager', customer: 'The customer', anyone: 'Anyone' },
  weight: 'Weight, 1 to 100',
  autoFail: 'Auto-fail: if the answer is no, the score is 0',
  facts: (weight: number, who: 'manager' | 'customer' | 'anyone', autoFail: boolean) => [
    `Weight ${weight}`,
    { manager: 'Words of the manager', customer: 'Words of the customer', anyone: 'Words of anyone' }[who],
    ...(autoFail ? ['Auto-fail'] : []),
  ],
  edit: 'Edit',
  delete: 'Delete',
  editOf: (question: string) => `Edit: ${question}`,
  deleteOf: (question: string) => `Delete: ${question}`,
  editTitle: 'Edit question',
  deleteTitle: () => 'Delete this question?',
  deleteWhy: 'New calls are judged without it. Without any question, the default rubric is used.',
  reset: 'Use the default rubric',
  resetTitle: 'Use the default rubric?',
  resetWhy: 'Your questions are deleted. Calls that were judged by them keep their questions and scores.',
  saved: 'Scorecard saved. It applies to calls that are analyzed from now on.',
  changed: 'Someone else has changed this question. Close this form and open it again.',
  fields: { question: 'The question', weight: 'The weight' } as Readonly<Record<string, string>>,
};

// Imported only by the parts that show them, and not with all texts, to keep the first load small.

/** Such as `$12.50`; below a dollar with four digits, because a call costs cents. @param dollars null: not known */
function shown(dollars: number | null): string {
  if (dollars === null) return 'unknown';
  const maximumFractionDigits = dollars < 1 ? 4 : 2;
  return new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD', maximumFractionDigits }).format(dollars);
}

/** Of the settings of the account. */
export const spending = {
  title: 'Spending',
  lead:
    'What calls cost at the list prices of the engines. When the daily limit is reached, calls wait ' +
    'until 00:00 UTC.',
  today: (dollars: number | null) => `Spent today: ${shown(dollars)}.`,
  installation: (dollars: number) => `Limit of this installation: ${shown(dollars)} a day.`,
  reached: (until: string) => `Today’s limit is reached. Calls continue at ${until}.`,
  own: 'Limit of the account per day, in US dollars',
  ownHint: 'Leave it empty for no limit. The smaller limit applies.',
  uncounted: (engines: readonly string[]) =>
    `The account’s own limit does not count ${engines.join(' and ')}, because the price is not known. Ask the ` +
    'operator to set it.',
  notAnAmount: 'Enter an amount, such as 25 or 2.50.',
  saved: 'Spending limit saved.',
};

export const costs = {
  title: 'Costs',
  by: 'Costs by month or day',
  byMonth: (months: number) => `${months} months`,
  byDay: (days: number) => `${days} days`,
  none: 'No costs in this period.',
  columns: ['Time (UTC)', 'Calls', 'Audio', 'Transcription', 'Analysis', 'Total'],
  total: 'Total',
  count: (calls: number) => calls.toLocaleString(LOCALE),
  hours: (seconds: number) =>
    seconds < 3_600
      ? `${Math.ceil(seconds / 60)} min`
      : `${(seconds / 3_600).toLocaleString(LOCALE, { maximumFractionDigits: 1 })} h`,
  money: shown,
  unpriced: (attempts: number) =>
    attempts === 1
      ? '1 attempt has an unknown price and is not in the totals.'
      : `${attempts.toLocaleString(LOCALE)} attempts have an unknown price and are not in the totals.`,
};

/** Of a report. */
export const analyses = {
  title: 'Analyses',
  again: 'Analyze again',
  engine: 'Engine of the new analysis',
  engines: { openai: 'Language model', rules: 'Rules' },
  scorecard: (version: number) => (version === 0 ? 'default rubric' : `scorecard ${version}`),
  dollars: shown,
  failed: 'The call could not be analyzed again',
  cost: (dollars: number | null) =>
    dollars === null
      ? 'The cost of this call is unknown, because the price of its engines is unknown.'
      : `This call has cost ${shown(dollars)} so far, at the list prices of the engines.`,
};

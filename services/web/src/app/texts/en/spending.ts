import { LOCALE } from './common.ts';

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
  lead: 'What calls cost at the list prices of the engines. When the daily limit is reached, calls wait until 00:00 UTC.',
  today: (dollars: number | null) => `Spent today: ${shown(dollars)}.`,
  installation: (dollars: number) => `Limit of this installation: ${shown(dollars)} a day.`,
  reached: (until: string) => `Today’s limit is reached. Calls continue at ${until}.`,
  own: 'Own limit per day, in US dollars',
  ownHint: 'Empty for none. The smaller limit counts.',
  uncounted: (engines: readonly string[]) =>
    `The own limit does not count ${engines.join(' and ')}: the price is not known. Ask the operator to set it.`,
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
    `Attempts at a price that is not known, in no sum: ${attempts.toLocaleString(LOCALE)}.`,
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
      ? 'What this call has cost is not known: its engines have no known price.'
      : `This call has cost ${shown(dollars)} so far, at the list prices of the engines.`,
};

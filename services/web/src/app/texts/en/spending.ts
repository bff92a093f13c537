// Imported only by the parts that show them, and not with all texts, to keep the first load small.

/** Of the settings of the account. */
export const spending = {
  title: 'Spending',
  lead: 'What calls cost by the list prices of the engines. At the limit of a day, calls wait until 00:00 UTC.',
  today: (dollars: string) => `Spent today: ${dollars}.`,
  installation: (dollars: string) => `Limit of this installation: ${dollars} a day.`,
  reached: (until: string) => `The limit of today is reached. Calls continue at ${until}.`,
  own: 'Own limit per day, in US dollars',
  ownHint: 'Empty for none. The smaller limit counts.',
  notAnAmount: 'Enter an amount, such as 25 or 2.50.',
  saved: 'Spending limit saved.',
};

/** Of a report. */
export const analyses = {
  title: 'Analyses',
  again: 'Analyze again',
  failed: 'The call could not be analyzed again',
  cost: (dollars: string) => `This call has cost ${dollars} so far, by the list prices of the engines.`,
};

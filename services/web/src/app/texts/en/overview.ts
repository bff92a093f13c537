import type { Preset } from '../../overview/range.ts';

const presets: Record<Preset, string> = { '7d': '7 days', '30d': '30 days', '90d': '90 days', '365d': '1 year' };
const calls = (count: number) => (count === 1 ? '1 call' : `${count.toLocaleString('en')} calls`);

export const overview = {
  title: 'Overview',
  calls,
  range: 'Date range',
  presets,
  own: 'Custom range',
  show: 'Apply',
  from: 'From',
  to: 'To',
  tooLong: 'Choose at most 366 days. The start date must not be after the end date.',

  uploaded: 'Calls',
  completed: 'Completed',
  failed: 'Failed',
  inWork: 'In progress',
  averageScore: 'Average score',
  notScored: 'Not scored',
  notScoredWhy: 'Not in averages or shares',
  agreement: 'Answers confirmed',
  agreementOf: (stood: number, reviewed: number) =>
    `${stood.toLocaleString('en')} of ${reviewed.toLocaleString('en')} reviewed`,
  noScore: '–',
  of100: 'of 100',

  perDay: 'Calls per day',
  perWeek: 'Calls per week',
  overTime: 'Average score per day',
  saleStatuses: 'Outcomes',
  objections: 'Most frequent objections',
  mistakes: 'Most frequent mistakes',
  products: 'Products',
  examined: (calls: number) => `Based on the latest ${calls.toLocaleString('en')} calls`,
  trackers: {
    title: 'Trackers',
    name: 'Tracker',
    found: 'Said',
    missing: 'Missing',
    notJudged: 'Not checked',
    foundIn: (name: string, count: number) => `${name}: said in ${calls(count)}`,
    missingIn: (name: string, count: number) => `${name}: missing in ${calls(count)}`,
    pending: (count: number) => `${calls(count)} still to be searched`,
    notJudgedWhy: 'Calls are not checked where it is not certain who speaks, or where only one person does.',
  },
  share: (percent: number) => `${percent}%`,
  asTable: 'Show as table',
  day: 'Day',
  week: 'Week of',
  score: 'Score',

  noneYet: 'No calls in this period',
  noneYetWhy: 'Upload a call, or choose another period.',
  upload: 'Go to calls',
  noScores: 'No scored calls in this period.',
  noObjections: 'No objections in this period.',
  noMistakes: 'No mistakes in this period.',
  noProducts: 'No products in this period.',
  noOutcomes: 'No analyzed calls in this period.',
};

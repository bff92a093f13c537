import type { Preset } from '../../overview/range.ts';

const presets: Record<Preset, string> = { '7d': '7 days', '30d': '30 days', '90d': '90 days', '365d': '1 year' };
const calls = (count: number) => (count === 1 ? '1 call' : `${count.toLocaleString('en')} calls`);

export const overview = {
  title: 'Overview',
  calls,
  range: 'Days',
  presets,
  own: 'Other days',
  show: 'Show these days',
  from: 'From',
  to: 'To',
  tooLong: 'At most 366 days, and the first before the last.',

  uploaded: 'Calls',
  completed: 'Completed',
  failed: 'Failed',
  inWork: 'In progress',
  averageScore: 'Average score',
  noScore: '–',
  of100: 'of 100',

  perDay: 'Calls per day',
  perWeek: 'Calls per week',
  overTime: 'Average score per day',
  saleStatuses: 'Sale status',
  objections: 'Most frequent objections',
  mistakes: 'Most frequent mistakes',
  products: 'Products',
  examined: (calls: number) => `In the latest ${calls.toLocaleString('en')} calls`,
  share: (percent: number) => `${percent}%`,
  asTable: 'As a table',
  day: 'Day',
  week: 'Week of',
  score: 'Score',

  noneYet: 'Nothing to show yet',
  noneYetWhy: 'As soon as a call of these days is analysed, it counts here.',
  upload: 'Go to the calls and drop one',
  noScores: 'No call of these days has a score.',
  noObjections: 'No objections in these days.',
  noMistakes: 'No mistakes in these days.',
  noProducts: 'No product was named in these days.',
  noOutcomes: 'No call of these days is analysed yet.',
};

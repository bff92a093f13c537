import type { ReportType } from './states.ts';

/** Every section that an analysis writes, in the order in which a report shows them. */
export const REPORT_SECTIONS = [
  'overview',
  'outcome',
  'customer_needs',
  'opening',
  'product_presentation',
  'objections',
  'conversation_quality',
  'mistakes',
  'next_steps',
  'recommendations',
] as const;
export type ReportSectionId = (typeof REPORT_SECTIONS)[number];

/** The sections each report type shows: 3, 6 and all 10 of the one analysis that is made of a call. */
export const SECTIONS_SHOWN: Readonly<Record<ReportType, readonly ReportSectionId[]>> = {
  high_level: ['overview', 'outcome', 'recommendations'],
  medium: ['overview', 'outcome', 'customer_needs', 'objections', 'next_steps', 'recommendations'],
  detailed: REPORT_SECTIONS,
};

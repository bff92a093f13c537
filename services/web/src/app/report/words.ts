import type { CallDetail } from '@call-analytics/contracts';
import { shownMoment } from '../common/dates.ts';
import { LOCALE, texts } from '../texts/texts.ts';
import { bandOf } from './bands.ts';
import type { ReportWords } from './written.ts';

const { report, calls } = texts;

/** BCP 47 for a language that is not determined. */
export const NO_LANGUAGE = 'und';

/** As `English` for `en`; what is no language tag stays as it is. */
export function shownLanguage(tag: string): string {
  try {
    return new Intl.DisplayNames(LOCALE, { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** What the parts of a report are called in a file. */
export const fileWords: ReportWords = {
  ...report,
  failed: report.failed,
  facts: ({ score, saleStatus, product, language, createdAt, status }: CallDetail) => [
    ...(status === 'completed' ? [] : [[report.status, calls.statuses[status]] as const]),
    ...(score === null ? [] : [[report.score, `${calls.score(score)} (${report.bands[bandOf(score)]})`] as const]),
    ...(score === null ? [] : [[report.outcome, calls.saleStatuses[saleStatus]] as const]),
    ...(product === '' ? [] : [[report.product, product] as const]),
    ...(language === NO_LANGUAGE ? [] : [[report.language, shownLanguage(language)] as const]),
    [report.uploaded, shownMoment(createdAt)] as const,
  ],
};

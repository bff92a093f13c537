import type { ReportType } from '@call-analytics/contracts';
import { useSyncExternalStore } from 'react';
import { Told } from '../../api/told.ts';

export const REPORT_TYPES = ['high_level', 'medium', 'detailed'] as const satisfies readonly ReportType[];
const KEY = 'report-type';
const chosen = new Told<ReportType>(stored());

/** The report type of the next upload: the one that was chosen last in this browser. */
export function rememberedReportType(): ReportType {
  return chosen.get();
}

export function useReportType(): [ReportType, (reportType: ReportType) => void] {
  return [useSyncExternalStore(chosen.subscribe, chosen.get), remember];
}

function remember(reportType: ReportType): void {
  chosen.set(reportType);
  try {
    localStorage.setItem(KEY, reportType);
  } catch {
    // A browser that keeps nothing remembers until the page is left.
  }
}

function stored(): ReportType {
  try {
    const found = localStorage.getItem(KEY);
    return REPORT_TYPES.find((known) => known === found) ?? 'medium';
  } catch {
    return 'medium';
  }
}

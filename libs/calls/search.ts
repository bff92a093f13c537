import type { CallSearch } from '@call-analytics/contracts';

/** Asks for all calls, or all of one status: how many these are is known without counting. */
export function isUnfiltered({ saleStatus, reportType, product, text = '', from, to }: CallSearch): boolean {
  return [saleStatus, reportType, product, from, to].every((each) => each === undefined) && text === '';
}

import type { OverviewQuery } from '@call-analytics/contracts';
import { HttpProblem } from '../../http/problem.ts';
import { shown } from '../../http/shown.ts';
import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';

const MOST_DAYS = 366;
const DAY_MS = 86_400_000;

export function showOverview({ calls }: AppParts): Handler<Operations['showOverview']> {
  return async ({ query, present: { actor } }) => {
    checkDays(query);
    return calls.reads.overview(actor.accountId, query);
  };
}

function checkDays({ from, to, timeZone }: OverviewQuery): void {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1 || days > MOST_DAYS) throw wrong('to', to, `a day from "from" on, ${MOST_DAYS} days at most`);
  if (!isTimeZone(timeZone)) throw wrong('timeZone', timeZone, 'a time zone such as Europe/Berlin');
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function wrong(name: string, value: string, rule: string): HttpProblem {
  return new HttpProblem('invalid_parameter', `"${name}" is ${shown(value)}; it must be ${rule}.`);
}

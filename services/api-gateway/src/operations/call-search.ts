import { daysOf } from '@call-analytics/calls';
import { CallSearch, FoundCalls, Overview, OverviewQuery, type Wait } from '@call-analytics/contracts';
import { quoted } from '../http/input.ts';
import { HttpProblem } from '../http/problem.ts';
import { listItem } from './call-view.ts';
import { operation } from './operation.ts';

const HELD: Wait = 'spending_limit';
const MAX_DAYS = 366;
const DAY_MS = 86_400_000;
/** The latest time of a Date. */
const MAX_TIME_MS = 8.64e15;

/** What the pages show of many calls: the list with its filters, and the totals. */
export const callSearchOperations = {
  searchCalls: operation(
    {
      method: 'get',
      path: '/app/calls',
      tag: 'Calls',
      summary: 'Search the calls of the account',
      description: 'Like `GET /api/v1/calls`, with more filters and orders.',
      caller: 'session',
      query: CallSearch,
      answer: { status: 200, description: 'A page of calls', schema: FoundCalls },
    },
    async ({ query, caller: { actor } }, { calls, trackers }) => {
      const { tracker, trackerResult = 'found', from, to } = query;
      const range = { from: new Date(from ?? 0), to: new Date(to ?? MAX_TIME_MS) };
      const resultPattern = tracker && (await trackers.patternOf(actor.accountId, tracker, trackerResult, range));
      if (resultPattern === null) throw invalid('tracker', tracker ?? '', 'the name of a tracker');
      const found = await calls.reads.search(actor.accountId, { ...query, ...(resultPattern && { resultPattern }) });
      const idle = found.calls.filter(({ isPending, waiting }) => isPending && waiting === null);
      const isHeld = idle.length > 0 && (await calls.spending.today(actor.accountId)).reachedAt !== null;
      const isQueued = idle.some(({ status }) => status === 'queued');
      const positions = isQueued && !isHeld && (await calls.reads.queuePositions(actor.accountId, 'transcription'));
      return {
        calls: found.calls.map((call) => ({
          ...listItem(call),
          errorMessage: call.failure?.message ?? null,
          waitingFor: call.waiting?.for ?? (isHeld && call.isPending ? HELD : null),
          queuePosition: (call.waiting === null && positions && positions.get(call.id)) || null,
          match: call.match,
        })),
        total: found.total,
        limit: query.limit,
        offset: query.offset,
      };
    },
  ),

  showOverview: operation(
    {
      method: 'get',
      path: '/app/overview',
      tag: 'Calls',
      summary: 'Read the overview',
      description: 'Totals of the calls in a range of days, in the given time zone.',
      caller: 'session',
      query: OverviewQuery,
      answer: { status: 200, description: 'The totals', schema: Overview },
    },
    async ({ query, caller: { actor } }, { calls, trackers }) => {
      checkRange(query);
      const days = daysOf(query.from, query.to, query.timeZone);
      const range = { from: days.at(0)?.start ?? new Date(0), to: days.at(-1)?.end ?? new Date(0) };
      const [totals, counts] = await Promise.all([
        calls.reads.overview(actor.accountId, query),
        trackers.counts(actor.accountId, range),
      ]);
      return { ...totals, trackers: counts };
    },
  ),
};

/** @throws HttpProblem when the range of days is empty or has more than `maxDays` */
export function checkDays({ from, to }: Pick<OverviewQuery, 'from' | 'to'>, maxDays: number): void {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1 || days > maxDays) throw invalid('to', to, `a day from "from" on, ${maxDays} days at most`);
}

function checkRange({ from, to, timeZone }: OverviewQuery): void {
  checkDays({ from, to }, MAX_DAYS);
  if (!isTimeZone(timeZone)) throw invalid('timeZone', timeZone, 'a time zone such as Europe/Berlin');
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function invalid(name: string, value: string, rule: string): HttpProblem {
  return new HttpProblem('invalid_parameter', `"${name}" is ${quoted(value)}; it must be ${rule}.`);
}

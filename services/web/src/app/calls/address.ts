import type { CallSearch, CallSort, CallStatus, ListedResult, SaleStatus, SortOrder } from '@call-analytics/contracts';
import { endOfDay, isDay, startOfDay } from '../common/format.ts';

// The address holds what the list shows, so that it can be shared, kept and gone back to. Anyone may write an address:
// unknown parameters are ignored and named, and never sent to the API.

export const STATUSES = [
  'queued',
  'transcribing',
  'analyzing',
  'completed',
  'failed',
] as const satisfies readonly CallStatus[];
export const SALE_STATUSES = ['sold', 'follow_up', 'not_sold', 'unclear'] as const satisfies readonly SaleStatus[];
const SORTS = ['createdAt', 'score', 'fileName'] as const satisfies readonly CallSort[];
const ORDERS = ['asc', 'desc'] as const satisfies readonly SortOrder[];
const TRACKER_RESULTS = ['found', 'missing'] as const satisfies readonly ListedResult[];
const TEXT_LENGTH = 200;
const NAME_LENGTH = 60;
export const PAGE_SIZE = 25;

/** What the list shows. Days are in the reader's time zone; pages count from 1. */
export interface ListView {
  status?: CallStatus;
  sale?: SaleStatus;
  text?: string;
  from?: string;
  to?: string;
  /** Name of a tracker. */
  tracker?: string;
  /** `found` if not set. */
  trackerResult?: ListedResult;
  sort: CallSort;
  order: SortOrder;
  page: number;
}

/** The query parameters of the address: only those that differ from the default view. */
type ListAddress = Partial<Record<keyof ListView, string>>;

interface ReadAddress {
  view: ListView;
  /** Parameters that are unknown or have an invalid value, as `name=value`. */
  ignored: string[];
}

/** @param given the query parameters of the address, which anyone may have written */
export function readAddress(given: Readonly<Record<string, unknown>>): ReadAddress {
  const ignored: string[] = [];
  const read = <T>(name: string, accept: (value: string) => T | undefined): T | undefined => {
    const value = given[name];
    if (value === undefined || value === '') return undefined;
    const accepted = typeof value === 'object' ? undefined : accept(String(value));
    if (accepted === undefined) ignored.push(ignoredParameter(name, value));
    return accepted;
  };
  const status = read('status', oneOf(STATUSES));
  const sale = read('sale', oneOf(SALE_STATUSES));
  const text = read('text', (value) => (value.length <= TEXT_LENGTH ? value : undefined));
  const from = read('from', (value) => (isDay(value) ? value : undefined));
  const to = read('to', (value) => (isDay(value) && (from === undefined || from <= value) ? value : undefined));
  const tracker = read('tracker', (value) => (value.length <= NAME_LENGTH ? value : undefined));
  const trackerResult = read('trackerResult', oneOf(TRACKER_RESULTS));
  const sort = read('sort', oneOf(SORTS)) ?? 'createdAt';
  const order = read('order', oneOf(ORDERS)) ?? firstOrder(sort);
  const page = read('page', (value) => (/^[1-9]\d{0,6}$/.test(value) ? Number(value) : undefined)) ?? 1;
  for (const name of Object.keys(given))
    if (!KNOWN.has(name) && given[name] !== undefined) ignored.push(ignoredParameter(name, given[name]));
  return { view: { ...without({ status, sale, text, from, to, tracker, trackerResult }), sort, order, page }, ignored };
}

const KNOWN: ReadonlySet<string> = new Set([
  'status',
  'sale',
  'text',
  'from',
  'to',
  'tracker',
  'trackerResult',
  'sort',
  'order',
  'page',
]);

/** The address of a view, without default values. */
export function addressOf({ sort, order, page, ...filters }: ListView): ListAddress {
  return without({
    ...filters,
    sort: sort === 'createdAt' ? undefined : sort,
    order: order === firstOrder(sort) ? undefined : order,
    page: page === 1 ? undefined : String(page),
  });
}

/** The query of `GET /app/calls`. */
export function searchOf(view: ListView): CallSearch {
  const { status, sale, text, from, to, tracker, trackerResult, sort, order, page } = view;
  return {
    ...without({
      status,
      saleStatus: sale,
      text: text?.trim() || undefined,
      from: from === undefined ? undefined : startOfDay(from).toISOString(),
      to: to === undefined ? undefined : endOfDay(to).toISOString(),
      tracker,
      trackerResult,
    }),
    sort,
    order,
    limit: PAGE_SIZE,
    offset: (page - 1) * PAGE_SIZE,
  };
}

export function isFiltered({ status, sale, text, from, to, tracker }: ListView): boolean {
  return [status, sale, text, from, to, tracker].some((value) => value !== undefined);
}

/** The first order of a column: names from A, dates and scores from the highest. */
export function firstOrder(sort: CallSort): SortOrder {
  return sort === 'fileName' ? 'asc' : 'desc';
}

function oneOf<T extends string>(values: readonly T[]) {
  return (value: string): T | undefined => values.find((known) => known === value);
}

function without<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

/** An ignored query parameter, as it is shown to the reader. */
export function ignoredParameter(name: string, value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return `${cut(name)}=${cut(text)}`;
}

function cut(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

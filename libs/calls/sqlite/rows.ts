import type { SQLInputValue } from 'node:sqlite';
import { type Dependency, type MessageType, makeMessage } from '@call-analytics/contracts';
import type { Call } from '../record.ts';
import type { CallSummary, OutboxEntry } from '../store.ts';
import type { Row } from './database.ts';

// Between rows and records. Runs for every request, so it does as little as possible.

/** A call, or the fields of one that a write names. */
type Fields = Partial<Omit<Call, 'audio'>> & { audio?: Partial<Call['audio']> };
type Value = SQLInputValue | undefined;

/** Each column of a call with its value; undefined when the fields do not name it. The first ten are a list item's. */
const COLUMNS = {
  id: ({ id }) => id,
  file_name: ({ fileName }) => fileName,
  report_type: ({ reportType }) => reportType,
  status: ({ status }) => status,
  language: ({ language }) => language,
  product: ({ product }) => product,
  sale_status: ({ saleStatus }) => saleStatus,
  score: ({ score }) => score,
  created_at: ({ createdAt }) => ofDate(createdAt),
  updated_at: ({ updatedAt }) => ofDate(updatedAt),
  account_id: ({ accountId }) => accountId,
  stage: ({ stage }) => stage,
  version: ({ version }) => version,
  audio_key: ({ audio }) => audio?.key,
  audio_bytes: ({ audio }) => audio?.bytes,
  audio_format: ({ audio }) => audio?.format,
  audio_seconds: ({ audio }) => audio?.seconds,
  audio_delete_after: ({ audio }) => ofDate(audio?.deleteAfter),
  audio_deleted_at: ({ audio }) => ofDate(audio?.deletedAt),
  attempt: ({ attempt }) => attempt,
  failures: ({ failures }) => failures,
  lease_worker: ({ lease }) => of(lease, ({ worker }) => worker),
  lease_since: ({ lease }) => of(lease, ({ since }) => since.getTime()),
  lease_until: ({ lease }) => of(lease, ({ until }) => until.getTime()),
  granted_until: ({ grantedUntil }) => ofDate(grantedUntil),
  next_attempt_at: ({ nextAttemptAt }) => ofDate(nextAttemptAt),
  ready_since: ({ readySince }) => ofDate(readySince),
  last_failure: ({ lastFailure }) => of(lastFailure, JSON.stringify),
  failure: ({ failure }) => of(failure, JSON.stringify),
  traceparent: ({ traceparent }) => traceparent,
  removed_at: ({ removal }) => of(removal, ({ at }) => at.getTime()),
  removed_until: ({ removal }) => of(removal, ({ until }) => until.getTime()),
  removed_stage: ({ removal }) => of(removal, ({ stage }) => stage),
  removed_final: ({ removal }) => of(removal, ({ final }) => Number(final)),
  waiting_for: ({ waiting }) => of(waiting, ({ for: dependency }) => dependency),
  waiting_since: ({ waiting }) => of(waiting, ({ since }) => since.getTime()),
  retries: ({ retries }) => retries,
  audio_seconds_done: ({ audio }) => audio?.secondsDone,
  corrections: ({ corrections }) => ofList(corrections),
  analysis_engine: ({ analysisEngine }) => analysisEngine,
  earlier_analyses: ({ earlierAnalyses }) => ofList(earlierAnalyses),
} satisfies Record<string, (fields: Fields) => Value>;

const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];
const VALUES = Object.entries<(fields: Fields) => Value>(COLUMNS);
/** The position of each column in a row. */
const AT = Object.fromEntries(NAMES.map((name, position) => [name, position])) as Record<keyof typeof COLUMNS, number>;

/** Where columns begin that a statement reads after those of a list item, or of a call. */
export const SUMMARY_COLUMN_COUNT = AT.updated_at + 1;
export const CALL_COLUMN_COUNT = NAMES.length;
export const SUMMARY_COLUMNS = NAMES.slice(0, SUMMARY_COLUMN_COUNT).join(', ');
export const CALL_COLUMNS = NAMES.join(', ');

export function toSummary(row: Row): CallSummary {
  return {
    id: row[AT.id] as string,
    fileName: row[AT.file_name] as string,
    status: row[AT.status] as Call['status'],
    reportType: row[AT.report_type] as Call['reportType'],
    language: row[AT.language] as string | null,
    product: row[AT.product] as string | null,
    saleStatus: row[AT.sale_status] as Call['saleStatus'],
    score: row[AT.score] as number | null,
    createdAt: new Date(row[AT.created_at] as number),
    updatedAt: new Date(row[AT.updated_at] as number),
  };
}

export function toCall(row: Row): Call {
  const time = (column: keyof typeof COLUMNS) => new Date(row[AT[column]] as number);
  const timeOrNull = (column: keyof typeof COLUMNS) => (row[AT[column]] === null ? null : time(column));
  return {
    ...toSummary(row),
    accountId: row[AT.account_id] as string,
    stage: row[AT.stage] as Call['stage'],
    version: row[AT.version] as number,
    audio: {
      key: row[AT.audio_key] as string,
      bytes: row[AT.audio_bytes] as number,
      format: row[AT.audio_format] as Call['audio']['format'],
      seconds: row[AT.audio_seconds] as number,
      secondsDone: row[AT.audio_seconds_done] as number,
      deleteAfter: timeOrNull('audio_delete_after'),
      deletedAt: timeOrNull('audio_deleted_at'),
    },
    attempt: row[AT.attempt] as number,
    failures: row[AT.failures] as number,
    lease:
      row[AT.lease_until] === null
        ? null
        : { worker: row[AT.lease_worker] as string, since: time('lease_since'), until: time('lease_until') },
    grantedUntil: timeOrNull('granted_until'),
    nextAttemptAt: timeOrNull('next_attempt_at'),
    readySince: time('ready_since'),
    waiting: toWaiting(row[AT.waiting_for], row[AT.waiting_since]),
    retries: row[AT.retries] as number,
    lastFailure: toLastFailure(row[AT.last_failure]),
    failure: parsedOrNull(row[AT.failure]),
    removal:
      row[AT.removed_at] === null
        ? null
        : {
            at: time('removed_at'),
            until: time('removed_until'),
            stage: row[AT.removed_stage] as Call['stage'],
            final: row[AT.removed_final] === 1,
          },
    analysisEngine: row[AT.analysis_engine] as Call['analysisEngine'],
    earlierAnalyses: parsedOrNull(row[AT.earlier_analyses]) ?? [],
    corrections: parsedOrNull(row[AT.corrections]) ?? [],
    traceparent: row[AT.traceparent] as string | null,
  };
}

export function toWaiting(dependency: Row[number] | undefined, since: Row[number] | undefined): Call['waiting'] {
  return typeof dependency === 'string' ? { for: dependency as Dependency, since: new Date(Number(since)) } : null;
}

function toLastFailure(json: Row[number] | undefined): Call['lastFailure'] {
  const parsed = parsedOrNull<NonNullable<Call['lastFailure']>>(json);
  return parsed === null ? null : { ...parsed, at: new Date(parsed.at) };
}

export function toOutboxEntry([id, type, callId, accountId, at, traceparent]: Row): OutboxEntry {
  const about = { callId: String(callId), accountId: String(accountId) };
  const [eventId, time] = [String(id), new Date(Number(at))];
  return {
    id: eventId,
    message: makeMessage(type as MessageType, about, eventId, '/calls', time, traceparent as string | null),
  };
}

/** @returns the columns that the fields name, and their values in the same order */
export function assignmentOf(fields: Fields): { columns: string[]; values: SQLInputValue[] } {
  const columns: string[] = [];
  const values: SQLInputValue[] = [];
  for (const [column, valueIn] of VALUES) {
    const value = valueIn(fields);
    if (value === undefined) continue;
    columns.push(column);
    values.push(value);
  }
  return { columns, values };
}

/** @returns the document in a column, or null when there is none */
export function parsedOrNull<T>(json: Row[number] | undefined): T | null {
  return typeof json === 'string' ? (JSON.parse(json) as T) : null;
}

function of<T>(value: T | null | undefined, get: (value: T) => SQLInputValue): Value {
  return value == null ? (value as null | undefined) : get(value);
}

function ofList(list: readonly object[] | undefined): Value {
  return list && (list.length === 0 ? null : JSON.stringify(list));
}

function ofDate(date: Date | null | undefined): Value {
  return of(date, (each) => each.getTime());
}

import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { Call } from '../record.ts';
import type { CallChange, CallSummary } from '../store.ts';

// Between rows and records. Read for every request: as little as possible happens here.

export type Row = Record<string, SQLOutputValue>;

interface SummaryRow {
  id: string;
  file_name: string;
  report_type: Call['reportType'];
  status: Call['status'];
  language: string | null;
  product: string | null;
  sale_status: Call['saleStatus'];
  score: number | null;
  created_at: number;
  updated_at: number;
}

interface CallRow extends SummaryRow {
  account_id: string;
  stage: Call['stage'];
  version: number;
  audio_key: string;
  audio_bytes: number;
  audio_format: Call['audio']['format'];
  audio_seconds: number;
  audio_delete_after: number | null;
  audio_deleted_at: number | null;
  attempt: number;
  failures: number;
  lease_worker: string | null;
  lease_since: number | null;
  lease_until: number | null;
  granted_until: number | null;
  next_attempt_at: number | null;
  ready_since: number;
  last_failure: string | null;
  failure: string | null;
}

/** The columns of a list item, to select by name; a call is read with `*`. */
export const SUMMARY_COLUMNS = 'id, file_name, report_type, status, language, product, sale_status, score, created_at, updated_at';

export function toSummary(from: Row): CallSummary {
  const row = from as unknown as SummaryRow;
  return {
    id: row.id,
    fileName: row.file_name,
    status: row.status,
    reportType: row.report_type,
    language: row.language,
    product: row.product,
    saleStatus: row.sale_status,
    score: row.score,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}

export function toCall(from: Row): Call {
  const row = from as unknown as CallRow;
  return {
    id: row.id,
    accountId: row.account_id,
    fileName: row.file_name,
    reportType: row.report_type,
    status: row.status,
    stage: row.stage,
    version: row.version,
    audio: {
      key: row.audio_key,
      bytes: row.audio_bytes,
      format: row.audio_format,
      seconds: row.audio_seconds,
      deleteAfter: toDate(row.audio_delete_after),
      deletedAt: toDate(row.audio_deleted_at),
    },
    attempt: row.attempt,
    failures: row.failures,
    lease:
      row.lease_until === null
        ? null
        : { worker: row.lease_worker ?? '', since: new Date(row.lease_since ?? 0), until: new Date(row.lease_until) },
    grantedUntil: toDate(row.granted_until),
    nextAttemptAt: toDate(row.next_attempt_at),
    readySince: new Date(row.ready_since),
    lastFailure: row.last_failure === null ? null : toLastFailure(row.last_failure),
    failure: row.failure === null ? null : (JSON.parse(row.failure) as Call['failure']),
    language: row.language,
    product: row.product,
    saleStatus: row.sale_status,
    score: row.score,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}

/** Columns and values, in the same order. */
export interface Assignment {
  columns: string[];
  values: SQLInputValue[];
}

/** All columns of a new call. */
export function ofNewCall(call: Call): Assignment {
  const { columns, values } = ofChange(call);
  columns.push('id', 'account_id', 'file_name', 'report_type', 'version', 'audio_key', 'audio_bytes', 'audio_format', 'created_at');
  values.push(call.id, call.accountId, call.fileName, call.reportType, call.version);
  values.push(call.audio.key, call.audio.bytes, call.audio.format, call.createdAt.getTime());
  return { columns, values };
}

/** The columns of `calls` that a change touches; the documents are not among them. */
export function ofChange(change: CallChange): Assignment {
  const columns: string[] = [];
  const values: SQLInputValue[] = [];
  const set = (column: string, value: SQLInputValue | undefined) => {
    if (value === undefined) return;
    columns.push(column);
    values.push(value);
  };
  set('status', change.status);
  set('stage', change.stage);
  set('attempt', change.attempt);
  set('failures', change.failures);
  if (change.lease !== undefined) {
    set('lease_worker', change.lease?.worker ?? null);
    set('lease_since', change.lease?.since.getTime() ?? null);
    set('lease_until', change.lease?.until.getTime() ?? null);
  }
  set('granted_until', ofDate(change.grantedUntil));
  set('next_attempt_at', ofDate(change.nextAttemptAt));
  set('ready_since', ofDate(change.readySince));
  set('last_failure', ofJson(change.lastFailure));
  set('failure', ofJson(change.failure));
  set('language', change.language);
  set('product', change.product);
  set('sale_status', change.saleStatus);
  set('score', change.score);
  set('updated_at', ofDate(change.updatedAt));
  if (change.audio !== undefined) {
    set('audio_seconds', change.audio.seconds);
    set('audio_delete_after', ofDate(change.audio.deleteAfter));
    set('audio_deleted_at', ofDate(change.audio.deletedAt));
  }
  return { columns, values };
}

function ofDate(date: Date | null | undefined): number | null | undefined {
  return date == null ? (date as null | undefined) : date.getTime();
}

function ofJson(value: object | null | undefined): string | null | undefined {
  return value == null ? (value as null | undefined) : JSON.stringify(value);
}

function toDate(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}

function toLastFailure(json: string): Call['lastFailure'] {
  const { at, ...rest } = JSON.parse(json);
  return { ...rest, at: new Date(at) };
}

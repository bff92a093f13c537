import type { SQLInputValue } from 'node:sqlite';
import { type Dependency, type MessageType, makeMessage } from '@call-analytics/contracts';
import type { Call } from '../record.ts';
import type { CallChange, CallSummary, OutboxEntry } from '../store.ts';
import type { Row } from './database.ts';

// Between rows and records. Runs for every request, so it does as little as possible. The columns, the type of the row
// and the destructuring are in the same order.

/** The columns of a list item. */
export const SUMMARY_COLUMNS =
  'id, file_name, report_type, status, language, product, sale_status, score, created_at, updated_at';

type SummaryRow = [
  id: string,
  fileName: string,
  reportType: Call['reportType'],
  status: Call['status'],
  language: string | null,
  product: string | null,
  saleStatus: Call['saleStatus'],
  score: number | null,
  createdAt: number,
  updatedAt: number,
];

export function toSummary(row: Row): CallSummary {
  const [id, fileName, reportType, status, language, product, saleStatus, score, createdAt, updatedAt] =
    row as unknown as SummaryRow;
  return {
    id,
    fileName,
    status,
    reportType,
    language,
    product,
    saleStatus,
    score,
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
  };
}

/** The columns of a call. */
export const CALL_COLUMNS = `${SUMMARY_COLUMNS}, account_id, stage, version,
  audio_key, audio_bytes, audio_format, audio_seconds, audio_delete_after, audio_deleted_at, attempt, failures,
  lease_worker, lease_since, lease_until, granted_until, next_attempt_at, ready_since, last_failure, failure, traceparent,
  removed_at, removed_until, removed_stage, removed_final, waiting_for, waiting_since, retries`;
/** Where columns begin that a statement reads after those of a call. */
export const AFTER_CALL = CALL_COLUMNS.split(',').length;

type CallRow = [
  ...SummaryRow,
  accountId: string,
  stage: Call['stage'],
  version: number,
  key: string,
  bytes: number,
  format: Call['audio']['format'],
  seconds: number,
  deleteAfter: number | null,
  deletedAt: number | null,
  attempt: number,
  failures: number,
  leaseWorker: string,
  leaseSince: number,
  leaseUntil: number | null,
  grantedUntil: number | null,
  nextAttemptAt: number | null,
  readySince: number,
  lastFailure: string | null,
  failure: string | null,
  traceparent: string | null,
  removedAt: number | null,
  removedUntil: number,
  removedStage: Call['stage'],
  removedFinal: number,
  waitingFor: Dependency | null,
  waitingSince: number,
  retries: number,
];

export function toCall(row: Row): Call {
  const [
    id,
    fileName,
    reportType,
    status,
    language,
    product,
    saleStatus,
    score,
    createdAt,
    updatedAt,
    accountId,
    stage,
    version,
    ...rest
  ] = row as unknown as CallRow;
  const [
    key,
    bytes,
    format,
    seconds,
    deleteAfter,
    deletedAt,
    attempt,
    failures,
    leaseWorker,
    leaseSince,
    leaseUntil,
    ...waiting
  ] = rest;
  const [grantedUntil, nextAttemptAt, readySince, lastFailure, failure, traceparent, ...later] = waiting;
  const [removedAt, removedUntil, removedStage, removedFinal, waitingFor, waitingSince, retries] = later;
  return {
    id,
    accountId,
    fileName,
    reportType,
    status,
    stage,
    version,
    audio: { key, bytes, format, seconds, deleteAfter: toDate(deleteAfter), deletedAt: toDate(deletedAt) },
    attempt,
    failures,
    lease:
      leaseUntil === null ? null : { worker: leaseWorker, since: new Date(leaseSince), until: new Date(leaseUntil) },
    grantedUntil: toDate(grantedUntil),
    nextAttemptAt: toDate(nextAttemptAt),
    readySince: new Date(readySince),
    waiting: toWaiting(waitingFor, waitingSince),
    retries,
    lastFailure: lastFailure === null ? null : toLastFailure(lastFailure),
    failure: failure === null ? null : (JSON.parse(failure) as Call['failure']),
    removal:
      removedAt === null
        ? null
        : { at: new Date(removedAt), until: new Date(removedUntil), stage: removedStage, final: removedFinal === 1 },
    language,
    product,
    saleStatus,
    score,
    traceparent,
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
  };
}

export function toOutboxEntry(row: Row): OutboxEntry {
  const [id, type, callId, accountId, at, traceparent] = row as [
    string,
    MessageType,
    string,
    string,
    number,
    string | null,
  ];
  return { id, message: makeMessage(type, { callId, accountId }, id, '/calls', new Date(at), traceparent) };
}

/** Columns and values, in the same order. */
export interface Assignment {
  columns: string[];
  values: SQLInputValue[];
}

/** All columns of a new call. */
export function ofNewCall(call: Call): Assignment {
  const { columns, values } = ofChange(call);
  columns.push('id', 'account_id', 'file_name', 'report_type', 'version', 'audio_key', 'audio_bytes', 'audio_format');
  values.push(call.id, call.accountId, call.fileName, call.reportType, call.version);
  values.push(call.audio.key, call.audio.bytes, call.audio.format);
  columns.push('traceparent', 'created_at');
  values.push(call.traceparent, call.createdAt.getTime());
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
  if (change.waiting !== undefined) {
    set('waiting_for', change.waiting?.for ?? null);
    set('waiting_since', change.waiting?.since.getTime() ?? null);
  }
  set('retries', change.retries);
  set('last_failure', ofJson(change.lastFailure));
  set('failure', ofJson(change.failure));
  if (change.removal !== undefined) {
    set('removed_at', change.removal?.at.getTime() ?? null);
    set('removed_until', change.removal?.until.getTime() ?? null);
    set('removed_stage', change.removal?.stage ?? null);
    set('removed_final', change.removal === null ? null : Number(change.removal.final));
  }
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

export function toWaiting(waitingFor: Dependency | null, since: number): Call['waiting'] {
  return waitingFor === null ? null : { for: waitingFor, since: new Date(since) };
}

function toLastFailure(json: string): Call['lastFailure'] {
  const { at, ...rest } = JSON.parse(json);
  return { ...rest, at: new Date(at) };
}

import type { CallStatus, Stage } from '@call-analytics/contracts';
import { Schema } from 'mongoose';
import type { Costs } from '../spending.ts';
import { ACCOUNT_SETTINGS, type AccountSettingsName } from '../store.ts';
import { INDEX } from './schema.ts';

// The collections beside that of the calls, as schema.ts describes it.

const { Mixed } = Schema.Types;

/** For an account: how many calls are counted in each status; see totals.ts. */
export interface CountsDocument {
  _id: string;
  calls: Partial<Record<CallStatus, number>>;
}
export const countsSchema = new Schema({ _id: String, calls: Mixed }, { collection: 'call_counts' });

/** The process that holds a role. */
export interface LeaderDocument {
  _id: string;
  holder: string;
  until: Date;
}
export const leaderSchema = new Schema({ _id: String, holder: String, until: Date }, { collection: 'leaders' });

export interface RemovedAccountDocument {
  _id: string;
  at: Date;
  isEmptied: boolean;
}
export const removedAccountSchema = new Schema(
  { _id: String, at: Date, isEmptied: Boolean },
  { collection: 'removed_accounts' },
);
// removedAccounts
removedAccountSchema.index({ at: 1 }, { name: INDEX.accountsToEmpty, partialFilterExpression: { isEmptied: false } });

/** The settings of an account, by their names. */
export interface AccountSettingsDocument
  extends Partial<Record<AccountSettingsName, { revision: number; value: unknown }>> {
  _id: string;
}
export const accountSettingsSchema = new Schema(
  { _id: String, ...Object.fromEntries(ACCOUNT_SETTINGS.map((name) => [name, { revision: Number, value: Mixed }])) },
  { collection: 'account_settings' },
);

/** What an account has spent on a day. The id is the day, such as 2026-11-23, a space, and the account. */
export interface SpendingDocument extends Partial<Costs> {
  _id: string;
  accountId: string;
  dollars: number;
  at: Date;
}
export const spendingSchema = new Schema(
  {
    _id: String,
    accountId: String,
    dollars: Number,
    transcription: Number,
    analysis: Number,
    unpricedTranscription: Number,
    unpricedAnalysis: Number,
    calls: Number,
    attempts: Number,
    seconds: Number,
    at: Date,
  },
  { collection: 'spending' },
);
// accountEmptied, spendingByDay
spendingSchema.index({ accountId: 1 }, { name: INDEX.spendingOfAccount });

/** A stage that operators have drained; null when they have resumed it. */
export interface DrainDocument {
  _id: Stage;
  since: Date | null;
}
export const drainSchema = new Schema({ _id: String, since: Date }, { collection: 'drains' });

/** A worker process, and how many calls of a stage it works on at a time. */
export interface WorkerDocument {
  _id: string;
  stage: Stage;
  calls: number;
  until: Date;
}
export const workerSchema = new Schema(
  { _id: String, stage: String, calls: Number, until: Date },
  { collection: 'workers' },
);
// capacity; MongoDB deletes the documents within minutes after their end
workerSchema.index({ until: 1 }, { name: INDEX.endedWorkers, expireAfterSeconds: 60 });

/** The progress of a migration. */
export interface ProgressDocument {
  /** `calls`, with the schema version from 2 on, or `index NAME`. */
  _id: string;
  /** Of calls: those from `before` on are done, those before `until` need not be. */
  before?: string;
  until?: string;
  /** Of an index: what MongoDB counted of its use, and since when this has not changed. */
  uses?: string;
  since?: Date;
  /** The user of cleanup has no right to drop it. */
  isRefused?: boolean;
}
export const progressSchema = new Schema(
  { _id: String, before: String, until: String, uses: String, since: Date, isRefused: Boolean },
  { collection: 'search_indexing' },
);

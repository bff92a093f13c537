import { setTimeout as sleep } from 'node:timers/promises';
import type { Call, Idempotency } from '../record.ts';
import { bringsText, firstIdAt, type Inserted, noSuchAccount, storeUnavailable } from '../store.ts';
import { type Database, DURABLE, isDuplicateIn, MAJORITY, PRIMARY_ONLY } from './database.ts';
import {
  afterWrite,
  eventsOf,
  newDocument,
  primarySuffices,
  toCall,
  updateOf,
  wordsAfter,
  wordsOf,
} from './documents.ts';
import { rewrite } from './migrations.ts';
import { callsWhere, type Queries, type QueryContext } from './queries.ts';
import { horizon } from './queues.ts';
import { DETAIL_FIELDS, EPOCH, FINISHED, INDEX, NOT_REMOVED, NOT_SET, RECORD_FIELDS } from './schema.ts';

/** How often, and how many ms apart, the first call of an idempotency key is read until a majority has it. */
const READS = { times: 200, every: 20 };

/** Single calls, by their id. */
export const recordQueries = {
  async insert(context, call, types, idempotency, vocabulary = []) {
    const { calls, clock, versions, totals, removedAccounts } = context;
    if ((await removedAccounts.findOne({ _id: call.accountId }, { projection: { _id: 1 } })) !== null)
      throw noSuchAccount();
    const at = clock.now();
    const events = eventsOf(call.id, call.version, types, at);
    const words = wordsOf(call.fileName, {});
    const schemaVersion = versions.current;
    const document = newDocument(call, { schemaVersion, events, idempotency, vocabulary, words, at });
    try {
      await calls.insertOne(document, { writeConcern: DURABLE });
    } catch (error) {
      if (idempotency === null || !isDuplicateIn(error, INDEX.idempotency)) throw error;
      return firstOf(context, call.accountId, idempotency);
    }
    totals.changed(call.accountId);
    return { kind: 'created', call };
  },

  /** With a known call it costs the server half: MongoDB keeps a copy of each document that a write returns. */
  async update({ calls, clock, versions, totals }, callId, version, write, known) {
    const guard = { _id: callId, version, schemaVersion: { $in: versions.writable } };
    const fileName = known?.fileName ?? (bringsText(write.change) ? await fileNameOf(calls, callId) : '');
    const words = fileName === null ? null : wordsAfter(write, fileName);
    const update = updateOf(callId, version, write, clock.now(), { schemaVersion: versions.current, ...words });
    const options = { writeConcern: primarySuffices(write) ? PRIMARY_ONLY : DURABLE };
    let written: Call | null;
    if (known !== undefined) {
      const { matchedCount } = await calls.updateOne(guard, update, options);
      written = matchedCount === 0 ? null : afterWrite(known, write);
    } else {
      const returned = { projection: RECORD_FIELDS, returnDocument: 'after' } as const;
      const document = await calls.findOneAndUpdate(guard, update, { ...options, ...returned });
      written = document === null ? null : toCall(document);
    }
    if (written !== null && write.change.status !== undefined) totals.changed(written.accountId);
    return written;
  },

  async get(context, callId) {
    const { calls, versions } = context;
    const found = await calls.findOne({ _id: callId }, { projection: RECORD_FIELDS });
    if (found === null) return null;
    // A write changes only the fields that it names, so the others are migrated before.
    if (found.schemaVersion < versions.current) await rewrite(context, versions, callId);
    return toCall(versions.read(found));
  },

  async detail({ calls, versions }, accountId, callId) {
    const found = await calls.findOne(
      { _id: callId, accountId, status: NOT_REMOVED },
      { projection: DETAIL_FIELDS, ...MAJORITY },
    );
    if (found === null) return null;
    const document = versions.read(found);
    const { transcript = null, analysis = null } = document;
    return { call: toCall(document), transcript, analysis };
  },

  transcript: async (context, callId) => (await fieldOf(context, callId, 'transcript')) ?? null,
  analysis: async (context, callId) => (await fieldOf(context, callId, 'analysis')) ?? null,
  segments: async (context, callId) => (await fieldOf(context, callId, 'segments')) ?? [],
  vocabulary: async (context, callId) => [...((await fieldOf(context, callId, 'vocabulary')) ?? [])],

  async saveSegment({ calls }, { callId, stage, attempt }, segment, now) {
    const held = { _id: callId, stage, attempt, leaseUntil: { $gte: EPOCH } };
    const { matchedCount } = await calls.updateOne(
      { ...held, 'segments.key': { $ne: segment.key } },
      { $push: { segments: segment }, $max: { 'audio.secondsDone': segment.endMs / 1000, updatedAt: now } },
      { writeConcern: DURABLE },
    );
    if (matchedCount === 1) return true;
    // The lease is lost, or the segment is there already.
    return (await calls.findOne(held, { projection: { _id: 1 } })) !== null;
  },

  async settings({ accountSettings }, accountId, name) {
    const found = await accountSettings.findOne({ _id: accountId }, { projection: { [name]: 1 }, ...MAJORITY });
    return found?.[name] ?? null;
  },

  async saveSettings({ accountSettings, removedAccounts }, accountId, name, revision, value) {
    if ((await removedAccounts.findOne({ _id: accountId }, { projection: { _id: 1 } })) !== null) throw noSuchAccount();
    const guard = revision === 0 ? { [name]: { $exists: false } } : { [`${name}.revision`]: revision };
    const saved = { $set: { [name]: { revision: revision + 1, value } } };
    const options = { upsert: revision === 0, writeConcern: DURABLE };
    try {
      const { matchedCount, upsertedCount } = await accountSettings.updateOne(
        { _id: accountId, ...guard },
        saved,
        options,
      );
      return matchedCount + upsertedCount === 1;
    } catch (error) {
      // The account has these settings already, so the guard did not find it.
      if (isDuplicateIn(error, '_id_')) return false;
      throw error;
    }
  },
} satisfies Queries;

async function fileNameOf(calls: QueryContext['calls'], callId: string): Promise<string | null> {
  return (await calls.findOne({ _id: callId }, { projection: { fileName: 1 } }))?.fileName ?? null;
}

async function fieldOf<Field extends 'transcript' | 'analysis' | 'segments' | 'vocabulary'>(
  { calls, versions }: QueryContext,
  callId: string,
  field: Field,
) {
  const found = await calls.findOne({ _id: callId }, { projection: { schemaVersion: 1, [field]: 1 } });
  return found === null ? undefined : versions.read(found)[field];
}

/** The first call with this key. The index has it at once; it is returned when a majority has it and keeps it. */
async function firstOf(
  { calls, versions }: QueryContext,
  accountId: string,
  { key, fingerprint }: Idempotency,
): Promise<Inserted> {
  for (let read = 0; read < READS.times; read += 1) {
    if (read > 0) await sleep(READS.every);
    const found = await calls.findOne(
      { accountId, 'idempotency.key': key },
      { projection: { ...RECORD_FIELDS, idempotency: 1 }, hint: INDEX.idempotency, ...MAJORITY },
    );
    if (found === null) continue;
    const document = versions.read(found);
    const sameRequest = document.idempotency?.fingerprint === fingerprint;
    return { kind: 'existing', call: toCall(document), sameRequest };
  }
  throw storeUnavailable();
}

const audioDueAt = (now: Date) => ({
  'audio.deletedAt': NOT_SET,
  'audio.deleteAfter': { $gte: EPOCH, $lte: now },
  stage: null,
});

/** Recordings that are due, removed calls, and removed accounts. */
export const cleanupQueries = {
  /** Longest due first, of a majority: if the end of the call were lost, its recording could not come back. */
  audioDue: (context, now, limit) =>
    callsWhere(context, audioDueAt(now), {
      hint: INDEX.audioDue,
      sort: { 'audio.deleteAfter': 1 },
      limit,
      ...MAJORITY,
    }),

  /** Reads the latest state, not a majority's: a call that is being written already needs its recording. */
  async audioKeysInUse({ calls }, keys) {
    if (keys.length === 0) return new Set();
    const found = await calls
      .find(
        { 'audio.key': { $in: keys }, 'audio.deletedAt': NOT_SET },
        { projection: { _id: 0, 'audio.key': 1 }, hint: INDEX.audioByKey },
      )
      .toArray();
    return new Set(found.map(({ audio }) => audio.key));
  },

  /** A call that ended by then was created by then, and its id says when. Removed calls have no status. */
  finishedBefore: (context, endedBefore, limit) =>
    callsWhere(
      context,
      { _id: { $lt: firstIdAt(endedBefore) }, updatedAt: { $lt: endedBefore }, status: FINISHED },
      { hint: { _id: 1 }, sort: { _id: 1 }, limit, ...MAJORITY },
    ),

  /** Reads the latest state: what follows is a guarded write. */
  removalsDue: (context, now, limit) =>
    callsWhere(
      context,
      { $or: [{ 'removal.until': { $gte: EPOCH, $lte: now } }, { 'removal.until': { $gt: horizon(now) } }] },
      { hint: INDEX.removed, sort: { 'removal.until': 1 }, limit },
    ),

  /** One transaction deletes the call and takes it out of the totals, if it is counted there. */
  purge: ({ calls, counts, transaction }, callId, version) =>
    transaction(async (session) => {
      const projection = { accountId: 1, counted: 1 } as const;
      const gone = await calls.findOneAndDelete({ _id: callId, version }, { projection, session });
      if (gone === null) return false;
      if (gone.counted != null)
        await counts.updateOne({ _id: gone.accountId }, { $inc: { [`calls.${gone.counted}`]: -1 } }, { session });
      return true;
    }),

  async removeAccount({ removedAccounts, accountSettings }, accountId, now) {
    const mark = { $setOnInsert: { at: now, isEmptied: false } };
    await removedAccounts.updateOne({ _id: accountId }, mark, { upsert: true, writeConcern: DURABLE });
    await forgetSettings(accountSettings, accountId);
  },

  async removedAccounts({ removedAccounts }, limit) {
    const options = { hint: INDEX.accountsToEmpty, sort: { at: 1 }, limit } as const;
    const found = await removedAccounts.find({ isEmptied: false }, options).toArray();
    return found.map(({ _id, at }) => ({ accountId: _id, at }));
  },

  async accountEmptied({ removedAccounts, accountSettings, counts, spending }, accountId) {
    await forgetSettings(accountSettings, accountId);
    await removedAccounts.updateOne({ _id: accountId }, { $set: { isEmptied: true } }, { writeConcern: DURABLE });
    await counts.deleteOne({ _id: accountId }, { writeConcern: DURABLE });
    await spending.deleteMany({ accountId }, { writeConcern: DURABLE });
  },
} satisfies Queries;

/** An update and not a deletion, because the gateway may delete no documents. */
async function forgetSettings(settings: Database['accountSettings'], accountId: string): Promise<void> {
  await settings.updateOne({ _id: accountId }, [{ $replaceWith: { _id: '$_id' } }], { writeConcern: DURABLE });
}

export function countAudioDue({ calls }: Pick<Database, 'calls'>, now: Date): Promise<number> {
  return calls.countDocuments(audioDueAt(now), { hint: INDEX.audioDue });
}

export function countRemovalsDue({ calls }: Pick<Database, 'calls'>, now: Date): Promise<number> {
  return calls.countDocuments({ 'removal.until': { $gte: EPOCH, $lte: now } }, { hint: INDEX.removed });
}

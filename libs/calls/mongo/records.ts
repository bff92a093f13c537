import { setTimeout as sleep } from 'node:timers/promises';
import type { EventType } from '@call-analytics/contracts';
import type { Clock } from '@call-analytics/service-kit';
import type { Analysis, Call, HeldLease, Segment, Transcript } from '../record.ts';
import type { Idempotency, Inserted, Write } from '../store.ts';
import { type Database, DURABLE, MAJORITY, PRIMARY_ONLY } from './database.ts';
import { afterWrite, eventsOf, newDocument, primarySuffices, toCall, updateOf } from './documents.ts';
import { isDuplicateIn, storeUnavailable } from './errors.ts';
import { type CallDocument, DETAIL_FIELDS, EPOCH, INDEX, NOT_REMOVED, RECORD_FIELDS } from './schema.ts';
import { bringsText, wordsAfter, wordsOf } from './words.ts';

/**
 * Entry n brings a document from schema version n + 1 to n + 2. It gets some or all of the fields, and leaves unknown
 * ones alone.
 */
export type Migration = (document: CallDocument) => CallDocument;

/**
 * Append only. A document is migrated when it is read, and written back when it is read to be changed. So a migration
 * may only add, split or rename fields that no index or query uses; others need a script that rewrites all documents
 * first. During a rollout a release reads what the next one writes: ship the reading first, then the writing.
 */
export const MIGRATIONS: readonly Migration[] = [];

export class SchemaVersions {
  readonly #migrations: readonly Migration[];

  constructor(migrations: readonly Migration[] = MIGRATIONS) {
    this.#migrations = migrations;
  }

  get current(): number {
    return this.#migrations.length + 1;
  }

  /** @throws Error when a newer release has written the document */
  read(document: CallDocument): CallDocument {
    const { schemaVersion } = document;
    if (schemaVersion === this.current) return document;
    if (schemaVersion > this.current) {
      throw new Error(
        `The call ${document._id} has schema version ${schemaVersion}, and this release knows versions up to ${this.current}: ` +
          'it was written by a newer release. Start that release.',
      );
    }
    const migrated = this.#migrations.slice(schemaVersion - 1).reduce((each, migration) => migration(each), document);
    return { ...migrated, schemaVersion: this.current };
  }
}

/** How often, and how many ms apart, the first call of an idempotency key is read until a majority has it. */
const READS = { times: 200, every: 20 };

/** Single calls, by their id. */
export class Records {
  readonly #calls: Database['calls'];
  readonly #clock: Clock;
  readonly #versions: SchemaVersions;

  constructor({ calls }: Database, clock: Clock, versions: SchemaVersions) {
    this.#calls = calls;
    this.#clock = clock;
    this.#versions = versions;
  }

  async insert(call: Call, types: readonly EventType[], idempotency: Idempotency | null): Promise<Inserted> {
    const at = this.#clock.now();
    const events = eventsOf(call.id, call.version, types, at);
    const words = wordsOf(call.fileName, {});
    const document = newDocument(call, { schemaVersion: this.#versions.current, events, idempotency, words, at });
    try {
      await this.#calls.insertOne(document, { writeConcern: DURABLE });
      return { kind: 'created', call };
    } catch (error) {
      if (idempotency === null || !isDuplicateIn(error, INDEX.idempotency)) throw error;
      return this.#existing(call.accountId, idempotency);
    }
  }

  async update(callId: string, version: number, write: Write): Promise<Call | null> {
    const fileName = bringsText(write) ? await this.#fileName(callId) : null;
    const words = fileName === null ? null : wordsAfter(write, fileName);
    const written = await this.#calls.findOneAndUpdate(
      { _id: callId, version, schemaVersion: this.#versions.current },
      updateOf(callId, version, write, this.#clock.now(), words),
      {
        projection: RECORD_FIELDS,
        returnDocument: 'after',
        writeConcern: primarySuffices(write) ? PRIMARY_ONLY : DURABLE,
      },
    );
    return written === null ? null : toCall(written);
  }

  /** Costs the server half of `update`: MongoDB keeps a copy of each document that a write returns. */
  async updateKnown(known: Call, write: Write): Promise<Call | null> {
    const { matchedCount } = await this.#calls.updateOne(
      { _id: known.id, version: known.version, schemaVersion: this.#versions.current },
      updateOf(known.id, known.version, write, this.#clock.now(), wordsAfter(write, known.fileName)),
      { writeConcern: primarySuffices(write) ? PRIMARY_ONLY : DURABLE },
    );
    return matchedCount === 0 ? null : afterWrite(known, write);
  }

  async get(callId: string): Promise<Call | null> {
    const found = await this.#calls.findOne({ _id: callId }, { projection: RECORD_FIELDS });
    if (found === null) return null;
    if (found.schemaVersion < this.#versions.current) await this.#writeBackMigrated(callId);
    return toCall(this.#versions.read(found));
  }

  async detail(accountId: string, callId: string) {
    const found = await this.#calls.findOne(
      { _id: callId, accountId, status: NOT_REMOVED },
      { projection: DETAIL_FIELDS, ...MAJORITY },
    );
    if (found === null) return null;
    const document = this.#versions.read(found);
    const { transcript = null, analysis = null } = document;
    return { call: toCall(document), transcript, analysis };
  }

  async transcript(callId: string): Promise<Transcript | null> {
    return (await this.#part(callId, 'transcript'))?.transcript ?? null;
  }

  async analysis(callId: string): Promise<Analysis | null> {
    return (await this.#part(callId, 'analysis'))?.analysis ?? null;
  }

  async segments(callId: string): Promise<Segment[]> {
    return (await this.#part(callId, 'segments'))?.segments ?? [];
  }

  async saveSegment({ callId, stage, attempt }: HeldLease, segment: Segment): Promise<boolean> {
    const held = { _id: callId, stage, attempt, leaseUntil: { $gte: EPOCH } };
    const { matchedCount } = await this.#calls.updateOne(
      { ...held, 'segments.key': { $ne: segment.key } },
      { $push: { segments: segment } },
      { writeConcern: DURABLE },
    );
    if (matchedCount === 1) return true;
    // The lease is lost, or the segment is there already.
    return (await this.#calls.findOne(held, { projection: { _id: 1 } })) !== null;
  }

  async #fileName(callId: string): Promise<string | null> {
    return (await this.#calls.findOne({ _id: callId }, { projection: { fileName: 1 } }))?.fileName ?? null;
  }

  async #part(callId: string, part: 'transcript' | 'analysis' | 'segments') {
    const found = await this.#calls.findOne({ _id: callId }, { projection: { schemaVersion: 1, [part]: 1 } });
    return found === null ? null : this.#versions.read(found);
  }

  /**
   * The first call with this key. The index has it at once; it is returned when a majority has it and it cannot be
   * lost.
   */
  async #existing(accountId: string, { key, fingerprint }: Idempotency): Promise<Inserted> {
    for (let read = 0; read < READS.times; read += 1) {
      if (read > 0) await sleep(READS.every);
      const found = await this.#calls.findOne(
        { accountId, 'idempotency.key': key },
        { projection: { ...RECORD_FIELDS, idempotency: 1 }, hint: INDEX.idempotency, ...MAJORITY },
      );
      if (found === null) continue;
      const document = this.#versions.read(found);
      return {
        kind: 'existing',
        call: toCall(document),
        sameRequest: document.idempotency?.fingerprint === fingerprint,
      };
    }
    throw storeUnavailable();
  }

  /** A write changes only the fields that it names, so the others are migrated when the call is read to be changed. */
  async #writeBackMigrated(callId: string): Promise<void> {
    const old = await this.#calls.findOne({ _id: callId });
    if (old === null || old.schemaVersion >= this.#versions.current) return;
    const { _id, version, schemaVersion } = old;
    await this.#calls.replaceOne({ _id, version, schemaVersion }, this.#versions.read(old), { writeConcern: DURABLE });
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { EventType } from '@call-analytics/contracts';
import type { Clock } from '@call-analytics/service-kit';
import type { Analysis, Call, HeldLease, Segment, Transcript } from '../record.ts';
import type { Idempotency, Inserted, Write } from '../store.ts';
import { bringsText, wordsAfter, wordsOf } from './call-words.ts';
import { afterWrite, eventsOf, mayBeLight, updateOf } from './changes.ts';
import { DURABLE, LIGHT } from './connection.ts';
import type { Database, Index } from './database.ts';
import { DETAIL_FIELDS, EPOCH, newDocument, RECORD_FIELDS, toCall } from './documents.ts';
import { isDuplicateIn, storeUnavailable } from './failures.ts';
import { SHOWN as NOT_REMOVED } from './listing.ts';
import type { SchemaVersions } from './schema-versions.ts';

const IDEMPOTENCY = 'one_call_per_idempotency_key';
export const RECORD_INDEXES: readonly Index[] = [
  // insert, existing
  {
    name: IDEMPOTENCY,
    key: { accountId: 1, 'idempotency.key': 1 },
    unique: true,
    partialFilterExpression: { 'idempotency.key': { $exists: true } },
  },
];

/** What a reader of the API is shown was written to a majority, so that it does not go back to an earlier state. Everything that decides a write reads the latest. */
const SHOWN = { readConcern: { level: 'majority' } } as const;
/** How often, and how many ms apart, the first call of an idempotency key is looked for while its own write is on its way to a majority. */
const LOOKS = { times: 200, every: 20 };

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
      if (idempotency === null || !isDuplicateIn(error, IDEMPOTENCY)) throw error;
      return this.#existing(call.accountId, idempotency);
    }
  }

  async update(callId: string, version: number, write: Write): Promise<Call | null> {
    const fileName = bringsText(write) ? await this.#fileName(callId) : null;
    const words = fileName === null ? null : wordsAfter(write, fileName);
    const written = await this.#calls.findOneAndUpdate(
      { _id: callId, version, schemaVersion: this.#versions.current },
      updateOf(callId, version, write, this.#clock.now(), words),
      { projection: RECORD_FIELDS, returnDocument: 'after', writeConcern: mayBeLight(write) ? LIGHT : DURABLE },
    );
    return written === null ? null : toCall(written);
  }

  /** For half of what `update` costs the server: to be able to repeat its answer, MongoDB keeps a copy of each document that a write gives back. */
  async updateKnown(known: Call, write: Write): Promise<Call | null> {
    const { matchedCount } = await this.#calls.updateOne(
      { _id: known.id, version: known.version, schemaVersion: this.#versions.current },
      updateOf(known.id, known.version, write, this.#clock.now(), wordsAfter(write, known.fileName)),
      { writeConcern: mayBeLight(write) ? LIGHT : DURABLE },
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
      { projection: DETAIL_FIELDS, ...SHOWN },
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
   * The first call with this key. The index knows it as soon as it is written; it is told of when a majority has it, because until then it may yet be lost.
   */
  async #existing(accountId: string, { key, fingerprint }: Idempotency): Promise<Inserted> {
    for (let look = 0; look < LOOKS.times; look += 1) {
      if (look > 0) await sleep(LOOKS.every);
      const found = await this.#calls.findOne(
        { accountId, 'idempotency.key': key },
        { projection: { ...RECORD_FIELDS, idempotency: 1 }, hint: IDEMPOTENCY, ...SHOWN },
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

  /** A call is read before it is changed, and changed in the fields that a change names: the others must be of the present schema by then. */
  async #writeBackMigrated(callId: string): Promise<void> {
    const old = await this.#calls.findOne({ _id: callId });
    if (old === null || old.schemaVersion >= this.#versions.current) return;
    const { _id, version, schemaVersion } = old;
    await this.#calls.replaceOne({ _id, version, schemaVersion }, this.#versions.read(old), { writeConcern: DURABLE });
  }
}

import type { EventType } from '@call-analytics/contracts';
import { type Clock, type Logger, systemClock, WorkError } from '@call-analytics/service-kit';
import type { Call } from '../record.ts';
import { type CallStore, type Idempotency, type Inserted, noSuchAccount, type Write } from '../store.ts';
import { ChangeStream } from './change-stream.ts';
import * as cleanup from './cleanup.ts';
import { type Database, databaseOf, Opening } from './database.ts';
import * as dispatch from './dispatch.ts';
import { asStoreError } from './errors.ts';
import { overview } from './overview.ts';
import { QueueReader } from './queues.ts';
import { type Migration, Records, SchemaVersions } from './records.ts';
import { page, search } from './search.ts';
import { Totals } from './totals.ts';
import { OlderCalls } from './words.ts';

/**
 * The call store in MongoDB 6.0 or later, for any number of processes. Opens and creates its indexes in the background;
 * while there is no primary, every request fails with `store_unavailable`.
 *
 * Reads and writes go to the primary. Writes wait for a majority, on disk, except those of `primarySuffices`. What is
 * shown or published is read from a majority; what decides a guarded write is read in its latest state.
 * @param url of a replica set, with the name of the database, e.g.
 * `mongodb://localhost:27017/call_analytics?replicaSet=rs0`
 * @param clock stamps the events
 */
export function openMongoCallStore({ url, ...options }: { url: string; clock?: Clock; log?: Logger }): CallStore {
  return new MongoCallStore(new Opening(url, options.log ?? null), options);
}

interface Parts {
  database: Database;
  records: Records;
  totals: Totals;
  queues: QueueReader;
  older: OlderCalls;
}

export class MongoCallStore implements CallStore {
  readonly #opening: Pick<Opening, 'connection' | 'close'>;
  readonly #clock: Clock;
  readonly #log: Logger | null;
  readonly #versions: SchemaVersions;
  readonly #changes: ChangeStream;
  #parts: Parts | null = null;

  constructor(
    opening: Pick<Opening, 'connection' | 'close'>,
    { clock = systemClock, log, migrations }: { clock?: Clock; log?: Logger; migrations?: Migration[] } = {},
  ) {
    this.#opening = opening;
    this.#clock = clock;
    this.#log = log ?? null;
    this.#versions = new SchemaVersions(migrations);
    this.#changes = new ChangeStream(async () => (await this.#open()).database.calls, this.#log);
  }

  async insert(call: Call, events: readonly EventType[], idempotency: Idempotency | null): Promise<Inserted> {
    return this.#ask(async ({ database, records, totals }) => {
      if (await cleanup.isRemoved(database, call.accountId)) throw noSuchAccount();
      const inserted = await records.insert(call, events, idempotency);
      if (inserted.kind === 'created') totals.changed(call.accountId);
      return inserted;
    });
  }

  async update(callId: string, version: number, write: Write, known?: Call): Promise<Call | null> {
    return this.#ask(async ({ records, totals }) => {
      const written = await (known === undefined
        ? records.update(callId, version, write)
        : records.updateKnown(known, write));
      if (written !== null && write.change.status !== undefined) totals.changed(written.accountId);
      return written;
    });
  }

  saveSegment: CallStore['saveSegment'] = (lease, segment) =>
    this.#ask(({ records }) => records.saveSegment(lease, segment));
  segments: CallStore['segments'] = (callId) => this.#ask(({ records }) => records.segments(callId));
  get: CallStore['get'] = (callId) => this.#ask(({ records }) => records.get(callId));
  transcript: CallStore['transcript'] = (callId) => this.#ask(({ records }) => records.transcript(callId));
  analysis: CallStore['analysis'] = (callId) => this.#ask(({ records }) => records.analysis(callId));
  detail: CallStore['detail'] = (accountId, callId) => this.#ask(({ records }) => records.detail(accountId, callId));

  list: CallStore['list'] = (accountId, query) =>
    this.#ask(async ({ database, totals }) => {
      const [calls, total] = await Promise.all([
        page(database, this.#versions, accountId, query),
        totals.total(accountId, query.status),
      ]);
      return { calls, total };
    });

  search: CallStore['search'] = (accountId, query) =>
    this.#ask(({ database, totals }) =>
      search(database, this.#versions, accountId, query, () => totals.total(accountId, query.status)),
    );
  indexForSearch: CallStore['indexForSearch'] = (limit) =>
    this.#ask(({ older }) => older.index(limit, this.#clock.now()));
  overview: CallStore['overview'] = (accountId, query) =>
    this.#ask(({ database }) => overview(database, accountId, query));

  queues: CallStore['queues'] = (now) =>
    this.#ask(async ({ queues }) => {
      const { inFlight, backlog } = await queues.queues(now);
      return { inFlight, backlog: (stage, perAccount) => this.#ask(() => backlog(stage, perAccount)) };
    });
  queuePlace: CallStore['queuePlace'] = (call) => this.#ask(({ database }) => dispatch.queuePlace(database, call));
  endedWaits: CallStore['endedWaits'] = (now, limit) =>
    this.#ask(({ database }) => dispatch.endedWaits(database, this.#versions, now, limit));
  expiredLeases: CallStore['expiredLeases'] = (now, limit) =>
    this.#ask(({ database }) => dispatch.expiredLeases(database, this.#versions, now, limit));
  nextWake: CallStore['nextWake'] = (now) => this.#ask(({ database }) => dispatch.nextWake(database, now));

  outbox: CallStore['outbox'] = (limit) => this.#ask(({ database }) => dispatch.outbox(database, limit));
  removeFromOutbox: CallStore['removeFromOutbox'] = (ids) =>
    this.#ask(({ database }) => dispatch.removeFromOutbox(database, ids));

  audioDue: CallStore['audioDue'] = (now, limit) =>
    this.#ask(({ database }) => cleanup.audioDue(database, this.#versions, now, limit));
  audioKeysInUse: CallStore['audioKeysInUse'] = (keys) =>
    this.#ask(({ database }) => cleanup.audioKeysInUse(database, keys));

  removalsDue: CallStore['removalsDue'] = (now, limit) =>
    this.#ask(({ database }) => cleanup.removalsDue(database, this.#versions, now, limit));
  purge: CallStore['purge'] = (callId, version) =>
    this.#ask(({ database }) => cleanup.purge(database, callId, version));

  removeAccount: CallStore['removeAccount'] = (accountId, now) =>
    this.#ask(({ database }) => cleanup.removeAccount(database, accountId, now));
  removedAccounts: CallStore['removedAccounts'] = (limit) =>
    this.#ask(({ database }) => cleanup.removedAccounts(database, limit));
  accountEmptied: CallStore['accountEmptied'] = (accountId) =>
    this.#ask(({ database }) => cleanup.accountEmptied(database, accountId));

  lead: CallStore['lead'] = (role, holder, now, until) =>
    this.#ask(({ database }) => dispatch.lead(database, role, holder, now, until));
  resign: CallStore['resign'] = (role, holder) => this.#ask(({ database }) => dispatch.resign(database, role, holder));

  announceWorker: CallStore['announceWorker'] = (stage, worker, calls, _now, until) =>
    this.#ask(({ database }) => dispatch.announceWorker(database, stage, worker, calls, until));
  capacity: CallStore['capacity'] = (now) => this.#ask(({ database }) => dispatch.capacity(database, now));

  figures: CallStore['figures'] = (now) =>
    this.#ask(async ({ database, queues }) => {
      const [waiting, oldest, due, removed] = await Promise.all([
        dispatch.figures(database, now, queues.inFlight(now)),
        dispatch.oldestEventAt(database),
        cleanup.countAudioDue(database, now),
        cleanup.countRemovalsDue(database, now),
      ]);
      return {
        ...waiting,
        oldestOutboxAgeMs: oldest === null ? 0 : Math.max(0, now.getTime() - oldest.getTime()),
        audioDue: due + removed,
      };
    });

  watch(listener: () => void): () => void {
    return this.#changes.watch(listener);
  }

  async ready(): Promise<string | null> {
    try {
      const connection = await this.#opening.connection();
      await connection.db?.command({ ping: 1 }, { readPreference: 'primary' });
      return null;
    } catch (error) {
      return asStoreError(error) instanceof WorkError
        ? 'the call database does not answer'
        : 'the call database cannot be used; see the log';
    }
  }

  async close(): Promise<void> {
    await this.#changes.close();
    await this.#parts?.totals.settled();
    await this.#opening.close();
  }

  /** @throws WorkError for errors that may pass; see errors.ts */
  async #ask<T>(ask: (parts: Parts) => Promise<T>): Promise<T> {
    try {
      return await ask(this.#parts ?? (await this.#open()));
    } catch (error) {
      throw asStoreError(error);
    }
  }

  async #open(): Promise<Parts> {
    const connection = await this.#opening.connection();
    // The first of several requests that waited for the connection creates the parts.
    this.#parts ??= partsOf(databaseOf(connection), this.#clock, this.#versions, this.#log);
    return this.#parts;
  }
}

function partsOf(database: Database, clock: Clock, versions: SchemaVersions, log: Logger | null): Parts {
  return {
    database,
    records: new Records(database, clock, versions),
    totals: new Totals(database, clock, log),
    queues: new QueueReader(database),
    older: new OlderCalls(database),
  };
}

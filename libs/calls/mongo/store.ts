import type { EventType } from '@call-analytics/contracts';
import { type Clock, type Logger, systemClock, WorkError } from '@call-analytics/service-kit';
import { noSuchAccount } from '../no-such-account.ts';
import type { Call } from '../record.ts';
import type { CallStore, Idempotency, Inserted, Write } from '../store.ts';
import { audioDue, audioKeysInUse, countAudioDue } from './audio.ts';
import { OlderCalls } from './call-words.ts';
import { type Database, databaseOf } from './database.ts';
import { endedWaits, expiredLeases, figures, nextWake, queuePlace } from './dispatch.ts';
import { asStoreError } from './failures.ts';
import { Hints } from './hints.ts';
import { lead, resign } from './leaders.ts';
import { page } from './listing.ts';
import { Opening } from './opening.ts';
import { oldestEventAt, outbox, removeFromOutbox } from './outbox.ts';
import { overview } from './overview.ts';
import { QueueReader } from './queues.ts';
import { Records } from './records.ts';
import { countRemovalsDue, purge, removalsDue } from './removals.ts';
import { accountEmptied, accountsToEmpty, isRemoved, removeAccount } from './removed-accounts.ts';
import { type Migration, SchemaVersions } from './schema-versions.ts';
import { search } from './search.ts';
import { Totals } from './totals.ts';
import { announceWorker, capacity } from './workers.ts';

/**
 * The call store in MongoDB 6.0 or later, for any number of processes. Makes its indexes when it opens, which it does in the background: until there is a primary, every
 * request fails with `store_unavailable`, and so it does whenever there is none later.
 *
 * Reads and writes go to the primary. Writes are for a majority, on disk, except those that nobody is told of (`mayBeLight`); what is shown or relayed is read from
 * majorities, what decides a guarded write is the latest.
 * @param url of a replica set, with the name of the database, e.g. `mongodb://localhost:27017/call_analytics?replicaSet=rs0`
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
  readonly #hints: Hints;
  #parts: Parts | null = null;

  constructor(
    opening: Pick<Opening, 'connection' | 'close'>,
    { clock = systemClock, log, migrations }: { clock?: Clock; log?: Logger; migrations?: Migration[] } = {},
  ) {
    this.#opening = opening;
    this.#clock = clock;
    this.#log = log ?? null;
    this.#versions = new SchemaVersions(migrations);
    this.#hints = new Hints(async () => (await this.#open()).database.calls, this.#log);
  }

  async insert(call: Call, events: readonly EventType[], idempotency: Idempotency | null): Promise<Inserted> {
    return this.#ask(async ({ database, records, totals }) => {
      if (await isRemoved(database, call.accountId)) throw noSuchAccount();
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
  queuePlace: CallStore['queuePlace'] = (call) => this.#ask(({ database }) => queuePlace(database, call));
  endedWaits: CallStore['endedWaits'] = (now, limit) =>
    this.#ask(({ database }) => endedWaits(database, this.#versions, now, limit));
  expiredLeases: CallStore['expiredLeases'] = (now, limit) =>
    this.#ask(({ database }) => expiredLeases(database, this.#versions, now, limit));
  nextWake: CallStore['nextWake'] = (now) => this.#ask(({ database }) => nextWake(database, now));

  outbox: CallStore['outbox'] = (limit) => this.#ask(({ database }) => outbox(database, limit));
  removeFromOutbox: CallStore['removeFromOutbox'] = (ids) =>
    this.#ask(({ database }) => removeFromOutbox(database, ids));

  audioDue: CallStore['audioDue'] = (now, limit) =>
    this.#ask(({ database }) => audioDue(database, this.#versions, now, limit));
  audioKeysInUse: CallStore['audioKeysInUse'] = (keys) => this.#ask(({ database }) => audioKeysInUse(database, keys));

  removalsDue: CallStore['removalsDue'] = (now, limit) =>
    this.#ask(({ database }) => removalsDue(database, this.#versions, now, limit));
  purge: CallStore['purge'] = (callId, version) => this.#ask(({ database }) => purge(database, callId, version));

  removeAccount: CallStore['removeAccount'] = (accountId, now) =>
    this.#ask(({ database }) => removeAccount(database, accountId, now));
  removedAccounts: CallStore['removedAccounts'] = (limit) =>
    this.#ask(({ database }) => accountsToEmpty(database, limit));
  accountEmptied: CallStore['accountEmptied'] = (accountId) =>
    this.#ask(({ database }) => accountEmptied(database, accountId));

  lead: CallStore['lead'] = (role, holder, now, until) =>
    this.#ask(({ database }) => lead(database, role, holder, now, until));
  resign: CallStore['resign'] = (role, holder) => this.#ask(({ database }) => resign(database, role, holder));

  announceWorker: CallStore['announceWorker'] = (stage, worker, calls, _now, until) =>
    this.#ask(({ database }) => announceWorker(database, stage, worker, calls, until));
  capacity: CallStore['capacity'] = (now) => this.#ask(({ database }) => capacity(database, now));

  figures: CallStore['figures'] = (now) =>
    this.#ask(async ({ database, queues }) => {
      const [waiting, oldest, due, removed] = await Promise.all([
        figures(database, now, queues.inFlight(now)),
        oldestEventAt(database),
        countAudioDue(database, now),
        countRemovalsDue(database, now),
      ]);
      return {
        ...waiting,
        oldestOutboxAgeMs: oldest === null ? 0 : Math.max(0, now.getTime() - oldest.getTime()),
        audioDue: due + removed,
      };
    });

  watch(listener: () => void): () => void {
    return this.#hints.watch(listener);
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
    await this.#hints.close();
    await this.#parts?.totals.settled();
    await this.#opening.close();
  }

  /** @throws WorkError for what may pass; see failures.ts */
  async #ask<T>(ask: (parts: Parts) => Promise<T>): Promise<T> {
    try {
      return await ask(this.#parts ?? (await this.#open()));
    } catch (error) {
      throw asStoreError(error);
    }
  }

  async #open(): Promise<Parts> {
    const connection = await this.#opening.connection();
    // Of several who have waited for the connection, the first makes the parts.
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

import { type Clock, systemClock } from '@call-analytics/service-kit';
import type { CallStore } from '../calls.ts';
import { concernsDispatcher } from '../store.ts';
import { Database, openDatabase, type Queries } from './database.ts';
import { dispatchQueries } from './dispatch.ts';
import { recordQueries } from './records.ts';
import { CallWords, searchQuery } from './search.ts';
import { overviewQuery, spendingQueries, trackerQueries } from './totals.ts';

/**
 * @param file the database, created with its folder if missing; `:memory:` keeps it in memory
 * @param clock for the times of events
 * @param busyTimeoutMs how long a write waits for another process's write before it fails with `store_unavailable`.
 * Short, because it blocks this process.
 * @throws Error when the database was written by a newer release; WorkError `transient` when it cannot be opened now
 */
export function openSqliteCallStore({
  file,
  clock = systemClock,
  busyTimeoutMs = 1_000,
}: {
  file: string;
  clock?: Clock;
  busyTimeoutMs?: number;
}): CallStore {
  return sqliteCallStore(new Database(openDatabase(file, busyTimeoutMs)), clock);
}

export function sqliteCallStore(db: Database, clock: Clock): CallStore {
  const words = new CallWords(db);
  const records = recordQueries(db, clock, words);
  const dispatch = dispatchQueries(db);
  const trackers = trackerQueries(db);
  const spending = spendingQueries(db);
  const overview = overviewQuery(db);
  const search = searchQuery(db);
  const answers = db.prepare('SELECT seq FROM outbox LIMIT 1');
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  const queries = {
    overview,
    search: (accountId, query) => search(accountId, query, () => records.total(accountId, query.status)),
  } satisfies Queries;
  const durable = { ...records.durableWrites, ...dispatch.durableWrites, ...spending.durableWrites };
  const durableWrites = bound(durable, (body) => db.write(true, body));

  return {
    ...bound({ ...records.reads, ...dispatch.reads, ...trackers.reads, ...spending.reads, ...queries }, (body) =>
      db.read(body),
    ),
    ...bound({ ...records.lightWrites, ...dispatch.lightWrites, ...trackers.lightWrites }, (body) =>
      db.write(false, body),
    ),
    ...durableWrites,
    async insert(...args) {
      const inserted = await durableWrites.insert(...args);
      if (inserted.kind === 'created') notify();
      return inserted;
    },
    async update(callId, version, write) {
      const call = db.write(write.durable, () => records.update(callId, version, write));
      if (call !== null && concernsDispatcher(write)) notify();
      return call;
    },
    migrate: async (limit) => words.indexOlder(limit),
    migrations: async () => words.migrations(),
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async ready() {
      try {
        db.read(() => answers.get());
        return null;
      } catch {
        return 'the call database does not answer';
      }
    },
    async close() {
      listeners.clear();
      db.close();
    },
  };
}

/** @returns the queries as methods of the port, each run by `run` */
function bound<Bound extends Queries>(queries: Bound, run: <T>(body: () => T) => T) {
  const methods = Object.entries(queries).map(([name, query]) => [
    name,
    async (...args: unknown[]) => run(() => (query as (...args: unknown[]) => unknown)(...args)),
  ]);
  return Object.fromEntries(methods) as Pick<CallStore, keyof Bound & keyof CallStore>;
}

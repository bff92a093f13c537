import { setTimeout as sleep } from 'node:timers/promises';
import {
  backoffMs,
  type Clock,
  circuitBreaker,
  type Logger,
  type Metrics,
  systemClock,
  WorkError,
  withCircuitBreaker,
} from '@call-analytics/service-kit';
import { z } from 'zod';
import type { CallStore } from '../calls.ts';
import { Calls } from '../calls.ts';
import { type CallSettings, policyOf } from '../settings.ts';
import { overview, spendingQueries, trackerQueries } from './account-queries.ts';
import { asStoreError, type Database, databaseOf, Opening, whyUnusable } from './database.ts';
import { dispatchQueries } from './dispatch.ts';
import { type Migration, Migrations, SchemaVersions } from './migrations.ts';
import type { Queries, QueryContext } from './queries.ts';
import { QueueReader } from './queues.ts';
import { cleanupQueries, recordQueries } from './records.ts';
import { list, search } from './search.ts';
import { Totals } from './totals.ts';

/** Longer than the driver takes to notice that no server answers. */
const DEADLINE_MS = 10_000;

/** Where calls are, for services that keep them in MongoDB. */
export const callStoreSettings = z.object({
  MONGODB_URL: z
    .string()
    .regex(
      /^mongodb(\+srv)?:\/\/[^/]+\/[^/?]+/,
      'must be an address that names a database, such as mongodb://localhost:27017/call_analytics',
    )
    .describe('the database of the calls, in a replica set of at least one member'),
});

type CallStoreSettings = z.infer<typeof callStoreSettings>;

/** @returns the calls in the database of a service's settings, and their store behind its circuit breaker */
export async function connectCalls(
  settings: CallSettings & CallStoreSettings,
  { log, metrics }: { log: Logger; metrics: Metrics },
): Promise<{ calls: Calls; store: CallStore }> {
  const unavailable = { code: 'store_unavailable', message: 'The call store does not answer.' };
  const breaker = circuitBreaker('call store', { unavailable, deadlineMs: DEADLINE_MS, log, metrics });
  const direct = { watch: 'direct', ready: 'direct', close: 'direct' } as const;
  const store = withCircuitBreaker(openMongoCallStore({ url: settings.MONGODB_URL, log }), breaker, direct);
  return { calls: new Calls(store, { policy: policyOf(settings) }), store };
}

/**
 * The call store in MongoDB 6.0 or later, for any number of processes. Opens and creates its indexes in the background;
 * while there is no primary, every request fails with `store_unavailable`.
 * @param url of a replica set, with the name of the database, e.g.
 * `mongodb://localhost:27017/call_analytics?replicaSet=rs0`
 * @param clock stamps the events
 */
export function openMongoCallStore({ url, ...options }: { url: string; clock?: Clock; log?: Logger }): CallStore {
  return mongoCallStore(new Opening(url, options.log ?? null), options);
}

export function mongoCallStore(
  opening: Pick<Opening, 'connection' | 'close'>,
  { clock = systemClock, log, migrations }: { clock?: Clock; log?: Logger; migrations?: Migration[] } = {},
): CallStore {
  const versions = new SchemaVersions(migrations);
  let context: QueryContext | null = null;
  const opened = async (): Promise<QueryContext> => {
    const database = databaseOf(await opening.connection());
    // The first of several requests that waited for the connection creates the context.
    context ??= {
      ...database,
      clock,
      versions,
      totals: new Totals(database, clock, log ?? null),
      queues: new QueueReader(database),
      migrations: new Migrations(database, versions),
      ask,
    };
    return context;
  };
  const changes = new ChangeStream(async () => (await opened()).calls, log ?? null);
  const queries = {
    ...recordQueries,
    ...dispatchQueries,
    ...cleanupQueries,
    ...trackerQueries,
    ...spendingQueries,
    list,
    search,
    overview,
    migrate: ({ migrations }, limit) => migrations.run(limit, clock.now()),
    migrations: ({ migrations }) => migrations.states(),
  } satisfies Queries;

  return {
    ...bound(queries, (query) => ask(async () => query(context ?? (await opened())))),
    watch: (listener) => changes.watch(listener),
    async ready() {
      try {
        const connection = await opening.connection();
        await connection.db?.command({ ping: 1 }, { readPreference: 'primary' });
        return null;
      } catch (error) {
        return asStoreError(error) instanceof WorkError ? 'the call database does not answer' : whyUnusable(error);
      }
    },
    async close() {
      await changes.close();
      await context?.totals.settled();
      await opening.close();
    },
  };
}

/** @throws WorkError for errors that may pass; see `asStoreError` */
async function ask<T>(query: () => Promise<T>): Promise<T> {
  try {
    return await query();
  } catch (error) {
    throw asStoreError(error);
  }
}

/** @returns the queries as methods of the port, each run by `run` */
function bound<Bound extends Queries>(
  queries: Bound,
  run: <T>(query: (context: QueryContext) => Promise<T>) => Promise<T>,
) {
  const methods = Object.entries(queries).map(([name, query]) => [
    name,
    (...args: unknown[]) => run((context) => (query as (...all: unknown[]) => Promise<unknown>)(context, ...args)),
  ]);
  return Object.fromEntries(methods) as Pick<CallStore, keyof Bound & keyof CallStore>;
}

/** The delays after failures: short at first, because the driver recovers from short interruptions by itself. */
const RETRY = { firstMs: 50, capMs: 2_000 };

/** The pause after a change, in ms: under load each request then returns several changes. */
const GATHER_MS = 10;

/** New calls, and writes that set `announces`: not a renewed lease, nor bookkeeping. */
const ANNOUNCED_CHANGES = [
  {
    $match: { $or: [{ operationType: 'insert' }, { 'updateDescription.updatedFields.announces': { $exists: true } }] },
  },
  // The document is not needed; a change event must keep its id.
  { $project: { _id: 1 } },
];

/**
 * Listens through a change stream to the writes of all processes, a millisecond or two after they were acknowledged.
 * Changes are missed while there is no stream, so the start of a stream also calls the listeners.
 */
class ChangeStream {
  readonly #calls: () => Promise<Database['calls']>;
  readonly #log: Logger | null;
  readonly #listeners = new Set<() => void>();
  #stop: AbortController | null = null;
  #listening: Promise<void> = Promise.resolve();

  /** @param calls when the database is open */
  constructor(calls: () => Promise<Database['calls']>, log: Logger | null) {
    this.#calls = calls;
    this.#log = log;
  }

  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (this.#stop === null) {
      const stop = new AbortController();
      this.#stop = stop;
      this.#listening = this.#listening.then(() => this.#listen(stop.signal));
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#end();
    };
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    this.#end();
    await this.#listening;
  }

  #end(): void {
    this.#stop?.abort();
    this.#stop = null;
  }

  /** Never rejects. */
  async #listen(stop: AbortSignal): Promise<void> {
    for (let failures = 0; !stop.aborted; ) {
      try {
        await this.#read(stop, () => {
          if (failures > 0) this.#log?.info({}, 'change stream resumed');
          failures = 0;
        });
      } catch (error) {
        if (stop.aborted) return;
        failures += 1;
        if (failures === 1) this.#log?.warn({ err: error }, 'change stream failed; retrying');
        await sleep(backoffMs(failures, RETRY), undefined, { signal: stop }).catch(() => {});
      }
    }
  }

  async #read(stop: AbortSignal, begun: () => void): Promise<void> {
    const calls = await this.#calls();
    const stream = calls.watch(ANNOUNCED_CHANGES);
    const close = () => void stream.close().catch(() => {});
    stop.addEventListener('abort', close);
    try {
      // The server's first answer, which comes also without a change.
      stream.once('resumeTokenChanged', () => {
        begun();
        this.#notify();
      });
      while (!stop.aborted) {
        if ((await stream.tryNext()) === null) continue;
        this.#notify();
        if (stream.bufferedCount() === 0) await sleep(GATHER_MS, undefined, { signal: stop });
      }
    } finally {
      stop.removeEventListener('abort', close);
      close();
    }
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

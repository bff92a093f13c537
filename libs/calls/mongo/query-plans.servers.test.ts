import { CALL_SORTS, CallSearch, STAGES } from '@call-analytics/contracts';
import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoServerError } from 'mongodb';
import type { CallStore } from '../calls.ts';
import { analysis, HOUR, rejected, segment, transcript, transient } from '../contract/call-store.fixture.ts';
import { costOf, DOCUMENTS, KEYS, lookupsOf, stagesOf, sum } from './query-plans.fixture.ts';
import { QueueReader } from './queues.ts';
import { type Command, type Watched, watchedStore } from './watched.fixture.ts';

describeWithServers('what the store asks of MongoDB', (servers) => {
  let watched: Watched;
  /** Many calls that a query might read and should not: finished ones, and others' and waiting ones. */
  beforeAll(async () => {
    watched = await watchedStore(servers);
    const { fixture } = watched;
    for (let n = 0; n < 120; n += 1) {
      const { id } = await fixture.accept(`account ${n % 3}`);
      if (n % 12 === 0) continue;
      if (n % 12 === 1) await fixture.calls.grant(id);
      else if (n % 12 === 2) await fixture.calls.failAttempt(await fixture.claim(id), transient);
      else if (n % 12 === 3) await fixture.claim(id);
      else if (n % 12 === 4) await fixture.calls.failAttempt(await fixture.claim(id), rejected);
      else await fixture.calls.commitTranscript(await fixture.claim(id), transcript);
      if (n % 12 === 5) await fixture.calls.remove(`account ${n % 3}`, id);
      if (n % 12 < 6) continue;
      await fixture.calls.commitAnalysis(await fixture.claim(id, 'analysis'), analysis);
      if (n % 12 > 8) await fixture.calls.audioDeleted(id);
    }
  });
  afterAll(() => watched.close());

  const explained = async (command: Command): Promise<Command> => {
    // What explain does not take, and what belongs to a session.
    const {
      lsid,
      txnNumber,
      startTransaction,
      autocommit,
      $clusterTime,
      $db,
      $readPreference,
      readConcern,
      writeConcern,
      ...asked
    } = command;
    return (await watched.connection.db?.command({ explain: asked, verbosity: 'executionStats' })) ?? {};
  };
  const held = async () => {
    const { id } = await watched.fixture.accept('account 1');
    return watched.fixture.claim(id);
  };
  const now = () => watched.fixture.clock.now();
  /** As the store asks when there are more unfinished calls than it would read whole. */
  const many = () => new QueueReader(watched.database, 0);
  /** Asks for the backlogs of both stages, as the dispatcher does. */
  const backlogs = async (store: Pick<CallStore, 'queues'>, perAccount: number) => {
    const { backlog } = await store.queues(now());
    await Promise.all(STAGES.map((stage) => backlog(stage, perAccount)));
  };

  let known: string;
  beforeAll(async () => {
    known = (await watched.fixture.accept('account 1')).id;
  });

  type Asks = (store: CallStore) => Promise<unknown>;
  const ALL: { [Method in Exclude<keyof CallStore, 'search' | 'overview' | 'watch' | 'ready' | 'close'>]: Asks } = {
    insert: async (store) => {
      const again = { key: 'key', fingerprint: 'same' };
      const call = await watched.fixture.accept('account 1');
      await store.insert({ ...call, id: `${call.id} inserted` }, ['call.uploaded'], again);
      await store.insert({ ...call, id: `${call.id} again` }, [], again);
    },
    update: async (store) => {
      const call = await watched.fixture.accept('account 1');
      await store.update(call.id, 1, {
        change: { status: 'failed', transcript, audio: { seconds: 3 } },
        events: ['call.failed'],
        durable: true,
      });
    },
    saveSegment: async (store) => {
      const lease = await held();
      await store.saveSegment(lease, segment, now());
      await store.saveSegment(lease, segment, now());
    },
    segments: (store) => store.segments(known),
    get: (store) => store.get(known),
    transcript: (store) => store.transcript(known),
    analysis: (store) => store.analysis(known),
    vocabulary: (store) => store.vocabulary(known),
    settings: (store) => store.settings('account 1', 'vocabulary'),
    saveSettings: async (store) => {
      await store.saveSettings('account 1', 'vocabulary', 0, ['Sitilli']);
      await store.saveSettings('account 1', 'vocabulary', 1, []);
    },
    detail: (store) => store.detail('account 1', known),
    list: async (store) => {
      await store.list('account 1', { limit: 5, offset: 5 });
      await store.list('account 1', { limit: 5, offset: 5, status: 'completed' });
    },
    migrate: (store) => store.migrate(10),
    migrations: (store) => store.migrations(),
    queuePlace: async (store) => {
      await store.queuePlace(await watched.fixture.read(known));
    },
    queuePace: async (store) => {
      await watched.fixture.accept('account 1');
      expect(await store.queuePace('account 1', 'transcription', now())).not.toBeNull();
    },
    queuePositions: (store) => store.queuePositions('account 1', 'transcription'),
    queues: async (store) => {
      await backlogs(store, 1);
      for (const perAccount of [1, 4]) await backlogs(many(), perAccount);
    },
    endedWaits: (store) => store.endedWaits(new Date(now().getTime() + HOUR), 10),
    expiredLeases: (store) => store.expiredLeases(new Date(now().getTime() + HOUR), 10),
    nextWake: (store) => store.nextWake(now()),
    outbox: (store) => store.outbox(10),
    removeFromOutbox: async (store) => store.removeFromOutbox((await store.outbox(3)).map(({ id }) => id)),
    audioDue: (store) => store.audioDue(new Date(now().getTime() + 48 * HOUR), 10),
    audioKeysInUse: (store) => store.audioKeysInUse(['recording-1', 'recording-8', 'unknown']),
    finishedBefore: async (store) => {
      const later = new Date(Date.now() + 48 * HOUR);
      expect(await store.finishedBefore(later, 10)).toHaveLength(10);
    },
    removalsDue: (store) => store.removalsDue(new Date(now().getTime() + HOUR / 2), 10),
    purge: async (store) => {
      const call = await watched.fixture.accept('account 1');
      await store.purge(call.id, call.version);
    },
    removeAccount: (store) => store.removeAccount('account removed', now()),
    removedAccounts: (store) => store.removedAccounts(10),
    accountEmptied: (store) => store.accountEmptied('account removed'),
    lead: async (store) => {
      await store.lead('role', 'one', now(), now());
      await store.lead('role', 'two', now(), now());
    },
    resign: (store) => store.resign('role', 'two', new Date()),
    announceWorker: (store) => store.announceWorker('transcription', 'worker', 2, now(), now()),
    capacity: (store) => store.capacity(now()),
    setDrained: (store) => store.setDrained('analysis', null),
    drainedStages: (store) => store.drainedStages(),
    figures: (store) => store.figures(now(), ['account 1']),
    countTrackerResults: (store) => store.countTrackerResults('account 1', { from: new Date(0), to: now() }),
    callsToTrack: async (store) => {
      const [last] = await store.callsToTrack('account 1', '1:', null, 3);
      await store.callsToTrack('account 1', '1:', last ?? null, 3);
    },
    costs: (store) => store.costs(known),
    recordCost: (store) =>
      store.recordCost(known, {
        attempt: 1,
        stage: 'analysis',
        engine: { name: 'openai', model: 'gpt' },
        dollars: 1,
        at: now(),
      }),
    spending: async (store) => {
      const day = now().toISOString().slice(0, 10);
      await store.spending(day);
      await store.spending(day, 'account 1');
    },
    spendingByDay: async (store) => {
      await store.spendingByDay('account 1', '2026-11-01', '2026-11-30');
    },
    saveTrackerResults: (store) => store.saveTrackerResults([{ id: known, version: 1, results: '1:f' }]),
  };

  it('reads as much with thousands of calls more, waiting or done, as without them', async () => {
    const asks: Asks[] = [
      (store) => store.list('account 0', { limit: 5, offset: 5 }),
      (store) => store.list('account 0', { limit: 5, offset: 5, status: 'completed' }),
      () => backlogs(many(), 1),
      () => backlogs(many(), 4),
      (store) => store.endedWaits(new Date(now().getTime() + HOUR / 2), 10),
      (store) => store.expiredLeases(now(), 10),
      (store) => store.nextWake(now()),
      (store) => store.outbox(10),
    ];
    const { fixture, database } = watched;
    const costs = async () => {
      const found: number[] = [];
      for (const ask of asks) {
        let cost = 0;
        for (const command of await watched.commandsOf(() => ask(fixture.store)))
          cost += costOf(await explained(command));
        found.push(cost);
      }
      return found;
    };
    const before = await costs();
    expect(Math.max(...before)).toBeLessThan(500);
    const ready = { accountId: 'account 0', status: 'queued', grantedUntil: false } as const;
    const delayed = { nextAttemptAt: { $type: 'date' } } as const;
    const done = { accountId: 'account 0', status: 'completed' } as const;
    for (const kind of [ready, delayed, done]) {
      const like = await database.calls.findOne(kind, { projection: { uncounted: 0 } });
      if (like === null) throw new Error(`no call is ${JSON.stringify(kind)}`);
      // Between the others, so that whoever counts or skips has to pass them.
      const copies = Array.from({ length: 3_000 }, (_, n) => ({
        ...like,
        _id: `${like._id} ${n}`,
        outbox: [],
        readySince: new Date(like.readySince.getTime() + n + 1),
        nextAttemptAt: like.nextAttemptAt && new Date(like.nextAttemptAt.getTime() + n + 1),
      }));
      await database.calls.insertMany(copies);
    }
    expect(await costs()).toEqual(before);
  });

  it('looks at few unfinished calls one by one, in an index alone, and at no more than that of many', async () => {
    const commands = await watched.commandsOf(() => backlogs(new QueueReader(watched.database, 7), 4));
    const [whole, ...grouped] = await Promise.all(commands.map(explained));
    expect([costOf(whole, KEYS), costOf(whole, DOCUMENTS)]).toEqual([8, 0]);
    expect(grouped.length).toBeGreaterThan(0);
    const reader = new QueueReader(watched.database, 7);
    await backlogs(reader, 4);
    const again = await watched.commandsOf(() => backlogs(reader, 4));
    expect(again.filter((command) => 'find' in command)).toEqual([]);
  });

  describe('for the pages is answered from the entries of an index that are the account’s, and from the documents of one page', () => {
    const filters = {
      saleStatus: 'follow_up',
      reportType: 'medium',
      product: 'Dachziegel',
      from: '2026-01-01T00:00:00Z',
    };
    const asked = CALL_SORTS.flatMap((sort) => [
      { sort, limit: '5' },
      { sort, limit: '5', status: 'completed' },
      { sort, limit: '5', order: 'asc', offset: '2', ...filters },
      { sort, limit: '5', status: 'completed', ...filters, to: '2027-01-01T00:00:00Z' },
    ]);
    const read = async (act: Asks, kind: RegExp) => {
      const commands = await watched.commandsOf(() => act(watched.fixture.store));
      const plans = await Promise.all(commands.map(explained));
      const stages = plans.flatMap(stagesOf);
      expect(stages).not.toContain('COLLSCAN');
      return { stages, cost: sum(plans.map((plan) => costOf(plan, kind))) };
    };
    let entries: number;
    beforeAll(async () => {
      entries = await watched.database.calls.countDocuments({ accountId: 'account 1' });
    });

    it.each(asked)('%j', async (query) => {
      const ask: Asks = (store) => store.search('account 1', CallSearch.parse(query));
      const { stages, cost } = await read(ask, DOCUMENTS);
      expect(cost).toBeLessThanOrEqual(5);
      if (query.sort === 'createdAt' && !('product' in query)) expect(stages).not.toContain('SORT');
      // Once for the page, once for the total, and the totals that are kept.
      expect((await read(ask, KEYS)).cost).toBeLessThanOrEqual(3 * entries + 20);
    });

    it.each(['call dur', 'zebra mp3', 'mp3 zebra', 'dur mp3', 'mp3 zebra call dur guten'])(
      'with the words %j: of the rarest',
      async (text) => {
        for (const fileName of ['Zebra dur 1.mp3', 'Zebra dur 2.mp3', 'Zebra dur 3.mp3', 'Zebra dur 4.mp3']) {
          const audio = { key: `${text} ${fileName}`, bytes: 1, format: 'mp3', seconds: 1 } as const;
          await watched.fixture.calls.accept({ accountId: `only ${text}`, fileName, reportType: 'medium', audio });
          await watched.fixture.calls.accept({ accountId: 'account 2', fileName, reportType: 'medium', audio });
        }
        const own = await watched.database.calls.countDocuments({ accountId: 'account 2' });
        expect(own).toBeGreaterThan(40);
        const zebras = await watched.database.calls.countDocuments({ accountId: 'account 2', words: 'zebra' });
        const ask: Asks = (store) => store.search('account 2', CallSearch.parse({ text, limit: '5' }));
        // For the page and the total, for the page itself, and for the matches in it.
        expect((await read(ask, DOCUMENTS)).cost).toBeLessThanOrEqual(zebras + 10);
      },
    );

    it('an overview', async () => {
      const ask: Asks = (store) =>
        store.overview('account 1', { from: '2026-01-01', to: '2026-12-31', timeZone: 'UTC' });
      const completed = await watched.database.calls.countDocuments({ accountId: 'account 1', status: 'completed' });
      expect((await read(ask, DOCUMENTS)).cost).toBeLessThanOrEqual(completed);
      expect((await read(ask, KEYS)).cost).toBeLessThanOrEqual(entries + completed + 20);
    });
  });

  it('says with each write how durable it is to be, or ends a transaction with that', async () => {
    const commands = await watched.commandsOf(async () => {
      for (const asks of Object.values(ALL)) await asks(watched.fixture.store);
    });
    const writes = commands.filter((command) =>
      ['insert', 'update', 'delete', 'findAndModify'].some((name) => name in command),
    );
    expect(writes.length).toBeGreaterThanOrEqual(12);
    expect(writes.filter(({ writeConcern, autocommit }) => writeConcern === undefined && autocommit !== false)).toEqual(
      [],
    );
  });

  describe('is answered from an index, without reading all calls and without sorting', () => {
    it.each(Object.entries(ALL))('%s', async (_, asks) => {
      const commands = await watched.commandsOf(() => asks(watched.fixture.store));
      const questions = commands.filter((command) => !('insert' in command));
      expect(commands.length).toBeGreaterThan(0);
      for (const command of questions.flatMap((each) => [each, ...lookupsOf(each)])) {
        const plan = await explained(command);
        const stages = stagesOf(plan);
        expect(stages).not.toContain('COLLSCAN');
        expect(stages).not.toContain('SORT');
        expect(stages.some((stage) => /^(IXSCAN|IDHACK|DISTINCT_SCAN|COUNT_SCAN|ixseek)$/.test(stage))).toBe(true);
        for (const [, scans] of JSON.stringify(plan).matchAll(/"collectionScans":"?(\d+)/g)) expect(scans).toBe('0');
      }
    });

    it('also when calls are counted', async () => {
      const { fixture, database } = watched;
      const commands = await watched.commandsOf(async () => {
        for (let n = 0; n < 300; n += 1) await fixture.accept('many');
        await until(
          async () => {
            await fixture.store.list('many', { limit: 1, offset: 0 });
            return database.counts.findOne({ _id: 'many' });
          },
          (counts) => counts !== null,
        );
      });
      const counting = commands.filter((command) => 'txnNumber' in command && !('insert' in command));
      expect(new Set(counting.map(({ update }) => update))).toEqual(new Set([undefined, 'calls', 'call_counts']));
      for (const command of counting) expect(stagesOf(await explained(command))).not.toContain('COLLSCAN');
    });

    it('and a question that was not would be seen', async () => {
      const scan = { find: 'calls', filter: { fileName: 'a' } };
      expect(stagesOf(await explained(scan))).toContain('COLLSCAN');
      expect(
        stagesOf(await explained({ find: 'calls', filter: { accountId: 'account 1' }, sort: { fileName: 1 } })),
      ).toContain('SORT');
      const sorting = {
        aggregate: 'calls',
        pipeline: [{ $match: { accountId: 'account 1' } }, { $sort: { fileName: 1 } }],
        cursor: {},
      };
      expect(stagesOf(await explained(sorting))).toContain('SORT');
      await expect(explained({ find: 'calls', filter: {}, hint: 'no such index' })).rejects.toThrow(MongoServerError);
    });
  });
});

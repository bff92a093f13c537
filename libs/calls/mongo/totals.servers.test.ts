import { CALL_STATUSES } from '@call-analytics/contracts';
import type { Clock } from '@call-analytics/service-kit';
import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { rejected, transcript } from '../contract/call-store.fixture.ts';
import { Totals } from './totals.ts';
import { type Watched, watchedStore } from './watched.fixture.ts';

describeWithServers('totals', (servers) => {
  let watched: Watched;
  beforeEach(async () => {
    watched = await watchedStore(servers);
  });
  afterEach(() => watched.close());

  const total = async (status?: (typeof CALL_STATUSES)[number]) =>
    (await watched.fixture.store.list('a', { limit: 1, offset: 0, ...(status && { status }) })).total;
  const marked = () => watched.database.calls.countDocuments({ accountId: 'a', uncounted: { $exists: true } });
  const live = async (n: number) => {
    const { fixture } = watched;
    const { id } = await fixture.accept('a');
    if (n % 5 === 0) return;
    const lease = await fixture.claim(id);
    if (n % 5 === 1) return;
    if (n % 5 === 2) await fixture.calls.failAttempt(lease, rejected);
    else await fixture.calls.commitTranscript(lease, transcript);
  };

  it('are those of the records at every moment, while calls come and change and are counted', async () => {
    let begun = 0;
    let accepted = 0;
    const writer = async () => {
      while (begun < 800) {
        begun += 1;
        await live(begun);
        accepted += 1;
      }
    };
    let over = false;
    const reader = async () => {
      while (!over) {
        const atLeast = accepted;
        const shown = await total();
        expect(shown).toBeGreaterThanOrEqual(atLeast);
        expect(shown).toBeLessThanOrEqual(begun);
      }
    };
    const reading = reader();
    await Promise.all(Array.from({ length: 8 }, writer));
    over = true;
    await reading;
    for (const status of CALL_STATUSES) {
      expect(await total(status)).toBe(await watched.database.calls.countDocuments({ accountId: 'a', status }));
    }
    expect(await total()).toBe(800);
  });

  it('have few calls to look at, however many there are', async () => {
    await Promise.all(Array.from({ length: 1_000 }, () => watched.fixture.accept('a')));
    const shown = async () => [await total('queued'), await marked()] as const;
    await until(shown, ([calls, looks]) => calls === 1_000 && looks < 256);
  });

  it('find calls that processes marked which are gone, and count them', async () => {
    await Promise.all(Array.from({ length: 255 }, () => watched.fixture.accept('a')));
    expect(await marked()).toBe(255);
    const [like] = await watched.database.calls.find().limit(1).toArray();
    if (like === undefined) throw new Error('no call');
    await watched.database.calls.insertMany(
      Array.from({ length: 2_000 }, (_, n) => ({ ...like, _id: `${like._id} ${n}` })),
    );
    const shown = async () => [await total(), await marked()] as const;
    await until(shown, ([calls, looks]) => {
      expect(calls).toBe(2_255);
      return looks === 0;
    });
    expect(await watched.database.counts.findOne({ _id: 'a' })).toEqual({ _id: 'a', calls: { queued: 2_255 } });
  });

  it('count no removed call, whether it was counted before or not, is counted meanwhile, comes back or goes for good', async () => {
    const { fixture, database } = watched;
    const later: Clock = { now: () => new Date(Date.now() + 60_000) };
    const totals = new Totals(database, later, null);
    const countAll = async () => {
      for (let n = 0; n < 300; n += 1) totals.changed('a');
      await totals.settled();
      expect(await marked()).toBe(0);
    };
    const ids = (await Promise.all(Array.from({ length: 12 }, () => fixture.accept('a')))).map(({ id }) => id);
    const each = async (from: number, to: number, act: (id: string) => Promise<unknown>) => {
      for (const id of ids.slice(from, to)) await act(id);
    };
    const purge = async (id: string) => {
      await fixture.calls.finishRemoval(id);
      await fixture.calls.purge(id);
    };
    await each(0, 3, (id) => fixture.calls.remove('a', id));
    await countAll();
    expect(await total()).toBe(9);
    await each(3, 6, (id) => fixture.calls.remove('a', id));
    expect(await total()).toBe(6);
    await each(0, 1, (id) => fixture.calls.restore('a', id));
    await each(3, 4, (id) => fixture.calls.restore('a', id));
    expect(await total()).toBe(8);
    fixture.clock.step(60_000);
    // Removed before it was counted, removed after, and removed once more and counted as removed.
    await each(1, 2, purge);
    await each(4, 5, purge);
    expect(await total()).toBe(8);
    await countAll();
    await each(2, 3, purge);
    await each(5, 6, purge);
    expect([await total(), await total('queued')]).toEqual([8, 8]);
    await countAll();
    expect(await database.counts.findOne({ _id: 'a' })).toMatchObject({ calls: { queued: 8 } });
    expect(await database.calls.countDocuments({ accountId: 'a' })).toBe(8);
  });

  it('count each call once in each status, when several processes count at the same time, and again when it has moved on', async () => {
    const { fixture, database } = watched;
    const later: Clock = { now: () => new Date(Date.now() + 60_000) };
    const counters = Array.from({ length: 4 }, () => new Totals(database, later, null));
    const countAll = () =>
      until(
        async () => {
          for (let n = 0; n < 300; n += 1) for (const totals of counters) totals.changed('a');
          await Promise.all(counters.map((totals) => totals.settled()));
          return marked();
        },
        (calls) => calls === 0,
      );
    const records = () =>
      Promise.all(CALL_STATUSES.map((status) => database.calls.countDocuments({ accountId: 'a', status })));
    const shown = () => Promise.all(CALL_STATUSES.map(total));
    const counted = async () => {
      const counts = await database.counts.findOne({ _id: 'a' });
      return CALL_STATUSES.map((status) => counts?.calls[status] ?? 0);
    };
    await Promise.all(Array.from({ length: 600 }, (_, n) => live(n)));
    await countAll();
    expect(await counted()).toEqual(await records());
    const before = await records();
    for (const { id } of (await fixture.store.list('a', { limit: 50, offset: 0, status: 'queued' })).calls)
      await fixture.claim(id);
    expect(await records()).not.toEqual(before);
    expect(await shown()).toEqual(await records());
    await countAll();
    expect(await counted()).toEqual(await records());
    expect(await shown()).toEqual(await records());
    expect(await total()).toBe(600);
  });
});

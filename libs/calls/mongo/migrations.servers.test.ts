import { CallSearch } from '@call-analytics/contracts';
import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { analysis, HOUR, transcript } from '../contract/call-store.fixture.ts';
import { type Watched, watchedStore } from './watched.fixture.ts';
import { OlderCalls } from './words.ts';

describeWithServers('calls that an earlier release has written', (servers) => {
  let watched: Watched;
  beforeEach(async () => {
    watched = await watchedStore(servers);
  });
  afterEach(() => watched.close());

  const found = async (text: string) => {
    const { calls } = await watched.bench.store.search('a', CallSearch.parse({ text }));
    return calls.map(({ id }) => id).sort();
  };
  const accept = async () => {
    const { id } = await watched.bench.accept('a');
    watched.bench.clock.step(1);
    return id;
  };
  const complete = async () => {
    const id = await accept();
    await watched.bench.calls.commitTranscript(await watched.bench.claim(id), transcript);
    await watched.bench.calls.commitAnalysis(await watched.bench.claim(id, 'analysis'), analysis);
    return id;
  };
  const forget = (...ids: string[]) =>
    watched.database.calls.updateMany({ _id: { $in: ids } }, { $unset: { words: '', wordSource: '' } });
  const now = () => watched.bench.clock.now();

  it('are found once they are indexed, some at a time, each with all that is known of it', async () => {
    const ids = [await complete(), await accept(), await complete(), await accept()];
    await forget(...ids);
    expect(await found('call')).toEqual([]);
    const { store } = watched.bench;
    expect([await store.indexForSearch(3), (await found('call')).length]).toEqual([3, 3]);
    expect([await store.indexForSearch(3), await store.indexForSearch(3)]).toEqual([1, 0]);
    expect(await found('call')).toEqual([...ids].sort());
    expect(await found('guten jorg dachziegel')).toEqual([ids[0], ids[2]].sort());
    for (const id of ids) expect(await watched.bench.read(id)).toMatchObject({ version: expect.any(Number) });
  });

  it('are gone on with by another process where one has stopped', async () => {
    const ids = [await accept(), await accept(), await accept()];
    await forget(...ids);
    expect(await new OlderCalls(watched.database).index(2, now())).toBe(2);
    const second = new OlderCalls(watched.database);
    expect([await second.index(2, now()), await second.index(2, now())]).toEqual([1, 0]);
    expect(await found('call')).toEqual([...ids].sort());
  });

  it('are looked for again by each process that starts, among the calls of two days', async () => {
    // Ids are made of the real time, and not of the bench's clock.
    const today = new Date();
    const first = new OlderCalls(watched.database);
    expect(await first.index(10, today)).toBe(0);
    const id = await complete();
    await watched.database.calls.updateOne({ _id: id }, { $set: { wordSource: 'name', words: ['call', 'mp3'] } });
    expect([await first.index(10, today), await found('guten')]).toEqual([0, []]);
    const second = new OlderCalls(watched.database);
    expect([await second.index(10, today), await found('guten')]).toEqual([1, [id]]);
    const later = new OlderCalls(watched.database);
    expect(await later.index(10, new Date(today.getTime() + 49 * HOUR))).toBe(0);
  });

  it('keep what a worker writes at the same time', async () => {
    const id = await accept();
    await forget(id);
    const lease = await watched.bench.claim(id);
    await Promise.all([
      watched.bench.calls.commitTranscript(lease, transcript),
      watched.bench.store.indexForSearch(10),
    ]);
    expect(await found('guten')).toEqual([id]);
  });
});

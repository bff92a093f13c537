import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { CallSearch } from '@call-analytics/contracts';
import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { analysis, HOUR, transcript } from '../contract/call-store.fixture.ts';
import { MIGRATIONS, Migrations, SchemaVersions } from './migrations.ts';
import type { CallDocument } from './schema.ts';
import { type Watched, watchedStore } from './watched.fixture.ts';

describeWithServers('calls that an earlier release has written', (servers) => {
  let watched: Watched;
  beforeEach(async () => {
    watched = await watchedStore(servers);
  });
  afterEach(() => watched.close());

  const found = async (text: string) => {
    const { calls } = await watched.fixture.store.search('a', CallSearch.parse({ text }));
    return calls.map(({ id }) => id).sort();
  };
  const accept = async () => {
    const { id } = await watched.fixture.accept('a');
    watched.fixture.clock.step(1);
    return id;
  };
  const complete = async () => {
    const id = await accept();
    await watched.fixture.calls.commitTranscript(await watched.fixture.claim(id), transcript);
    await watched.fixture.calls.commitAnalysis(await watched.fixture.claim(id, 'analysis'), analysis);
    return id;
  };
  const forget = (...ids: string[]) =>
    watched.database.calls.updateMany({ _id: { $in: ids } }, { $unset: { words: '', wordSource: '' } });
  const another = () => new Migrations(watched.database, new SchemaVersions());
  const now = () => watched.fixture.clock.now();

  it('are found once they are indexed, some at a time, each with all that is known of it', async () => {
    const ids = [await complete(), await accept(), await complete(), await accept()];
    await forget(...ids);
    expect(await found('call')).toEqual([]);
    const { store } = watched.fixture;
    expect([await store.migrate(3), (await found('call')).length]).toEqual([3, 3]);
    expect([await store.migrate(3), await store.migrate(3)]).toEqual([1, 0]);
    expect(await found('call')).toEqual([...ids].sort());
    expect(await found('guten jorg dachziegel')).toEqual([ids[0], ids[2]].sort());
    for (const id of ids) expect(await watched.fixture.read(id)).toMatchObject({ version: expect.any(Number) });
  });

  it('are gone on with by another process where one has stopped', async () => {
    const ids = [await accept(), await accept(), await accept()];
    await forget(...ids);
    expect(await another().run(2, now())).toBe(2);
    const second = another();
    expect([await second.run(2, now()), await second.run(2, now())]).toEqual([1, 0]);
    expect(await found('call')).toEqual([...ids].sort());
  });

  it('are looked for again by each process that starts, among the calls of two days', async () => {
    // Ids are made of the real time, and not of the fixture's clock.
    const today = new Date();
    const first = another();
    expect(await first.run(10, today)).toBe(0);
    const id = await complete();
    await watched.database.calls.updateOne({ _id: id }, { $set: { wordSource: 'name', words: ['call', 'mp3'] } });
    expect([await first.run(10, today), await found('guten')]).toEqual([0, []]);
    const second = another();
    expect([await second.run(10, today), await found('guten')]).toEqual([1, [id]]);
    const later = another();
    expect(await later.run(10, new Date(today.getTime() + 49 * HOUR))).toBe(0);
  });

  it('are rewritten in the background, also when an earlier release has gone through all of them', async () => {
    const ids = [await complete(), await accept(), await accept()];
    const { calls } = watched.database;
    const { store } = watched.fixture;
    expect([await store.migrate(10), await store.migrate(10)]).toEqual([3, 0]);
    const added = (document: CallDocument): CallDocument => ({ ...document, product: `${document.fileName} 2` });
    const versions = new SchemaVersions([...MIGRATIONS, added]);
    const next = new Migrations(watched.database, versions);
    const state = async () => (await next.states())[0];
    const running = (text: RegExp) => ({ state: 'running', text: expect.stringMatching(text) });
    expect(await state()).toMatchObject(running(/^Calls left: 3\./));
    expect(await next.run(2, now())).toBe(2);
    expect(await state()).toMatchObject(running(/^Calls left: 1\./));
    expect([await next.run(2, now()), await next.run(2, now()), (await state())?.state]).toEqual([1, 0, 'done']);
    const written = await calls.find({ _id: { $in: ids }, schemaVersion: versions.current }).toArray();
    expect(written.map(({ product }) => product)).toEqual(['call.mp3 2', 'call.mp3 2', 'call.mp3 2']);
  });

  it('are gone on with when the process is killed, and no finished part is done again', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 60; n += 1) ids.push(await accept());
    await forget(...ids);
    const script = fileURLToPath(new URL('migrate.main.fixture.ts', import.meta.url));
    const child = spawn(process.execPath, [script, watched.url], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    let told = '';
    for await (const chunk of child.stdout) {
      told += chunk;
      if (told.split('\n').length > 3) break;
    }
    child.kill('SIGKILL');
    await ended;
    const indexed = () => watched.database.calls.countDocuments({ words: 'call' });
    const done = await indexed();
    expect(done).toBeGreaterThanOrEqual(3);
    expect(done).toBeLessThan(60);
    let left = 0;
    for (let looked = -1; looked !== 0; left += looked) looked = await watched.fixture.store.migrate(7);
    // The call that was in work when the process was killed may be looked at again.
    expect(left).toBeLessThanOrEqual(60 - done + 1);
    expect(await indexed()).toBe(60);
  });

  it('keep what a worker writes at the same time', async () => {
    const id = await accept();
    await forget(id);
    const lease = await watched.fixture.claim(id);
    await Promise.all([watched.fixture.calls.commitTranscript(lease, transcript), watched.fixture.store.migrate(10)]);
    expect(await found('guten')).toEqual([id]);
  });
});

describeWithServers('an index that only an earlier release uses', (servers) => {
  let watched: Watched;
  let later: (hours: number) => Date;
  beforeEach(async () => {
    watched = await watchedStore(servers);
    await watched.database.calls.createIndex({ stage: 1, leaseUntil: 1 }, { name: 'unfinished' });
    const start = Date.now();
    later = (hours) => new Date(start + hours * HOUR);
  });
  afterEach(() => watched.close());

  const run = (at: Date) => new Migrations(watched.database, new SchemaVersions()).run(10, at);
  const state = async () => {
    const states = await watched.fixture.store.migrations();
    return states.find(({ name }) => name === 'index unfinished');
  };
  const names = async () => (await watched.database.calls.indexes()).map(({ name }) => name);

  it('is dropped when nobody has used it for the time of a rollout, and no other is', async () => {
    const before = await names();
    expect(await state()).toMatchObject({ state: 'waiting', text: 'Cleanup has not looked at it yet.' });
    await run(later(0));
    const { id } = await watched.fixture.accept('a');
    await watched.fixture.calls.commitTranscript(await watched.fixture.claim(id), transcript);
    await run(later(47.9));
    expect(await state()).toMatchObject({ state: 'waiting', text: expect.stringContaining(later(48).toISOString()) });
    expect(await names()).toEqual(before);
    await run(later(48));
    expect(await names()).toEqual(before.filter((name) => name !== 'unfinished'));
    expect(await state()).toEqual({ name: 'index unfinished', state: 'done', text: 'is not there' });
  });

  it('stays as long as an earlier release asks it', async () => {
    await run(later(0));
    await watched.database.calls.find({ stage: 'analysis' }, { hint: 'unfinished' }).toArray();
    await run(later(48));
    expect(await names()).toContain('unfinished');
    expect(await state()).toMatchObject({ text: expect.stringContaining(later(96).toISOString()) });
  });
});

import { CallSearch } from '@call-analytics/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openScene, type Scene } from './cleanup.fixture.ts';
import { migrateCalls } from './cleanup.ts';

describe('migrating calls of an earlier release', () => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene();
  });
  afterEach(() => scene.close());

  const found = async () =>
    (await scene.store.search('account_1', CallSearch.parse({ text: 'call', limit: '100' }))).total;

  it('goes through all of them, says how many, and has nothing to do the next time', async () => {
    for (let n = 0; n < 12; n += 1) await scene.queued();
    scene.forgetWords();
    expect(await found()).toBe(0);
    await migrateCalls(scene, new AbortController().signal);
    expect(await found()).toBe(12);
    expect(scene.lines).toMatchObject([{ calls: 12 }]);
    await migrateCalls(scene, new AbortController().signal);
    expect(scene.lines).toHaveLength(1);
  });

  it('stops when it is told to, and goes on from there', async () => {
    for (let n = 0; n < 12; n += 1) await scene.queued();
    scene.forgetWords();
    const stop = new AbortController();
    const { migrate } = scene.store;
    scene.store.migrate = async (limit) => {
      stop.abort();
      return migrate(limit);
    };
    await migrateCalls(scene, stop.signal);
    scene.store.migrate = migrate;
    expect(await found()).toBe(5);
    await migrateCalls(scene, new AbortController().signal);
    expect(await found()).toBe(12);
  });
});

import { CallSearch } from '@call-analytics/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openScene, type Scene } from './cleanup.fixture.ts';
import { indexOlderCalls } from './cleanup.ts';

describe('indexing calls of an earlier release', () => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene();
  });
  afterEach(() => scene.close());

  const found = async () =>
    (await scene.store.search('account_1', CallSearch.parse({ text: 'call', limit: 100 }))).total;

  it('goes through all of them, says how many, and has nothing to do the next time', async () => {
    for (let n = 0; n < 12; n += 1) await scene.queued();
    scene.forgetWords();
    expect(await found()).toBe(0);
    await indexOlderCalls(scene, new AbortController().signal);
    expect(await found()).toBe(12);
    expect(scene.lines).toMatchObject([{ calls: 12 }]);
    await indexOlderCalls(scene, new AbortController().signal);
    expect(scene.lines).toHaveLength(1);
  });

  it('stops when it is told to, and goes on from there', async () => {
    for (let n = 0; n < 12; n += 1) await scene.queued();
    scene.forgetWords();
    const stop = new AbortController();
    const { indexForSearch } = scene.store;
    scene.store.indexForSearch = async (limit) => {
      stop.abort();
      return indexForSearch(limit);
    };
    await indexOlderCalls(scene, stop.signal);
    scene.store.indexForSearch = indexForSearch;
    expect(await found()).toBe(5);
    await indexOlderCalls(scene, new AbortController().signal);
    expect(await found()).toBe(12);
  });
});

import type { Call } from '@call-analytics/calls';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openScene, type Scene } from './cleanup.fixture.ts';
import { emptyRemovedAccounts, sweepRemovedCalls } from './recordings.ts';

const NEVER = new AbortController().signal;
const HOUR_MS = 3_600_000;
const ACCOUNT = 'account_1';

describe('the sweep for removed accounts', () => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene();
  });
  afterEach(() => scene.close());

  const sweep = async (stop = NEVER) => {
    await emptyRemovedAccounts(scene, stop);
    await sweepRemovedCalls(scene, stop);
  };
  const isGone = async ({ id, audio }: Call) =>
    (await scene.store.get(id)) === null && !(await scene.stored(audio.key));

  it('deletes all calls of the account, in whatever state, with their recordings, and at once', async () => {
    const calls = [await scene.queued(), await scene.transcribing(), await scene.completed(), await scene.failed()];
    const inGrace = await scene.completed();
    await scene.calls.remove(ACCOUNT, inGrace.id);
    await scene.store.removeAccount(ACCOUNT, scene.clock.now());
    await sweep();
    for (const call of calls) expect(await isGone(call)).toBe(true);
    expect(await isGone(inGrace)).toBe(false);
    scene.step(30_000);
    await sweep();
    expect(await isGone(inGrace)).toBe(true);
    expect(await scene.store.list(ACCOUNT, { limit: 10, offset: 0 })).toEqual({ calls: [], total: 0 });
    expect(await scene.events()).toEqual([]);
  });

  it('leaves the calls of others alone', async () => {
    const call = await scene.completed();
    await scene.calls.removeAccount('account_2');
    await sweep();
    expect(await scene.now(call)).toEqual(call);
  });

  it('gets to all of many, goes on where it was told to stop, and can be repeated', async () => {
    const calls: Call[] = [];
    for (let n = 0; n < 230; n += 1) calls.push(await scene.queued());
    await scene.store.removeAccount(ACCOUNT, scene.clock.now());
    const stop = new AbortController();
    const { emptyAccount } = scene.calls;
    scene.calls.emptyAccount = async (...given) => {
      stop.abort();
      return emptyAccount.apply(scene.calls, given);
    };
    await emptyRemovedAccounts(scene, stop.signal);
    scene.calls.emptyAccount = emptyAccount;
    expect((await scene.store.list(ACCOUNT, { limit: 1, offset: 0 })).total).toBe(130);
    await sweep();
    await sweep();
    for (const call of calls) expect(await isGone(call)).toBe(true);
  });

  it('looks at the account for an hour, so that an upload that was under way is found, and then no more', async () => {
    const late = await scene.queued();
    await scene.store.removeAccount(ACCOUNT, scene.clock.now());
    await sweep();
    expect(await isGone(late)).toBe(true);
    expect(await scene.store.removedAccounts(10)).toHaveLength(1);
    scene.step(HOUR_MS);
    await sweep();
    expect(await scene.store.removedAccounts(10)).toEqual([]);
    await expect(scene.queued()).rejects.toMatchObject({ failure: { kind: 'rejected', code: 'no_such_account' } });
  });
});

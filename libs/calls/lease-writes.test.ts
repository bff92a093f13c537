import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type CallStore, Calls, type HeldLease, openSqliteCallStore } from './index.ts';

describe('what a worker writes under its lease', () => {
  let store: CallStore;
  let calls: Calls;
  let lease: HeldLease;
  let reads = 0;

  beforeEach(async () => {
    store = openSqliteCallStore({ file: ':memory:' });
    calls = new Calls(store);
    const audio = { key: 'key', bytes: 1, format: 'mp3', seconds: 60 } as const;
    const { call } = await calls.accept({ accountId: 'account_1', fileName: 'a.mp3', reportType: 'medium', audio });
    const claimed = await calls.claim(call.id, 'transcription', 'test');
    if ('refused' in claimed) throw new Error(claimed.refused);
    lease = claimed.lease;
    const { get } = store;
    reads = 0;
    store.get = (id) => {
      reads += 1;
      return get.call(store, id);
    };
  });
  afterEach(() => store.close());

  it('needs no reading first: nobody else writes meanwhile', async () => {
    expect(await calls.measured(lease, 10)).toBe(true);
    expect(await calls.renew(lease)).toBe(true);
    expect(await calls.measured(lease, 20)).toBe(true);
    expect(reads).toBe(0);
    expect((await store.get(lease.callId))?.audio.seconds).toBe(20);
  });

  it('is written also when somebody did, after another look', async () => {
    expect(await new Calls(store).renew({ ...lease })).toBe(true);
    reads = 0;
    expect(await calls.measured(lease, 10)).toBe(true);
    expect(reads).toBe(1);
  });

  it('is refused when the lease is lost, whatever was known of it', async () => {
    expect(await new Calls(store).release({ ...lease })).toBe(true);
    expect(await calls.measured(lease, 10)).toBe(false);
    expect(await calls.renew(lease)).toBe(false);
  });

  it('is not written when it is a length that nobody would tell from the one known already', async () => {
    expect(await calls.measured(lease, 60.4)).toBe(true);
    expect((await store.get(lease.callId))?.audio.seconds).toBe(60);
    expect(await calls.measured(lease, 60.5)).toBe(true);
    expect((await store.get(lease.callId))?.audio.seconds).toBe(60.5);
  });

  it('is kept of two writes at the same time', async () => {
    expect(await Promise.all([calls.measured(lease, 10), calls.renew(lease)])).toEqual([true, true]);
    expect((await store.get(lease.callId))?.audio.seconds).toBe(10);
  });
});

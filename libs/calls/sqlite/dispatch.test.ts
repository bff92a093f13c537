import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CallStore } from '../calls.ts';
import { Calls } from '../calls.ts';
import { DEFAULT_POLICY } from '../settings.ts';
import { openSqliteCallStore } from './store.ts';

const MINUTE = 60_000;

describe('the calls that are next', () => {
  let store: CallStore;
  let calls: Calls;
  let now: Date;

  beforeEach(() => {
    now = new Date(Date.UTC(2026, 10, 21, 9));
    store = openSqliteCallStore({ file: ':memory:' });
    calls = new Calls(store, { clock: { now: () => now } });
  });
  afterEach(() => store.close());

  const step = (ms: number) => {
    now = new Date(now.getTime() + ms);
  };
  const accept = async (accountId: string) => {
    step(1_000);
    const audio = { key: `recording ${now.getTime()}`, bytes: 1, format: 'mp3', seconds: 60 } as const;
    return (await calls.accept({ accountId, fileName: 'a.mp3', reportType: 'medium', audio })).call.id;
  };
  const failAttempt = async (callId: string) => {
    const claimed = await calls.claim(callId, 'transcription', 'test');
    if ('refused' in claimed) throw new Error(claimed.refused);
    await calls.failAttempt(claimed.lease, { kind: 'transient', code: 'engine_down', message: 'Later.' });
    return callId;
  };
  const ready = async (perAccount: number) => (await store.queues(now)).backlog('transcription', perAccount);
  const next = async (accountId: string, perAccount: number) =>
    (await ready(perAccount)).find((backlog) => backlog.accountId === accountId)?.next.map(({ callId }) => callId);

  it('are those that wait longest, whether they are ready, were delayed, or were granted and not claimed', async () => {
    const delayed = await failAttempt(await accept('a'));
    const ready = await accept('a');
    const granted = await accept('a');
    await calls.grant(granted);
    const last = await accept('a');
    step(DEFAULT_POLICY.grantMs + MINUTE);
    expect(await calls.endWaits()).toBe(2);
    expect(await next('a', 10)).toEqual([delayed, ready, granted, last]);
    expect(await next('a', 2)).toEqual([delayed, ready]);
    expect(await next('a', 1)).toEqual([delayed]);
  });

  it('are found in every account, wherever its name stands among the others', async () => {
    const names = ['a', 'B', 'ä', 'a b', '10', '9', '~'];
    const firsts = new Map<string, string>();
    for (const name of names) firsts.set(name, await accept(name));
    for (const name of names) await accept(name);
    const backlog = await ready(1);
    expect(new Map(backlog.map(({ accountId, next }) => [accountId, next[0]?.callId ?? '']))).toEqual(firsts);
  });

  it('are not those of an account whose only calls wait for another time', async () => {
    const callId = await accept('c');
    await calls.grant(await accept('b'));
    await failAttempt(await accept('a'));
    expect(await ready(1)).toMatchObject([{ accountId: 'c', next: [{ callId }] }]);
  });
});

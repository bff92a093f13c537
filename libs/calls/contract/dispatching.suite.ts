import type { Stage } from '@call-analytics/contracts';
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_POLICY } from '../index.ts';
import { analysis, type Bench, HOUR, rejected, transcript, transient } from './call-store.fixture.ts';

export function dispatching(bench: () => Bench): void {
  const backlog = async (perAccount = 2) => (await bench().queue('transcription', perAccount)).backlog;
  const inFlight = async (stage: Stage = 'transcription') => {
    const { granted, leased } = (await bench().queue(stage)).inFlight;
    return { granted, leased };
  };
  const accept = async (accountId: string, count: number) => {
    const accepted: string[] = [];
    for (let n = 0; n < count; n += 1) {
      accepted.push((await bench().accept(accountId, 10 + n)).id);
      bench().clock.step(1_000);
    }
    return accepted;
  };

  describe('what the dispatcher asks', () => {
    it('finds every account with ready calls, each with its next few, longest waiting first', async () => {
      const start = bench().clock.now();
      const [a1, a2] = await accept('a', 5);
      const [b1] = await accept('b', 1);
      await accept('c', 0);
      const found = await backlog();
      expect(found.map(({ accountId }) => accountId).sort()).toEqual(['a', 'b']);
      expect(found.find(({ accountId }) => accountId === 'a')).toEqual({
        accountId: 'a',
        next: [
          { callId: a1, version: 1, seconds: 10, readySince: start },
          { callId: a2, version: 1, seconds: 11, readySince: new Date(start.getTime() + 1_000) },
        ],
      });
      expect(await bench().ready('b')).toEqual([b1]);
    });

    it('leaves out calls that are granted, leased, delayed or finished, and counts the first two as in flight', async () => {
      const [granted = '', leased = '', delayed = '', failed = '', left = ''] = await accept('a', 5);
      await bench().calls.grant(granted);
      await bench().claim(leased);
      await bench().calls.failAttempt(await bench().claim(delayed), transient);
      await bench().calls.failAttempt(await bench().claim(failed), rejected);
      await bench().claim((await accept('b', 1))[0] ?? '');
      expect(await backlog(10)).toMatchObject([{ accountId: 'a', next: [{ callId: left }] }]);
      expect(await bench().queue()).toMatchObject({
        inFlight: {
          granted: 1,
          leased: 2,
          ofAccount: new Map([
            ['a', 2],
            ['b', 1],
          ]),
        },
      });
      expect(await bench().queue('analysis')).toEqual({
        inFlight: { granted: 0, leased: 0, ofAccount: new Map() },
        backlog: [],
      });
    });

    it('returns as many calls of each account as are asked for, and what is in flight', async () => {
      const [leased = ''] = await accept('a', 5);
      await bench().claim(leased);
      const queues = await bench().store.queues(bench().clock.now());
      expect([queues.inFlight.transcription.leased, queues.inFlight.analysis.leased]).toEqual([1, 0]);
      const backlog = await queues.backlog('transcription', 3);
      expect(backlog.map(({ next }) => next.length)).toEqual([3]);
      expect(await queues.backlog('analysis', 3)).toEqual([]);
    });

    it('grants what it was told of, unless someone has written it since', async () => {
      const [first = '', second = ''] = await accept('a', 2);
      const [
        {
          next: [one, two],
        } = { next: [] },
      ] = await backlog();
      await bench().claim(second);
      expect(await bench().calls.grant(first, one?.version)).toMatchObject({
        id: first,
        version: 2,
        grantedUntil: expect.any(Date),
      });
      expect(await bench().calls.grant(first, one?.version)).toBeNull();
      expect(await bench().calls.grant(second, two?.version)).toBeNull();
      expect(await bench().read(second)).toMatchObject({ grantedUntil: null, lease: {} });
    });

    it('does not name an account that has nothing ready', async () => {
      const [only = ''] = await accept('a', 1);
      await bench().calls.grant(only);
      expect(await backlog()).toEqual([]);
    });

    it('offers a granted call again when it was not claimed in time, and it keeps its place', async () => {
      const [first = '', second = ''] = await accept('a', 2);
      await bench().calls.grant(first);
      expect(await bench().ready('a')).toEqual([second]);
      expect(await bench().store.nextWake(bench().clock.now())).toEqual((await bench().read(first)).grantedUntil);
      bench().clock.step(DEFAULT_POLICY.grantMs - 1);
      expect(await bench().calls.endWaits()).toBe(0);
      bench().clock.step(1);
      expect(await inFlight()).toEqual({ granted: 0, leased: 0 });
      expect(await bench().calls.endWaits()).toBe(1);
      expect(await bench().ready('a')).toEqual([first, second]);
      expect(await bench().calls.grant(first)).not.toBeNull();
    });

    it('keeps the stages apart', async () => {
      const [id = ''] = await accept('a', 1);
      await bench().calls.commitTranscript(await bench().claim(id), transcript);
      expect(await bench().ready('a')).toEqual([]);
      expect(await bench().ready('a', 'analysis')).toEqual([id]);
      await bench().calls.grant(id);
      expect(await inFlight('analysis')).toEqual({ granted: 1, leased: 0 });
      await bench().claim(id, 'analysis');
      expect(await inFlight('analysis')).toEqual({ granted: 0, leased: 1 });
      expect(await inFlight()).toEqual({ granted: 0, leased: 0 });
    });

    it('wakes at the earliest time of any waiting call, and never when none waits', async () => {
      expect(await bench().store.nextWake(bench().clock.now())).toBeNull();
      const [delayed = '', granted = '', leased = ''] = await accept('a', 3);
      await bench().claim(leased);
      expect(await bench().store.nextWake(bench().clock.now())).toBeNull();
      await bench().calls.grant(granted);
      const set = await bench().calls.failAttempt(await bench().claim(delayed), transient);
      const times = [set?.nextAttemptAt, (await bench().read(granted)).grantedUntil].map(
        (at) => at?.getTime() ?? Number.NaN,
      );
      expect((await bench().store.nextWake(bench().clock.now()))?.getTime()).toBe(Math.min(...times));
      expect((await bench().store.nextWake(new Date(Math.min(...times))))?.getTime()).toBe(Math.max(...times));
      expect(await bench().store.nextWake(new Date(Math.max(...times)))).toBeNull();
    });

    it('ends the waits of calls whose time has come, a few at a time, and of no others', async () => {
      const [granted = '', delayed = '', leased = '', ready = ''] = await accept('a', 4);
      await bench().calls.grant(granted);
      await bench().calls.failAttempt(await bench().claim(delayed), transient);
      await bench().claim(leased);
      const now = () => bench().clock.now();
      expect(await bench().store.endedWaits(now(), 10)).toEqual([]);
      bench().clock.step(HOUR);
      expect(await bench().store.endedWaits(now(), 1)).toHaveLength(1);
      const ended = await bench().store.endedWaits(now(), 10);
      expect(ended.map(({ id }) => id).sort()).toEqual([granted, delayed].sort());
      expect(ended[0]).toEqual(await bench().read(ended[0]?.id ?? ''));
      // Someone was faster.
      await bench().claim(granted);
      const { store } = bench();
      const find = store.endedWaits;
      store.endedWaits = async () => ended;
      expect(await bench().calls.endWaits()).toBe(1);
      store.endedWaits = find;
      expect(await bench().read(granted)).toMatchObject({ lease: {} });
      expect(await bench().read(delayed)).toMatchObject({ nextAttemptAt: null, grantedUntil: null });
      expect(await bench().ready('a')).toEqual([delayed, ready]);
    });

    it('finds ended leases, a few at a time', async () => {
      for (const id of await accept('a', 3)) await bench().claim(id);
      expect(await bench().store.expiredLeases(bench().clock.now(), 10)).toEqual([]);
      bench().clock.step(HOUR);
      expect(await bench().store.expiredLeases(bench().clock.now(), 2)).toHaveLength(2);
      const all = await bench().store.expiredLeases(bench().clock.now(), 10);
      expect(all).toHaveLength(3);
      expect(all[0]).toEqual(await bench().read(all[0]?.id ?? ''));
    });

    it('counts what is ready and what is worked on', async () => {
      const [one = '', two = '', three = '', four = ''] = await accept('a', 5);
      await bench().claim(one);
      await bench().calls.commitTranscript(await bench().claim(two), transcript);
      await bench().calls.failAttempt(await bench().claim(three), transient);
      await bench().calls.grant(four);
      const figures = () => bench().store.figures(bench().clock.now());
      expect(await figures()).toMatchObject({
        ready: { transcription: 1, analysis: 1 },
        granted: { transcription: 1, analysis: 0 },
        leased: { transcription: 1, analysis: 0 },
      });
      bench().clock.step(HOUR);
      expect(await figures()).toMatchObject({
        ready: { transcription: 3, analysis: 1 },
        granted: { transcription: 0, analysis: 0 },
        leased: { transcription: 0, analysis: 0 },
      });
    });
  });

  describe('audio that may go', () => {
    const finish = async (id: string) => {
      await bench().calls.commitTranscript(await bench().claim(id), transcript);
      await bench().calls.commitAnalysis(await bench().claim(id, 'analysis'), analysis);
    };

    it('is that of completed calls at once, of failed ones after their retention, and never of others', async () => {
      const [waiting, completed = '', failed = ''] = await accept('a', 3);
      await finish(completed);
      await bench().calls.failAttempt(await bench().claim(failed), rejected);
      const due = async () => (await bench().store.audioDue(bench().clock.now(), 10)).map(({ id }) => id);
      expect(await due()).toEqual([completed]);
      bench().clock.step(DEFAULT_POLICY.failedAudioRetentionMs);
      expect(await due()).toEqual([completed, failed]);
      expect((await bench().store.audioDue(bench().clock.now(), 1)).map(({ id }) => id)).toEqual([completed]);
      expect(await bench().store.figures(bench().clock.now())).toMatchObject({ audioDue: 2 });
      expect(await bench().calls.audioDeleted(completed)).toBe(true);
      expect(await due()).toEqual([failed]);
      expect(await bench().read(waiting ?? '')).toMatchObject({ status: 'queued' });
      expect(await bench().events(completed)).toContain('audio.deleted');
    });

    it('is known to be gone also when somebody has written the call since it was read', async () => {
      const { id } = await bench().accept();
      await finish(id);
      const read = await bench().read(id);
      await bench().calls.remove('account_1', id);
      await bench().calls.restore('account_1', id);
      expect(await bench().calls.audioDeleted(id, read)).toBe(true);
      expect(await bench().calls.audioDeleted(id, read)).toBe(false);
      expect((await bench().read(id)).audio.deletedAt).toEqual(bench().clock.now());
    });

    it('in use is that of every call whose audio is not proven gone', async () => {
      const [one, two] = [await bench().accept(), await bench().accept()];
      await finish(one.id);
      const keys = [one.audio.key, two.audio.key, 'orphan'];
      expect(await bench().store.audioKeysInUse(keys)).toEqual(new Set([one.audio.key, two.audio.key]));
      await bench().calls.audioDeleted(one.id);
      expect(await bench().store.audioKeysInUse(keys)).toEqual(new Set([two.audio.key]));
      expect(await bench().store.audioKeysInUse([])).toEqual(new Set());
    });
  });
}

export function leading(bench: () => Bench): void {
  const lead = (holder: string, ms = 6_000, role = 'dispatcher') => {
    const now = bench().clock.now();
    return bench().store.lead(role, holder, now, new Date(now.getTime() + ms));
  };

  describe('a role that one process has at a time', () => {
    it('is had by the first who asks, and kept by asking again', async () => {
      expect(await lead('one')).not.toBeNull();
      expect(await lead('two')).toBeNull();
      bench().clock.step(5_000);
      expect(await lead('one')).not.toBeNull();
      bench().clock.step(5_000);
      expect(await lead('two')).toBeNull();
    });

    it('goes to another when its holder does not keep it, and the first one learns so', async () => {
      await lead('one');
      bench().clock.step(6_000);
      expect(await lead('two')).not.toBeNull();
      expect(await lead('one')).toBeNull();
    });

    it('is free at once when its holder gives it up; nobody else can give it up', async () => {
      await lead('one');
      await bench().store.resign('dispatcher', 'two', bench().clock.now());
      expect(await lead('two')).toBeNull();
      await bench().store.resign('dispatcher', 'one', bench().clock.now());
      expect(await lead('two')).not.toBeNull();
    });

    it('tells who takes it since when it was free', async () => {
      const begun = bench().clock.now();
      expect(await lead('one')).toEqual(begun);
      bench().clock.step(5_000);
      expect(await lead('one')).toEqual(bench().clock.now());
      bench().clock.step(60_000);
      expect(await lead('two')).toEqual(new Date(begun.getTime() + 11_000));
      const givenUp = bench().clock.now();
      await bench().store.resign('dispatcher', 'two', givenUp);
      bench().clock.step(60_000);
      expect(await lead('one')).toEqual(givenUp);
    });

    it('has nothing to do with another role', async () => {
      await lead('one');
      expect(await lead('two', 6_000, 'other')).not.toBeNull();
    });

    it('is had by one of many who ask at once', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => lead(`process ${n}`)));
      expect(answers.filter(Boolean)).toHaveLength(1);
    });
  });
}

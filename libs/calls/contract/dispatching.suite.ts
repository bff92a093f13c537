import type { Stage } from '@call-analytics/contracts';
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_POLICY } from '../index.ts';
import { analysis, type Fixture, HOUR, rejected, transcript, transient } from './call-store.fixture.ts';

export function dispatching(fixture: () => Fixture): void {
  const backlog = async (perAccount = 2) => (await fixture().queue('transcription', perAccount)).backlog;
  const inFlight = async (stage: Stage = 'transcription') => {
    const { granted, leased } = (await fixture().queue(stage)).inFlight;
    return { granted, leased };
  };
  const accept = async (accountId: string, count: number) => {
    const accepted: string[] = [];
    for (let n = 0; n < count; n += 1) {
      accepted.push((await fixture().accept(accountId, 10 + n)).id);
      fixture().clock.step(1_000);
    }
    return accepted;
  };

  describe('what the dispatcher asks', () => {
    it('finds every account with ready calls, each with its next few, longest waiting first', async () => {
      const start = fixture().clock.now();
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
      expect(await fixture().ready('b')).toEqual([b1]);
    });

    it('leaves out calls that are granted, leased, delayed or finished, and counts the first two as in flight', async () => {
      const [granted = '', leased = '', delayed = '', failed = '', left = ''] = await accept('a', 5);
      await fixture().calls.grant(granted);
      await fixture().claim(leased);
      await fixture().calls.failAttempt(await fixture().claim(delayed), transient);
      await fixture().calls.failAttempt(await fixture().claim(failed), rejected);
      await fixture().claim((await accept('b', 1))[0] ?? '');
      expect(await backlog(10)).toMatchObject([{ accountId: 'a', next: [{ callId: left }] }]);
      expect(await fixture().queue()).toMatchObject({
        inFlight: {
          granted: 1,
          leased: 2,
          ofAccount: new Map([
            ['a', 2],
            ['b', 1],
          ]),
        },
      });
      expect(await fixture().queue('analysis')).toEqual({
        inFlight: { granted: 0, leased: 0, ofAccount: new Map() },
        backlog: [],
      });
    });

    it('returns as many calls of each account as are asked for, and what is in flight', async () => {
      const [leased = ''] = await accept('a', 5);
      await fixture().claim(leased);
      const queues = await fixture().store.queues(fixture().clock.now());
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
      await fixture().claim(second);
      expect(await fixture().calls.grant(first, one?.version)).toMatchObject({
        id: first,
        version: 2,
        grantedUntil: expect.any(Date),
      });
      expect(await fixture().calls.grant(first, one?.version)).toBeNull();
      expect(await fixture().calls.grant(second, two?.version)).toBeNull();
      expect(await fixture().read(second)).toMatchObject({ grantedUntil: null, lease: {} });
    });

    it('does not name an account that has nothing ready', async () => {
      const [only = ''] = await accept('a', 1);
      await fixture().calls.grant(only);
      expect(await backlog()).toEqual([]);
    });

    it('offers a granted call again when it was not claimed in time, and it keeps its place', async () => {
      const [first = '', second = ''] = await accept('a', 2);
      await fixture().calls.grant(first);
      expect(await fixture().ready('a')).toEqual([second]);
      expect(await fixture().store.nextWake(fixture().clock.now())).toEqual((await fixture().read(first)).grantedUntil);
      fixture().clock.step(DEFAULT_POLICY.grantMs - 1);
      expect(await fixture().calls.endWaits()).toBe(0);
      fixture().clock.step(1);
      expect(await inFlight()).toEqual({ granted: 0, leased: 0 });
      expect(await fixture().calls.endWaits()).toBe(1);
      expect(await fixture().ready('a')).toEqual([first, second]);
      expect(await fixture().calls.grant(first)).not.toBeNull();
    });

    it('keeps the stages apart', async () => {
      const [id = ''] = await accept('a', 1);
      await fixture().calls.commitTranscript(await fixture().claim(id), transcript);
      expect(await fixture().ready('a')).toEqual([]);
      expect(await fixture().ready('a', 'analysis')).toEqual([id]);
      await fixture().calls.grant(id);
      expect(await inFlight('analysis')).toEqual({ granted: 1, leased: 0 });
      await fixture().claim(id, 'analysis');
      expect(await inFlight('analysis')).toEqual({ granted: 0, leased: 1 });
      expect(await inFlight()).toEqual({ granted: 0, leased: 0 });
    });

    it('wakes at the earliest time of any waiting call, and never when none waits', async () => {
      expect(await fixture().store.nextWake(fixture().clock.now())).toBeNull();
      const [delayed = '', granted = '', leased = ''] = await accept('a', 3);
      await fixture().claim(leased);
      expect(await fixture().store.nextWake(fixture().clock.now())).toBeNull();
      await fixture().calls.grant(granted);
      const set = await fixture().calls.failAttempt(await fixture().claim(delayed), transient);
      const times = [set?.nextAttemptAt, (await fixture().read(granted)).grantedUntil].map(
        (at) => at?.getTime() ?? Number.NaN,
      );
      expect((await fixture().store.nextWake(fixture().clock.now()))?.getTime()).toBe(Math.min(...times));
      expect((await fixture().store.nextWake(new Date(Math.min(...times))))?.getTime()).toBe(Math.max(...times));
      expect(await fixture().store.nextWake(new Date(Math.max(...times)))).toBeNull();
    });

    it('ends the waits of calls whose time has come, a few at a time, and of no others', async () => {
      const [granted = '', delayed = '', leased = '', ready = ''] = await accept('a', 4);
      await fixture().calls.grant(granted);
      await fixture().calls.failAttempt(await fixture().claim(delayed), transient);
      await fixture().claim(leased);
      const now = () => fixture().clock.now();
      expect(await fixture().store.endedWaits(now(), 10)).toEqual([]);
      fixture().clock.step(HOUR);
      expect(await fixture().store.endedWaits(now(), 1)).toHaveLength(1);
      const ended = await fixture().store.endedWaits(now(), 10);
      expect(ended.map(({ id }) => id).sort()).toEqual([granted, delayed].sort());
      expect(ended[0]).toEqual(await fixture().read(ended[0]?.id ?? ''));
      // A worker claims a call that was just found.
      const { store } = fixture();
      const find = store.endedWaits.bind(store);
      store.endedWaits = async (...given) => {
        const found = await find(...given);
        await fixture().claim(granted);
        return found;
      };
      expect(await fixture().calls.endWaits()).toBe(1);
      store.endedWaits = find;
      expect(await fixture().read(granted)).toMatchObject({ lease: {} });
      expect(await fixture().read(delayed)).toMatchObject({ nextAttemptAt: null, grantedUntil: null });
      expect(await fixture().ready('a')).toEqual([delayed, ready]);
    });

    it('finds ended leases, a few at a time', async () => {
      for (const id of await accept('a', 3)) await fixture().claim(id);
      expect(await fixture().store.expiredLeases(fixture().clock.now(), 10)).toEqual([]);
      fixture().clock.step(HOUR);
      expect(await fixture().store.expiredLeases(fixture().clock.now(), 2)).toHaveLength(2);
      const all = await fixture().store.expiredLeases(fixture().clock.now(), 10);
      expect(all).toHaveLength(3);
      expect(all[0]).toEqual(await fixture().read(all[0]?.id ?? ''));
    });

    it('counts what is ready and what is worked on', async () => {
      const [one = '', two = '', three = '', four = ''] = await accept('a', 5);
      await fixture().claim(one);
      await fixture().calls.commitTranscript(await fixture().claim(two), transcript);
      await fixture().calls.failAttempt(await fixture().claim(three), transient);
      await fixture().calls.grant(four);
      const figures = () => fixture().store.figures(fixture().clock.now());
      expect(await figures()).toMatchObject({
        ready: { transcription: 1, analysis: 1 },
        granted: { transcription: 1, analysis: 0 },
        leased: { transcription: 1, analysis: 0 },
      });
      fixture().clock.step(HOUR);
      expect(await figures()).toMatchObject({
        ready: { transcription: 3, analysis: 1 },
        granted: { transcription: 0, analysis: 0 },
        leased: { transcription: 0, analysis: 0 },
      });
    });
  });

  describe('audio that may go', () => {
    const finish = async (id: string) => {
      await fixture().calls.commitTranscript(await fixture().claim(id), transcript);
      await fixture().calls.commitAnalysis(await fixture().claim(id, 'analysis'), analysis);
    };

    it('is that of completed calls at once, of failed ones after their retention, and never of others', async () => {
      const [waiting, completed = '', failed = ''] = await accept('a', 3);
      await finish(completed);
      await fixture().calls.failAttempt(await fixture().claim(failed), rejected);
      const due = async () => (await fixture().store.audioDue(fixture().clock.now(), 10)).map(({ id }) => id);
      expect(await due()).toEqual([completed]);
      fixture().clock.step(DEFAULT_POLICY.failedAudioRetentionMs);
      expect(await due()).toEqual([completed, failed]);
      expect((await fixture().store.audioDue(fixture().clock.now(), 1)).map(({ id }) => id)).toEqual([completed]);
      expect(await fixture().store.figures(fixture().clock.now())).toMatchObject({ audioDue: 2 });
      expect(await fixture().calls.audioDeleted(completed)).toBe(true);
      expect(await due()).toEqual([failed]);
      expect(await fixture().read(waiting ?? '')).toMatchObject({ status: 'queued' });
      expect(await fixture().events(completed)).toContain('audio.deleted');
    });

    it('is known to be gone also when somebody has written the call since it was read', async () => {
      const { id } = await fixture().accept();
      await finish(id);
      const read = await fixture().read(id);
      await fixture().calls.remove('account_1', id);
      await fixture().calls.restore('account_1', id);
      expect(await fixture().calls.audioDeleted(id, read)).toBe(true);
      expect(await fixture().calls.audioDeleted(id, read)).toBe(false);
      expect((await fixture().read(id)).audio.deletedAt).toEqual(fixture().clock.now());
    });

    it('in use is that of every call whose audio is not proven gone', async () => {
      const [one, two] = [await fixture().accept(), await fixture().accept()];
      await finish(one.id);
      const keys = [one.audio.key, two.audio.key, 'orphan'];
      expect(await fixture().store.audioKeysInUse(keys)).toEqual(new Set([one.audio.key, two.audio.key]));
      await fixture().calls.audioDeleted(one.id);
      expect(await fixture().store.audioKeysInUse(keys)).toEqual(new Set([two.audio.key]));
      expect(await fixture().store.audioKeysInUse([])).toEqual(new Set());
    });
  });
}

export function leading(fixture: () => Fixture): void {
  const lead = (holder: string, ms = 6_000, role = 'dispatcher') => {
    const now = fixture().clock.now();
    return fixture().store.lead(role, holder, now, new Date(now.getTime() + ms));
  };

  describe('a role that one process has at a time', () => {
    it('is had by the first who asks, and kept by asking again', async () => {
      expect(await lead('one')).not.toBeNull();
      expect(await lead('two')).toBeNull();
      fixture().clock.step(5_000);
      expect(await lead('one')).not.toBeNull();
      fixture().clock.step(5_000);
      expect(await lead('two')).toBeNull();
    });

    it('goes to another when its holder does not keep it, and the first one learns so', async () => {
      await lead('one');
      fixture().clock.step(6_000);
      expect(await lead('two')).not.toBeNull();
      expect(await lead('one')).toBeNull();
    });

    it('is free at once when its holder gives it up; nobody else can give it up', async () => {
      await lead('one');
      await fixture().store.resign('dispatcher', 'two', fixture().clock.now());
      expect(await lead('two')).toBeNull();
      await fixture().store.resign('dispatcher', 'one', fixture().clock.now());
      expect(await lead('two')).not.toBeNull();
    });

    it('tells who takes it since when it was free', async () => {
      const begun = fixture().clock.now();
      expect(await lead('one')).toEqual(begun);
      fixture().clock.step(5_000);
      expect(await lead('one')).toEqual(fixture().clock.now());
      fixture().clock.step(60_000);
      expect(await lead('two')).toEqual(new Date(begun.getTime() + 11_000));
      const givenUp = fixture().clock.now();
      await fixture().store.resign('dispatcher', 'two', givenUp);
      fixture().clock.step(60_000);
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

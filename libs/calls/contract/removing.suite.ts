import { CALL_STATUSES, STAGES } from '@call-analytics/contracts';
import { describe, expect, it } from '@jest/globals';
import { type Call, DEFAULT_POLICY } from '../index.ts';
import { analysis, type Fixture, HOUR, rejected, segment, transcript, transient } from './call-store.fixture.ts';

const GRACE = DEFAULT_POLICY.removalGraceMs;

export function removing(fixture: () => Fixture): void {
  const remove = ({ accountId, id }: Call) => fixture().calls.remove(accountId, id);
  const restore = ({ accountId, id }: Call) => fixture().calls.restore(accountId, id);
  const completed = async (accountId?: string) => {
    const call = await fixture().accept(accountId);
    await fixture().calls.commitTranscript(await fixture().claim(call.id), transcript);
    await fixture().calls.commitAnalysis(await fixture().claim(call.id, 'analysis'), analysis);
    return fixture().read(call.id);
  };
  const removed = async () => {
    const call = await completed();
    await remove(call);
    return fixture().read(call.id);
  };
  const list = (accountId = 'account_1', status?: (typeof CALL_STATUSES)[number]) =>
    fixture().store.list(accountId, { limit: 100, offset: 0, ...(status === undefined ? {} : { status }) });
  const due = async () => (await fixture().store.removalsDue(fixture().clock.now(), 10)).map(({ id }) => id);
  const purge = async ({ id }: Call) => {
    fixture().clock.step(GRACE);
    expect(await fixture().calls.finishRemoval(id)).toBe(true);
    return fixture().calls.purge(id);
  };

  /** Each way in which a call may be known to readers or to the dispatcher. */
  const BEFORE: Record<string, () => Promise<string>> = {
    queued: async () => (await fixture().accept()).id,
    granted: async () => {
      const { id } = await fixture().accept();
      await fixture().calls.grant(id);
      return id;
    },
    'being transcribed': async () => {
      const { id } = await fixture().accept();
      await fixture().claim(id);
      return id;
    },
    delayed: async () => {
      const { id } = await fixture().accept();
      await fixture().calls.failAttempt(await fixture().claim(id), transient);
      return id;
    },
    'waiting for its analysis': async () => {
      const { id } = await fixture().accept();
      await fixture().calls.commitTranscript(await fixture().claim(id), transcript);
      return id;
    },
    completed: async () => (await completed()).id,
    failed: async () => {
      const { id } = await fixture().accept();
      await fixture().calls.failAttempt(await fixture().claim(id), rejected);
      return id;
    },
  };

  describe('removing a call', () => {
    it.each(Object.entries(BEFORE))(
      'that is %s hides it from readers and from the dispatcher, and restoring it brings it back',
      async (_, bring) => {
        const other = await completed();
        const call = await fixture().read(await bring());
        const detail = await fixture().store.detail('account_1', call.id);
        const { calls: shown, total } = await list();
        fixture().clock.step(1_000);
        expect(await remove(call)).toBe(true);

        expect(await fixture().store.detail('account_1', call.id)).toBeNull();
        expect(await list()).toMatchObject({ calls: [{ id: other.id }], total: 1 });
        for (const status of CALL_STATUSES) {
          expect((await list('account_1', status)).total).toBe(status === 'completed' ? 1 : 0);
          expect((await list('account_1', status)).calls).toHaveLength(status === 'completed' ? 1 : 0);
        }
        for (const now of [fixture().clock.now(), new Date(fixture().clock.now().getTime() + HOUR / 2)]) {
          const { inFlight, backlog } = await fixture().store.queues(now);
          for (const stage of STAGES) {
            expect(inFlight[stage]).toEqual({ granted: 0, leased: 0, ofAccount: new Map() });
            expect(await backlog(stage, 10)).toEqual([]);
          }
          expect(await fixture().store.endedWaits(now, 10)).toEqual([]);
          expect(await fixture().store.expiredLeases(now, 10)).toEqual([]);
          expect(await fixture().store.nextWake(now)).toBeNull();
        }
        expect(await fixture().store.figures(fixture().clock.now())).toMatchObject({
          ready: { transcription: 0, analysis: 0 },
          leased: { transcription: 0, analysis: 0 },
        });

        fixture().clock.step(GRACE - 1);
        expect(await restore(call)).toBe(true);
        const { version, attempt, lease: _lease, grantedUntil: _granted, nextAttemptAt: _delay, ...rest } = call;
        const back = await fixture().read(call.id);
        expect(back).toEqual({
          ...rest,
          version: version + 2,
          attempt: attempt + 1,
          lease: null,
          grantedUntil: null,
          nextAttemptAt: null,
          removal: null,
        });
        expect(await fixture().store.detail('account_1', call.id)).toEqual({ ...detail, call: back });
        expect(await list()).toEqual({ calls: shown, total });
        expect((await list('account_1', call.status)).calls.map(({ id }) => id)).toContain(call.id);
        if (call.stage !== null) expect(await fixture().ready('account_1', call.stage)).toEqual([call.id]);
        expect((await fixture().events(call.id)).slice(-2)).toEqual(['call.removed', 'call.restored']);
      },
    );

    it('takes it from its worker for good, whether or not it comes back', async () => {
      const call = await fixture().accept();
      const lease = await fixture().claim(call.id);
      await remove(call);
      const writes = async () => [
        await fixture().calls.renew(lease),
        await fixture().calls.measured(lease, 1),
        await fixture().calls.saveSegment(lease, segment),
        await fixture().calls.commitTranscript(lease, transcript),
        (await fixture().calls.failAttempt(lease, transient)) !== null,
        await fixture().calls.release(lease),
      ];
      expect(await writes()).toEqual(Array(6).fill(false));
      await restore(call);
      expect(await writes()).toEqual(Array(6).fill(false));
      const { attempt } = await fixture().claim(call.id);
      expect(attempt).toBe(lease.attempt + 2);
      expect(await writes()).toEqual(Array(6).fill(false));
      expect(await fixture().store.segments(call.id)).toEqual([]);
      expect(await fixture().read(call.id)).toMatchObject({ status: 'transcribing', stage: 'transcription' });
    });

    it('keeps what its stage has done so far, for when it comes back', async () => {
      const call = await fixture().accept();
      await fixture().calls.saveSegment(await fixture().claim(call.id), segment);
      await remove(call);
      await restore(call);
      expect(await fixture().store.segments(call.id)).toEqual([segment]);
    });

    it('is for its account alone, and an unknown call is no other', async () => {
      const call = await completed('mine');
      for (const [accountId, id] of [
        ['other', call.id],
        ['mine', 'call_unknown'],
      ] as const) {
        expect(await fixture().calls.remove(accountId, id)).toBe(false);
        expect(await fixture().calls.restore(accountId, id)).toBe(false);
      }
      expect(await fixture().read(call.id)).toEqual(call);
      await remove(call);
      const before = await fixture().read(call.id);
      expect(await fixture().calls.restore('other', call.id)).toBe(false);
      expect(await fixture().calls.remove('other', call.id)).toBe(false);
      expect(await fixture().read(call.id)).toEqual(before);
    });

    it('again says yes and changes nothing: it does not give more time', async () => {
      const call = await removed();
      fixture().clock.step(1_000);
      expect(await remove(call)).toBe(true);
      expect(await fixture().read(call.id)).toEqual(call);
      await restore(call);
      const back = await fixture().read(call.id);
      expect(await restore(call)).toBe(true);
      expect(await fixture().read(call.id)).toEqual(back);
    });

    it('cannot be undone when its time is over, nor when its end has begun, whatever the clock says', async () => {
      const call = await removed();
      expect(await fixture().calls.finishRemoval(call.id)).toBe(false);
      fixture().clock.step(GRACE);
      expect(await restore(call)).toBe(false);
      expect(await fixture().calls.finishRemoval(call.id)).toBe(true);
      expect(await fixture().calls.finishRemoval(call.id)).toBe(true);
      fixture().clock.step(-GRACE);
      expect(await restore(call)).toBe(false);
      expect(await remove(call)).toBe(true);
      expect(await list()).toEqual({ calls: [], total: 0 });
    });

    it('frees its idempotency key at once; after a restoration there are two', async () => {
      const upload = () =>
        fixture().calls.accept(
          {
            accountId: 'account_1',
            fileName: 'a.mp3',
            reportType: 'medium',
            audio: { key: 'a', bytes: 1, format: 'mp3', seconds: 1 },
          },
          { key: 'key', fingerprint: 'same' },
        );
      const first = (await upload()).call;
      await remove(first);
      const second = await upload();
      expect(second.kind).toBe('created');
      await restore(first);
      expect((await list()).calls.map(({ id }) => id).sort()).toEqual([first.id, second.call.id].sort());
      expect(await upload()).toMatchObject({ kind: 'existing', call: { id: second.call.id } });
    });

    it('of many who remove and restore it at once, each write counts once', async () => {
      const call = await completed();
      const ids = Array.from({ length: 10 }, (_, n) => n);
      expect(await Promise.all(ids.map(() => remove(call)))).toEqual(ids.map(() => true));
      expect(await fixture().read(call.id)).toMatchObject({ version: call.version + 1, attempt: call.attempt + 1 });
      expect(await Promise.all(ids.map(() => restore(call)))).toEqual(ids.map(() => true));
      expect(await fixture().read(call.id)).toMatchObject({ version: call.version + 2, removal: null });
      expect((await list()).total).toBe(1);
    });
  });

  describe('the end of a removed call', () => {
    it('is due when it cannot be restored any more, longest first, and what is due counts as audio that should be gone', async () => {
      const first = await removed();
      fixture().clock.step(1_000);
      const second = await removed();
      await fixture().calls.audioDeleted(first.id);
      await fixture().calls.audioDeleted(second.id);
      expect(await due()).toEqual([]);
      fixture().clock.step(GRACE - 1_000);
      expect(await due()).toEqual([first.id]);
      fixture().clock.step(1_000);
      expect(await due()).toEqual([first.id, second.id]);
      expect((await fixture().store.removalsDue(fixture().clock.now(), 1)).map(({ id }) => id)).toEqual([first.id]);
      expect(await fixture().store.figures(fixture().clock.now())).toMatchObject({ audioDue: 2 });
      expect((await fixture().store.removalsDue(fixture().clock.now(), 10))[1]).toEqual(
        await fixture().read(second.id),
      );
    });

    it('does not wait for a clock that was set back by hours', async () => {
      const call = await removed();
      fixture().clock.step(-2 * HOUR);
      expect(await due()).toEqual([call.id]);
      expect(await restore(call)).toBe(false);
      expect(await fixture().calls.finishRemoval(call.id)).toBe(true);
    });

    it('is refused while it can be restored', async () => {
      const call = await removed();
      await expect(fixture().calls.purge(call.id)).rejects.toThrow('not final');
      const live = await completed();
      await expect(fixture().calls.purge(live.id)).rejects.toThrow('not final');
      expect(await fixture().read(live.id)).toEqual(live);
    });

    it('leaves nothing of it, and everything of the others', async () => {
      const call = await fixture().accept();
      const other = await completed();
      const lease = await fixture().claim(call.id);
      await fixture().calls.saveSegment(lease, segment);
      await remove(call);
      expect(await purge(call)).toBe(true);
      expect(await fixture().store.get(call.id)).toBeNull();
      expect(await fixture().store.segments(call.id)).toEqual([]);
      expect(await fixture().store.removalsDue(fixture().clock.now(), 10)).toEqual([]);
      expect(await fixture().store.audioKeysInUse([call.audio.key, other.audio.key])).toEqual(
        new Set([other.audio.key]),
      );
      expect(await fixture().events(call.id)).toEqual([]);
      expect(await fixture().events(other.id)).toEqual(['call.uploaded', 'call.transcribed', 'call.completed']);
      expect(await list()).toMatchObject({ calls: [{ id: other.id }], total: 1 });
      expect(await fixture().store.transcript(other.id)).toEqual(transcript);
      expect(await fixture().calls.purge(call.id)).toBe(false);
      expect([await remove(call), await restore(call)]).toEqual([false, false]);

      const whole = await removed();
      expect(await purge(whole)).toBe(true);
      expect([await fixture().store.transcript(whole.id), await fixture().store.analysis(whole.id)]).toEqual([
        null,
        null,
      ]);
      expect((await list()).total).toBe(1);
    });

    it('cannot be taken back by a segment, a transcript or an event that comes late', async () => {
      const call = await fixture().accept();
      const lease = await fixture().claim(call.id);
      const before = await fixture().read(call.id);
      await remove(call);
      await purge(call);
      expect(await fixture().calls.saveSegment(lease, segment)).toBe(false);
      expect(await fixture().calls.commitTranscript(lease, transcript)).toBe(false);
      expect(await fixture().calls.audioDeleted(call.id)).toBe(false);
      expect(await fixture().calls.grant(call.id)).toBeNull();
      const late = { change: { transcript, analysis }, events: ['call.completed'], durable: true } as const;
      expect(await fixture().store.update(call.id, before.version, late)).toBeNull();
      expect(await fixture().store.get(call.id)).toBeNull();
      expect(await fixture().store.transcript(call.id)).toBeNull();
      expect(await fixture().store.outbox(10)).toEqual([]);
    });

    it('is a guarded write: one that has seen an older version deletes nothing', async () => {
      const call = await removed();
      expect(await fixture().store.purge(call.id, call.version - 1)).toBe(false);
      expect(await fixture().store.purge('call_unknown', 1)).toBe(false);
      expect(await fixture().read(call.id)).toEqual(call);
      expect(await fixture().store.analysis(call.id)).toEqual(analysis);
    });
  });

  describe('removing an account', () => {
    const accept = (accountId: string) => fixture().accept(accountId);
    const open = () => fixture().store.removedAccounts(10);

    it('is remembered, refuses new calls from then on, and leaves those of others alone', async () => {
      const mine = await accept('mine');
      const other = await accept('other');
      expect(await open()).toEqual([]);
      const at = fixture().clock.now();
      const mark = (accountId: string) => fixture().store.removeAccount(accountId, fixture().clock.now());
      await mark('mine');
      fixture().clock.step(1_000);
      await mark('mine');
      await mark('unknown');
      expect(await open()).toEqual([
        { accountId: 'mine', at },
        { accountId: 'unknown', at: fixture().clock.now() },
      ]);
      expect(await fixture().store.removedAccounts(1)).toHaveLength(1);
      await expect(accept('mine')).rejects.toMatchObject({ failure: { kind: 'rejected', code: 'no_such_account' } });
      await expect(accept('unknown')).rejects.toMatchObject({ failure: { code: 'no_such_account' } });
      expect(await fixture().read(mine.id)).toEqual(mine);
      expect((await accept('other')).accountId).toBe('other');
      expect(await fixture().read(other.id)).toEqual(other);
    });

    it('lets its calls be removed a few at a time, without a way back', async () => {
      const calls = [await accept('mine'), await completed('mine'), await accept('mine')];
      const other = await accept('other');
      await fixture().store.removeAccount('mine', fixture().clock.now());
      expect(await fixture().calls.emptyAccount('mine', 2)).toBe(2);
      expect((await list('mine')).total).toBe(1);
      expect(await fixture().calls.emptyAccount('mine', 2)).toBe(1);
      expect(await fixture().calls.emptyAccount('mine', 2)).toBe(0);
      expect((await due()).sort()).toEqual(calls.map(({ id }) => id).sort());
      for (const call of calls) {
        expect(await restore(call)).toBe(false);
        expect(await fixture().calls.finishRemoval(call.id)).toBe(true);
        expect(await fixture().calls.purge(call.id)).toBe(true);
      }
      expect(await fixture().read(other.id)).toEqual(other);
    });

    it('takes its calls out of sight at once, if they are not very many', async () => {
      const call = await completed('mine');
      await fixture().calls.removeAccount('mine');
      expect(await fixture().store.detail('mine', call.id)).toBeNull();
      expect(await list('mine')).toEqual({ calls: [], total: 0 });
      await fixture().calls.removeAccount('mine');
      expect(await restore(call)).toBe(false);
    });

    it('ends when it is empty, and it is refused for ever', async () => {
      await fixture().calls.removeAccount('mine');
      await fixture().store.accountEmptied('mine');
      await fixture().store.accountEmptied('unknown');
      expect(await open()).toEqual([]);
      await fixture().calls.removeAccount('mine');
      expect(await open()).toEqual([]);
      await expect(accept('mine')).rejects.toMatchObject({ failure: { code: 'no_such_account' } });
      expect((await accept('unknown')).accountId).toBe('unknown');
    });
  });
}

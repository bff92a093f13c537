import { CALL_STATUSES, STAGES } from '@call-analytics/contracts';
import { describe, expect, it } from '@jest/globals';
import { type Call, DEFAULT_POLICY } from '../index.ts';
import { analysis, type Bench, HOUR, rejected, segment, transcript, transient } from './call-store.fixture.ts';

const GRACE = DEFAULT_POLICY.removalGraceMs;

export function removing(bench: () => Bench): void {
  const remove = ({ accountId, id }: Call) => bench().calls.remove(accountId, id);
  const restore = ({ accountId, id }: Call) => bench().calls.restore(accountId, id);
  const completed = async (accountId?: string) => {
    const call = await bench().accept(accountId);
    await bench().calls.commitTranscript(await bench().claim(call.id), transcript);
    await bench().calls.commitAnalysis(await bench().claim(call.id, 'analysis'), analysis);
    return bench().read(call.id);
  };
  const removed = async () => {
    const call = await completed();
    await remove(call);
    return bench().read(call.id);
  };
  const list = (accountId = 'account_1', status?: (typeof CALL_STATUSES)[number]) =>
    bench().store.list(accountId, { limit: 100, offset: 0, ...(status === undefined ? {} : { status }) });
  const due = async () => (await bench().store.removalsDue(bench().clock.now(), 10)).map(({ id }) => id);
  const purge = async ({ id }: Call) => {
    bench().clock.step(GRACE);
    expect(await bench().calls.finishRemoval(id)).toBe(true);
    return bench().calls.purge(id);
  };

  /** Each way in which a call may be known to readers or to the dispatcher. */
  const BEFORE: Record<string, () => Promise<string>> = {
    queued: async () => (await bench().accept()).id,
    granted: async () => {
      const { id } = await bench().accept();
      await bench().calls.grant(id);
      return id;
    },
    'being transcribed': async () => {
      const { id } = await bench().accept();
      await bench().claim(id);
      return id;
    },
    delayed: async () => {
      const { id } = await bench().accept();
      await bench().calls.failAttempt(await bench().claim(id), transient);
      return id;
    },
    'waiting for its analysis': async () => {
      const { id } = await bench().accept();
      await bench().calls.commitTranscript(await bench().claim(id), transcript);
      return id;
    },
    completed: async () => (await completed()).id,
    failed: async () => {
      const { id } = await bench().accept();
      await bench().calls.failAttempt(await bench().claim(id), rejected);
      return id;
    },
  };

  describe('removing a call', () => {
    it.each(Object.entries(BEFORE))(
      'that is %s hides it from readers and from the dispatcher, and restoring it brings it back',
      async (_, bring) => {
        const other = await completed();
        const call = await bench().read(await bring());
        const detail = await bench().store.detail('account_1', call.id);
        const { calls: shown, total } = await list();
        bench().clock.step(1_000);
        expect(await remove(call)).toBe(true);

        expect(await bench().store.detail('account_1', call.id)).toBeNull();
        expect(await list()).toMatchObject({ calls: [{ id: other.id }], total: 1 });
        for (const status of CALL_STATUSES) {
          expect((await list('account_1', status)).total).toBe(status === 'completed' ? 1 : 0);
          expect((await list('account_1', status)).calls).toHaveLength(status === 'completed' ? 1 : 0);
        }
        for (const now of [bench().clock.now(), new Date(bench().clock.now().getTime() + HOUR / 2)]) {
          const { inFlight, backlog } = await bench().store.queues(now);
          for (const stage of STAGES) {
            expect(inFlight[stage]).toEqual({ granted: 0, leased: 0, ofAccount: new Map() });
            expect(await backlog(stage, 10)).toEqual([]);
          }
          expect(await bench().store.endedWaits(now, 10)).toEqual([]);
          expect(await bench().store.expiredLeases(now, 10)).toEqual([]);
          expect(await bench().store.nextWake(now)).toBeNull();
        }
        expect(await bench().store.figures(bench().clock.now())).toMatchObject({
          ready: { transcription: 0, analysis: 0 },
          leased: { transcription: 0, analysis: 0 },
        });

        bench().clock.step(GRACE - 1);
        expect(await restore(call)).toBe(true);
        const { version, attempt, lease: _lease, grantedUntil: _granted, nextAttemptAt: _delay, ...rest } = call;
        const back = await bench().read(call.id);
        expect(back).toEqual({
          ...rest,
          ...{
            version: version + 2,
            attempt: attempt + 1,
            lease: null,
            grantedUntil: null,
            nextAttemptAt: null,
            removal: null,
          },
        });
        expect(await bench().store.detail('account_1', call.id)).toEqual({ ...detail, call: back });
        expect(await list()).toEqual({ calls: shown, total });
        expect((await list('account_1', call.status)).calls.map(({ id }) => id)).toContain(call.id);
        if (call.stage !== null) expect(await bench().ready('account_1', call.stage)).toEqual([call.id]);
        expect((await bench().events(call.id)).slice(-2)).toEqual(['call.removed', 'call.restored']);
      },
    );

    it('takes it from its worker for good, whether or not it comes back', async () => {
      const call = await bench().accept();
      const lease = await bench().claim(call.id);
      await remove(call);
      const writes = async () => [
        await bench().calls.renew(lease),
        await bench().calls.measured(lease, 1),
        await bench().calls.saveSegment(lease, segment),
        await bench().calls.commitTranscript(lease, transcript),
        (await bench().calls.failAttempt(lease, transient)) !== null,
        await bench().calls.release(lease),
      ];
      expect(await writes()).toEqual(Array(6).fill(false));
      await restore(call);
      expect(await writes()).toEqual(Array(6).fill(false));
      const { attempt } = await bench().claim(call.id);
      expect(attempt).toBe(lease.attempt + 2);
      expect(await writes()).toEqual(Array(6).fill(false));
      expect(await bench().store.segments(call.id)).toEqual([]);
      expect(await bench().read(call.id)).toMatchObject({ status: 'transcribing', stage: 'transcription' });
    });

    it('keeps what its stage has done so far, for when it comes back', async () => {
      const call = await bench().accept();
      await bench().calls.saveSegment(await bench().claim(call.id), segment);
      await remove(call);
      await restore(call);
      expect(await bench().store.segments(call.id)).toEqual([segment]);
    });

    it('is for its account alone, and an unknown call is no other', async () => {
      const call = await completed('mine');
      for (const [accountId, id] of [
        ['other', call.id],
        ['mine', 'call_unknown'],
      ] as const) {
        expect(await bench().calls.remove(accountId, id)).toBe(false);
        expect(await bench().calls.restore(accountId, id)).toBe(false);
      }
      expect(await bench().read(call.id)).toEqual(call);
      await remove(call);
      const before = await bench().read(call.id);
      expect(await bench().calls.restore('other', call.id)).toBe(false);
      expect(await bench().calls.remove('other', call.id)).toBe(false);
      expect(await bench().read(call.id)).toEqual(before);
    });

    it('again says yes and changes nothing: it does not give more time', async () => {
      const call = await removed();
      bench().clock.step(1_000);
      expect(await remove(call)).toBe(true);
      expect(await bench().read(call.id)).toEqual(call);
      await restore(call);
      const back = await bench().read(call.id);
      expect(await restore(call)).toBe(true);
      expect(await bench().read(call.id)).toEqual(back);
    });

    it('cannot be undone when its time is over, nor when its end has begun, whatever the clock says', async () => {
      const call = await removed();
      expect(await bench().calls.finishRemoval(call.id)).toBe(false);
      bench().clock.step(GRACE);
      expect(await restore(call)).toBe(false);
      expect(await bench().calls.finishRemoval(call.id)).toBe(true);
      expect(await bench().calls.finishRemoval(call.id)).toBe(true);
      bench().clock.step(-GRACE);
      expect(await restore(call)).toBe(false);
      expect(await remove(call)).toBe(true);
      expect(await list()).toEqual({ calls: [], total: 0 });
    });

    it('frees its idempotency key at once; after a restoration there are two', async () => {
      const upload = () =>
        bench().calls.accept(
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
      expect(await bench().read(call.id)).toMatchObject({ version: call.version + 1, attempt: call.attempt + 1 });
      expect(await Promise.all(ids.map(() => restore(call)))).toEqual(ids.map(() => true));
      expect(await bench().read(call.id)).toMatchObject({ version: call.version + 2, removal: null });
      expect((await list()).total).toBe(1);
    });
  });

  describe('the end of a removed call', () => {
    it('is due when it cannot be restored any more, longest first, and what is due counts as audio that should be gone', async () => {
      const first = await removed();
      bench().clock.step(1_000);
      const second = await removed();
      await bench().calls.audioDeleted(first.id);
      await bench().calls.audioDeleted(second.id);
      expect(await due()).toEqual([]);
      bench().clock.step(GRACE - 1_000);
      expect(await due()).toEqual([first.id]);
      bench().clock.step(1_000);
      expect(await due()).toEqual([first.id, second.id]);
      expect((await bench().store.removalsDue(bench().clock.now(), 1)).map(({ id }) => id)).toEqual([first.id]);
      expect(await bench().store.figures(bench().clock.now())).toMatchObject({ audioDue: 2 });
      expect((await bench().store.removalsDue(bench().clock.now(), 10))[1]).toEqual(await bench().read(second.id));
    });

    it('does not wait for a clock that was set back by hours', async () => {
      const call = await removed();
      bench().clock.step(-2 * HOUR);
      expect(await due()).toEqual([call.id]);
      expect(await restore(call)).toBe(false);
      expect(await bench().calls.finishRemoval(call.id)).toBe(true);
    });

    it('is refused while it can be restored', async () => {
      const call = await removed();
      await expect(bench().calls.purge(call.id)).rejects.toThrow('not final');
      const live = await completed();
      await expect(bench().calls.purge(live.id)).rejects.toThrow('not final');
      expect(await bench().read(live.id)).toEqual(live);
    });

    it('leaves nothing of it, and everything of the others', async () => {
      const call = await bench().accept();
      const other = await completed();
      const lease = await bench().claim(call.id);
      await bench().calls.saveSegment(lease, segment);
      await remove(call);
      expect(await purge(call)).toBe(true);
      expect(await bench().store.get(call.id)).toBeNull();
      expect(await bench().store.segments(call.id)).toEqual([]);
      expect(await bench().store.removalsDue(bench().clock.now(), 10)).toEqual([]);
      expect(await bench().store.audioKeysInUse([call.audio.key, other.audio.key])).toEqual(new Set([other.audio.key]));
      expect(await bench().events(call.id)).toEqual([]);
      expect(await bench().events(other.id)).toEqual(['call.uploaded', 'call.transcribed', 'call.completed']);
      expect(await list()).toMatchObject({ calls: [{ id: other.id }], total: 1 });
      expect(await bench().store.transcript(other.id)).toEqual(transcript);
      expect(await bench().calls.purge(call.id)).toBe(false);
      expect([await remove(call), await restore(call)]).toEqual([false, false]);

      const whole = await removed();
      expect(await purge(whole)).toBe(true);
      expect([await bench().store.transcript(whole.id), await bench().store.analysis(whole.id)]).toEqual([null, null]);
      expect((await list()).total).toBe(1);
    });

    it('cannot be taken back by a segment, a transcript or an event that comes late', async () => {
      const call = await bench().accept();
      const lease = await bench().claim(call.id);
      const before = await bench().read(call.id);
      await remove(call);
      await purge(call);
      expect(await bench().calls.saveSegment(lease, segment)).toBe(false);
      expect(await bench().calls.commitTranscript(lease, transcript)).toBe(false);
      expect(await bench().calls.audioDeleted(call.id)).toBe(false);
      expect(await bench().calls.grant(call.id)).toBeNull();
      const late = { change: { transcript, analysis }, events: ['call.completed'], durable: true } as const;
      expect(await bench().store.update(call.id, before.version, late)).toBeNull();
      expect(await bench().store.get(call.id)).toBeNull();
      expect(await bench().store.transcript(call.id)).toBeNull();
      expect(await bench().store.outbox(10)).toEqual([]);
    });

    it('is a guarded write: one that has seen an older version deletes nothing', async () => {
      const call = await removed();
      expect(await bench().store.purge(call.id, call.version - 1)).toBe(false);
      expect(await bench().store.purge('call_unknown', 1)).toBe(false);
      expect(await bench().read(call.id)).toEqual(call);
      expect(await bench().store.analysis(call.id)).toEqual(analysis);
    });
  });

  describe('removing an account', () => {
    const accept = (accountId: string) => bench().accept(accountId);
    const open = () => bench().store.removedAccounts(10);

    it('is remembered, refuses new calls from then on, and leaves those of others alone', async () => {
      const mine = await accept('mine');
      const other = await accept('other');
      expect(await open()).toEqual([]);
      const at = bench().clock.now();
      const mark = (accountId: string) => bench().store.removeAccount(accountId, bench().clock.now());
      await mark('mine');
      bench().clock.step(1_000);
      await mark('mine');
      await mark('unknown');
      expect(await open()).toEqual([
        { accountId: 'mine', at },
        { accountId: 'unknown', at: bench().clock.now() },
      ]);
      expect(await bench().store.removedAccounts(1)).toHaveLength(1);
      await expect(accept('mine')).rejects.toMatchObject({ failure: { kind: 'rejected', code: 'no_such_account' } });
      await expect(accept('unknown')).rejects.toMatchObject({ failure: { code: 'no_such_account' } });
      expect(await bench().read(mine.id)).toEqual(mine);
      expect((await accept('other')).accountId).toBe('other');
      expect(await bench().read(other.id)).toEqual(other);
    });

    it('lets its calls be removed a few at a time, without a way back', async () => {
      const calls = [await accept('mine'), await completed('mine'), await accept('mine')];
      const other = await accept('other');
      await bench().store.removeAccount('mine', bench().clock.now());
      expect(await bench().calls.emptyAccount('mine', 2)).toBe(2);
      expect((await list('mine')).total).toBe(1);
      expect(await bench().calls.emptyAccount('mine', 2)).toBe(1);
      expect(await bench().calls.emptyAccount('mine', 2)).toBe(0);
      expect((await due()).sort()).toEqual(calls.map(({ id }) => id).sort());
      for (const call of calls) {
        expect(await restore(call)).toBe(false);
        expect(await bench().calls.finishRemoval(call.id)).toBe(true);
        expect(await bench().calls.purge(call.id)).toBe(true);
      }
      expect(await bench().read(other.id)).toEqual(other);
    });

    it('takes its calls out of sight at once, if they are not very many', async () => {
      const call = await completed('mine');
      await bench().calls.removeAccount('mine');
      expect(await bench().store.detail('mine', call.id)).toBeNull();
      expect(await list('mine')).toEqual({ calls: [], total: 0 });
      await bench().calls.removeAccount('mine');
      expect(await restore(call)).toBe(false);
    });

    it('ends when it is empty, and it is refused for ever', async () => {
      await bench().calls.removeAccount('mine');
      await bench().store.accountEmptied('mine');
      await bench().store.accountEmptied('unknown');
      expect(await open()).toEqual([]);
      await bench().calls.removeAccount('mine');
      expect(await open()).toEqual([]);
      await expect(accept('mine')).rejects.toMatchObject({ failure: { code: 'no_such_account' } });
      expect((await accept('unknown')).accountId).toBe('unknown');
    });
  });
}

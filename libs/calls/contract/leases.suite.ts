import { describe, expect, it } from '@jest/globals';
import { DEFAULT_POLICY } from '../index.ts';
import { analysis, type Fixture, HOUR, MINUTE, segment, transcript, transient } from './call-store.fixture.ts';

const { leaseMs, maxFailures } = DEFAULT_POLICY;

export function leases(fixture: () => Fixture): void {
  describe('workers and their leases', () => {
    it('of many workers racing for one call, one gets it', async () => {
      const { id } = await fixture().accept();
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, n) => fixture().calls.claim(id, 'transcription', `worker ${n}`)),
      );
      expect(results.filter((result) => 'lease' in result)).toHaveLength(1);
      expect(await fixture().read(id)).toMatchObject({ attempt: 1, version: 2 });
    });

    it('a second delivery does not claim a call again, nor a stage that is over', async () => {
      const { id } = await fixture().accept();
      const lease = await fixture().claim(id);
      expect(await fixture().calls.claim(id, 'transcription', 'other')).toEqual({ refused: 'someone works on it' });
      await fixture().calls.commitTranscript(lease, transcript);
      expect(await fixture().calls.claim(id, 'transcription', 'other')).toEqual({ refused: 'waits for analysis' });
      await fixture().calls.commitAnalysis(await fixture().claim(id, 'analysis'), analysis);
      expect(await fixture().calls.claim(id, 'analysis', 'other')).toEqual({ refused: 'already completed' });
    });

    it('a worker that lost its lease cannot overwrite, keep a segment, set back, release or renew', async () => {
      const { id } = await fixture().accept();
      const lost = await fixture().claim(id);
      fixture().clock.step(leaseMs);
      expect(await fixture().calls.reclaimExpired()).toBe(1);
      fixture().clock.step(HOUR);
      const held = await fixture().claim(id);
      const before = await fixture().read(id);

      expect(await fixture().calls.commitTranscript(lost, { ...transcript, language: 'xx' })).toBe(false);
      expect(await fixture().calls.saveSegment(lost, segment)).toBe(false);
      expect(await fixture().calls.failAttempt(lost, transient)).toBeNull();
      expect(await fixture().calls.release(lost)).toBe(false);
      expect(await fixture().calls.renew(lost)).toBe(false);
      expect(await fixture().calls.measured(lost, 1)).toBe(false);
      expect(await fixture().read(id)).toEqual(before);
      expect(await fixture().store.segments(id)).toEqual([]);

      expect(await fixture().calls.commitTranscript(held, transcript)).toBe(true);
      expect(await fixture().store.transcript(id)).toEqual(transcript);
    });

    it('a lease that ended is taken back, counted, and the call waits for its next try', async () => {
      const { id } = await fixture().accept();
      await fixture().claim(id);
      fixture().clock.step(leaseMs - 1);
      expect(await fixture().calls.reclaimExpired()).toBe(0);
      fixture().clock.step(1);
      expect(await fixture().calls.reclaimExpired()).toBe(1);
      const call = await fixture().read(id);
      expect(call).toMatchObject({
        status: 'transcribing',
        failures: 1,
        lease: null,
        lastFailure: { code: 'worker_lost' },
      });
      expect(call.nextAttemptAt?.getTime()).toBeGreaterThan(fixture().clock.now().getTime());
    });

    it('a call that takes its worker with it each time is failed in the end', async () => {
      const { id } = await fixture().accept();
      for (let n = 0; n < maxFailures; n += 1) {
        await fixture().claim(id);
        fixture().clock.step(HOUR);
        expect(await fixture().calls.reclaimExpired()).toBe(1);
        fixture().clock.step(HOUR);
      }
      expect(await fixture().read(id)).toMatchObject({ status: 'failed', failure: { code: 'worker_lost' } });
    });

    it('a lease that was renewed after it was found ended is not taken back', async () => {
      const { id } = await fixture().accept();
      const lease = await fixture().claim(id);
      fixture().clock.step(leaseMs);
      const { store } = fixture();
      const find = store.expiredLeases.bind(store);
      store.expiredLeases = async (now, limit) => {
        const found = await find(now, limit);
        expect(found.map((call) => call.id)).toEqual([id]);
        await fixture().calls.renew(lease);
        return found;
      };
      expect(await fixture().calls.reclaimExpired()).toBe(0);
      expect(await fixture().calls.commitTranscript(lease, transcript)).toBe(true);
    });

    it('a finished segment is kept once, whoever brings it again, and without a new version', async () => {
      const { id } = await fixture().accept();
      const lease = await fixture().claim(id);
      expect(await fixture().calls.saveSegment(lease, segment)).toBe(true);
      expect(await fixture().calls.saveSegment(lease, { ...segment, language: 'fr' })).toBe(true);
      expect(await fixture().calls.saveSegment(lease, { ...segment, key: 'next', channel: null })).toBe(true);
      const segments = await fixture().store.segments(id);
      expect(segments).toHaveLength(2);
      expect(segments).toEqual(expect.arrayContaining([segment, { ...segment, key: 'next', channel: null }]));
      expect((await fixture().read(id)).version).toBe(2);
    });

    it('a kept segment says how far the call is transcribed, and moves the time of its last change, never back', async () => {
      const { id } = await fixture().accept();
      const lease = await fixture().claim(id);
      expect((await fixture().read(id)).audio.secondsDone).toBe(0);
      fixture().clock.step(MINUTE);
      const at = fixture().clock.now();
      await fixture().calls.saveSegment(lease, segment);
      const after = await fixture().read(id);
      expect([after.audio.secondsDone, after.updatedAt]).toEqual([8, at]);
      fixture().clock.step(-HOUR);
      await fixture().calls.saveSegment(lease, { ...segment, key: 'before', endMs: 4_000 });
      expect(await fixture().read(id)).toEqual(after);
    });

    it('segments outlive the try that made them, and belong to their call alone', async () => {
      const [one, two] = [await fixture().accept(), await fixture().accept()];
      const lease = await fixture().claim(one.id);
      await fixture().calls.saveSegment(lease, segment);
      await fixture().calls.failAttempt(lease, transient);
      expect(await fixture().store.segments(one.id)).toEqual([segment]);
      expect(await fixture().store.segments(two.id)).toEqual([]);
    });
  });

  describe('when the clock is stepped', () => {
    it('back while a worker died, its call is taken back and tried again', async () => {
      const { id } = await fixture().accept();
      await fixture().claim(id);
      fixture().clock.step(-5 * HOUR);
      expect(await fixture().calls.reclaimExpired()).toBe(1);
      fixture().clock.step(10 * MINUTE);
      expect(await fixture().ready('account_1')).toEqual([id]);
    });

    it('back by less than clocks may differ, a lease lasts', async () => {
      await fixture().claim((await fixture().accept()).id);
      fixture().clock.step(-MINUTE);
      expect(await fixture().calls.reclaimExpired()).toBe(0);
    });

    it('back while a worker lives, its next renewal keeps the call', async () => {
      const lease = await fixture().claim((await fixture().accept()).id);
      fixture().clock.step(-5 * HOUR);
      expect(await fixture().calls.renew(lease)).toBe(true);
      expect(await fixture().calls.reclaimExpired()).toBe(0);
      expect(await fixture().calls.commitTranscript(lease, transcript)).toBe(true);
    });

    it('back, neither a delayed nor a granted call is stranded, and both can be granted and claimed', async () => {
      const [delayed, granted] = [await fixture().accept(), await fixture().accept()];
      await fixture().calls.failAttempt(await fixture().claim(delayed.id), transient);
      await fixture().calls.grant(granted.id);
      fixture().clock.step(-5 * HOUR);
      expect((await fixture().ready('account_1')).sort()).toEqual([delayed.id, granted.id].sort());
      expect(await fixture().store.figures(fixture().clock.now())).toMatchObject({
        ready: { transcription: 2, analysis: 0 },
      });
      for (const { id } of [delayed, granted]) {
        expect(await fixture().calls.grant(id)).not.toBeNull();
        await fixture().claim(id);
      }
    });

    it('forward, leases end and every waiting call is due', async () => {
      const [leased, delayed] = [await fixture().accept(), await fixture().accept()];
      await fixture().claim(leased.id);
      await fixture().calls.failAttempt(await fixture().claim(delayed.id), transient);
      fixture().clock.step(24 * HOUR);
      expect(await fixture().calls.reclaimExpired()).toBe(1);
      fixture().clock.step(HOUR);
      expect((await fixture().ready('account_1')).sort()).toEqual([leased.id, delayed.id].sort());
    });

    it('no engine makes a call wait for longer than an hour', async () => {
      const { id } = await fixture().accept();
      const until = new Date(fixture().clock.now().getTime() + 100 * HOUR);
      const failure = { kind: 'rate-limited', code: 'rate_limit', message: 'Slower.', until } as const;
      const call = await fixture().calls.failAttempt(await fixture().claim(id), failure);
      expect(call?.nextAttemptAt).toEqual(new Date(fixture().clock.now().getTime() + HOUR));
      expect(await fixture().calls.grant(id)).toBeNull();
      fixture().clock.step(HOUR);
      expect(await fixture().calls.grant(id)).not.toBeNull();
    });

    it('back, a call does not become older than it was', async () => {
      const { id, createdAt } = await fixture().accept();
      fixture().clock.step(-5 * HOUR);
      await fixture().claim(id);
      expect((await fixture().read(id)).updatedAt).toEqual(createdAt);
    });
  });
}

export function announcing(fixture: () => Fixture): void {
  const announce = (
    worker: string,
    calls: number,
    ms = 30_000,
    stage: 'transcription' | 'analysis' = 'transcription',
  ) => {
    const now = fixture().clock.now();
    return fixture().store.announceWorker(stage, worker, calls, now, new Date(now.getTime() + ms));
  };
  const capacity = () => fixture().store.capacity(fixture().clock.now());

  describe('what all workers together work on at a time', () => {
    it('is nothing while none has announced itself', async () => {
      expect(await capacity()).toEqual({ transcription: 0, analysis: 0 });
    });

    it('is the sum of what each announced last, for each stage', async () => {
      await announce('one', 2);
      await announce('two', 3);
      await announce('one', 4);
      await announce('one', 5, 30_000, 'analysis');
      expect(await capacity()).toEqual({ transcription: 7, analysis: 5 });
    });

    it('is without those that did not announce themselves again in time', async () => {
      await announce('one', 2, 10_000);
      await announce('two', 3, 30_000);
      fixture().clock.step(10_000);
      expect((await capacity()).transcription).toBe(3);
      await announce('three', 1);
      expect((await capacity()).transcription).toBe(4);
    });

    it('is without those that stopped', async () => {
      await announce('one', 2);
      await announce('one', 0);
      expect((await capacity()).transcription).toBe(0);
    });
  });
}

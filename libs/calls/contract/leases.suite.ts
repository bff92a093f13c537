import { describe, expect, it } from '@jest/globals';
import { DEFAULT_POLICY } from '../index.ts';
import { analysis, type Bench, HOUR, MINUTE, segment, transcript, transient } from './call-store.fixture.ts';

const { leaseMs, maxFailures } = DEFAULT_POLICY;

export function leases(bench: () => Bench): void {
  describe('workers and their leases', () => {
    it('of many workers racing for one call, one gets it', async () => {
      const { id } = await bench().accept();
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, n) => bench().calls.claim(id, 'transcription', `worker ${n}`)),
      );
      expect(results.filter((result) => 'lease' in result)).toHaveLength(1);
      expect(await bench().read(id)).toMatchObject({ attempt: 1, version: 2 });
    });

    it('a second delivery does not claim a call again, nor a stage that is over', async () => {
      const { id } = await bench().accept();
      const lease = await bench().claim(id);
      expect(await bench().calls.claim(id, 'transcription', 'other')).toEqual({ refused: 'someone works on it' });
      await bench().calls.commitTranscript(lease, transcript);
      expect(await bench().calls.claim(id, 'transcription', 'other')).toEqual({ refused: 'waits for analysis' });
      await bench().calls.commitAnalysis(await bench().claim(id, 'analysis'), analysis);
      expect(await bench().calls.claim(id, 'analysis', 'other')).toEqual({ refused: 'already completed' });
    });

    it('a worker that lost its lease cannot overwrite, keep a segment, set back, release or renew', async () => {
      const { id } = await bench().accept();
      const lost = await bench().claim(id);
      bench().clock.step(leaseMs);
      expect(await bench().calls.reclaimExpired()).toBe(1);
      bench().clock.step(HOUR);
      const held = await bench().claim(id);
      const before = await bench().read(id);

      expect(await bench().calls.commitTranscript(lost, { ...transcript, language: 'xx' })).toBe(false);
      expect(await bench().calls.saveSegment(lost, segment)).toBe(false);
      expect(await bench().calls.failAttempt(lost, transient)).toBeNull();
      expect(await bench().calls.release(lost)).toBe(false);
      expect(await bench().calls.renew(lost)).toBe(false);
      expect(await bench().calls.measured(lost, 1)).toBe(false);
      expect(await bench().read(id)).toEqual(before);
      expect(await bench().store.segments(id)).toEqual([]);

      expect(await bench().calls.commitTranscript(held, transcript)).toBe(true);
      expect(await bench().store.transcript(id)).toEqual(transcript);
    });

    it('a lease that ended is taken back, counted, and the call waits for its next try', async () => {
      const { id } = await bench().accept();
      await bench().claim(id);
      bench().clock.step(leaseMs - 1);
      expect(await bench().calls.reclaimExpired()).toBe(0);
      bench().clock.step(1);
      expect(await bench().calls.reclaimExpired()).toBe(1);
      const call = await bench().read(id);
      expect(call).toMatchObject({
        status: 'transcribing',
        failures: 1,
        lease: null,
        lastFailure: { code: 'worker_lost' },
      });
      expect(call.nextAttemptAt?.getTime()).toBeGreaterThan(bench().clock.now().getTime());
    });

    it('a call that takes its worker with it each time is failed in the end', async () => {
      const { id } = await bench().accept();
      for (let n = 0; n < maxFailures; n += 1) {
        await bench().claim(id);
        bench().clock.step(HOUR);
        expect(await bench().calls.reclaimExpired()).toBe(1);
        bench().clock.step(HOUR);
      }
      expect(await bench().read(id)).toMatchObject({ status: 'failed', failure: { code: 'worker_lost' } });
    });

    it('a lease that was renewed after it was found ended is not taken back', async () => {
      const { id } = await bench().accept();
      const lease = await bench().claim(id);
      bench().clock.step(leaseMs);
      const { store } = bench();
      const find = store.expiredLeases.bind(store);
      store.expiredLeases = async (now, limit) => {
        const found = await find(now, limit);
        expect(found.map((call) => call.id)).toEqual([id]);
        await bench().calls.renew(lease);
        return found;
      };
      expect(await bench().calls.reclaimExpired()).toBe(0);
      expect(await bench().calls.commitTranscript(lease, transcript)).toBe(true);
    });

    it('a finished segment is kept once, whoever brings it again, and without a new version', async () => {
      const { id } = await bench().accept();
      const lease = await bench().claim(id);
      expect(await bench().calls.saveSegment(lease, segment)).toBe(true);
      expect(await bench().calls.saveSegment(lease, { ...segment, language: 'fr' })).toBe(true);
      expect(await bench().calls.saveSegment(lease, { ...segment, key: 'next', channel: null })).toBe(true);
      const segments = await bench().store.segments(id);
      expect(segments).toHaveLength(2);
      expect(segments).toEqual(expect.arrayContaining([segment, { ...segment, key: 'next', channel: null }]));
      expect((await bench().read(id)).version).toBe(2);
    });

    it('a kept segment says how far the call is transcribed, and moves the time of its last change, never back', async () => {
      const { id } = await bench().accept();
      const lease = await bench().claim(id);
      expect((await bench().read(id)).audio.secondsDone).toBe(0);
      bench().clock.step(MINUTE);
      const at = bench().clock.now();
      await bench().calls.saveSegment(lease, segment);
      const after = await bench().read(id);
      expect([after.audio.secondsDone, after.updatedAt]).toEqual([8, at]);
      bench().clock.step(-HOUR);
      await bench().calls.saveSegment(lease, { ...segment, key: 'before', endMs: 4_000 });
      expect(await bench().read(id)).toEqual(after);
    });

    it('segments outlive the try that made them, and belong to their call alone', async () => {
      const [one, two] = [await bench().accept(), await bench().accept()];
      const lease = await bench().claim(one.id);
      await bench().calls.saveSegment(lease, segment);
      await bench().calls.failAttempt(lease, transient);
      expect(await bench().store.segments(one.id)).toEqual([segment]);
      expect(await bench().store.segments(two.id)).toEqual([]);
    });
  });

  describe('when the clock is stepped', () => {
    it('back while a worker died, its call is taken back and tried again', async () => {
      const { id } = await bench().accept();
      await bench().claim(id);
      bench().clock.step(-5 * HOUR);
      expect(await bench().calls.reclaimExpired()).toBe(1);
      bench().clock.step(10 * MINUTE);
      expect(await bench().ready('account_1')).toEqual([id]);
    });

    it('back by less than clocks may differ, a lease lasts', async () => {
      await bench().claim((await bench().accept()).id);
      bench().clock.step(-MINUTE);
      expect(await bench().calls.reclaimExpired()).toBe(0);
    });

    it('back while a worker lives, its next renewal keeps the call', async () => {
      const lease = await bench().claim((await bench().accept()).id);
      bench().clock.step(-5 * HOUR);
      expect(await bench().calls.renew(lease)).toBe(true);
      expect(await bench().calls.reclaimExpired()).toBe(0);
      expect(await bench().calls.commitTranscript(lease, transcript)).toBe(true);
    });

    it('back, neither a delayed nor a granted call is stranded, and both can be granted and claimed', async () => {
      const [delayed, granted] = [await bench().accept(), await bench().accept()];
      await bench().calls.failAttempt(await bench().claim(delayed.id), transient);
      await bench().calls.grant(granted.id);
      bench().clock.step(-5 * HOUR);
      expect((await bench().ready('account_1')).sort()).toEqual([delayed.id, granted.id].sort());
      expect(await bench().store.figures(bench().clock.now())).toMatchObject({
        ready: { transcription: 2, analysis: 0 },
      });
      for (const { id } of [delayed, granted]) {
        expect(await bench().calls.grant(id)).not.toBeNull();
        await bench().claim(id);
      }
    });

    it('forward, leases end and every waiting call is due', async () => {
      const [leased, delayed] = [await bench().accept(), await bench().accept()];
      await bench().claim(leased.id);
      await bench().calls.failAttempt(await bench().claim(delayed.id), transient);
      bench().clock.step(24 * HOUR);
      expect(await bench().calls.reclaimExpired()).toBe(1);
      bench().clock.step(HOUR);
      expect((await bench().ready('account_1')).sort()).toEqual([leased.id, delayed.id].sort());
    });

    it('no engine makes a call wait for longer than an hour', async () => {
      const { id } = await bench().accept();
      const until = new Date(bench().clock.now().getTime() + 100 * HOUR);
      const failure = { kind: 'rate-limited', code: 'rate_limit', message: 'Slower.', until } as const;
      const call = await bench().calls.failAttempt(await bench().claim(id), failure);
      expect(call?.nextAttemptAt).toEqual(new Date(bench().clock.now().getTime() + HOUR));
      expect(await bench().calls.grant(id)).toBeNull();
      bench().clock.step(HOUR);
      expect(await bench().calls.grant(id)).not.toBeNull();
    });

    it('back, a call does not become older than it was', async () => {
      const { id, createdAt } = await bench().accept();
      bench().clock.step(-5 * HOUR);
      await bench().claim(id);
      expect((await bench().read(id)).updatedAt).toEqual(createdAt);
    });
  });
}

export function announcing(bench: () => Bench): void {
  const announce = (
    worker: string,
    calls: number,
    ms = 30_000,
    stage: 'transcription' | 'analysis' = 'transcription',
  ) => {
    const now = bench().clock.now();
    return bench().store.announceWorker(stage, worker, calls, now, new Date(now.getTime() + ms));
  };
  const capacity = () => bench().store.capacity(bench().clock.now());

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
      bench().clock.step(10_000);
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

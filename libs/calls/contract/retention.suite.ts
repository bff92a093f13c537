import { describe, expect, it } from '@jest/globals';
import type { Call } from '../index.ts';
import { analysis, type Bench, HOUR, rejected, transcript } from './call-store.fixture.ts';

export function retention(bench: () => Bench): void {
  const ended = async (accountId?: string) => {
    const call = await bench().accept(accountId);
    await bench().calls.commitTranscript(await bench().claim(call.id), transcript);
    await bench().calls.commitAnalysis(await bench().claim(call.id, 'analysis'), analysis);
    return bench().read(call.id);
  };
  const failed = async () => {
    const call = await bench().accept();
    await bench().calls.failAttempt(await bench().claim(call.id), rejected);
    return bench().read(call.id);
  };
  const idsBefore = async (time: Date, limit = 10) =>
    (await bench().store.finishedBefore(time, limit)).map(({ id }) => id);
  /** Ids have the time of the machine: the clock of the bench must not be behind it. */
  const stepPastNow = () => bench().clock.step(Date.now() + HOUR - bench().clock.now().getTime());
  const now = () => bench().clock.now();

  describe('the retention of calls', () => {
    it('finds the finished calls of all accounts that ended before a time, oldest first', async () => {
      stepPastNow();
      const first = await ended('account_1');
      const second = await ended('account_2');
      const third = await failed();
      for (const call of [await bench().accept(), await bench().accept()]) await bench().claim(call.id);
      const removed = await ended();
      await bench().calls.remove(removed.accountId, removed.id);
      bench().clock.step(HOUR);
      await ended();
      const time = now();
      expect(await idsBefore(time)).toEqual([first.id, second.id, third.id]);
      expect(await idsBefore(time, 2)).toEqual([first.id, second.id]);
      expect(await idsBefore(first.updatedAt)).toEqual([]);
      expect((await bench().store.finishedBefore(time, 1))[0]).toEqual(await bench().read(first.id));
    });

    it('counts from the end of a call, not from its upload', async () => {
      stepPastNow();
      const { id } = await bench().accept();
      bench().clock.step(HOUR);
      await bench().calls.commitTranscript(await bench().claim(id), transcript);
      await bench().calls.commitAnalysis(await bench().claim(id, 'analysis'), analysis);
      expect(await idsBefore(now())).toEqual([]);
      expect(await bench().calls.expire(await bench().read(id), now())).toBe(false);
      bench().clock.step(1);
      expect(await idsBefore(now())).toEqual([id]);
    });

    it('removes a call for good: readers do not see it, and it cannot be restored', async () => {
      stepPastNow();
      const call = await ended();
      bench().clock.step(HOUR);
      expect(await bench().calls.expire(call, now())).toBe(true);
      expect(await bench().store.detail(call.accountId, call.id)).toBeNull();
      expect(await bench().calls.restore(call.accountId, call.id)).toBe(false);
      expect((await bench().events(call.id)).at(-1)).toBe('call.removed');
      expect((await bench().store.removalsDue(now(), 10)).map(({ id }) => id)).toEqual([call.id]);
      expect(await idsBefore(now())).toEqual([]);
      expect(await bench().calls.expire(call, now())).toBe(false);
    });

    it('leaves alone a call that was retried after it was found', async () => {
      stepPastNow();
      const call = await failed();
      bench().clock.step(HOUR);
      const [found] = (await bench().store.finishedBefore(now(), 10)) as [Call];
      expect(found.id).toBe(call.id);
      expect(await bench().calls.retry(call.accountId, call.id)).toHaveProperty('call');
      expect(await bench().calls.expire(found, now())).toBe(false);
      expect(await bench().read(call.id)).toMatchObject({ status: 'queued', stage: 'transcription', removal: null });
      expect(await idsBefore(now())).toEqual([]);
    });
  });
}

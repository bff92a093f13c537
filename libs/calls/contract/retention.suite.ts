import { describe, expect, it } from '@jest/globals';
import type { Call } from '../index.ts';
import { analysis, type Fixture, HOUR, rejected, transcript } from './call-store.fixture.ts';

export function retention(fixture: () => Fixture): void {
  const ended = async (accountId?: string) => {
    const call = await fixture().accept(accountId);
    await fixture().calls.commitTranscript(await fixture().claim(call.id), transcript);
    await fixture().calls.commitAnalysis(await fixture().claim(call.id, 'analysis'), analysis);
    return fixture().read(call.id);
  };
  const failed = async () => {
    const call = await fixture().accept();
    await fixture().calls.failAttempt(await fixture().claim(call.id), rejected);
    return fixture().read(call.id);
  };
  const idsBefore = async (time: Date, limit = 10) =>
    (await fixture().store.finishedBefore(time, limit)).map(({ id }) => id);
  /** Ids have the time of the machine: the clock of the fixture must not be behind it. */
  const stepPastNow = () => fixture().clock.step(Date.now() + HOUR - fixture().clock.now().getTime());
  const now = () => fixture().clock.now();

  describe('the retention of calls', () => {
    it('finds the finished calls of all accounts that ended before a time, oldest first', async () => {
      stepPastNow();
      const first = await ended('account_1');
      const second = await ended('account_2');
      const third = await failed();
      for (const call of [await fixture().accept(), await fixture().accept()]) await fixture().claim(call.id);
      const removed = await ended();
      await fixture().calls.remove(removed.accountId, removed.id);
      fixture().clock.step(HOUR);
      await ended();
      const time = now();
      expect(await idsBefore(time)).toEqual([first.id, second.id, third.id]);
      expect(await idsBefore(time, 2)).toEqual([first.id, second.id]);
      expect(await idsBefore(first.updatedAt)).toEqual([]);
      expect((await fixture().store.finishedBefore(time, 1))[0]).toEqual(await fixture().read(first.id));
    });

    it('counts from the end of a call, not from its upload', async () => {
      stepPastNow();
      const { id } = await fixture().accept();
      fixture().clock.step(HOUR);
      await fixture().calls.commitTranscript(await fixture().claim(id), transcript);
      await fixture().calls.commitAnalysis(await fixture().claim(id, 'analysis'), analysis);
      expect(await idsBefore(now())).toEqual([]);
      expect(await fixture().calls.expire(await fixture().read(id), now())).toBe(false);
      fixture().clock.step(1);
      expect(await idsBefore(now())).toEqual([id]);
    });

    it('removes a call for good: readers do not see it, and it cannot be restored', async () => {
      stepPastNow();
      const call = await ended();
      fixture().clock.step(HOUR);
      expect(await fixture().calls.expire(call, now())).toBe(true);
      expect(await fixture().store.detail(call.accountId, call.id)).toBeNull();
      expect(await fixture().calls.restore(call.accountId, call.id)).toBe(false);
      expect((await fixture().events(call.id)).at(-1)).toBe('call.removed');
      expect((await fixture().store.removalsDue(now(), 10)).map(({ id }) => id)).toEqual([call.id]);
      expect(await idsBefore(now())).toEqual([]);
      expect(await fixture().calls.expire(call, now())).toBe(false);
    });

    it('leaves alone a call that was retried after it was found', async () => {
      stepPastNow();
      const call = await failed();
      fixture().clock.step(HOUR);
      const [found] = (await fixture().store.finishedBefore(now(), 10)) as [Call];
      expect(found.id).toBe(call.id);
      expect(await fixture().calls.retry(call.accountId, call.id)).toHaveProperty('call');
      expect(await fixture().calls.expire(found, now())).toBe(false);
      expect(await fixture().read(call.id)).toMatchObject({ status: 'queued', stage: 'transcription', removal: null });
      expect(await idsBefore(now())).toEqual([]);
    });
  });
}

import { describe, expect, it } from '@jest/globals';
import { COUNTED_AHEAD, PACE, secondsToStart } from '../index.ts';
import {
  analysis,
  type Fixture,
  HOUR,
  MINUTE,
  rejected,
  transcript,
  transient,
  unavailable,
} from './call-store.fixture.ts';

export function queueing(fixture: () => Fixture): void {
  const placeOf = async (id: string) => fixture().store.queuePlace(await fixture().read(id));
  const accept = async (count: number, accountId = 'account_1') => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      ids.push((await fixture().accept(accountId)).id);
      fixture().clock.step(1_000);
    }
    return ids;
  };

  describe('the place in the queue', () => {
    it('counts the calls of the account that came earlier and wait for the same stage, granted ones too', async () => {
      await accept(3, 'account_2');
      const [granted = '', first = '', second = '', transcribed = ''] = await accept(4);
      expect(await placeOf(second)).toEqual({ ahead: 2, waiting: null });
      await fixture().calls.grant(granted);
      expect(await placeOf(granted)).toEqual({ ahead: 0, waiting: null });
      expect(await placeOf(second)).toEqual({ ahead: 2, waiting: null });
      await fixture().claim(granted);
      expect(await placeOf(second)).toEqual({ ahead: 1, waiting: null });
      await fixture().calls.failAttempt(await fixture().claim(first), rejected);
      expect(await placeOf(second)).toEqual({ ahead: 0, waiting: null });
      await fixture().calls.commitTranscript(await fixture().claim(transcribed), transcript);
      expect(await placeOf(transcribed)).toEqual({ ahead: 0, waiting: null });
    });

    it('says what another call of the account waits for in this stage, until it goes on', async () => {
      const [waiting = '', behind = ''] = await accept(2);
      const [elsewhere = ''] = await accept(1, 'account_2');
      const since = fixture().clock.now();
      await fixture().calls.failAttempt(await fixture().claim(waiting), unavailable);
      expect(await placeOf(behind)).toEqual({ ahead: 0, waiting: { for: 'speech_engine', since } });
      expect(await placeOf(elsewhere)).toEqual({ ahead: 0, waiting: null });
      fixture().clock.step(HOUR);
      await fixture().calls.commitTranscript(await fixture().claim(waiting), transcript);
      expect(await placeOf(behind)).toEqual({ ahead: 0, waiting: null });
      expect(await placeOf(waiting)).toEqual({ ahead: 0, waiting: null });
    });
  });

  describe('the pace of a queue', () => {
    const paceOf = (accountId = 'account_1') =>
      fixture().store.queuePace(accountId, 'transcription', fixture().clock.now());
    const finish = async (id: string, seconds: number) => {
      const lease = await fixture().claim(id);
      fixture().clock.step(seconds * 1_000);
      await fixture().calls.commitTranscript(lease, transcript);
      await fixture().calls.commitAnalysis(await fixture().claim(id, 'analysis'), analysis);
    };

    it('counts the calls that ended since the first in the queue began to wait, failed ones too', async () => {
      const [idle = ''] = await accept(1);
      await finish(idle, 60);
      fixture().clock.step(1_000);
      const since = fixture().clock.now();
      const [first = '', second = '', failed = '', , last = ''] = await accept(5);
      expect(await paceOf()).toEqual({ since, finishedAt: [] });
      await finish(first, 20);
      await finish(second, 20);
      await fixture().calls.failAttempt(await fixture().claim(failed), rejected);
      // The fourth call came 3 s after the first; what ended before that is not counted.
      const ended = fixture().clock.now();
      const pace = await paceOf();
      expect(pace).toEqual({
        since: new Date(since.getTime() + 3_000),
        finishedAt: [ended, ended, new Date(ended.getTime() - 20_000)],
      });
      // Three calls ended in the 42 s since the fourth came, and one is ahead of the last.
      expect(secondsToStart(await placeOf(last), pace, ended)).toBe(28);
      expect(secondsToStart(await placeOf(last), pace, new Date(ended.getTime() + 10_000))).toBe(18);
      expect(secondsToStart(await placeOf(last), pace, new Date(ended.getTime() + 42_000))).toBe(21);
      expect(await paceOf('account_2')).toBeNull();
    });

    it('is not known of a queue whose first call was tried before, nor without a queue', async () => {
      const [tried = ''] = await accept(1);
      await fixture().calls.failAttempt(await fixture().claim(tried), transient);
      fixture().clock.step(HOUR);
      await fixture().calls.endWaits();
      expect(await placeOf(tried)).toEqual({ ahead: 0, waiting: null });
      expect(await paceOf()).toBeNull();
      await finish(tried, 1);
      expect(await paceOf()).toBeNull();
    });

    it('is that of the last 15 minutes, and at most of the last 100 calls', async () => {
      const ids = await accept(PACE.calls + 3);
      for (const id of ids.slice(0, 2)) await finish(id, 10);
      fixture().clock.step(16 * MINUTE);
      expect(await paceOf()).toEqual({
        since: new Date(fixture().clock.now().getTime() - 15 * MINUTE),
        finishedAt: [],
      });
      for (const id of ids.slice(2, -1)) await finish(id, 1);
      const pace = await paceOf();
      expect(pace?.finishedAt).toHaveLength(PACE.calls);
      expect(secondsToStart({ ahead: 9 }, pace, fixture().clock.now())).toBe(10);
    });

    it('gives no estimate from fewer than three calls, nor for a place that is not counted', () => {
      const now = new Date(60_000);
      const pace = { since: new Date(0), finishedAt: [now, now] };
      expect(secondsToStart({ ahead: 1 }, pace, now)).toBeNull();
      expect(secondsToStart({ ahead: 1 }, { ...pace, finishedAt: [now, now, now] }, now)).toBe(40);
      const many = { ...pace, finishedAt: Array.from({ length: 50 }, () => now) };
      expect(secondsToStart({ ahead: COUNTED_AHEAD }, many, now)).toBe(1202);
      expect(secondsToStart({ ahead: COUNTED_AHEAD + 1 }, many, now)).toBeNull();
    });
  });

  it('the positions of all waiting calls are those that each is told', async () => {
    await accept(1, 'account_2');
    const [granted = '', claimed = '', ...ids] = await accept(5);
    const together = (await fixture().accept()).id;
    ids.push(together, (await fixture().accept()).id);
    await fixture().calls.grant(granted);
    await fixture().claim(claimed);
    const positions = await fixture().store.queuePositions('account_1', 'transcription');
    expect([...positions]).toHaveLength(6);
    for (const id of [granted, ...ids]) expect(positions.get(id)).toBe((await placeOf(id)).ahead + 1);
    expect(positions.get(together)).toBe(5);
  });
}

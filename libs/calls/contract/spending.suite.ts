import { describe, expect, it } from '@jest/globals';
import { type AttemptCost, Calls } from '../index.ts';
import { analysis, type Fixture, HOUR, transcript } from './call-store.fixture.ts';

const ENGINE = { name: 'openai', model: 'gpt-transcribe' };
const PRICED = { unpricedTranscription: 0, unpricedAnalysis: 0 };

export function spending(fixture: () => Fixture): void {
  const calls = (spendingLimit: number | null = 1) =>
    new Calls(fixture().store, { clock: fixture().clock, policy: { spendingLimit } });
  const today = () => fixture().clock.now().toISOString().slice(0, 10);
  const cost = (dollars: number | null, attempt = 1): AttemptCost => ({
    attempt,
    stage: 'transcription',
    engine: ENGINE,
    dollars,
    at: fixture().clock.now(),
  });
  const record = (callId: string, dollars: number | null, attempt = 1) =>
    fixture().store.recordCost(callId, cost(dollars, attempt));
  const spent = async (day = today()) =>
    Object.fromEntries((await fixture().store.spending(day)).map(({ accountId, dollars }) => [accountId, dollars]));
  const refusal = async (callId: string, limit: number | null = 1) => {
    const claimed = await calls(limit).claim(callId, 'transcription', 'worker');
    return 'refused' in claimed ? claimed.refused : null;
  };
  const AT_LIMIT = 'the spending limit of the day is reached';

  describe('the cost of an attempt', () => {
    it('is in the sum of its account and day once, however often it is recorded', async () => {
      const { id } = await fixture().accept('a');
      for (const dollars of [0.25, 0.25, 0.75, 0.5]) await record(id, dollars);
      expect(await fixture().store.costs(id)).toEqual([cost(0.75)]);
      expect(await spent()).toEqual({ a: 0.75 });
    });

    it('adds up over attempts, calls and days, for each account alone', async () => {
      const [first, second, other] = [
        await fixture().accept('a'),
        await fixture().accept('a'),
        await fixture().accept('b'),
      ];
      const day = today();
      await record(first.id, 0.5);
      await record(first.id, 0.25, 2);
      await record(second.id, 1);
      await record(other.id, 8);
      fixture().clock.step(24 * HOUR);
      await record(first.id, 0.5, 2);
      expect((await fixture().store.costs(first.id)).map(({ dollars }) => dollars)).toEqual([0.5, 0.5]);
      expect(await spent(day)).toEqual({ a: 1.75, b: 8 });
      expect(await spent()).toEqual({ a: 0.25 });
      expect(await fixture().store.spending(day, 'b')).toMatchObject([{ accountId: 'b', dollars: 8 }]);
    });

    it('is not known where the price is not: counted once, in no sum, until a price is known', async () => {
      const { id, audio } = await fixture().accept('a');
      const period = async () => (await calls().spending.periods('a', today(), today(), 'day'))[0];
      await record(id, 0);
      expect([await fixture().store.costs(id), await period()]).toEqual([[], undefined]);
      await record(id, null);
      await record(id, null);
      const none = { transcription: 0, analysis: 0, dollars: 0, calls: 1, seconds: audio.seconds, period: today() };
      expect(await fixture().store.costs(id)).toEqual([cost(null)]);
      expect(await period()).toEqual({ ...none, ...PRICED, unpricedTranscription: 1, attempts: 1 });
      expect(await calls().spending.today('a')).toMatchObject({ dollars: null, reachedAt: null });
      await fixture().store.recordCost(id, { ...cost(null, 2), stage: 'analysis' });
      await record(id, 0.5);
      await record(id, null);
      expect(await fixture().store.costs(id)).toMatchObject([{ dollars: 0.5 }, { stage: 'analysis', dollars: null }]);
      const half = { transcription: 0.5, dollars: 0.5, attempts: 2 };
      expect(await period()).toEqual({ ...none, ...half, ...PRICED, unpricedAnalysis: 1 });
      expect(await calls().spending.today('a')).toMatchObject({ dollars: 0.5 });
    });

    it('of many attempts that end at once is summed without losing one', async () => {
      const accepted = await Promise.all(Array.from({ length: 20 }, () => fixture().accept('a')));
      await Promise.all(accepted.map(({ id }) => record(id, 0.5)));
      expect(await spent()).toEqual({ a: 10 });
    });

    it('is recorded beside the work on the call, and also when the lease is lost', async () => {
      const { id } = await fixture().accept('a');
      const lease = await fixture().claim(id);
      await calls().spending.record(lease, ENGINE, 0.5);
      await fixture().calls.release(lease);
      await calls().spending.record(lease, ENGINE, 0.75);
      expect(await fixture().read(id)).toMatchObject({ version: 3, attempt: 1 });
      expect(await calls().spending.costs(id)).toEqual([cost(0.75)]);
    });

    it('is summed by day and month, each call once with its length, and the stages apart', async () => {
      const periods = (by: 'day' | 'month', accountId = 'a') =>
        calls().spending.periods(accountId, '2026-11-01', '2026-12-31', by);
      const [first, second, other] = [
        await fixture().accept('a'),
        await fixture().accept('a'),
        await fixture().accept('b'),
      ];
      const estimate = first.audio.seconds;
      await record(first.id, 0.5);
      await record(first.id, 0.75);
      await fixture().calls.measured(await fixture().claim(first.id), estimate + 30);
      await record(first.id, 1);
      await record(first.id, 0.25, 2);
      await record(other.id, 8);
      const day = {
        calls: 1,
        attempts: 2,
        seconds: estimate + 30,
        transcription: 1.25,
        analysis: 0,
        dollars: 1.25,
        ...PRICED,
      };
      expect(await periods('day')).toEqual([{ period: '2026-11-21', ...day }]);
      fixture().clock.step(24 * HOUR);
      await fixture().store.recordCost(first.id, { ...cost(0.5, 3), stage: 'analysis' });
      await record(second.id, 2);
      const next = {
        calls: 1,
        attempts: 2,
        seconds: estimate,
        transcription: 2,
        analysis: 0.5,
        dollars: 2.5,
        ...PRICED,
      };
      expect(await periods('day')).toEqual([
        { period: '2026-11-21', ...day },
        { period: '2026-11-22', ...next },
      ]);
      const month = {
        calls: 2,
        attempts: 4,
        seconds: 2 * estimate + 30,
        transcription: 3.25,
        analysis: 0.5,
        ...PRICED,
      };
      expect(await periods('month')).toEqual([{ period: '2026-11', ...month, dollars: 3.75 }]);
      expect(await calls().spending.periods('a', '2026-11-22', '2026-11-22', 'day')).toHaveLength(1);
      expect(await periods('day', 'c')).toEqual([]);
    });

    it('goes with its call; the sum stays until the account is deleted', async () => {
      const { id } = await fixture().accept('a');
      await record(id, 2);
      await fixture()
        .accept('b')
        .then((other) => record(other.id, 3));
      await fixture().calls.removeAccount('a');
      await fixture().calls.finishRemoval(id);
      expect(await fixture().calls.purge(id)).toBe(true);
      await record(id, 5);
      expect(await fixture().store.costs(id)).toEqual([]);
      expect(await spent()).toEqual({ a: 2, b: 3 });
      await fixture().store.accountEmptied('a');
      expect(await spent()).toEqual({ b: 3 });
    });
  });

  describe('an account that has reached its spending limit', () => {
    it('gets no more work that day; its calls wait uncounted, and others go on', async () => {
      const [paid, waiting, other] = [
        await fixture().accept('a'),
        await fixture().accept('a'),
        await fixture().accept('b'),
      ];
      const lease = await fixture().claim(paid.id);
      await record(paid.id, 0.99);
      expect((await calls().spending.today('a')).reachedAt).toBeNull();
      await record(paid.id, 1);
      await calls().grant(waiting.id);
      expect(await refusal(waiting.id)).toBe(AT_LIMIT);
      const held = { status: 'queued', attempt: 0, failures: 0, waiting: null, lease: null, grantedUntil: null };
      expect(await fixture().read(waiting.id)).toMatchObject(held);
      expect(await refusal(other.id)).toBeNull();
      expect(await fixture().calls.commitTranscript(lease, transcript)).toBe(true);
      expect([...(await calls().spending.accountsAtLimit())]).toEqual(['a']);
      fixture().clock.step(HOUR);
      expect(await fixture().ready('a')).toEqual([waiting.id]);
      expect(await refusal(waiting.id)).toBe(AT_LIMIT);
    });

    it('goes on at 00:00 UTC', async () => {
      const [paid, waiting] = [await fixture().accept('a'), await fixture().accept('a')];
      await record(paid.id, 5);
      const reachedAt = fixture().clock.now();
      const endsAt = new Date('2026-11-22T00:00:00Z');
      expect(await calls().spending.today('a')).toEqual({ day: '2026-11-21', dollars: 5, reachedAt, endsAt });
      fixture().clock.step(endsAt.getTime() - reachedAt.getTime() - 1);
      expect(await refusal(waiting.id)).toBe(AT_LIMIT);
      fixture().clock.step(1);
      expect(await calls().spending.today('a')).toMatchObject({ day: '2026-11-22', dollars: 0, reachedAt: null });
      expect([...(await calls().spending.accountsAtLimit())]).toEqual([]);
      fixture().clock.step(HOUR);
      expect(await fixture().ready('a')).toContain(waiting.id);
      expect(await refusal(waiting.id)).toBeNull();
    });

    it('is not analyzed again before the next day either', async () => {
      const { id } = await fixture().accept('a');
      await fixture().calls.commitTranscript(await fixture().claim(id), transcript);
      await fixture().calls.commitAnalysis(await fixture().claim(id, 'analysis'), analysis);
      await record(id, 1);
      expect(await calls().corrections.analyzeAgain('a', id)).toMatchObject({ call: { status: 'analyzing' } });
      expect(await calls().claim(id, 'analysis', 'worker')).toEqual({ refused: AT_LIMIT });
    });

    it('is the one with the smaller of its own limit and that of the installation', async () => {
      const { id } = await fixture().accept('a');
      await record(id, 0.5);
      const reached = async (limit: number | null) => (await calls(limit).spending.today('a')).reachedAt !== null;
      expect([await reached(null), await reached(1)]).toEqual([false, false]);
      await calls().saveSettings('a', 'spendingLimit', 0, 0.5);
      expect([await reached(null), await reached(1)]).toEqual([true, true]);
      expect([...(await calls(null).spending.accountsAtLimit())]).toEqual(['a']);
      await calls().saveSettings('a', 'spendingLimit', 1, 2);
      expect([await reached(null), await reached(1), await reached(0.5)]).toEqual([false, false, true]);
      await calls().saveSettings('a', 'spendingLimit', 2, null);
      expect([await reached(null), await reached(0.5)]).toEqual([false, true]);
    });

    it('has its ready calls counted as held', async () => {
      await Promise.all(['a', 'a', 'b'].map((accountId) => fixture().accept(accountId)));
      const figures = (atLimit?: string[]) => fixture().store.figures(fixture().clock.now(), atLimit);
      expect(await figures(['a', 'c'])).toMatchObject({
        ready: { transcription: 3 },
        held: { transcription: 2, analysis: 0 },
      });
      expect((await figures()).held).toEqual({ transcription: 0, analysis: 0 });
    });
  });
}

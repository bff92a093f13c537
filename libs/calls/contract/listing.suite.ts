import { CALL_STATUSES, type OverviewQuery, type SaleStatus } from '@call-analytics/contracts';
import { describe, expect, it } from '@jest/globals';
import type { Finding } from '../index.ts';
import { analysis, type Fixture, HOUR, rejected, transcript } from './call-store.fixture.ts';

export function listing(fixture: () => Fixture): void {
  const ids = async (accountId: string, limit = 100, offset = 0) =>
    (await fixture().store.list(accountId, { limit, offset })).calls.map(({ id }) => id);
  const accept = async (count: number, accountId = 'mine', stepMs = 1_000) => {
    const accepted: string[] = [];
    for (let n = 0; n < count; n += 1) {
      accepted.push((await fixture().accept(accountId)).id);
      fixture().clock.step(stepMs);
    }
    return accepted;
  };

  describe('the list', () => {
    it('shows newest first, in pages that join without gap or overlap', async () => {
      const newestFirst = (await accept(12)).reverse();
      expect(await ids('mine')).toEqual(newestFirst);
      const pages = [
        await ids('mine', 5, 0),
        await ids('mine', 5, 5),
        await ids('mine', 5, 10),
        await ids('mine', 5, 12),
      ];
      expect(pages.map((page) => page.length)).toEqual([5, 5, 2, 0]);
      expect(pages.flat()).toEqual(newestFirst);
      expect(await ids('mine', 5, Number.MAX_SAFE_INTEGER)).toEqual([]);
    });

    it('is stable among calls of the same moment: by id, last first', async () => {
      const accepted = await accept(20, 'mine', 0);
      const expected = [...accepted].sort().reverse();
      expect(await ids('mine')).toEqual(expected);
      expect([...(await ids('mine', 7, 0)), ...(await ids('mine', 7, 7)), ...(await ids('mine', 7, 14))]).toEqual(
        expected,
      );
    });

    it('shows items with what a list item needs', async () => {
      const call = await fixture().accept('mine');
      const { id, fileName, status, reportType, language, product, saleStatus, score, createdAt, updatedAt } = call;
      expect(await fixture().store.list('mine', { limit: 1, offset: 0 })).toEqual({
        calls: [{ id, fileName, status, reportType, language, product, saleStatus, score, createdAt, updatedAt }],
        total: 1,
      });
    });

    it('shows nothing of other accounts', async () => {
      const mine = await accept(2, 'mine');
      await accept(3, 'other');
      expect(await ids('mine')).toEqual(mine.reverse());
      expect((await fixture().store.list('mine', { limit: 100, offset: 0 })).total).toBe(2);
      expect(await fixture().store.list('nobody', { limit: 100, offset: 0 })).toEqual({ calls: [], total: 0 });
    });

    it('filters by status, and totals follow each call from status to status', async () => {
      const page = async () => {
        const found: Record<string, string[]> = {};
        for (const status of CALL_STATUSES) {
          const { calls, total } = await fixture().store.list('mine', { limit: 100, offset: 0, status });
          expect(total).toBe(calls.length);
          expect(calls.every((call) => call.status === status)).toBe(true);
          found[status] = calls.map(({ id }) => id);
        }
        expect((await fixture().store.list('mine', { limit: 1, offset: 0 })).total).toBe(
          Object.values(found).flat().length,
        );
        return found;
      };
      const [a = '', b = '', c = ''] = await accept(3);
      expect(await page()).toEqual({ queued: [c, b, a], transcribing: [], analyzing: [], completed: [], failed: [] });
      const lease = await fixture().claim(a);
      await fixture().calls.failAttempt(await fixture().claim(b), rejected);
      expect(await page()).toEqual({ queued: [c], transcribing: [a], analyzing: [], completed: [], failed: [b] });
      await fixture().calls.commitTranscript(lease, transcript);
      expect(await page()).toEqual({ queued: [c], transcribing: [], analyzing: [a], completed: [], failed: [b] });
      await fixture().calls.commitAnalysis(await fixture().claim(a, 'analysis'), analysis);
      expect(await page()).toEqual({ queued: [c], transcribing: [], analyzing: [], completed: [a], failed: [b] });
    });

    it('pages within a status too', async () => {
      const accepted = await accept(6);
      for (const id of accepted.slice(0, 4)) await fixture().claim(id);
      const second = await fixture().store.list('mine', { limit: 2, offset: 2, status: 'transcribing' });
      expect(second).toMatchObject({ total: 4, calls: [{ id: accepted[1] }, { id: accepted[0] }] });
    });
  });
}

const DAY = 24 * HOUR;
/** The first day of the fixture's clock, which begins at nine o'clock UTC. */
const FIRST = '2026-11-21';

export function summing(fixture: () => Fixture): void {
  const overview = (asked: Partial<OverviewQuery> = {}, accountId = 'mine') =>
    fixture().store.overview(accountId, { from: FIRST, to: FIRST, timeZone: 'UTC', ...asked });
  const finding = (text: string): Finding => ({ text, quote: null, line: null });
  interface Found {
    score?: number | null;
    saleStatus?: SaleStatus;
    product?: string | null;
    objections?: string[];
    mistakes?: string[];
  }
  const complete = async ({ objections = [], mistakes = [], ...found }: Found = {}, accountId = 'mine') => {
    const call = await fixture().accept(accountId);
    await fixture().calls.commitTranscript(await fixture().claim(call.id), transcript);
    await fixture().calls.commitAnalysis(await fixture().claim(call.id, 'analysis'), {
      ...analysis,
      ...found,
      objections: objections.map(finding),
      managerMistakes: mistakes.map(finding),
    });
    fixture().clock.step(1_000);
    return call;
  };

  describe('an overview', () => {
    it('of nothing has every day, and zeros', async () => {
      expect(await overview({ to: '2026-11-22' })).toEqual({
        days: [FIRST, '2026-11-22'].map((date) => ({ date, calls: 0, completed: 0, failed: 0, averageScore: null })),
        saleStatuses: { sold: 0, not_sold: 0, follow_up: 0, unclear: 0 },
        notScored: 0,
        averageScore: null,
        products: [],
        objections: [],
        mistakes: [],
        examined: 0,
        reviewed: { answers: 0, stood: 0 },
      });
    });

    it('sums the calls of each day, of the account alone and without those that are removed', async () => {
      await complete({ score: 70, saleStatus: 'sold', product: 'Roof' });
      await complete({ score: 81, saleStatus: 'sold', product: 'Roof' });
      await complete({ score: null, saleStatus: 'unclear', product: null });
      const failed = await fixture().accept('mine');
      await fixture().calls.failAttempt(await fixture().claim(failed.id), rejected);
      await complete({ score: 1 }, 'other');
      const removed = await complete({ score: 2 });
      await fixture().calls.remove('mine', removed.id);
      fixture().clock.step(2 * DAY);
      await complete({ score: 100, saleStatus: 'not_sold', product: 'Window' });
      await fixture().accept('mine');

      const found = await overview({ to: '2026-11-23' });
      expect(found).toMatchObject({
        days: [
          { date: FIRST, calls: 4, completed: 3, failed: 1, averageScore: 75.5 },
          { date: '2026-11-22', calls: 0, completed: 0, failed: 0, averageScore: null },
          { date: '2026-11-23', calls: 2, completed: 1, failed: 0, averageScore: 100 },
        ],
        // A call without a score is in no average, no share and no ranking.
        saleStatuses: { sold: 2, not_sold: 1, follow_up: 0, unclear: 0 },
        notScored: 1,
        averageScore: 83.7,
        products: [
          { product: 'Roof', calls: 2 },
          { product: 'Window', calls: 1 },
        ],
        examined: 3,
        reviewed: { answers: 0, stood: 0 },
      });
      expect(await overview({ from: '2026-11-23', to: '2026-11-23' })).toMatchObject({
        days: [{ calls: 2 }],
        saleStatuses: { sold: 0, not_sold: 1 },
        notScored: 0,
        averageScore: 100,
        products: [{ product: 'Window', calls: 1 }],
        examined: 1,
        reviewed: { answers: 0, stood: 0 },
      });
      expect((await overview({}, 'nobody')).days).toMatchObject([{ calls: 0 }]);
    });

    it('has days as the place has them, also where clocks change', async () => {
      // 29 March 2026: in Berlin from 23:00 UTC of the day before to 22:00 UTC, an hour short.
      fixture().clock.step(Date.UTC(2026, 2, 28, 22, 59, 59) - fixture().clock.now().getTime());
      for (const step of [1_000, 23 * HOUR - 1_000, 1_000, 0]) {
        await fixture().accept('mine');
        fixture().clock.step(step);
      }
      const days = async (timeZone: string) =>
        (await overview({ from: '2026-03-28', to: '2026-03-30', timeZone })).days.map(({ calls }) => calls);
      expect(await days('Europe/Berlin')).toEqual([1, 2, 1]);
      expect(await days('UTC')).toEqual([2, 2, 0]);
      expect((await overview({ from: '2011-12-29', to: '2011-12-31', timeZone: 'Pacific/Apia' })).days).toHaveLength(3);
      expect((await overview({ from: '2011-12-30', to: '2011-12-30', timeZone: 'Pacific/Apia' })).days).toMatchObject([
        { calls: 0 },
      ]);
      await expect(overview({ timeZone: 'Mars/Olympus' })).rejects.toThrow(RangeError);
    });

    it('has every day of a year', async () => {
      await complete({ score: 50 });
      const { days, averageScore } = await overview({
        from: '2026-01-01',
        to: '2026-12-31',
        timeZone: 'America/New_York',
      });
      expect(days).toHaveLength(365);
      expect(days.filter(({ calls }) => calls > 0)).toEqual([
        { date: FIRST, calls: 1, completed: 1, failed: 0, averageScore: 50 },
      ]);
      expect(averageScore).toBe(50);
    });

    it('counts in how many calls a kind of objection or mistake was found, whatever was said, and whatever its case, white space and punctuation', async () => {
      await complete({
        objections: ['Too expensive.', 'too  expensive', 'No time'],
        mistakes: ['Interrupted the customer'],
      });
      await complete({ objections: ['TOO EXPENSIVE!: “No way.”', 'Zu teuer – nein: „viel“'], mistakes: [] });
      await complete({ objections: ['zu teuer – nein', '…'], mistakes: ['interrupted the customer'] });
      expect(await overview()).toMatchObject({
        objections: [
          { text: 'zu teuer – nein', calls: 2 },
          { text: 'TOO EXPENSIVE!', calls: 2 },
          { text: 'No time', calls: 1 },
        ],
        mistakes: [{ text: 'interrupted the customer', calls: 2 }],
        examined: 3,
        reviewed: { answers: 0, stood: 0 },
      });
    });

    it('shows the ten most frequent of each, in an order that stays', async () => {
      for (let n = 0; n < 12; n += 1) {
        const texts = Array.from({ length: 12 - n }, (_, i) => `remark ${String.fromCharCode(97 + i)}`);
        await complete({ product: texts.at(-1) ?? '', objections: texts, mistakes: texts });
      }
      const { objections, mistakes, products } = await overview();
      expect(objections.map(({ text, calls }) => [text.at(-1), calls])).toEqual(
        [...'abcdefghij'].map((letter, i) => [letter, 12 - i]),
      );
      expect(mistakes).toEqual(objections);
      expect(products.map(({ product }) => product.at(-1))).toEqual([...'abcdefghij']);
    });
  });
}

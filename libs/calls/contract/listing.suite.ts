import { CALL_STATUSES } from '@call-analytics/contracts';
import { describe, expect, it } from '@jest/globals';
import { analysis, type Bench, rejected, transcript } from './call-store.fixture.ts';

export function listing(bench: () => Bench): void {
  const ids = async (accountId: string, limit = 100, offset = 0) =>
    (await bench().store.list(accountId, { limit, offset })).calls.map(({ id }) => id);
  const accept = async (count: number, accountId = 'mine', stepMs = 1_000) => {
    const accepted: string[] = [];
    for (let n = 0; n < count; n += 1) {
      accepted.push((await bench().accept(accountId)).id);
      bench().clock.step(stepMs);
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
      const call = await bench().accept('mine');
      const { id, fileName, status, reportType, language, product, saleStatus, score, createdAt, updatedAt } = call;
      expect(await bench().store.list('mine', { limit: 1, offset: 0 })).toEqual({
        calls: [{ id, fileName, status, reportType, language, product, saleStatus, score, createdAt, updatedAt }],
        total: 1,
      });
    });

    it('shows nothing of other accounts', async () => {
      const mine = await accept(2, 'mine');
      await accept(3, 'other');
      expect(await ids('mine')).toEqual(mine.reverse());
      expect((await bench().store.list('mine', { limit: 100, offset: 0 })).total).toBe(2);
      expect(await bench().store.list('nobody', { limit: 100, offset: 0 })).toEqual({ calls: [], total: 0 });
    });

    it('filters by status, and totals follow each call from status to status', async () => {
      const page = async () => {
        const found: Record<string, string[]> = {};
        for (const status of CALL_STATUSES) {
          const { calls, total } = await bench().store.list('mine', { limit: 100, offset: 0, status });
          expect(total).toBe(calls.length);
          expect(calls.every((call) => call.status === status)).toBe(true);
          found[status] = calls.map(({ id }) => id);
        }
        expect((await bench().store.list('mine', { limit: 1, offset: 0 })).total).toBe(
          Object.values(found).flat().length,
        );
        return found;
      };
      const [a = '', b = '', c = ''] = await accept(3);
      expect(await page()).toEqual({ queued: [c, b, a], transcribing: [], analyzing: [], completed: [], failed: [] });
      const lease = await bench().claim(a);
      await bench().calls.failAttempt(await bench().claim(b), rejected);
      expect(await page()).toEqual({ queued: [c], transcribing: [a], analyzing: [], completed: [], failed: [b] });
      await bench().calls.commitTranscript(lease, transcript);
      expect(await page()).toEqual({ queued: [c], transcribing: [], analyzing: [a], completed: [], failed: [b] });
      await bench().calls.commitAnalysis(await bench().claim(a, 'analysis'), analysis);
      expect(await page()).toEqual({ queued: [c], transcribing: [], analyzing: [], completed: [a], failed: [b] });
    });

    it('pages within a status too', async () => {
      const accepted = await accept(6);
      for (const id of accepted.slice(0, 4)) await bench().claim(id);
      const second = await bench().store.list('mine', { limit: 2, offset: 2, status: 'transcribing' });
      expect(second).toMatchObject({ total: 4, calls: [{ id: accepted[1] }, { id: accepted[0] }] });
    });
  });
}

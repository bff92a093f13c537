import { describe, expect, it } from '@jest/globals';
import type { Analysis, Call, CorrectedField } from '../index.ts';
import { analysis, type Fixture, transcript } from './call-store.fixture.ts';

const OBJECTIONS: Analysis['objections'] = [
  { text: 'Price: “too dear”', kind: 'price', quote: 'too dear', line: 0 },
  { text: 'Timing: “not now”', kind: 'timing', quote: 'not now', line: 0 },
];
const FOUND: Analysis = { ...analysis, objections: OBJECTIONS, score: 60 };
const [PRICE, TIMING] = ['Price: “too dear”', 'Timing: “not now”'];
const DAY = '2026-11-21';

export function answering(fixture: () => Fixture): void {
  const completed = async (found = FOUND): Promise<Call> => {
    const { id } = await fixture().accept();
    await fixture().calls.commitTranscript(await fixture().claim(id), transcript);
    await fixture().calls.commitAnalysis(await fixture().claim(id, 'analysis'), found);
    return fixture().read(id);
  };
  const correct = ({ accountId, id }: Call, field: CorrectedField, value: string | string[] | null, by = 'Ada') =>
    fixture().calls.corrections.correctAnswer(accountId, id, field, value, by);
  const again = async ({ accountId, id }: Call, found: Analysis) => {
    const role = { speaker: 0, role: 'customer' as const };
    expect(await fixture().calls.corrections.setSpeakers(accountId, id, [role])).toHaveProperty('call');
    await fixture().calls.commitAnalysis(await fixture().claim(id, 'analysis'), found);
    return fixture().read(id);
  };
  const overview = () => fixture().store.overview('account_1', { from: DAY, to: DAY, timeZone: 'UTC' });

  describe('the correction of an answer', () => {
    it('is what the list, its filters and the overview show, and leaves the analysis as it is', async () => {
      const call = await completed();
      await correct(call, 'saleStatus', 'sold');
      await correct(call, 'product', 'Roof');
      await correct(call, 'objections', [TIMING]);
      const { calls } = await fixture().store.list(call.accountId, { limit: 1, offset: 0 });
      expect(calls).toMatchObject([{ product: 'Roof', saleStatus: 'sold', score: 60, updatedAt: call.updatedAt }]);
      const page = { limit: 1, offset: 0, sort: 'createdAt', order: 'desc' } as const;
      expect((await fixture().store.search(call.accountId, { ...page, saleStatus: 'sold' })).total).toBe(1);
      expect((await fixture().store.search(call.accountId, { ...page, saleStatus: 'follow_up' })).total).toBe(0);
      expect(await overview()).toMatchObject({
        saleStatuses: { sold: 1, follow_up: 0 },
        products: [{ product: 'Roof', calls: 1 }],
        objections: [{ text: 'Timing', calls: 1 }],
      });
      expect(await fixture().store.analysis(call.id)).toEqual(FOUND);
    });

    it('counts as reviewed, and as right when it is the answer of the engine', async () => {
      const call = await completed();
      await correct(call, 'saleStatus', 'follow_up');
      await correct(call, 'objections', [PRICE, TIMING]);
      await correct(call, 'nextStep', 'A visit on Monday');
      expect((await overview()).reviewed).toEqual({ answers: 3, stood: 2 });
      await correct(call, 'nextStep', null);
      expect((await overview()).reviewed).toEqual({ answers: 2, stood: 2 });
    });

    it('says who made it and what the engine said; the latest of an answer counts', async () => {
      const call = await completed();
      await correct(call, 'saleStatus', 'sold', 'Ada');
      expect(await correct(call, 'saleStatus', 'not_sold', 'Grace')).toEqual({
        corrections: [
          { field: 'saleStatus', value: 'not_sold', engine: 'follow_up', by: 'Grace', at: '2026-11-21T09:00:00.000Z' },
        ],
      });
      await correct(call, 'saleStatus', null);
      expect(await fixture().read(call.id)).toMatchObject({ corrections: [], saleStatus: 'follow_up' });
    });

    it('stays when the call is analyzed again, beside the new answer', async () => {
      const call = await completed();
      await correct(call, 'saleStatus', 'sold');
      await correct(call, 'objections', [PRICE]);
      const after = await again(call, { ...FOUND, saleStatus: 'unclear', objections: OBJECTIONS.toReversed() });
      expect(after).toMatchObject({
        saleStatus: 'sold',
        corrections: [
          { field: 'saleStatus', value: 'sold', engine: 'unclear' },
          { field: 'objections', value: [PRICE], engine: [TIMING, PRICE] },
        ],
      });
    });

    it('is dropped after a new analysis that found none of what it took out', async () => {
      const call = await completed();
      await correct(call, 'objections', [PRICE]);
      const after = await again(call, { ...FOUND, objections: OBJECTIONS.slice(0, 1) });
      expect(after.corrections).toEqual([]);
    });

    it('is refused for a finding that is not in the report, an unfinished call and another account', async () => {
      const call = await completed();
      expect(await correct(call, 'objections', ['Trust: “a scam”'])).toEqual({ refused: 'not in the report' });
      expect(await correct({ ...call, accountId: 'account_2' }, 'product', 'Roof')).toBeNull();
      expect(await correct(await fixture().accept(), 'product', 'Roof')).toEqual({ refused: 'not completed' });
      expect(await fixture().read(call.id)).toEqual(call);
    });

    it('of two answers at once loses none', async () => {
      const call = await completed();
      await Promise.all([
        correct(call, 'saleStatus', 'sold'),
        correct(call, 'product', 'Roof'),
        correct(call, 'nextStep', ''),
      ]);
      const { corrections } = await fixture().read(call.id);
      expect(corrections.map(({ field }) => field).sort()).toEqual(['nextStep', 'product', 'saleStatus']);
    });
  });
}

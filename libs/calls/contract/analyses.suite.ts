import { describe, expect, it } from '@jest/globals';
import { ENGINE_GONE } from '../failures.ts';
import type { Analysis, Call } from '../index.ts';
import { analysis, type Fixture, rejected, transcript } from './call-store.fixture.ts';

const BETTER: Analysis = { ...analysis, engine: { name: 'openai', model: 'x' }, saleStatus: 'sold', score: 70 };

export function analyzingAgain(fixture: () => Fixture): void {
  const commit = async (id: string, found: Analysis) =>
    fixture().calls.commitAnalysis(await fixture().claim(id, 'analysis'), found);
  const completed = async (): Promise<Call> => {
    const { id } = await fixture().accept();
    await fixture().calls.commitTranscript(await fixture().claim(id), transcript);
    await commit(id, analysis);
    return fixture().read(id);
  };
  const again = (
    { accountId, id }: Pick<Call, 'accountId' | 'id'>,
    reportType: Call['reportType'] | null = null,
    key: string | null = null,
    engine: Call['analysisEngine'] = null,
  ) => fixture().calls.corrections.analyzeAgain(accountId, id, { reportType, engine }, key);

  describe('a new analysis of a completed call', () => {
    it('is made from the stored transcript, once, with another report type', async () => {
      const call = await completed();
      expect(await again(call, 'detailed')).toMatchObject({
        call: { status: 'analyzing', stage: 'analysis', reportType: 'detailed', score: null, saleStatus: null },
      });
      expect(await again(call)).toEqual({ refused: 'not completed' });
      expect(await fixture().store.transcript(call.id)).toEqual(transcript);
      expect(await fixture().ready(call.accountId, 'analysis')).toEqual([call.id]);
      await commit(call.id, BETTER);
      expect(await fixture().read(call.id)).toMatchObject({ status: 'completed', score: 70, reportType: 'detailed' });
    });

    it('of two requests at once is started by one', async () => {
      const call = await completed();
      const results = await Promise.all([again(call), again(call), again(call)]);
      expect(results.filter((result) => result !== null && 'call' in result)).toHaveLength(1);
      expect((await fixture().read(call.id)).earlierAnalyses).toHaveLength(1);
    });

    it('is made once for requests with the same key, also when it is done or they come at once', async () => {
      const call = await completed();
      const results = await Promise.all(['a', 'a', 'a'].map((key) => again(call, 'detailed', key)));
      const replays = results.map((result) => result !== null && 'isReplay' in result && result.isReplay);
      expect(replays.sort()).toEqual([false, true, true]);
      expect(await again(call, 'medium', 'a')).toEqual({ refused: 'other request' });
      expect(await again(call, 'detailed', 'b')).toEqual({ refused: 'not completed' });
      await commit(call.id, BETTER);
      expect(await again(call, 'detailed', 'a')).toMatchObject({ isReplay: true, call: { status: 'completed' } });
      expect(await again(call, 'detailed', 'b')).toMatchObject({ isReplay: false, call: { status: 'analyzing' } });
      expect((await fixture().read(call.id)).earlierAnalyses).toHaveLength(2);
    });

    it('keeps what was found before, the latest 20 times', async () => {
      const call = await completed();
      const { engine, product, saleStatus, score } = analysis;
      fixture().clock.step(1_000);
      await again(call, 'detailed');
      await commit(call.id, BETTER);
      const first = { at: '2026-11-21T09:00:00.000Z', reportType: 'medium', engine, product, saleStatus, score };
      expect((await fixture().read(call.id)).earlierAnalyses).toEqual([first]);
      for (let time = 0; time < 20; time += 1) {
        await again(call);
        await commit(call.id, { ...BETTER, score: time });
      }
      const { earlierAnalyses } = await fixture().read(call.id);
      expect(earlierAnalyses.map((each) => each.score)).toEqual([70, ...Array.from({ length: 19 }, (_, time) => time)]);
    });

    it('is asked of the engine that was named, at each attempt, and the next one of the usual one', async () => {
      const call = await completed();
      expect(await again(call, null, 'key', 'openai')).toMatchObject({ call: { analysisEngine: 'openai' } });
      expect(await again(call, null, 'key')).toEqual({ refused: 'other request' });
      await fixture().calls.release(await fixture().claim(call.id, 'analysis'));
      await fixture().calls.failAttempt(await fixture().claim(call.id, 'analysis'), rejected);
      await fixture().calls.retry(call.accountId, call.id);
      expect((await fixture().read(call.id)).analysisEngine).toBe('openai');
      await commit(call.id, BETTER);
      await again(call);
      expect((await fixture().read(call.id)).analysisEngine).toBeNull();
    });

    it('whose engine is gone fails, and a retry is by the usual engine', async () => {
      const call = await completed();
      await again(call, null, null, 'openai');
      await fixture().calls.failAttempt(await fixture().claim(call.id, 'analysis'), { ...rejected, code: ENGINE_GONE });
      expect(await fixture().read(call.id)).toMatchObject({ status: 'failed', analysisEngine: 'openai' });
      await fixture().calls.retry(call.accountId, call.id);
      expect(await fixture().read(call.id)).toMatchObject({ status: 'queued', analysisEngine: null });
    });

    it('that fails leaves the words, and can be retried', async () => {
      const call = await completed();
      await again(call);
      await fixture().calls.failAttempt(await fixture().claim(call.id, 'analysis'), rejected);
      expect(await fixture().store.analysis(call.id)).toEqual(analysis);
      expect(await fixture().calls.retry(call.accountId, call.id)).toMatchObject({ call: { stage: 'analysis' } });
    });

    it('is refused for an unfinished call and for one of another account', async () => {
      expect(await again(await fixture().accept())).toEqual({ refused: 'not completed' });
      expect(await again({ ...(await completed()), accountId: 'account_2' })).toBeNull();
    });
  });
}

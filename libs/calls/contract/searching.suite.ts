import { CallSearch } from '@call-analytics/contracts';
import { describe, expect, it } from '@jest/globals';
import { analysis, type Bench, rejected, transcript } from './call-store.fixture.ts';

export function searching(bench: () => Bench): void {
  type Asked = Partial<Record<keyof CallSearch, string>>;
  const search = (asked: Asked = {}, accountId = 'mine') => bench().store.search(accountId, CallSearch.parse(asked));
  const names = async (asked: Asked = {}) => {
    const { calls, total } = await search({ ...asked, limit: '100' });
    expect(total).toBe(calls.length);
    return calls.map(({ fileName }) => fileName);
  };
  let recordings = 0;
  const upload = async (fileName: string, reportType: 'medium' | 'detailed' = 'medium', accountId = 'mine') => {
    recordings += 1;
    const audio = { key: `searched-${recordings}`, bytes: 1, format: 'mp3', seconds: 1 } as const;
    const { call } = await bench().calls.accept({ accountId, fileName, reportType, audio });
    bench().clock.step(1_000);
    return call;
  };
  const complete = async (fileName: string, found: Partial<typeof analysis>, ...more: ['detailed'?, string?]) => {
    const call = await upload(fileName, ...more);
    await bench().calls.commitTranscript(await bench().claim(call.id), transcript);
    await bench().calls.commitAnalysis(await bench().claim(call.id, 'analysis'), { ...analysis, ...found });
    return bench().read(call.id);
  };
  /** Names in the order of their upload; those of other accounts are in nobody's way. */
  const some = async () => {
    await complete('anna.mp3', { product: 'Roof', saleStatus: 'sold', score: 70 });
    await complete('Bruno.mp3', { product: 'Dachziegel', saleStatus: 'not_sold', score: 90 }, 'detailed');
    const failed = await upload('carla.mp3');
    await bench().calls.failAttempt(await bench().claim(failed.id), rejected);
    await upload('ÄNNE & 100% [x].mp3');
    await complete('emil.mp3', { product: 'roof', saleStatus: 'sold', score: null });
    await complete('other.mp3', { product: 'Roof', saleStatus: 'sold', score: 70 }, 'detailed', 'other');
    const removed = await complete('removed.mp3', { product: 'Roof', saleStatus: 'sold', score: 1 });
    await bench().calls.remove('mine', removed.id);
  };

  describe('a search', () => {
    it('without filters gives what the list gives, and why a call failed', async () => {
      await some();
      const { calls, total } = await bench().store.list('mine', { limit: 3, offset: 1 });
      const found = await search({ limit: '3', offset: '1' });
      expect(found.total).toBe(total);
      expect(found.calls.map(({ failure: _failure, match: _match, waiting: _waiting, ...call }) => call)).toEqual(
        calls,
      );
      expect(found.calls.map(({ failure }) => failure)).toEqual([
        null,
        { code: rejected.code, message: rejected.message },
        null,
      ]);
      expect(await search({}, 'nobody')).toEqual({ calls: [], total: 0 });
    });

    it.each([
      [{ status: 'completed' }, ['emil.mp3', 'Bruno.mp3', 'anna.mp3']],
      [{ status: 'failed' }, ['carla.mp3']],
      [{ saleStatus: 'sold' }, ['emil.mp3', 'anna.mp3']],
      [{ reportType: 'detailed' }, ['Bruno.mp3']],
      [{ product: 'Roof' }, ['anna.mp3']],
      [{ product: 'Roof', status: 'failed' }, []],
      [{ text: 'ROOF' }, ['emil.mp3', 'Bruno.mp3', 'anna.mp3']],
      [{ text: 'bruno' }, ['Bruno.mp3']],
      [{ text: 'dachZ' }, ['Bruno.mp3']],
      [{ text: 'änne' }, ['ÄNNE & 100% [x].mp3']],
      [{ text: 'x 100%' }, ['ÄNNE & 100% [x].mp3']],
      [{ text: '.*' }, []],
      [{ text: 'a_na' }, []],
      [{ text: '' }, ['emil.mp3', 'ÄNNE & 100% [x].mp3', 'carla.mp3', 'Bruno.mp3', 'anna.mp3']],
      [{ text: 'mp3', saleStatus: 'sold', status: 'completed', reportType: 'medium', product: 'roof' }, ['emil.mp3']],
    ] as [Asked, string[]][])('finds by %j, the account’s own and no removed ones', async (asked, expected) => {
      await some();
      expect(await names(asked)).toEqual(expected);
    });

    it('finds by when a call was made: from a time on, and before another', async () => {
      const from = bench().clock.now();
      await some();
      const after = (seconds: number) => new Date(from.getTime() + seconds * 1_000).toISOString();
      expect(await names({ from: after(1) })).toEqual(['emil.mp3', 'ÄNNE & 100% [x].mp3', 'carla.mp3', 'Bruno.mp3']);
      expect(await names({ to: after(1) })).toEqual(['anna.mp3']);
      expect(await names({ from: after(1), to: after(2) })).toEqual(['Bruno.mp3']);
      expect(await names({ from: after(1), to: after(2), status: 'failed' })).toEqual([]);
      expect(await names({ from: after(2), to: after(1) })).toEqual([]);
    });

    it.each([
      [{ sort: 'createdAt', order: 'asc' }, ['anna.mp3', 'Bruno.mp3', 'carla.mp3', 'ÄNNE & 100% [x].mp3', 'emil.mp3']],
      [{ sort: 'score', order: 'desc' }, ['Bruno.mp3', 'anna.mp3', 'emil.mp3', 'ÄNNE & 100% [x].mp3', 'carla.mp3']],
      [{ sort: 'score', order: 'asc' }, ['anna.mp3', 'Bruno.mp3', 'emil.mp3', 'ÄNNE & 100% [x].mp3', 'carla.mp3']],
      [{ sort: 'fileName', order: 'asc' }, ['anna.mp3', 'Bruno.mp3', 'carla.mp3', 'emil.mp3', 'ÄNNE & 100% [x].mp3']],
      [{ sort: 'fileName', order: 'desc' }, ['ÄNNE & 100% [x].mp3', 'emil.mp3', 'carla.mp3', 'Bruno.mp3', 'anna.mp3']],
      [{ sort: 'fileName', order: 'asc', status: 'completed' }, ['anna.mp3', 'Bruno.mp3', 'emil.mp3']],
    ] as [Asked, string[]][])('orders by %j, without a score last', async (asked, expected) => {
      await some();
      expect(await names(asked)).toEqual(expected);
    });

    it.each(['createdAt', 'score', 'fileName'])(
      'is stable among equals, in pages that join without gap or overlap: by %s',
      async (sort) => {
        for (let n = 0; n < 7; n += 1) await bench().accept('mine');
        for (const order of ['asc', 'desc']) {
          const whole = (await search({ sort, order })).calls.map(({ id }) => id);
          const pages = [];
          for (const offset of ['0', '3', '6', '9']) pages.push(await search({ sort, order, limit: '3', offset }));
          expect(pages.flatMap(({ calls }) => calls.map(({ id }) => id))).toEqual(whole);
          expect(pages.map(({ total }) => total)).toEqual([7, 7, 7, 7]);
        }
      },
    );

    it.each([
      [`it's`, true],
      ['"$text"', true],
      ['{$ne', true],
      ['\\d', true],
      ['te*', true],
      ['text OR nothing', false],
      ['NOT it', false],
      ['text AND null', false],
      ['NEAR(text null)', false],
      ['words : text', false],
      ['-text', true],
      ['^null', true],
      ['nul\u0000l', false],
      ['[a-z]', false],
      ['"', false],
      ['\u0000', false],
      ['--', false],
      ['.*', false],
      ['\ud800', false],
      ['x'.repeat(200), false],
      ['q '.repeat(100), false],
      ['"*'.repeat(100), false],
    ])('takes the query as text, whatever is in it: %j', async (text, isFound) => {
      const name = `it's "$text" {$ne: null} \\d % _ --`;
      await upload(name);
      await complete('plain.mp3', { product: '$product' });
      expect(await names({ text })).toEqual(isFound ? [name] : []);
      expect(await names({ text: '$PRODUCT' })).toEqual(['plain.mp3']);
      expect(await names({ product: '$product' })).toEqual(['plain.mp3']);
    });
  });
}

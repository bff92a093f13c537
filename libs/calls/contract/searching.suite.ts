import { CallSearch } from '@call-analytics/contracts';
import { describe, expect, it } from '@jest/globals';
import type { Analysis, Call } from '../index.ts';
import { analysis, type Fixture, HOUR, rejected, transcript } from './call-store.fixture.ts';

export function searching(fixture: () => Fixture): void {
  type Asked = Partial<Record<keyof CallSearch, string>>;
  const search = (asked: Asked = {}, accountId = 'mine') => fixture().store.search(accountId, CallSearch.parse(asked));
  const names = async (asked: Asked = {}) => {
    const { calls, total } = await search({ ...asked, limit: '100' });
    expect(total).toBe(calls.length);
    return calls.map(({ fileName }) => fileName);
  };
  let recordings = 0;
  const upload = async (fileName: string, reportType: 'medium' | 'detailed' = 'medium', accountId = 'mine') => {
    recordings += 1;
    const audio = { key: `searched-${recordings}`, bytes: 1, format: 'mp3', seconds: 1 } as const;
    const { call } = await fixture().calls.accept({ accountId, fileName, reportType, audio });
    fixture().clock.step(1_000);
    return call;
  };
  const complete = async (fileName: string, found: Partial<typeof analysis>, ...more: ['detailed'?, string?]) => {
    const call = await upload(fileName, ...more);
    await fixture().calls.commitTranscript(await fixture().claim(call.id), transcript);
    await fixture().calls.commitAnalysis(await fixture().claim(call.id, 'analysis'), { ...analysis, ...found });
    return fixture().read(call.id);
  };
  /** Names in the order of their upload; those of other accounts are in nobody's way. */
  const some = async () => {
    await complete('anna.mp3', { product: 'Roof', saleStatus: 'sold', score: 70 });
    await complete('Bruno.mp3', { product: 'Dachziegel', saleStatus: 'not_sold', score: 90 }, 'detailed');
    const failed = await upload('carla.mp3');
    await fixture().calls.failAttempt(await fixture().claim(failed.id), rejected);
    await upload('ÄNNE & 100% [x].mp3');
    await complete('emil.mp3', { product: 'roof', saleStatus: 'sold', score: null });
    await complete('other.mp3', { product: 'Roof', saleStatus: 'sold', score: 70 }, 'detailed', 'other');
    const removed = await complete('removed.mp3', { product: 'Roof', saleStatus: 'sold', score: 1 });
    await fixture().calls.remove('mine', removed.id);
  };

  describe('a search', () => {
    it('without filters gives what the list gives, and why a call failed', async () => {
      await some();
      const { calls, total } = await fixture().store.list('mine', { limit: 3, offset: 1 });
      const found = await search({ limit: '3', offset: '1' });
      expect(found.total).toBe(total);
      const listed = found.calls.map(({ failure: _1, match: _2, waiting: _3, isPending: _4, ...call }) => call);
      expect(listed).toEqual(calls);
      expect(found.calls.map(({ failure }) => failure)).toEqual([
        null,
        { code: rejected.code, message: rejected.message },
        null,
      ]);
      expect(await search({}, 'nobody')).toEqual({ calls: [], total: 0 });
    });

    it('says of each call whether it waits for a worker, at every stage', async () => {
      await upload('queued.mp3');
      await fixture().claim((await upload('transcribing.mp3')).id);
      const [transcribed, analyzing] = [await upload('transcribed.mp3'), await upload('analyzing.mp3')];
      for (const { id } of [transcribed, analyzing])
        await fixture().calls.commitTranscript(await fixture().claim(id), transcript);
      await fixture().claim(analyzing.id, 'analysis');
      await complete('completed.mp3', {});
      const pending = (await search()).calls.filter(({ isPending }) => isPending);
      expect(pending.map(({ fileName }) => fileName)).toEqual(['transcribed.mp3', 'queued.mp3']);
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
      const from = fixture().clock.now();
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
        for (let n = 0; n < 7; n += 1) await fixture().accept('mine');
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

/** What `search` finds by words, in all that a call has to read. */
export function searchingWords(fixture: () => Fixture): void {
  const search = (text: string, accountId = 'mine') =>
    fixture().store.search(accountId, CallSearch.parse({ text, limit: '100' }));
  const names = async (text: string, accountId?: string) => {
    const { calls, total } = await search(text, accountId);
    expect(total).toBe(calls.length);
    return calls.map(({ fileName }) => fileName);
  };
  const upload = async (fileName: string, accountId = 'mine') => {
    const audio = { key: `words-${accountId}-${fileName}`, bytes: 1, format: 'mp3', seconds: 1 } as const;
    const { call } = await fixture().calls.accept({ accountId, fileName, reportType: 'medium', audio });
    fixture().clock.step(1_000);
    return call;
  };
  const transcribe = async (call: Call, ...said: string[]) => {
    const utterances = said.map((text, n) => ({ speaker: n % 2, startMs: n, endMs: n + 1, text }));
    await fixture().calls.commitTranscript(await fixture().claim(call.id), { ...transcript, utterances });
  };
  const analyze = async (call: Call, found: Partial<Omit<Analysis, 'lines'>>, ...said: string[]) => {
    const lines = said.map((text, n) => ({ role: 'manager' as const, speaker: n % 2, startMs: n, endMs: n + 1, text }));
    await fixture().calls.commitAnalysis(await fixture().claim(call.id, 'analysis'), {
      ...analysis,
      product: null,
      ...found,
      lines,
    });
  };
  const complete = async (
    fileName: string,
    said: string,
    found: Partial<Omit<Analysis, 'lines'>> = {},
    accountId = 'mine',
  ) => {
    const call = await upload(fileName, accountId);
    await transcribe(call, said);
    await analyze(call, found, said);
    return call;
  };

  describe('a search by words', () => {
    it.each([
      ['petrov tyrell', 'Ana Petrov – Tyrell.mp3'],
      ['TYRELL ana', 'Ana Petrov – Tyrell.mp3'],
      ['pet tyr', 'Ana Petrov – Tyrell.mp3'],
      ['oresund', 'Öresund.mp3'],
      ['ÖRES', 'Öresund.mp3'],
      ['öresund', 'Öresund.mp3'],
      ['orsted lodz', 'Ørsted in Łódź.mp3'],
      ['ørsted łódź', 'Ørsted in Łódź.mp3'],
      ['strasse', 'Straße 5.mp3'],
      ['STRAẞE', 'Straße 5.mp3'],
      ['2026 11', 'call_2026-11-22.mp3'],
      ['call_2026-11', 'call_2026-11-22.mp3'],
      ['елка', 'Ёлка.mp3'],
      ['東京', '東京支社との商談.mp3'],
      ['商談', '東京支社との商談.mp3'],
      ['社', '東京支社との商談.mp3'],
      ['गर', 'गर्मी.mp3'],
    ])('%j finds %j alone', async (text, fileName) => {
      const all = [
        'Ana Petrov – Tyrell.mp3',
        'Öresund.mp3',
        'Ørsted in Łódź.mp3',
        'Straße 5.mp3',
        'call_2026-11-22.mp3',
        'Ёлка.mp3',
        '東京支社との商談.mp3',
        'गर्मी.mp3',
        'unrelated.mp3',
      ];
      for (const each of all) await upload(each);
      expect(await names(text)).toEqual([fileName]);
    });

    it('finds what was said as soon as the transcript is there, then also the summary and the product', async () => {
      const call = await upload('a.mp3');
      expect(await names('resistor')).toEqual([]);
      await transcribe(call, 'We need fifty Resistors.', 'Pünktlich, please.');
      expect(await names('fifty resistor punktlich a')).toEqual(['a.mp3']);
      expect(await names('electronics')).toEqual([]);
      await analyze(
        call,
        { product: 'Électronique', summary: 'Asked about parts.' },
        'We need fifty Resistors.',
        'Pünktlich.',
      );
      expect(await names('fifty electro asked a.mp3')).toEqual(['a.mp3']);
      expect(await names('fifty transistor')).toEqual([]);
    });

    it('finds the words of a failed call that has a transcript', async () => {
      const call = await upload('a.mp3');
      await transcribe(call, 'A unicorn');
      await fixture().calls.failAttempt(await fixture().claim(call.id, 'analysis'), rejected);
      expect(await names('unicorn')).toEqual(['a.mp3']);
    });

    it('keeps accounts apart, also where the same was said', async () => {
      await complete('mine.mp3', 'A secret word');
      await complete('other.mp3', 'A secret word, and clandestine', {}, 'other');
      expect(await names('secret')).toEqual(['mine.mp3']);
      expect(await names('clandestine')).toEqual([]);
      expect(await names('secret', 'other')).toEqual(['other.mp3']);
      expect(await names('secret', 'nobody')).toEqual([]);
    });

    it('does not find a deleted call, finds it again when it is restored, and never when it is purged', async () => {
      const call = await complete('a.mp3', 'A unicorn');
      await fixture().calls.remove('mine', call.id);
      expect(await names('unicorn')).toEqual([]);
      await fixture().calls.restore('mine', call.id);
      expect(await names('unicorn')).toEqual(['a.mp3']);
      await fixture().calls.remove('mine', call.id);
      fixture().clock.step(HOUR);
      await fixture().calls.finishRemoval(call.id);
      await fixture().calls.purge(call.id);
      await upload('next.mp3');
      expect(await names('unicorn')).toEqual([]);
    });

    it('gives the newest first, page by page, and filters as without words', async () => {
      for (const name of ['one', 'two', 'three', 'four', 'five'])
        await complete(`${name}.mp3`, 'the same', { score: name.length });
      await upload('six same.mp3');
      const page = (asked: object) => fixture().store.search('mine', CallSearch.parse({ text: 'same', ...asked }));
      const pages = [await page({ limit: '4' }), await page({ limit: '4', offset: '4' })];
      const order = ['six same', 'five', 'four', 'three', 'two', 'one'];
      expect(pages.flatMap(({ calls }) => calls.map(({ fileName }) => fileName))).toEqual(
        order.map((name) => `${name}.mp3`),
      );
      expect(pages.map(({ total }) => total)).toEqual([6, 6]);
      expect((await page({ status: 'completed' })).total).toBe(5);
      expect((await page({ status: 'queued' })).total).toBe(1);
      const best = await page({ sort: 'score', limit: '1' });
      expect(best).toMatchObject({ total: 6, calls: [{ fileName: 'three.mp3' }] });
    });

    it('shows where the words stand that the file name and the product do not have', async () => {
      const said = `It was ${'long '.repeat(60)}before they named Ærø and <b>Öresund</b> ${'and so on '.repeat(60)}`;
      await complete('Ferry.mp3', said, { product: 'Tickets', summary: 'They talked.' });
      const [call] = (await search('oresund ferry aer')).calls;
      const { text, marks } = call?.match ?? { text: '', marks: [] };
      expect(marks.map(({ start, end }) => text.slice(start, end))).toEqual(['Ærø', 'Öresund']);
      expect(text).toMatch(/^…(long )*before they named Ærø and <b>Öresund<\/b> and so on .*…$/);
      expect(text.length).toBeLessThan(170);
      expect((await search('ferry ticket')).calls).toMatchObject([{ match: null }]);
      expect((await search('talked')).calls).toMatchObject([
        { match: { text: 'They talked.', marks: [{ start: 5, end: 11 }] } },
      ]);
      expect((await search('')).calls).toMatchObject([{ match: null }]);
    });

    it('bounds what a call brings to the index: the first 10,000 different words, and 40 characters of each', async () => {
      const call = await upload('a.mp3');
      await transcribe(call, Array.from({ length: 12_000 }, (_, n) => `word${n}x`).join(' '), 'y'.repeat(100_000));
      expect(await names('word9000x')).toEqual(['a.mp3']);
      expect(await names('word11999x')).toEqual([]);
      const long = await upload('b.mp3');
      await transcribe(long, 'z'.repeat(100_000));
      expect(await names('z'.repeat(200))).toEqual(['b.mp3']);
    });
  });
}

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { audioFile, form } from '../testing/forms.fixture.ts';
import { type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await runGateway();
});
afterAll(() => gateway.stop());

it('GET /costs sums what calls of the account have cost by day or month, with calls, attempts and seconds', async () => {
  const { id } = (await gateway.upload(form([['file', audioFile('excerpt.mp3')]]))).body as { id: string };
  const claim = await gateway.calls.claim(id, 'transcription', 'test');
  if ('refused' in claim) throw new Error(claim.refused);
  await gateway.calls.spending.record(claim.lease, { name: 'openai', model: 'x' }, 0.1);
  await gateway.calls.spending.record(claim.lease, { name: 'openai', model: 'x' }, 0.30000000004);
  const day = new Date().toISOString().slice(0, 10);
  const month = day.slice(0, 7);
  const priced = { dollars: 0.3, transcription: 0.3, analysis: 0, calls: 1, attempts: 1, unpriced: 0 };
  const sums = { ...priced, seconds: expect.any(Number) };
  const range = { from: `${month}-01`, to: day };
  const costs = async (query: string, headers = gateway.client.headers) =>
    (await gateway.ask(`/api/v1/costs?${query}`, { headers })).body;
  const asked = `from=${range.from}&to=${range.to}`;
  const byDay = await costs(asked);
  expect(byDay).toEqual({ ...range, by: 'day', total: sums, periods: [{ period: day, ...sums }] });
  expect((byDay as { total: { seconds: number } }).total.seconds).toBeGreaterThan(1);
  expect(await costs(`${asked}&by=month`)).toMatchObject({ total: sums, periods: [{ period: month, ...sums }] });
  const { headers } = await gateway.newClient('Other');
  const none = { dollars: 0, transcription: 0, analysis: 0, calls: 0, attempts: 0, unpriced: 0, seconds: 0 };
  expect(await costs(asked, headers)).toEqual({ ...range, by: 'day', total: none, periods: [] });
  const refused = (parameter: string, rule: string) => ({
    code: 'invalid_parameter',
    detail: expect.stringMatching(`"${parameter}".*must be ${rule}`),
  });
  expect(await costs('from=2026-11-02&to=2026-11-01')).toMatchObject(refused('to', 'a day from "from" on'));
  expect(await costs('from=2000-01-01&to=2026-11-01')).toMatchObject(refused('to', 'a day from "from" on'));
  expect(await costs(`${asked}&by=week`)).toMatchObject(refused('by', 'one of day, month'));
  expect(await costs('to=2026-11-01')).toMatchObject({
    code: 'invalid_parameter',
    detail: '"from" is missing; it must be a day such as 2026-05-04.',
  });
});

it('GET /costs says null, and not 0, for what was asked of an engine without a known price', async () => {
  const mine = await gateway.newClient('Unpriced');
  const body = form([['file', audioFile('excerpt.mp3')]]);
  const { id } = (await gateway.ask('/api/v1/calls', { method: 'POST', body, headers: mine.headers })).body as {
    id: string;
  };
  const claim = await gateway.calls.claim(id, 'transcription', 'test');
  if ('refused' in claim) throw new Error(claim.refused);
  await gateway.calls.spending.record(claim.lease, { name: 'openai', model: 'llama-5' }, null);
  const day = new Date().toISOString().slice(0, 10);
  const get = async (path: string) => (await gateway.ask(`/api/v1/${path}`, { headers: mine.headers })).body;
  const sums = { dollars: null, transcription: null, analysis: 0, calls: 1, attempts: 1, unpriced: 1 };
  const costs = await get(`costs?from=${day}&to=${day}`);
  expect(costs).toMatchObject({ total: sums, periods: [{ period: day, ...sums }] });
  expect(await get('spending')).toMatchObject({ dollars: null });
  const attempts = [{ attempt: 1, engine: 'openai llama-5', dollars: null }];
  expect(await get(`calls/${id}/costs`)).toMatchObject({ dollars: null, attempts });
});

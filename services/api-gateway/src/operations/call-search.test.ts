import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Browser, signedUp } from '../testing/browser.fixture.ts';
import { audioFile, form } from '../testing/forms.fixture.ts';
import { type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';

let gateway: RunningGateway;
let anna: Browser;
let berta: Browser;

beforeAll(async () => {
  gateway = await runGateway({ settings: { SIGN_UP: 'open' } });
  anna = (await signedUp(gateway, 'anna@acme.example')).browser;
  berta = (await signedUp(gateway, 'berta@other.example')).browser;
  for (let i = 0; i < 3; i += 1) await upload(anna);
  await upload(berta);
});
afterAll(() => gateway.stop());

async function upload(who: Browser): Promise<string> {
  const body = form([['file', audioFile('excerpt.mp3')]]);
  return ((await gateway.ask('/api/v1/calls', { method: 'POST', body, headers: who.headers })).body as { id: string })
    .id;
}

describe('GET /app/calls', () => {
  it('finds the calls of its own account, page by page', async () => {
    expect((await anna.get('/app/calls')).body).toMatchObject({
      total: 3,
      limit: 25,
      offset: 0,
      calls: [{ errorMessage: null }, {}, {}],
    });
    expect((await anna.get('/app/calls?limit=1&offset=2&sort=fileName&order=asc&text=CALL.MP')).body).toMatchObject({
      total: 3,
      calls: [{}],
    });
    expect((await anna.get('/app/calls?status=failed')).body).toMatchObject({ total: 0, calls: [] });
    expect((await berta.get('/app/calls')).body).toMatchObject({ total: 1 });
  });

  it('says the position of each call in the queue of the account, until work on it starts', async () => {
    const positions = async () => {
      const { calls } = (await anna.get('/app/calls?order=asc')).body as { calls: { queuePosition: number | null }[] };
      return calls.map(({ queuePosition }) => queuePosition);
    };
    expect(await positions()).toEqual([1, 2, 3]);
    const [first] = ((await anna.get('/app/calls?order=asc')).body as { calls: { id: string }[] }).calls;
    const claim = await gateway.calls.claim(first?.id ?? '', 'transcription', 'test');
    expect(await positions()).toEqual([null, 1, 2]);
    if (!('refused' in claim)) await gateway.calls.release(claim.lease);
  });

  it.each([
    ['limit=101', '"limit" is "101"; it must be a whole number from 1 to 100'],
    ['limit=1e1', '"limit" is "1e1"; it must be a whole number from 1 to 100'],
    ['limit=', '"limit" is ""; it must be a whole number from 1 to 100'],
    ['limit=1&limit=2', 'The parameter "limit" is repeated'],
    ['offset=-1', '"offset" is "-1"; it must be a whole number from 0'],
    ['status=done', '"status" is "done"; it must be one of queued, transcribing'],
    ['sort=name', '"sort" is "name"; it must be one of createdAt, score, fileName'],
    ['from=yesterday', '"from" is "yesterday"; it must be a time in UTC'],
    [`text=${'x'.repeat(201)}`, '"text" is "x{60}…"; it must have at most 200 characters'],
    ['page=2', 'Unknown parameter "page"'],
    ['__proto__=2', 'Unknown parameter "__proto__"'],
  ])('says what is wrong with ?%s', async (query, detail) => {
    const answer = await anna.get(`/app/calls?${query}`);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_parameter', detail: expect.stringMatching(detail) },
    });
  });
});

describe('GET /app/overview', () => {
  const today = new Date().toISOString().slice(0, 10);

  it('adds up the calls of its own account', async () => {
    const { body } = await anna.get(`/app/overview?from=${today}&to=${today}&timeZone=UTC`);
    expect(body).toMatchObject({ days: [{ date: today, calls: 3 }] });
    expect((await berta.get(`/app/overview?from=${today}&to=${today}&timeZone=UTC`)).body).toMatchObject({
      days: [{ calls: 1 }],
    });
  });

  it.each([
    ['from=2026-01-01&to=2026-01-31', '"timeZone" is missing'],
    ['from=2026-01-01&to=2026-01-31&timeZone=Mars/Base', '"timeZone" is "Mars/Base"; it must be a time zone such as'],
    ['from=2026-01-32&to=2026-02-01&timeZone=UTC', '"from" is "2026-01-32"; it must be a day'],
    ['from=2026-02-01&to=2026-01-31&timeZone=UTC', '"to" is "2026-01-31"; it must be a day from "from" on'],
    ['from=2025-01-01&to=2026-01-02&timeZone=UTC', 'it must be a day from "from" on, 366 days at most'],
  ])('says what is wrong with ?%s', async (query, detail) => {
    const answer = await anna.get(`/app/overview?${query}`);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_parameter', detail: expect.stringMatching(detail) },
    });
  });
});

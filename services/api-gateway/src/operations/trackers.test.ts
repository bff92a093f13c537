import type { Analysis } from '@call-analytics/calls';
import { analysis, transcript } from '@call-analytics/calls/contract/call-store.fixture.ts';
import { TRACKER_LIMITS, type Tracker } from '@call-analytics/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Browser, signedUp } from '../testing/browser.fixture.ts';
import { audioFile, form } from '../testing/forms.fixture.ts';
import { type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';

const PATH = '/api/v1/trackers';
const COMPETITOR: Tracker = { name: 'Competitor', kind: 'mention', who: 'customer', phrases: ['Acme'] };
const NOTICE: Tracker = { name: 'Notice', kind: 'required', who: 'manager', phrases: ['this call is recorded'] };
const LINES: Analysis['lines'] = [
  { role: 'manager', speaker: 0, startMs: 0, endMs: 900, text: 'Good morning.' },
  { role: 'customer', speaker: 1, startMs: 1_500, endMs: 2_400, text: 'We, uh, we use ACME’s plan.' },
];

let gateway: RunningGateway;
let id: string;
let anna: Browser;
const put = (body: unknown, headers: Record<string, string> = anna.headers) =>
  gateway.ask(PATH, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const claim = async (stage: 'transcription' | 'analysis') => {
  const claimed = await gateway.calls.claim(id, stage, 'test');
  if ('refused' in claimed) throw new Error(claimed.refused);
  return claimed.lease;
};

beforeAll(async () => {
  gateway = await runGateway({ settings: { SIGN_UP: 'open' } });
  anna = (await signedUp(gateway, 'anna@acme.example')).browser;
  const body = form([['file', audioFile('excerpt.mp3')]]);
  const uploaded = await gateway.ask('/api/v1/calls', { method: 'POST', body, headers: anna.headers });
  id = (uploaded.body as { id: string }).id;
});
afterAll(() => gateway.stop());

describe('the trackers of an account', () => {
  it('are a list with a revision, which two editors do not overwrite', async () => {
    expect((await anna.get(PATH)).body).toEqual({ revision: 0, trackers: [] });
    const list = { revision: 1, trackers: [COMPETITOR, NOTICE] };
    expect(await put({ ...list, revision: 0 })).toMatchObject({ status: 200, body: list });
    expect(await put({ revision: 0, trackers: [] })).toMatchObject({
      status: 409,
      body: { code: 'revision_conflict' },
    });
    expect((await anna.get(PATH)).body).toEqual(list);
  });

  it('are not those of another account', async () => {
    const { headers } = await gateway.newClient('Other');
    expect((await gateway.ask(PATH, { headers })).body).toEqual({ revision: 0, trackers: [] });
    expect((await gateway.ask(`/api/v1/calls/${id}/trackers`, { headers })).status).toBe(404);
  });

  it('are not changed by a key that may only read', async () => {
    const { secret } = await gateway.accounts.createKey({
      accountId: gateway.client.accountId,
      name: 'reader',
      scope: 'read',
    });
    const { status, body } = await put({ revision: 1, trackers: [] }, { authorization: `Bearer ${secret}` });
    expect([status, body]).toMatchObject([403, { code: 'insufficient_scope' }]);
  });

  const many = (number: number) => Array.from({ length: number }, (_, n) => ({ ...COMPETITOR, name: `Name ${n}` }));
  const phrases = (...list: string[]) => [{ ...COMPETITOR, phrases: list }];
  it.each<[string, unknown, string]>([
    ['too many', many(51), '"trackers" must have at most 50 entries'],
    ['with a name twice', [COMPETITOR, { ...NOTICE, name: ' competitor' }], 'two trackers of the same name'],
    ['without a name', [{ ...COMPETITOR, name: ' ' }], '"trackers.0.name" must have at least 1 characters'],
    ['without a phrase', phrases(), '"trackers.0.phrases" must have at least 1 entries'],
    ['with too many phrases', phrases(...Array(51).fill('a phrase')), 'at most 50 entries'],
    ['with a phrase of one letter', phrases('fine', '"x"!'), '"trackers.0.phrases.1" must have at least two letters'],
    ['with a long phrase', phrases('word '.repeat(13)), 'must have at most 12 words'],
    ['with a very long phrase', phrases('w'.repeat(101)), 'at most 100 characters'],
    ['with a hidden character', phrases('gua\u202erantee'), 'control or invisible'],
    ['of an unknown kind', [{ ...COMPETITOR, kind: 'forbidden' }], 'mention, required'],
    ['said by nobody known', [{ ...COMPETITOR, who: 'boss' }], 'manager, customer, anyone'],
  ])('that are %s are refused with the rule', async (_, trackers, detail) => {
    const { status, body } = await put({ revision: 1, trackers });
    expect([status, body]).toMatchObject([400, { code: 'invalid_body', detail: expect.stringContaining(detail) }]);
  });

  it('may be as many and as long as the limits say', async () => {
    const longest = Array.from({ length: TRACKER_LIMITS.phrases }, (_, n) => `${n} ${'ж'.repeat(97)}`);
    const { headers } = await gateway.newClient('Large');
    const trackers = many(TRACKER_LIMITS.trackers).map((each) => ({ ...each, phrases: longest }));
    expect((await put({ revision: 0, trackers }, headers)).status).toBe(200);
    expect((await put({ revision: 1, trackers: 'x'.repeat(2_000_001) }, headers)).status).toBe(413);
  });
});

describe('what trackers find', () => {
  it('in a call is there when it is completed', async () => {
    const path = `/api/v1/calls/${id}/trackers`;
    expect(await anna.get(path)).toMatchObject({ status: 409, body: { code: 'call_not_completed' } });
    await gateway.calls.commitTranscript(await claim('transcription'), transcript);
    await gateway.calls.commitAnalysis(await claim('analysis'), { ...analysis, lines: LINES });
    expect((await anna.get(path)).body).toEqual({
      callId: id,
      revision: 1,
      trackers: [
        {
          tracker: 'Competitor',
          kind: 'mention',
          who: 'customer',
          result: 'found',
          hits: [{ phrase: 'Acme', quote: 'ACME', line: 1, start: 1.5, speaker: 'Customer' }],
        },
        { tracker: 'Notice', kind: 'required', who: 'manager', result: 'missing', hits: [] },
      ],
    });
  });

  it('is counted in the overview, and leads to the calls', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const { body } = await anna.get(`/app/overview?from=${today}&to=${today}&timeZone=UTC`);
    expect((body as { trackers: unknown }).trackers).toEqual({
      trackers: [
        { tracker: 'Competitor', kind: 'mention', who: 'customer', found: 1, missing: 0, notJudged: 0 },
        { tracker: 'Notice', kind: 'required', who: 'manager', found: 0, missing: 1, notJudged: 0 },
      ],
      pending: 0,
    });
    expect((await anna.get('/app/calls?tracker=competitor')).body).toMatchObject({ total: 1, calls: [{ id }] });
    expect((await anna.get('/app/calls?tracker=Notice')).body).toMatchObject({ total: 0 });
    const missing = `tracker=Notice&trackerResult=missing&from=${today}T00:00:00.000Z`;
    expect((await anna.get(`/app/calls?${missing}`)).body).toMatchObject({ total: 1, calls: [{ id }] });
    expect(await anna.get('/app/calls?tracker=Gone')).toMatchObject({
      status: 400,
      body: { code: 'invalid_parameter', detail: expect.stringContaining('the name of a tracker') },
    });
  });
});

import type { Analysis, HeldLease as Lease } from '@call-analytics/calls';
import { analysis, transcript } from '@call-analytics/calls/contract/call-store.fixture.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { audioFile, form } from '../testing/forms.fixture.ts';
import { type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';

const PRICE = { text: 'Price: “dear”', kind: 'price', quote: 'dear', line: 0 };
const FOUND: Analysis = {
  ...analysis,
  nextStep: 'A visit',
  objections: [PRICE, { ...PRICE, text: 'Trust: “hier”', kind: 'trust', quote: 'hier' }],
  issues: [{ ...PRICE, text: 'An objection was not addressed: price.' }],
  managerMistakes: [{ text: 'Left a question', kind: 'unanswered', quote: 'Guten Tag', line: 0 }],
  evidence: {
    kind: null,
    customerIntent: null,
    nextSteps: [],
    product: { quote: 'Tag', line: 0 },
    saleStatus: { quote: 'Guten Tag', line: 0 },
    customerQuestions: [{ quote: 'hier ist', line: 0, answer: null, unanswered: true }],
  },
};

let gateway: RunningGateway;
let id: string;
const put = (field: string, value: unknown, headers = gateway.client.headers) =>
  gateway.ask(`/api/v1/calls/${id}/corrections/${field}`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ value }),
  });
const get = async (what = '') => (await gateway.get(`/api/v1/calls/${id}${what}`)).body;

beforeAll(async () => {
  gateway = await runGateway();
  id = ((await gateway.upload(form([['file', audioFile('excerpt.mp3')]]))).body as { id: string }).id;
});
afterAll(() => gateway.stop());

describe('the corrections of a report', () => {
  it('are for completed calls', async () => {
    expect(await put('product', 'Roof')).toMatchObject({ status: 409, body: { code: 'call_not_completed' } });
    for (const [stage, commit] of [
      ['transcription', (lease) => gateway.calls.commitTranscript(lease, transcript)],
      ['analysis', (lease) => gateway.calls.commitAnalysis(lease, FOUND)],
    ] as ['transcription' | 'analysis', (lease: Lease) => Promise<boolean>][]) {
      const claimed = await gateway.calls.claim(id, stage, 'test');
      if ('refused' in claimed) throw new Error(claimed.refused);
      await commit(claimed.lease);
    }
    expect(await get('/corrections')).toEqual({ callId: id, corrections: [] });
  });

  it('are what the report shows, without words for what a person said', async () => {
    expect(await put('saleStatus', 'sold')).toMatchObject({
      status: 200,
      body: {
        callId: id,
        corrections: [{ field: 'saleStatus', value: 'sold', engine: 'follow_up', by: expect.stringMatching(/./) }],
      },
    });
    await put('product', ' Roof ');
    await put('nextStep', '');
    await put('objections', ['Trust: “hier”']);
    await put('managerMistakes', []);
    expect(await get()).toMatchObject({
      saleStatus: 'sold',
      product: 'Roof',
      nextStep: '',
      score: 0,
      objections: ['Trust: “hier”'],
      managerMistakes: [],
      issues: [],
    });
    expect(await get('/evidence')).toMatchObject({
      saleStatus: null,
      product: null,
      managerMistakes: [],
      issues: [],
      objections: [{ kind: 'trust' }],
      customerQuestions: [{ answered: null }],
    });
    await put('objections', null);
    expect(await get()).toMatchObject({ objections: ['Price: “dear”', 'Trust: “hier”'] });
  });

  it.each([
    ['saleStatus', 'maybe', 'sold, not_sold, follow_up, unclear'],
    ['product', ['Roof'], 'a text of at most 200'],
    ['objections', 'none', 'a list of texts'],
    ['objections', ['Price'], 'only texts that "objections" of the report has'],
  ])('of %s cannot be %j', async (field, value, detail) => {
    expect((await put(field, value)).body).toMatchObject({
      code: 'invalid_body',
      detail: expect.stringContaining(detail),
    });
  });

  it('are of answers that there are, and of the own account', async () => {
    expect((await put('score', '99')).body).toMatchObject({
      code: 'invalid_parameter',
      detail: expect.stringContaining('"field" is "score"; it must be one of saleStatus'),
    });
    const { headers } = await gateway.newClient('Other');
    expect((await put('product', 'Roof', headers)).status).toBe(404);
    expect((await gateway.ask(`/api/v1/calls/${id}/corrections`, { headers })).status).toBe(404);
  });
});

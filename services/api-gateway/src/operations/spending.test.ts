import { analysis, transcript } from '@call-analytics/calls/contract/call-store.fixture.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signedUp } from '../testing/browser.fixture.ts';
import { audioFile, form } from '../testing/forms.fixture.ts';
import { type Client, type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await runGateway({ policy: { spendingLimit: 1 }, settings: { SIGN_UP: 'open' } });
});
afterAll(() => gateway.stop());

const uploaded = async ({ headers }: { headers: Record<string, string> }) =>
  (
    (await gateway.ask('/api/v1/calls', { method: 'POST', body: form([['file', audioFile('excerpt.mp3')]]), headers }))
      .body as { id: string }
  ).id;
const claimed = async (id: string) => {
  const claim = await gateway.calls.claim(id, 'transcription', 'test');
  if ('refused' in claim) throw new Error(claim.refused);
  return claim.lease;
};
const ENGINE = { name: 'openai', model: 'gpt-transcribe' };
const pay = async (id: string, dollars: number) => gateway.calls.spending.record(await claimed(id), ENGINE, dollars);
const get = (path: string, { headers }: Client) => gateway.ask(path, { headers });
const limit = (body: object, { headers }: Client) =>
  gateway.ask('/api/v1/spending', {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const message = 'Waiting: daily spending limit. The call continues at 00:00 UTC.';
const waitingFor = { code: 'spending_limit', message, since: expect.any(String) };
const today = () => new Date().toISOString().slice(0, 10);

describe('what a call has cost', () => {
  it('is listed by attempt, and is nothing for a call that has cost nothing', async () => {
    const { client } = gateway;
    const id = await uploaded(client);
    const path = `/api/v1/calls/${id}/costs`;
    expect((await gateway.get(path)).body).toEqual({ callId: id, dollars: 0, attempts: [] });
    const lease = await claimed(id);
    await gateway.calls.spending.record(lease, ENGINE, 0.1);
    await gateway.calls.release(lease);
    await pay(id, 0.2);
    const of = { stage: 'transcription', engine: 'openai gpt-transcribe', at: expect.any(String) };
    expect((await gateway.get(path)).body).toEqual({
      callId: id,
      dollars: 0.3,
      attempts: [
        { ...of, attempt: 1, dollars: 0.1 },
        { ...of, attempt: 2, dollars: 0.2 },
      ],
    });
    const other = await gateway.newClient('Other');
    expect((await get(path, other)).status).toBe(404);
  });
});

describe('the spending limit of an account', () => {
  it('is that of the installation, and its own one when that is smaller; somebody else’s change is not lost', async () => {
    const mine = await gateway.newClient('Mine');
    const first = { revision: 0, limitPerDay: null, installationLimitPerDay: 1, day: today(), dollars: 0 };
    expect((await get('/api/v1/spending', mine)).body).toMatchObject({ ...first, reachedAt: null });
    await pay(await uploaded(mine), 0.5);
    expect((await limit({ revision: 0, limitPerDay: 0.5 }, mine)).body).toMatchObject({
      revision: 1,
      limitPerDay: 0.5,
      dollars: 0.5,
      reachedAt: expect.any(String),
      endsAt: `${new Date(Date.parse(today()) + 86_400_000).toISOString().slice(0, 10)}T00:00:00.000Z`,
    });
    expect(await limit({ revision: 0, limitPerDay: 9 }, mine)).toMatchObject({
      status: 409,
      body: { code: 'revision_conflict' },
    });
    expect((await limit({ revision: 1, limitPerDay: 9 }, mine)).body).toMatchObject({
      limitPerDay: 9,
      reachedAt: null,
    });
    await pay(await uploaded(mine), 0.5);
    expect((await get('/api/v1/spending', mine)).body).toMatchObject({ dollars: 1, reachedAt: expect.any(String) });
    expect((await get('/api/v1/spending', gateway.client)).body).toMatchObject({ limitPerDay: null, reachedAt: null });
    expect((await limit({ revision: 2, limitPerDay: 0 }, mine)).body).toMatchObject({ code: 'invalid_body' });
  });

  it('names the engines that it does not count, because their price is not known', async () => {
    const mine = await gateway.newClient('Unpriced');
    const id = await uploaded(mine);
    const unpriced = { name: 'openai', model: 'llama-5' };
    const lease = await claimed(id);
    await gateway.calls.spending.record(lease, unpriced, null);
    await gateway.calls.commitTranscript(lease, transcript);
    const claim = await gateway.calls.claim(id, 'analysis', 'test');
    if ('refused' in claim) throw new Error(claim.refused);
    await gateway.calls.spending.record(claim.lease, ENGINE, 0.1);
    await gateway.calls.commitAnalysis(claim.lease, analysis);
    expect((await get('/api/v1/spending', mine)).body).toMatchObject({ uncounted: [] });
    const set = await limit({ revision: 0, limitPerDay: 5 }, mine);
    expect(set.body).toMatchObject({ uncounted: ['openai llama-5'] });
  });

  it('lets uploads in when it is reached, and each waiting call says so', async () => {
    const mine = await gateway.newClient('Waiting');
    const paid = await uploaded(mine);
    const waiting = await uploaded(mine);
    await pay(paid, 1);
    const later = await uploaded(mine);
    for (const id of [waiting, later]) {
      const { body } = await get(`/api/v1/calls/${id}/progress`, mine);
      expect(body).toMatchObject({ status: 'queued', queue: null, waitingFor });
    }
    expect((await get(`/api/v1/calls/${paid}/progress`, mine)).body).toMatchObject({ waitingFor: null });
    const refused = await gateway.calls.claim(later, 'transcription', 'test');
    expect(refused).toEqual({ refused: 'the spending limit of the day is reached' });
  });

  it('is what a call waits for at each stage, in the list too, unless a worker has it', async () => {
    const { browser } = await signedUp(gateway, 'stages@acme.example');
    const [transcribed, released, working] = [
      await uploaded(browser),
      await uploaded(browser),
      await uploaded(browser),
    ];
    await gateway.calls.commitTranscript(await claimed(transcribed), transcript);
    await gateway.calls.release(await claimed(released));
    await gateway.calls.spending.record(await claimed(working), ENGINE, 1);
    const { calls } = (await browser.get('/app/calls')).body as { calls: { id: string; waitingFor: string }[] };
    const waits = Object.fromEntries(calls.map((call) => [call.id, call.waitingFor]));
    expect(waits).toEqual({ [transcribed]: 'spending_limit', [released]: 'spending_limit', [working]: null });
    expect((await browser.get(`/api/v1/calls/${transcribed}/progress`)).body).toMatchObject({
      status: 'analyzing',
      stage: 'analysis',
      waitingFor,
    });
  });
});

import { analysis, transcript } from '@call-analytics/calls/contract/call-store.fixture.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { audioFile, form } from '../testing/forms.fixture.ts';
import { type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';

let gateway: RunningGateway;
let path: string;
let id: string;
const claim = async (stage: 'transcription' | 'analysis') => {
  const claimed = await gateway.calls.claim(id, stage, 'test');
  if ('refused' in claimed) throw new Error(claimed.refused);
  return claimed.lease;
};
const post = (body: object, headers: Record<string, string> = gateway.client.headers) =>
  gateway.ask(path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

beforeAll(async () => {
  gateway = await runGateway({ settings: { ANALYSIS_ENGINE: 'rules,openai' } });
  id = ((await gateway.upload(form([['file', audioFile('excerpt.mp3')]]))).body as { id: string }).id;
  path = `/api/v1/calls/${id}/analyses`;
});
afterAll(() => gateway.stop());

describe('the analyses of a call', () => {
  it('are none before it is completed, and there is nothing to repeat', async () => {
    expect((await gateway.get(path)).body).toEqual({ callId: id, engines: ['rules', 'openai'], analyses: [] });
    expect(await post({})).toMatchObject({ status: 409, body: { code: 'call_not_completed' } });
  });

  it('are repeated from the transcript, one at a time, and listed with the newest first', async () => {
    await gateway.calls.commitTranscript(await claim('transcription'), transcript);
    await gateway.calls.commitAnalysis(await claim('analysis'), analysis);
    const { status, headers, body } = await post({ reportType: 'detailed' });
    expect([status, body]).toMatchObject([202, { id, status: 'analyzing', score: null }]);
    expect(headers.get('retry-after')).not.toBeNull();
    expect((await post({})).status).toBe(409);
    const lease = await claim('analysis');
    await gateway.calls.spending.record(lease, { name: 'openai', model: 'x' }, 0.25);
    const scorecard = { version: 2, questions: [], failedBy: null };
    await gateway.calls.commitAnalysis(lease, { ...analysis, score: 50, product: null, scorecard });
    expect((await gateway.get(path)).body).toMatchObject({
      analyses: [
        {
          reportType: 'detailed',
          engine: 'rules 1',
          product: '',
          saleStatus: 'follow_up',
          score: 50,
          scorecardVersion: 2,
          dollars: 0.25,
        },
        {
          reportType: 'medium',
          engine: 'rules 1',
          product: 'Dachziegel',
          saleStatus: 'follow_up',
          score: 0,
          dollars: 0,
        },
      ],
    });
  });

  it('are repeated once for requests with the same Idempotency-Key, whose answer may have been lost', async () => {
    const key = { ...gateway.client.headers, 'Idempotency-Key': 'again-1' };
    const [first, second] = [await post({}, key), await post({}, key)];
    expect([first.status, first.headers.get('Idempotency-Replayed')]).toEqual([202, null]);
    expect([second.status, second.headers.get('Idempotency-Replayed')]).toEqual([202, 'true']);
    await gateway.calls.commitAnalysis(await claim('analysis'), { ...analysis, score: 60 });
    const third = await post({}, key);
    expect([third.status, third.body]).toMatchObject([202, { status: 'completed', score: 60 }]);
    expect((third.body as { transcript: string }).transcript).not.toBe('');
    expect(await post({ reportType: 'high_level' }, key)).toMatchObject({
      status: 409,
      body: { code: 'idempotency_conflict' },
    });
    expect((await post({}, { ...key, 'Idempotency-Key': 'ä' })).status).toBe(400);
    expect((await gateway.get(path)).body).toMatchObject({ analyses: { length: 3 } });
  });

  it('are made by the engine that is asked for, among those that the installation offers', async () => {
    expect((await post({ engine: 'rules' })).body).toMatchObject({ status: 'analyzing' });
    expect(await gateway.store.get(id)).toMatchObject({ analysisEngine: 'rules' });
    await gateway.calls.commitAnalysis(await claim('analysis'), analysis);
    const one = await runGateway({ settings: { ANALYSIS_ENGINE: 'openai' } });
    const asked = async (given: RunningGateway) => {
      const headers = { ...given.client.headers, 'content-type': 'application/json' };
      const body = JSON.stringify({ engine: 'rules' });
      return given.ask('/api/v1/calls/call_1/analyses', { method: 'POST', headers, body });
    };
    expect(await asked(one)).toMatchObject({
      status: 422,
      body: { code: 'engine_not_available', detail: expect.stringContaining('must be openai.') },
    });
    await one.stop();
    const none = await runGateway();
    expect((await asked(none)).body).toMatchObject({ detail: expect.stringContaining('offers no choice') });
    await none.stop();
  });

  it('are of a known report type, and of the own account', async () => {
    expect((await post({ reportType: 'long' })).body).toMatchObject({ code: 'invalid_body' });
    const { headers } = await gateway.newClient('Other');
    expect((await post({}, headers)).status).toBe(404);
    expect((await gateway.ask(path, { headers })).status).toBe(404);
  });
});

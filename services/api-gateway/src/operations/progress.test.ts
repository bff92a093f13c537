import { type Call, Calls, type HeldLease } from '@call-analytics/calls';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { audioFile, form } from '../testing/forms.fixture.ts';
import { type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';

let gateway: RunningGateway;
beforeEach(async () => {
  gateway = await runGateway();
});
afterEach(() => gateway.stop());

const recording = () => form([['file', audioFile('excerpt.mp3')]]);
const uploaded = async (headers: Record<string, string> = {}) =>
  (await gateway.upload(recording(), headers)).body as { id: string; status: string };
/** Calls are in the order of the milliseconds in which they came. */
const aMillisecondLater = (began = Date.now()) => until(Date.now, (now) => now > began);
const progress = async (id: string) => (await gateway.get(`/api/v1/calls/${id}/progress`)).body;
const retry = (id: string, headers: Record<string, string> = gateway.client.headers) =>
  gateway.ask(`/api/v1/calls/${id}/retry`, { method: 'POST', headers });
const claimed = async (id: string): Promise<HeldLease> => {
  const claim = await gateway.calls.claim(id, 'transcription', 'test');
  if ('refused' in claim) throw new Error(claim.refused);
  return claim.lease;
};
const failed = async (): Promise<Call> => {
  const { id } = await uploaded();
  const failure = { kind: 'rejected', code: 'audio_unreadable', message: 'Convert it to MP3.' } as const;
  const call = await gateway.calls.failAttempt(await claimed(id), failure);
  if (call === null) throw new Error('the lease is lost');
  return call;
};
const now = { updatedAt: expect.any(String), seconds: expect.any(Number), secondsDone: 0 };

describe('GET /calls/:id/progress', () => {
  it('says the position in the queue of the account, and nothing of the queues of others', async () => {
    const other = await gateway.newClient('Other');
    await gateway.ask('/api/v1/calls', { method: 'POST', body: recording(), headers: other.headers });
    const first = await uploaded();
    await aMillisecondLater();
    const second = await uploaded();
    const waiting = { status: 'queued', stage: 'transcription', waitingFor: null, ...now };
    expect(await progress(first.id)).toEqual({ ...waiting, queue: { position: 1, startsInSeconds: null } });
    expect(await progress(second.id)).toEqual({ ...waiting, queue: { position: 2, startsInSeconds: null } });
    await claimed(first.id);
    expect(await progress(first.id)).toEqual({ ...waiting, status: 'transcribing', queue: null });
    expect(await progress(second.id)).toEqual({ ...waiting, queue: { position: 1, startsInSeconds: null } });
  });

  it('says when the call starts, from the pace of the last 15 minutes, and nothing before there is one', async () => {
    let at = Date.now() - 185_000;
    const earlier = new Calls(gateway.store, { clock: { now: () => new Date(at) } });
    const accept = async (key: string) => {
      at += 1_000;
      const audio = { key, bytes: 1_000, format: 'mp3', seconds: 60 } as const;
      const { accountId } = gateway.client;
      return (await earlier.accept({ accountId, fileName: 'call.mp3', reportType: 'medium', audio })).call.id;
    };
    const ids = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(accept));
    const last = ids.at(-1) ?? '';
    for (const id of ids.slice(0, 3)) {
      expect(await progress(last)).toMatchObject({ queue: { startsInSeconds: null } });
      const claim = await earlier.claim(id, 'transcription', 'test');
      if ('refused' in claim) throw new Error(claim.refused);
      at += 60_000;
      await earlier.failAttempt(claim.lease, { kind: 'rejected', code: 'x', message: 'x' });
    }
    // Three calls in 181 s since the fourth came, and two more until the last one starts.
    const { queue } = (await progress(last)) as { queue: { position: number; startsInSeconds: number } };
    expect(queue.position).toBe(2);
    expect(Math.abs(queue.startsInSeconds - 120)).toBeLessThan(10);
    // No call is begun now, whatever the pace was.
    await gateway.store.setDrained('transcription', new Date());
    expect(await progress(last)).toMatchObject({ waitingFor: null, queue: { position: 2, startsInSeconds: null } });
  });

  it('says what the call waits for, and since when; also of those behind it', async () => {
    const { id } = await uploaded();
    await aMillisecondLater();
    const behind = await uploaded();
    await gateway.calls.failAttempt(await claimed(id), {
      kind: 'unavailable',
      code: 'engine_unreachable',
      message: 'No connection.',
    });
    const since = (await gateway.store.get(id))?.waiting?.since.toISOString();
    const waitingFor = { code: 'speech_engine', message: 'Waiting for the speech engine.', since };
    const expected = { stage: 'transcription', waitingFor, queue: null, ...now };
    expect(await progress(id)).toEqual({ status: 'transcribing', ...expected });
    expect(await progress(behind.id)).toEqual({ status: 'queued', ...expected });
    await aMillisecondLater();
    const later = await uploaded();
    const uploadedAt = (await gateway.store.get(later.id))?.createdAt.toISOString();
    expect(await progress(later.id)).toMatchObject({ waitingFor: { ...waitingFor, since: uploadedAt } });
  });

  it('says how much of the recording is transcribed, and its time of change moves with it', async () => {
    const { id } = await uploaded();
    const lease = await claimed(id);
    await gateway.calls.measured(lease, 20);
    const before = await progress(id);
    expect(before).toMatchObject({ seconds: 20, secondsDone: 0 });
    const piece = { key: 'a', channel: null, startMs: 0, utterances: [], language: null };
    await aMillisecondLater();
    await gateway.calls.saveSegment(lease, { ...piece, endMs: 8_000 });
    const during = await progress(id);
    expect(during).toMatchObject({ status: 'transcribing', seconds: 20, secondsDone: 8 });
    const changed = (at: unknown) => Date.parse((at as { updatedAt: string }).updatedAt);
    expect(changed(during)).toBeGreaterThan(changed(before));
    await gateway.calls.saveSegment(lease, { ...piece, key: 'b', endMs: 20_010 });
    expect(await progress(id)).toMatchObject({ secondsDone: 20 });
  });

  it('of a failed call waits for nothing', async () => {
    const { id } = await failed();
    expect(await progress(id)).toEqual({ status: 'failed', stage: null, waitingFor: null, queue: null, ...now });
  });

  it("is 404 for another account's call, a deleted one, and one that never was", async () => {
    const { id } = await uploaded();
    const other = await gateway.newClient('Other');
    const answers = [await gateway.ask(`/api/v1/calls/${id}/progress`, { headers: other.headers })];
    answers.push(await gateway.get('/api/v1/calls/call_0/progress'));
    await gateway.calls.remove(gateway.client.accountId, id);
    answers.push(await gateway.get(`/api/v1/calls/${id}/progress`));
    for (const { status, body } of answers) expect([status, body]).toMatchObject([404, { code: 'call_not_found' }]);
  });
});

describe('POST /calls/:id/retry', () => {
  it('queues a failed call again, which says before that it can be retried', async () => {
    const { id } = await failed();
    const shown = (await gateway.get(`/api/v1/calls/${id}`)).body;
    expect(shown).toMatchObject({ errorMessage: 'Convert it to MP3.', errorCode: 'audio_unreadable', retryable: true });
    const { status, body, headers } = await retry(id);
    expect([status, body]).toMatchObject([202, { id, status: 'queued' }]);
    expect(body).not.toHaveProperty('errorMessage');
    expect(headers.get('Location')).toBe(`/api/v1/calls/${id}`);
    expect(await progress(id)).toMatchObject({ status: 'queued', stage: 'transcription' });
  });

  it('is 409 for a call that has not failed, and for one of which nothing is kept', async () => {
    const { id } = await uploaded();
    const gone = await failed();
    await gateway.calls.audioDeleted(gone.id);
    expect((await gateway.get(`/api/v1/calls/${gone.id}`)).body).toMatchObject({ retryable: false });
    for (const each of [id, gone.id]) {
      const { status, body } = await retry(each);
      expect([status, body]).toMatchObject([409, { code: 'call_not_retryable' }]);
    }
  });

  it("is 404 for another account's call, and leaves it as it is", async () => {
    const { id } = await failed();
    const other = await gateway.newClient('Other');
    expect((await retry(id, other.headers)).status).toBe(404);
    expect(await progress(id)).toMatchObject({ status: 'failed' });
  });
});

describe('an upload', () => {
  it('that is sent again says the status of the call now', async () => {
    const key = { 'Idempotency-Key': 'once' };
    const { id, status } = await uploaded(key);
    expect(status).toBe('queued');
    await gateway.calls.failAttempt(await claimed(id), { kind: 'rejected', code: 'x', message: 'x' });
    expect(await uploaded(key)).toMatchObject({ id, status: 'failed' });
  });

  it('says to come back the later, the more calls of the account wait, and at most after a minute', async () => {
    const seconds = async () => Number((await gateway.upload(recording())).headers.get('Retry-After'));
    const first = await seconds();
    await aMillisecondLater();
    expect([first, await seconds()]).toEqual([5, 10]);
    for (let n = 0; n < 12; n += 1) await uploaded();
    await aMillisecondLater();
    expect(await seconds()).toBe(60);
  });
});

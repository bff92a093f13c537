import { join } from 'node:path';
import { lockWrites } from '@call-analytics/calls/sqlite/other-process.fixture.ts';
import type { Problem } from '@call-analytics/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { audioFile, form } from '../testing/forms.fixture.ts';
import { type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';

let gateway: RunningGateway;
let id: string;

beforeAll(async () => {
  gateway = await runGateway();
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  id = ((await gateway.upload(form([['file', audioFile('excerpt.mp3')]]))).body as { id: string }).id;
});

const remove = (callId = id, headers: Record<string, string> = gateway.client.headers) =>
  gateway.ask(`/api/v1/calls/${callId}`, { method: 'DELETE', headers });
const restore = (callId = id, headers: Record<string, string> = gateway.client.headers) =>
  gateway.ask(`/api/v1/calls/${callId}/restore`, { method: 'POST', headers });
const show = () => gateway.get(`/api/v1/calls/${id}`);
const total = async () => ((await gateway.get('/api/v1/calls?limit=1')).body as { total: number }).total;

describe('DELETE /calls/:id', () => {
  it('hides the call at once, from the list and its total too, and is answered the same when it is sent again', async () => {
    const before = await total();
    expect(await remove()).toMatchObject({ status: 204, body: '' });
    expect((await show()).status).toBe(404);
    expect(await total()).toBe(before - 1);
    expect(await remove()).toMatchObject({ status: 204, body: '' });
    expect(await total()).toBe(before - 1);
  });

  it('takes the call from its worker', async () => {
    const claimed = await gateway.calls.claim(id, 'transcription', 'a worker');
    await remove();
    expect('lease' in claimed && (await gateway.calls.renew(claimed.lease))).toBe(false);
  });

  it('leaves its Idempotency-Key to the next upload', async () => {
    const upload = async () =>
      gateway.upload(form([['file', audioFile('excerpt.mp3')]]), {
        ...gateway.client.headers,
        'idempotency-key': 'again',
      });
    const first = await upload();
    await remove((first.body as { id: string }).id);
    const second = await upload();
    expect(second.status).toBe(202);
    expect(second.headers.get('idempotency-replayed')).toBeNull();
    expect(second.body).not.toEqual(first.body);
  });
});

describe('POST /calls/:id/restore', () => {
  it('gives the call back, as it was, and is answered the same when it is sent again', async () => {
    const before = await show();
    const calls = await total();
    await remove();
    const restored = await restore();
    expect(restored).toMatchObject({ status: 200, body: before.body });
    expect((await show()).body).toEqual(before.body);
    expect(await restore()).toMatchObject({ status: 200, body: before.body });
    expect(await total()).toBe(calls);
  });

  it('is too late when its time is over', async () => {
    await remove();
    const call = await gateway.store.get(id);
    if (call?.removal == null) throw new Error('it is not removed');
    const { status, removal } = call;
    const over = { change: { status, removal: { ...removal, until: new Date() } }, events: [], durable: true };
    await gateway.store.update(id, call.version, over);
    expect(await restore()).toMatchObject({ status: 404, body: { code: 'call_not_found' } });
    expect((await remove()).status).toBe(204);
  });
});

describe('both', () => {
  it('answer the same for a call of another account, deleted or not, and one that never was', async () => {
    const other = await gateway.newClient('Other');
    const deleted = id;
    await remove(deleted);
    const live = ((await gateway.upload(form([['file', audioFile('excerpt.mp3')]]))).body as { id: string }).id;
    const answers = new Set<string>();
    for (const callId of [deleted, live, 'call_never', '%ZZ', 'call_%00']) {
      for (const { status, body } of [await remove(callId, other.headers), await restore(callId, other.headers)]) {
        expect(status).toBe(404);
        answers.add(JSON.stringify({ ...(body as Problem), requestId: '' }));
      }
    }
    expect(answers.size).toBe(1);
    expect((await gateway.get(`/api/v1/calls/${live}`)).status).toBe(200);
    expect((await restore(deleted)).status).toBe(200);
  });

  it('are refused without a key, and change nothing', async () => {
    for (const answer of [
      await remove(id, {}),
      await restore(id, {}),
      await remove(id, { authorization: 'Bearer aca_wrong' }),
    ]) {
      expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_api_key' } });
    }
    expect((await show()).status).toBe(200);
  });

  it('name the methods that their addresses take', async () => {
    expect((await gateway.ask(`/api/v1/calls/${id}`, { method: 'PUT' })).headers.get('allow')).toBe(
      'GET, HEAD, DELETE',
    );
    expect((await gateway.ask(`/api/v1/calls/${id}/restore`)).headers.get('allow')).toBe('POST');
  });

  it('are 503 when the store does not answer, and can be sent again', async () => {
    const unlock = lockWrites(join(gateway.dir, 'calls.sqlite'));
    expect((await remove()).status).toBe(503);
    unlock();
    expect((await remove()).status).toBe(204);
  });
});

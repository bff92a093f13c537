import type { Analysis } from '@call-analytics/calls';
import { analysis, transcript } from '@call-analytics/calls/contract/call-store.fixture.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { audioFile, form } from '../testing/forms.fixture.ts';
import { type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';

const said = (speaker: number, text: string) => ({
  speaker,
  startMs: speaker * 1_000,
  endMs: speaker * 1_000 + 900,
  text,
});
const utterances = [said(0, 'What does it cost?'), said(1, 'Good morning, this is Anna.')];
const lines: Analysis['lines'] = utterances.map((each) => ({
  ...each,
  role: each.speaker === 0 ? 'manager' : 'customer',
}));
const SWAPPED = {
  speakers: [
    { speaker: 1, role: 'customer' },
    { speaker: 2, role: 'manager' },
  ],
};

let gateway: RunningGateway;
let id: string;
const path = () => `/api/v1/calls/${id}/speakers`;
const claim = async (stage: 'transcription' | 'analysis') => {
  const claimed = await gateway.calls.claim(id, stage, 'test');
  if ('refused' in claimed) throw new Error(claimed.refused);
  return claimed.lease;
};
const put = (body: unknown, headers = gateway.client.headers) =>
  gateway.ask(path(), {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

beforeAll(async () => {
  gateway = await runGateway();
  id = ((await gateway.upload(form([['file', audioFile('excerpt.mp3')]]))).body as { id: string }).id;
});
afterAll(() => gateway.stop());

describe('the speakers of a call', () => {
  it('are not known before it is completed', async () => {
    for (const { status, body } of [await gateway.get(path()), await put(SWAPPED)])
      expect([status, body]).toMatchObject([409, { code: 'call_not_completed' }]);
  });

  it('have roles, words and how they begin', async () => {
    await gateway.calls.commitTranscript(await claim('transcription'), { ...transcript, utterances });
    await gateway.calls.commitAnalysis(await claim('analysis'), { ...analysis, lines, rolesConfidence: 0.58 });
    expect((await gateway.get(path())).body).toEqual({
      callId: id,
      confidence: 0.58,
      speakers: [
        { speaker: 1, role: 'manager', words: 4, firstWords: 'What does it cost?' },
        { speaker: 2, role: 'customer', words: 5, firstWords: 'Good morning, this is Anna.' },
      ],
    });
  });

  it.each([
    ['that are not those of the call', { speakers: SWAPPED.speakers.slice(1) }, '1, 2. Name each of them once'],
    ['without a number', { speakers: [{ role: 'manager' }] }, 'speaker'],
    ['with an unknown role', { speakers: [{ speaker: 1, role: 'boss' }] }, 'role'],
    ['that are none', {}, 'speakers'],
  ])('%s are refused with what to do', async (_, body, detail) => {
    expect((await put(body)).body).toMatchObject({ code: 'invalid_body', detail: expect.stringContaining(detail) });
  });

  it('of another account do not exist', async () => {
    const { status } = await put(SWAPPED, (await gateway.newClient('Other')).headers);
    expect(status).toBe(404);
  });

  it('are corrected: the call is analyzed again, and a client polls it as after an upload', async () => {
    const { status, body, headers } = await put(SWAPPED);
    expect([status, body]).toMatchObject([202, { id, status: 'analyzing', score: null, transcript: '' }]);
    expect(headers.get('retry-after')).not.toBeNull();
    expect(await gateway.calls.reads.transcript(id)).toMatchObject({
      roles: [
        { speaker: 0, role: 'customer' },
        { speaker: 1, role: 'manager' },
      ],
    });
  });
});

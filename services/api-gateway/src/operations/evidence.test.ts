import type { Analysis } from '@call-analytics/calls';
import { analysis, transcript } from '@call-analytics/calls/contract/call-store.fixture.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { audioFile, form } from '../testing/forms.fixture.ts';
import { type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';

const LINES: Analysis['lines'] = [
  { role: 'manager', speaker: 0, startMs: 0, endMs: 900, text: 'Good morning.' },
  { role: 'customer', speaker: 1, startMs: 1_500, endMs: 2_400, text: 'That is more than we pay now.' },
  { role: 'other', speaker: 2, startMs: 3_000, endMs: 3_400, text: 'I will send it by Friday.' },
];
const FOUND: Analysis = {
  ...analysis,
  lines: LINES,
  objections: [{ text: 'Price', kind: 'price', quote: 'more than we pay', line: 1 }],
  managerMistakes: [{ text: 'No next step', kind: 'no_next_step', quote: null, line: null }],
  // Stored by an earlier release.
  positives: [{ text: 'A greeting', quote: 'Good morning', line: 0 }],
  evidence: {
    kind: { quote: 'than we pay now', line: 1 },
    product: null,
    saleStatus: null,
    customerIntent: null,
    nextSteps: [
      { what: 'Send it', when: 'by Friday', day: '2026-11-27', who: 'manager', quote: 'send it by Friday', line: 2 },
    ],
    customerQuestions: [
      { quote: 'more than we pay', line: 1, answer: { quote: 'send it by Friday', line: 2 }, unanswered: false },
      { quote: 'than we pay now', line: 1, answer: null, unanswered: true },
      { quote: 'we pay now', line: 1, answer: null, unanswered: false },
    ],
  },
  numbers: { seconds: 61, words: 12, managerTalkPercent: 40, interruptions: null },
};

let gateway: RunningGateway;
let id: string;
const claim = async (stage: 'transcription' | 'analysis') => {
  const claimed = await gateway.calls.claim(id, stage, 'test');
  if ('refused' in claimed) throw new Error(claimed.refused);
  return claimed.lease;
};
const get = (what: string) => gateway.get(`/api/v1/calls/${id}/${what}`);

beforeAll(async () => {
  gateway = await runGateway();
  id = ((await gateway.upload(form([['file', audioFile('excerpt.mp3')]]))).body as { id: string }).id;
});
afterAll(() => gateway.stop());

describe('what a report rests on', () => {
  it.each(['evidence', 'metrics'])(
    'is there when the call is completed, and only for its account: %s',
    async (what) => {
      expect(await get(what)).toMatchObject({ status: 409, body: { code: 'call_not_completed' } });
      const { headers } = await gateway.newClient(`Other of ${what}`);
      expect((await gateway.ask(`/api/v1/calls/${id}/${what}`, { headers })).status).toBe(404);
    },
  );

  it('is the words of each finding, with speaker, time and line', async () => {
    await gateway.calls.commitTranscript(await claim('transcription'), transcript);
    await gateway.calls.commitAnalysis(await claim('analysis'), FOUND);
    const price = { quote: 'more than we pay', line: 1, start: 1.5, speaker: 'Customer' };
    const step = { quote: 'send it by Friday', line: 2, start: 3, speaker: 'Speaker 3' };
    expect((await get('evidence')).body).toEqual({
      callId: id,
      positives: [
        { text: 'A greeting', kind: null, words: { quote: 'Good morning', line: 0, start: 0, speaker: 'Manager' } },
      ],
      issues: [],
      objections: [{ text: 'Price', kind: 'price', words: price }],
      managerMistakes: [{ text: 'No next step', kind: 'no_next_step', words: null }],
      callKind: { ...price, quote: 'than we pay now' },
      product: null,
      saleStatus: null,
      customerIntent: null,
      nextSteps: [{ what: 'Send it', when: 'by Friday', day: '2026-11-27', who: 'manager', words: step }],
      customerQuestions: [
        { words: price, answered: true, answer: step },
        { words: { ...price, quote: 'than we pay now' }, answered: false, answer: null },
        { words: { ...price, quote: 'we pay now' }, answered: null, answer: null },
      ],
    });
  });

  it('is numbers, null where they are not known', async () => {
    expect((await get('metrics')).body).toMatchObject({
      callId: id,
      seconds: 61,
      managerTalkPercent: 40,
      interruptions: null,
      customerQuestions: null,
    });
  });
});

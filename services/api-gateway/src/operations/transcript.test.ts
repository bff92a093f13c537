import { type Analysis, packedTimes, type Transcript, type Utterance } from '@call-analytics/calls';
import { analysis as sample } from '@call-analytics/calls/contract/call-store.fixture.ts';
import type { CallTranscript } from '@call-analytics/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { audioFile, form } from '../testing/forms.fixture.ts';
import { type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';

/** Files have only the visible characters of it. */
const HOSTILE = 'Y\u0000e\u202es.';
const TRANSCRIPT: Transcript = {
  language: 'en',
  utterances: [
    { speaker: 0, startMs: 1_200, endMs: 3_900, text: 'Good morning, this is Anna\nfrom "A & B".' },
    { speaker: 1, startMs: 4_300, endMs: 7_100, text: 'Hallo --> <b>Anna</b>.', language: 'de' },
    { speaker: 2, startMs: 3_725_000, endMs: 3_725_000, text: HOSTILE },
  ],
  speakersBy: 'channels',
  engine: { name: 'x', model: 'y' },
  audio: {
    seconds: 3_800,
    channels: 2,
    coveredSeconds: 10,
    speechSeconds: [3, 3],
    dropped: [{ startMs: 7_100, endMs: 3_725_000, reason: 'silence' }],
  },
};
const ANALYSIS: Analysis = {
  ...sample,
  lines: TRANSCRIPT.utterances.map(({ speaker, startMs, endMs, text }) => {
    const role = (['manager', 'customer', 'other'] as const)[speaker ?? 0] ?? 'other';
    return { role, speaker, startMs, endMs, text };
  }),
  rolesConfidence: 0.9,
};

let gateway: RunningGateway;
let id: string;
const path = (suffix = '', call = id) => `/api/v1/calls/${call}/transcript${suffix}`;
const upload = async () =>
  ((await gateway.upload(form([['file', audioFile('excerpt.mp3')]]))).body as { id: string }).id;
const claim = async (call: string, stage: 'transcription' | 'analysis') => {
  const claimed = await gateway.calls.claim(call, stage, 'test');
  if ('refused' in claimed) throw new Error(claimed.refused);
  return claimed.lease;
};

const timed = (words: readonly { startMs: number; endMs: number }[], startMs: number) => ({
  words: packedTimes(words, startMs) ?? '',
});

beforeAll(async () => {
  gateway = await runGateway();
  id = await upload();
});
afterAll(() => gateway.stop());

describe('GET /calls/:id/transcript', () => {
  it('has no turns until the recording is transcribed', async () => {
    const { body } = await gateway.get(path());
    expect(body).toMatchObject({ callId: id, status: 'queued', language: 'und', turns: [], unheard: [] });
    expect((await gateway.get(path('.txt'))).body).toBe('');
  });

  it('can be read while the call is analyzed, with speakers and without roles', async () => {
    await gateway.calls.commitTranscript(await claim(id, 'transcription'), TRANSCRIPT);
    const { body } = await gateway.get(path());
    const unknown = { role: null, confidence: null };
    expect(body).toEqual({
      callId: id,
      status: 'analyzing',
      language: 'en',
      seconds: 3_800,
      turns: [
        {
          start: 1.2,
          end: 3.9,
          speaker: 'Speaker 1',
          language: 'en',
          ...unknown,
          text: 'Good morning, this is Anna from "A & B".',
        },
        {
          start: 4.3,
          end: 7.1,
          speaker: 'Speaker 2',
          language: 'de',
          ...unknown,
          text: 'Hallo --> <b>Anna</b>.',
        },
        { start: 3_725, end: 3_725, speaker: 'Speaker 3', language: 'en', ...unknown, text: HOSTILE },
      ],
      unheard: [{ start: 7.1, end: 3_725, reason: 'silence' }],
    });
  });

  it('names the roles and how certain they are, when the call is completed', async () => {
    await gateway.calls.commitAnalysis(await claim(id, 'analysis'), ANALYSIS);
    const { body } = await gateway.get(path());
    expect(body).toMatchObject({
      status: 'completed',
      turns: [
        { speaker: 'Manager', role: 'manager', confidence: 0.9, language: 'en' },
        { speaker: 'Customer', role: 'customer', confidence: 0.9, language: 'de' },
        { speaker: 'Speaker 3', role: 'other', confidence: 0.9, language: 'en' },
      ],
      unheard: [{ reason: 'silence' }],
    });
  });

  it.each([
    [
      '.txt',
      'text/plain',
      `[00:00:01] Manager: Good morning, this is Anna from "A & B".
[00:00:04] Customer: Hallo --> <b>Anna</b>.
[01:02:05] Speaker 3: Yes.
`,
    ],
    [
      '.vtt',
      'text/vtt',
      `WEBVTT

00:00:01.200 --> 00:00:03.900
<v Manager>Good morning, this is Anna from "A &amp; B".

00:00:04.300 --> 00:00:07.100
<v Customer>Hallo --&gt; &lt;b&gt;Anna&lt;/b&gt;.

01:02:05.000 --> 01:02:05.001
<v Speaker 3>Yes.
`,
    ],
    [
      '.srt',
      'application/x-subrip',
      `1
00:00:01,200 --> 00:00:03,900
Manager: Good morning, this is Anna from "A & B".

2
00:00:04,300 --> 00:00:07,100
Customer: Hallo --> <b>Anna</b>.

3
01:02:05,000 --> 01:02:05,001
Speaker 3: Yes.
`,
    ],
  ])('is %s with the type %s, without hidden characters', async (suffix, type, text) => {
    const { headers, body } = await gateway.get(path(suffix));
    expect(headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    expect(body).toBe(text);
  });

  it('shows what was misheard, at its place in each turn', async () => {
    const [first] = TRANSCRIPT.utterances;
    const text = 'Good morning.\n I am Kowalczyk. Ask Northwind.';
    const terms = [
      { heard: 'Kovalchik', term: 'Kowalczyk' },
      { heard: 'north wind', term: 'Northwind' },
    ];
    const misheard = terms.map((each) => ({ at: text.indexOf(each.term), ...each }));
    const call = await upload();
    const spoken = [{ ...first, text, misheard }] as Utterance[];
    await gateway.calls.commitTranscript(await claim(call, 'transcription'), { ...TRANSCRIPT, utterances: spoken });
    const shown = async () =>
      ((await gateway.get(path('', call))).body as CallTranscript).turns.map((turn) =>
        turn.misheard?.map(({ at, heard, term }) => [turn.text.slice(at, at + term.length), heard]),
      );
    const both = [
      ['Kowalczyk', 'Kovalchik'],
      ['Northwind', 'north wind'],
    ];
    expect(await shown()).toEqual([both]);
    const lines = ['Good morning.\n I am Kowalczyk.', 'Ask Northwind.'].map((part) => ({
      ...(ANALYSIS.lines[0] as Analysis['lines'][number]),
      text: part,
    }));
    await gateway.calls.commitAnalysis(await claim(call, 'analysis'), { ...ANALYSIS, lines });
    expect(await shown()).toEqual(both.map((each) => [each]));
  });

  describe('with the times of words', () => {
    const said = (speaker: number | null, startMs: number, text: string, wordMs = 250): Utterance => {
      const spoken = text.split(' ').filter((word) => /\w/.test(word));
      const times = spoken.map((_, n) => ({ startMs: startMs + n * wordMs, endMs: startMs + n * wordMs + 200 }));
      return { speaker, startMs, endMs: startMs + times.length * wordMs, text, ...timed(times, startMs) };
    };
    const words = async (call: string) =>
      ((await gateway.get(path('', call))).body as CallTranscript).turns.map((turn) =>
        turn.words?.map(({ text, start, end }) => `${text} ${start}-${end}`),
      );
    const analyzed = async (call: string, lines: Analysis['lines']) =>
      gateway.calls.commitAnalysis(await claim(call, 'analysis'), { ...ANALYSIS, lines });

    it('has them in each turn, also in the lines of the analysis and after a correction of the speakers', async () => {
      const call = await upload();
      const whole = said(null, 1_000, 'Good morning. What is it?');
      const utterances = [whole, { speaker: null, startMs: 9_000, endMs: 9_500, text: 'Untimed.' }];
      await gateway.calls.commitTranscript(await claim(call, 'transcription'), {
        ...TRANSCRIPT,
        speakersBy: 'nothing',
        utterances,
      });
      const heard = ['Good 1-1.2', 'morning. 1.25-1.45', 'What 1.5-1.7', 'is 1.75-1.95', 'it? 2-2.2'];
      expect(await words(call)).toEqual([heard, undefined]);

      const line = (role: 'manager' | 'customer', startMs: number, endMs: number, text: string) =>
        ({ role, speaker: null, startMs, endMs, text }) as const;
      await analyzed(call, [
        line('manager', 1_000, 1_450, 'Good morning.'),
        line('customer', 1_500, 2_250, 'What is it?'),
        line('customer', 9_000, 9_500, 'Untimed.'),
      ]);
      const byLine = [heard.slice(0, 2), heard.slice(2), undefined];
      expect(await words(call)).toEqual(byLine);

      const speakers = [
        { speaker: 1, role: 'customer' },
        { speaker: 2, role: 'manager' },
      ];
      const corrected = await gateway.ask(`/api/v1/calls/${call}/speakers`, {
        method: 'PUT',
        headers: { ...gateway.client.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ speakers }),
      });
      expect(corrected.status).toBe(202);
      expect(await words(call)).toEqual(byLine);
    });

    it('cuts long cues of WebVTT between words, to two lines and seven seconds, and loses no word', async () => {
      const call = await upload();
      const sentence = 'We can offer you the team plan for forty users at nineteen dollars a month each,';
      const text = `${sentence} and ${sentence} – with <no> setup fee.`;
      const utterances = [
        said(0, 1_000, text),
        said(1, 20_000, 'Well … let me think', 3_000),
        said(0, 40_000, 'Fine.'),
      ];
      await gateway.calls.commitTranscript(await claim(call, 'transcription'), { ...TRANSCRIPT, utterances });
      const { body } = await gateway.get(path('.vtt', call));
      const cues = String(body)
        .split('\n\n')
        .slice(1)
        .map((cue) => /^(\S+) --> (\S+)\n<v (.*?)>(.*)\n?$/.exec(cue)?.slice(1) ?? []);
      const seconds = (clock = '') => clock.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);
      expect(cues.length).toBeGreaterThan(4);
      for (const [index, [from, to, , shown = '']] of cues.entries()) {
        expect(shown.replaceAll(/&[a-z]+;/g, '?').length).toBeLessThanOrEqual(84);
        expect(seconds(to) - seconds(from)).toBeLessThanOrEqual(7);
        expect(seconds(from)).toBeGreaterThanOrEqual(seconds(cues[index - 1]?.[1] ?? '0'));
      }
      const spoken = utterances.map((each) => each.text).join(' ');
      expect(cues.map(([, , , shown]) => shown).join(' ')).toBe(spoken.replace('<no>', '&lt;no&gt;'));
      expect(cues.filter(([, , speaker]) => speaker === 'Speaker 2')).toEqual([
        ['00:00:20.000', '00:00:26.200', 'Speaker 2', 'Well … let me'],
        ['00:00:29.000', '00:00:32.000', 'Speaker 2', 'think'],
      ]);
    });
  });

  it("is 404 for another account's call, a deleted one, one that never was, and an unknown suffix", async () => {
    const other = await gateway.newClient('Other');
    const removed = await upload();
    await gateway.calls.remove(gateway.client.accountId, removed);
    for (const suffix of ['', '.txt', '.vtt', '.srt']) {
      const answers = [await gateway.ask(path(suffix), { headers: other.headers })];
      for (const call of [removed, 'call_0']) answers.push(await gateway.get(path(suffix, call)));
      for (const { status, body } of answers) expect([status, body]).toMatchObject([404, { code: 'call_not_found' }]);
    }
    expect((await gateway.get(path('.doc'))).status).toBe(404);
  });
});

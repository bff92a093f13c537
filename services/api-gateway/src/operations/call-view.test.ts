import type { Analysis, Call, Transcript } from '@call-analytics/calls';
import { CallDetail, REPORT_SECTIONS, Scorecard } from '@call-analytics/contracts';
import { describe, expect, it } from '@jest/globals';
import { callDetail } from './call-view.ts';
import { callScorecard } from './scorecard.ts';

const AT = new Date('2026-05-04T10:00:00.000Z');
const CALL: Call = {
  id: 'call_1',
  accountId: 'acc_1',
  fileName: 'call.mp3',
  reportType: 'medium',
  status: 'queued',
  stage: 'transcription',
  version: 1,
  audio: { key: 'rec_1', bytes: 1, format: 'mp3', seconds: 1, secondsDone: 0, deleteAfter: null, deletedAt: null },
  attempt: 0,
  failures: 0,
  lease: null,
  grantedUntil: null,
  nextAttemptAt: null,
  readySince: AT,
  waiting: null,
  retries: 0,
  lastFailure: { kind: 'transient', code: 'x', message: 'internal', at: AT },
  failure: null,
  removal: null,
  language: null,
  product: null,
  saleStatus: null,
  score: null,
  analysisEngine: null,
  earlierAnalyses: [],
  corrections: [],
  traceparent: null,
  createdAt: AT,
  updatedAt: AT,
};
const said = { startMs: 0, endMs: 1 };
const TRANSCRIPT: Transcript = {
  language: 'en',
  utterances: [
    { ...said, speaker: 0, text: 'Hello.' },
    { ...said, speaker: 1, text: 'Hi,\nwho is this?' },
    { ...said, speaker: null, text: 'Nobody knows.' },
  ],
  speakersBy: 'channels',
  engine: { name: 'x', model: 'y' },
  audio: { seconds: 1, channels: 2, coveredSeconds: 1, speechSeconds: [1], dropped: [] },
};
const found = (text: string) => ({ text, quote: 'Hello.', line: 0 });
const ANALYSIS: Analysis = {
  engine: { name: 'x', model: 'y' },
  language: 'en',
  lines: [
    { ...said, role: 'manager', speaker: 0, text: 'Hello.' },
    { ...said, role: 'customer', speaker: 1, text: 'Hi,\r\n who is this?' },
    { ...said, role: 'other', speaker: 3, text: 'Me.' },
    { ...said, role: 'other', speaker: null, text: 'And me.' },
  ],
  rolesBy: 'channels',
  rolesConfidence: 1,
  product: 'Team plan',
  customerIntent: 'a price',
  nextStep: 'an offer',
  saleStatus: 'follow_up',
  summary: 'A summary.',
  positives: [found('good')],
  issues: [found('bad')],
  objections: [found('too expensive')],
  managerMistakes: [found('interrupted')],
  recommendations: ['ask first'],
  score: 71,
  rubric: [],
  numbers: {},
  sections: [...REPORT_SECTIONS].reverse().map((id) => ({ id, title: id, content: '', points: [] })),
};
const COMPLETED: Call = {
  ...CALL,
  status: 'completed',
  stage: null,
  language: 'en',
  product: 'Team plan',
  saleStatus: 'follow_up',
  score: 71,
};
const KEYS = [
  'id',
  'fileName',
  'status',
  'language',
  'product',
  'saleStatus',
  'score',
  'createdAt',
  'summary',
  'customerIntent',
  'nextStep',
  'issues',
  'positives',
  'recommendations',
  'objections',
  'managerMistakes',
  'detailedReport',
  'transcript',
];
const ids = (detail: CallDetail) => detail.detailedReport.map(({ id }) => id);

describe('a call that is not finished', () => {
  it.each(['queued', 'transcribing', 'analyzing'] as const)(
    'has every key while it is %s: an empty string or an empty list where nothing is known',
    (status) => {
      const detail = callDetail({ call: { ...CALL, status }, transcript: TRANSCRIPT, analysis: null });
      expect(Object.keys(detail)).toEqual(KEYS);
      expect(CallDetail.parse(detail)).toEqual(detail);
      expect(detail).toMatchObject({
        summary: '',
        transcript: '',
        language: 'und',
        product: '',
        saleStatus: 'unclear',
        score: null,
      });
      expect(detail).toMatchObject({ customerIntent: '', nextStep: '', issues: [], detailedReport: [] });
    },
  );
});

describe('a completed call', () => {
  const detail = callDetail({ call: COMPLETED, transcript: TRANSCRIPT, analysis: ANALYSIS });

  it('has what was found, and no error', () => {
    expect(Object.keys(detail)).toEqual(KEYS);
    expect(CallDetail.parse(detail)).toEqual(detail);
    expect(detail).toMatchObject({
      summary: 'A summary.',
      customerIntent: 'a price',
      nextStep: 'an offer',
      issues: ['bad'],
      positives: ['good'],
      objections: ['too expensive'],
      managerMistakes: ['interrupted'],
      recommendations: ['ask first'],
      score: 71,
    });
  });

  it('has a transcript of labeled lines, each on a line of its own', () => {
    expect(detail.transcript).toBe('Manager: Hello.\nCustomer: Hi, who is this?\nSpeaker 4: Me.\nSpeaker 3: And me.');
  });

  it('shows 3, 6 or 10 sections of the same analysis, in the order of reports', () => {
    const of = (reportType: Call['reportType']) =>
      callDetail({ call: { ...COMPLETED, reportType }, transcript: null, analysis: ANALYSIS });
    expect(ids(of('high_level'))).toEqual(['overview', 'outcome', 'recommendations']);
    expect(ids(of('medium'))).toEqual([
      'overview',
      'outcome',
      'customer_needs',
      'objections',
      'next_steps',
      'recommendations',
    ]);
    expect(ids(of('detailed'))).toEqual([...REPORT_SECTIONS]);
  });

  it('in which nothing was found has strings and a language tag, also when an earlier version stored it', () => {
    const nothing = {
      ...ANALYSIS,
      language: null,
      product: null,
      customerIntent: null,
      nextStep: null,
      saleStatus: 'unclear' as const,
    };
    const call: Call = { ...COMPLETED, language: null, product: null, saleStatus: 'unclear', score: null };
    const empty = callDetail({ call, transcript: null, analysis: nothing });
    expect(empty).toMatchObject({
      language: 'und',
      product: '',
      customerIntent: '',
      nextStep: '',
      saleStatus: 'unclear',
      score: null,
    });
    expect(CallDetail.parse(empty)).toEqual(empty);
  });

  it('without speech has an empty transcript and no score', () => {
    const silent = { ...ANALYSIS, lines: [], score: null };
    expect(callDetail({ call: { ...COMPLETED, score: null }, transcript: null, analysis: silent })).toMatchObject({
      transcript: '',
      score: null,
    });
  });
});

describe('a failed call', () => {
  const failed: Call = {
    ...CALL,
    status: 'failed',
    stage: null,
    failure: { code: 'unreadable', message: 'Convert it to MP3.' },
  };

  it('says why', () => {
    const detail = callDetail({ call: failed, transcript: null, analysis: null });
    expect(Object.keys(detail)).toEqual([...KEYS, 'errorMessage', 'errorCode', 'retryable']);
    expect(CallDetail.parse(detail)).toEqual(detail);
    expect(detail).toMatchObject({ errorMessage: 'Convert it to MP3.', transcript: '' });
  });

  it('that was transcribed still shows what was said', () => {
    const { transcript } = callDetail({ call: failed, transcript: TRANSCRIPT, analysis: null });
    expect(transcript).toBe('Speaker 1: Hello.\nSpeaker 2: Hi, who is this?\nSpeaker 1: Nobody knows.');
  });
});

describe('the scorecard', () => {
  const card = (call: Call, analysis: Analysis | null) => Scorecard.parse(callScorecard(call, analysis));
  const rubric = [{ id: 'opening', title: 'Opening', points: 71, of: 100, why: 'Greets the customer: yes (+3)' }];

  it('of a call that an earlier release analyzed has the criteria that the score is the sum of', () => {
    expect(
      card(COMPLETED, { ...ANALYSIS, callKind: { kind: 'sales', quote: 'Hello.' }, notScored: null, rubric }),
    ).toEqual({
      callId: 'call_1',
      status: 'completed',
      callKind: 'sales',
      callKindQuote: 'Hello.',
      score: 71,
      notScored: null,
      rolesConfidence: 1,
      version: 0,
      questions: [],
      failedBy: null,
      criteria: rubric,
    });
  });

  it('has the questions that the call was judged by, each with its words and their place', () => {
    const asked = { question: 'Was it friendly?', who: 'manager', weight: 3 } as const;
    const questions = [
      { ...asked, answer: 'yes' as const, proof: { quote: 'Hello.', line: 0 }, points: 3, of: 3 },
      { ...asked, answer: 'not_judged' as const, proof: null, points: 0, of: 0 },
    ];
    const scorecard = { version: 4, questions, failedBy: null };
    const { version, questions: shown } = card(COMPLETED, { ...ANALYSIS, notScored: null, scorecard });
    expect(version).toBe(4);
    expect(shown).toEqual([
      {
        ...asked,
        autoFail: false,
        check: null,
        answer: 'yes',
        points: 3,
        of: 3,
        words: { quote: 'Hello.', line: 0, start: 0, speaker: 'Manager' },
      },
      { ...asked, autoFail: false, check: null, answer: 'not_judged', words: null, points: 0, of: 0 },
    ]);
  });

  it('says why a call has no score', () => {
    const notScored = { code: 'roles_unclear', message: 'Record one channel for each speaker.' } as const;
    expect(card(COMPLETED, { ...ANALYSIS, score: null, notScored })).toMatchObject({
      score: null,
      notScored,
      criteria: [],
    });
  });

  it('has a reason for each call without a score that an earlier version stored', () => {
    expect(card(COMPLETED, { ...ANALYSIS, score: null, lines: [] }).notScored?.code).toBe('no_speech');
    expect(card(COMPLETED, { ...ANALYSIS, score: null }).notScored?.code).toBe('language_not_supported');
    expect(card(COMPLETED, { ...ANALYSIS, rubric })).toMatchObject({ score: 71, notScored: null, callKind: null });
  });

  it('of a call that is not completed says so, and of a failed one why it failed', () => {
    expect(card(CALL, ANALYSIS)).toMatchObject({
      score: null,
      notScored: { code: 'not_analyzed' },
      criteria: [],
      rolesConfidence: null,
      version: null,
    });
    const failed: Call = { ...CALL, status: 'failed', failure: { code: 'unreadable', message: 'Convert it to MP3.' } };
    expect(card(failed, null).notScored).toEqual({ code: 'not_analyzed', message: 'Convert it to MP3.' });
  });
});

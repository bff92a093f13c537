import type {
  AccountCosts,
  CallAnalyses,
  CallCorrections,
  CallCosts,
  CallDetail,
  CallEvidence,
  CallList,
  CallMetrics,
  CallSpeakers,
  CallTrackers,
  CallTranscript,
  Me,
  Problem,
  Progress,
  Spending,
  TrackerList,
  UploadAccepted,
  Vocabulary,
} from '@call-analytics/contracts';

export const ID = 'call_0197a3c2b1d07c5e9a4f3e2d1c0b9a88';

export const ACCEPTED: UploadAccepted = { id: ID, status: 'queued', pollUrl: `/api/v1/calls/${ID}` };

export const ME: Me = {
  id: 'acc_0197a3b0c4e27f1a8d5c6b7a89e0f123',
  name: 'Acme',
  createdAt: '2026-05-04T08:00:00.000Z',
  key: {
    id: 'key_0197a3b0c4e97b2c9e8f7a6b5c4d3e21',
    name: 'default',
    prefix: 'aca_Ab3dE',
    scope: 'write',
    createdAt: '2026-05-04T08:00:00.000Z',
    expiresAt: null,
    lastUsedAt: '2026-05-04T09:58:31.402Z',
  },
};

export const VOCABULARY: Vocabulary = { revision: 3, terms: ['Platinum Motors', 'Sitilli', 'BrewMaster Pro'] };

export const DETAIL: CallDetail = {
  id: ID,
  fileName: 'acme-follow-up.mp3',
  status: 'completed',
  language: 'en',
  product: 'Team plan',
  saleStatus: 'follow_up',
  score: 74,
  createdAt: '2026-05-04T10:00:00.000Z',
  summary: 'The customer asked for the Team plan for 20 people and wants to see an offer before deciding.',
  customerIntent: 'Get a price for 20 seats',
  nextStep: 'The manager sends an offer by Friday',
  issues: ['The price was named before the need was clear'],
  positives: ['The manager asked how the team works today'],
  recommendations: ['Ask for the budget before naming a price'],
  objections: ['The price is higher than what they pay now'],
  managerMistakes: ['Interrupted the customer twice'],
  detailedReport: [
    {
      id: 'overview',
      title: 'Overview',
      content: 'A first call about the Team plan.',
      points: ['20 seats', 'Offer requested'],
    },
    { id: 'outcome', title: 'Outcome', content: 'The sale is open.', points: ['Offer by Friday'] },
    {
      id: 'recommendations',
      title: 'Recommendations',
      content: 'What would make the next call better.',
      points: ['Ask for the budget first'],
    },
  ],
  transcript: 'Manager: Good morning, this is Anna from Acme.\nCustomer: Hello, I am calling about the Team plan.',
};

export const QUEUED: CallDetail = {
  ...DETAIL,
  status: 'queued',
  language: 'und',
  product: '',
  saleStatus: 'unclear',
  score: null,
  summary: '',
  customerIntent: '',
  nextStep: '',
  transcript: '',
  issues: [],
  positives: [],
  recommendations: [],
  objections: [],
  managerMistakes: [],
  detailedReport: [],
};

export const IN_QUEUE: Progress = {
  status: 'queued',
  stage: 'transcription',
  waitingFor: null,
  seconds: 312.4,
  secondsDone: 0,
  queue: { position: 3, startsInSeconds: 240 },
  updatedAt: '2026-05-04T10:00:00.000Z',
};

export const WAITING: Progress = {
  ...IN_QUEUE,
  status: 'transcribing',
  waitingFor: { code: 'speech_engine', message: 'Waiting for the speech engine.', since: '2026-05-04T10:00:02.000Z' },
  queue: null,
};

export const TRANSCRIBED: CallTranscript = {
  callId: ID,
  status: 'completed',
  language: 'en',
  seconds: 312.4,
  turns: [
    {
      start: 1.2,
      end: 2.1,
      speaker: 'Manager',
      role: 'manager',
      confidence: 0.97,
      language: 'en',
      text: 'Good morning.',
      words: [
        { text: 'Good', start: 1.26, end: 1.5 },
        { text: 'morning.', start: 1.5, end: 2.1 },
      ],
    },
    {
      start: 4.3,
      end: 7.1,
      speaker: 'Customer',
      role: 'customer',
      confidence: 0.97,
      language: 'en',
      text: 'Hello, this is Anneliese. I am calling about the Team plan.',
      misheard: [{ at: 15, heard: 'Annelise', term: 'Anneliese' }],
    },
  ],
  unheard: [{ start: 7.1, end: 21.8, reason: 'silence' }],
};

export const FAILED: CallDetail = {
  ...QUEUED,
  status: 'failed',
  errorMessage: 'The recording cannot be read: it is incomplete. Export it again and upload it again.',
  errorCode: 'audio_unreadable',
  retryable: true,
};

export const ANALYZING: CallDetail = { ...QUEUED, status: 'analyzing' };

export const SPEAKERS: CallSpeakers = {
  callId: ID,
  confidence: 0.58,
  speakers: [
    { speaker: 1, role: 'customer', words: 412, firstWords: 'Good morning, this is Anna from Acme.' },
    { speaker: 2, role: 'manager', words: 288, firstWords: 'Hello, I am calling about the Team plan.' },
  ],
};

const PRICE_WORDS = { quote: 'That is more than we pay now.', line: 14, start: 96.2, speaker: 'Customer' };
const STEP_WORDS = { quote: 'I will send you an offer by Friday.', line: 22, start: 171.9, speaker: 'Manager' };
export const EVIDENCE: CallEvidence = {
  callId: ID,
  positives: [],
  issues: [],
  objections: [{ text: 'The price is higher than what they pay now', kind: 'price', words: PRICE_WORDS }],
  managerMistakes: [{ text: 'Agreed on no next step', kind: 'no_next_step', words: null }],
  callKind: { quote: 'I am calling about the Team plan.', line: 1, start: 4.3, speaker: 'Customer' },
  product: null,
  saleStatus: STEP_WORDS,
  customerIntent: null,
  nextSteps: [
    { what: 'I will send you an offer', when: 'by Friday', day: '2026-05-08', who: 'manager', words: STEP_WORDS },
  ],
  customerQuestions: [
    {
      words: { quote: 'How long is the contract?', line: 16, start: 112.4, speaker: 'Customer' },
      answered: true,
      answer: { quote: 'One year, and then you can leave any month.', line: 17, start: 115.1, speaker: 'Manager' },
    },
  ],
};

export const ANALYSES: CallAnalyses = {
  callId: ID,
  engines: ['openai', 'rules'],
  analyses: [
    {
      at: '2026-05-06T08:30:00.000Z',
      reportType: 'detailed',
      engine: 'openai gpt-6-luna',
      scorecardVersion: 3,
      dollars: 0.0021,
      product: 'Team plan',
      saleStatus: 'follow_up',
      score: 71,
    },
    {
      at: '2026-05-04T10:01:12.000Z',
      reportType: 'high_level',
      engine: 'rules english-8',
      scorecardVersion: 0,
      dollars: 0,
      product: 'Team plan',
      saleStatus: 'follow_up',
      score: 74,
    },
  ],
};

export const CORRECTIONS: CallCorrections = {
  callId: ID,
  corrections: [
    { field: 'saleStatus', value: 'sold', engine: 'follow_up', by: 'Ada', at: '2026-05-05T09:12:00.000Z' },
    { field: 'objections', value: [], engine: ['Price: too high'], by: 'Ada', at: '2026-05-05T09:12:04.000Z' },
  ],
};

export const TRACKERS: TrackerList = {
  revision: 3,
  trackers: [
    { name: 'Competitors', kind: 'mention', who: 'customer', phrases: ['Globex', 'Initech'] },
    { name: 'Recording notice', kind: 'required', who: 'manager', phrases: ['this call is recorded'] },
  ],
};

export const CALL_TRACKERS: CallTrackers = {
  callId: ID,
  revision: 3,
  trackers: [
    {
      tracker: 'Competitors',
      kind: 'mention',
      who: 'customer',
      result: 'found',
      hits: [{ phrase: 'Globex', quote: 'Globex', line: 12, start: 84.2, speaker: 'Customer' }],
    },
    { tracker: 'Recording notice', kind: 'required', who: 'manager', result: 'missing', hits: [] },
  ],
};

export const METRICS: CallMetrics = {
  callId: ID,
  seconds: 412,
  silenceSeconds: 31,
  words: 963,
  turns: 58,
  managerTalkPercent: 54,
  longestMonologueSeconds: 41,
  interruptions: 1,
  managerQuestions: 9,
  customerQuestions: 6,
  managerWordsPerMinute: 158,
  customerWordsPerMinute: 149,
};

export const LIST: CallList = {
  calls: [
    {
      id: ID,
      fileName: DETAIL.fileName,
      status: 'completed',
      reportType: 'high_level',
      language: 'en',
      product: 'Team plan',
      saleStatus: 'follow_up',
      score: 74,
      createdAt: DETAIL.createdAt,
      updatedAt: '2026-05-04T10:01:12.000Z',
    },
  ],
  total: 1,
  limit: 50,
  offset: 0,
};

export const REQUEST_ID = '4b1f0c9e-7a52-4c0e-9d43-2f6f6a1f8c11';

/** What a client may be told with each kind of error; where the real answer names a value, this names one too. */
export const DETAILS: Readonly<Record<string, string>> = {
  invalid_parameter: '"limit" is "101"; it must be a whole number from 1 to 100.',
  unsupported_format:
    'The content of the file looks like a PDF document. Send one of MP3, WAV, M4A, OGG, FLAC, AAC or WMA.',
  invalid_field: '"reportType" is "Medium"; it must be one of high_level, medium, detailed.',
} satisfies Record<string, Problem['detail']>;

export const SPENDING: Spending = {
  revision: 1,
  limitPerDay: 20,
  installationLimitPerDay: 50,
  day: '2026-05-04',
  dollars: 3.4182,
  reachedAt: null,
  endsAt: '2026-05-05T00:00:00.000Z',
  uncounted: [],
};

const SUMS = {
  dollars: 14.2107,
  transcription: 13.6,
  analysis: 0.6107,
  calls: 212,
  attempts: 431,
  unpriced: 0,
  seconds: 181_340.5,
};
export const ACCOUNT_COSTS: AccountCosts = {
  from: '2026-05-01',
  to: '2026-05-31',
  by: 'month',
  total: SUMS,
  periods: [{ period: '2026-05', ...SUMS }],
};

export const COSTS: CallCosts = {
  callId: ID,
  dollars: 0.0491,
  attempts: [
    {
      attempt: 1,
      stage: 'transcription',
      engine: 'openai gpt-transcribe',
      dollars: 0.0473,
      at: '2026-05-04T10:00:21.311Z',
    },
    {
      attempt: 2,
      stage: 'analysis',
      engine: 'openai gpt-6-luna',
      dollars: 0.0018,
      at: '2026-05-04T10:00:34.902Z',
    },
  ],
};

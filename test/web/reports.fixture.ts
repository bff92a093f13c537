import type { PlacedCall } from './placed-calls.fixture.ts';

// Calls whose reports the tests look at.

/** What would do something if it were anything but text. */
export const payload = (where: string) =>
  `${where} <img src=x onerror="window.hit=1"><script>window.hit=1</script>[link](javascript:window.hit=1) ${'{'}{7*7}} &lt;b&gt;`;
const found = (where: string) => [{ text: payload(where), quote: null, line: null }];
const line = (role: 'manager' | 'customer' | 'other', text: string) => ({
  role,
  speaker: 2,
  startMs: 0,
  endMs: 1,
  text,
});

/** Of what an analysis says of the whole call, no words prove anything. */
const NO_PROOF = { kind: null, product: null, saleStatus: null, customerIntent: null };

export const HOSTILE: PlacedCall = {
  fileName: `${payload('name')}.mp3`,
  product: payload('product'),
  score: 61,
  saleStatus: 'sold',
  analysis: {
    summary: payload('summary'),
    customerIntent: payload('intent'),
    nextStep: payload('step'),
    positives: found('positive'),
    issues: found('issue'),
    objections: found('objection'),
    managerMistakes: found('mistake'),
    recommendations: [payload('recommendation')],
    lines: [
      line('manager', payload('manager')),
      line('customer', payload('customer')),
      line('other', payload('other')),
    ],
    sections: [{ id: 'overview', title: payload('title'), content: payload('content'), points: [payload('point')] }],
  },
};
export const LONG: PlacedCall = {
  fileName: 'long.mp3',
  score: 88,
  analysis: {
    lines: Array.from({ length: 4_000 }, (_, i) => ({
      ...line(i % 2 === 0 ? 'manager' : 'customer', `Line ${i} of a long call (a.b) PRICE`),
      startMs: i * 1_000,
    })),
    objections: [
      { text: 'Price: finds it too expensive', kind: 'price', quote: 'Line 3000 of a long call', line: 3_000 },
    ],
    nextStep: 'Call back (on Friday)',
    evidence: {
      ...NO_PROOF,
      nextSteps: [
        {
          what: 'Line 3900 of',
          when: 'on Friday',
          day: '2026-11-27',
          who: 'manager' as const,
          quote: 'Line 3900 of a long call',
          line: 3_900,
        },
      ],
      customerQuestions: [
        {
          quote: 'Line 3601 of a long call',
          line: 3_601,
          unanswered: false,
          answer: { quote: 'Line 3602 of a long call', line: 3_602 },
        },
      ],
    },
  },
};
export const STATES: PlacedCall[] = [
  { fileName: 'waiting.mp3', status: 'queued' },
  { fileName: 'heard.mp3', status: 'transcribing' },
  { fileName: 'judged.mp3', status: 'analyzing' },
  {
    fileName: 'broken.mp3',
    status: 'failed',
    failure: { code: 'unreadable', message: 'It could not be decoded. Convert it to MP3.' },
  },
  {
    fileName: 'silent.mp3',
    score: null,
    analysis: { score: null, lines: [], summary: 'No speech was found.', sections: [] },
  },
];

const SENTENCES = [
  'Good morning, this is Anna from Acme, I am calling about our scheduling software.',
  'Good morning. We plan all our shifts on paper, and it takes hours.',
  'How many people do you plan for? Our software writes the plan in a minute.',
  'About forty people. What does it cost?',
  'It costs ninety euros a month. Shall I show it to you on Tuesday at ten?',
  'Yes, Tuesday at ten is fine. Thank you, goodbye.',
];
/** One channel for both voices, and the roles the wrong way round. */
export const SWAPPED: PlacedCall = {
  fileName: 'swapped.mp3',
  score: 41,
  transcript: {
    language: 'en',
    utterances: SENTENCES.map((text, index) => ({
      speaker: null,
      startMs: index * 5_000,
      endMs: index * 5_000 + 4_500,
      text,
      ...(index === 0 && { misheard: [{ at: 32, heard: 'Akmey', term: 'Acme,' }] }),
    })),
    speakersBy: 'nothing',
    engine: { name: 'whisper', model: 'base' },
    audio: { seconds: 30, channels: 1, coveredSeconds: 30, speechSeconds: [27], dropped: [] },
  },
  analysis: {
    rolesBy: 'sentences',
    rolesConfidence: 0.62,
    lines: SENTENCES.map((text, index) => line(index % 2 === 0 ? 'customer' : 'manager', text)),
  },
};

export const WRONG: PlacedCall = {
  fileName: 'wrong.mp3',
  score: 55,
  saleStatus: 'follow_up',
  analysis: {
    saleStatus: 'follow_up',
    nextStep: 'Call back (on Friday)',
    lines: [line('manager', 'Shall I call you on Friday?'), line('customer', 'Is it not too expensive for us?')],
    objections: [{ text: 'Price: “too expensive”', kind: 'price', quote: 'too expensive', line: 1 }],
    evidence: {
      ...NO_PROOF,
      nextSteps: [
        {
          what: 'Shall I call you on Friday',
          when: 'on Friday',
          day: '2026-11-27',
          who: 'manager' as const,
          quote: 'Shall I call you on Friday?',
          line: 0,
        },
      ],
      customerQuestions: [{ quote: 'Is it not too expensive for us?', line: 1, unanswered: true, answer: null }],
    },
  },
};

import type { Analysis, Finding, Line, Segment, Transcript } from '@call-analytics/calls';
import { REPORT_SECTIONS } from '@call-analytics/contracts';

// A result of the size that a call of five minutes has: 60 lines, a few findings, ten sections.

const SAID = [
  'Thank you for taking my call today. I wanted to follow up on the proposal that we sent you last week.',
  'Yes, I have read it. The price is higher than we expected, to be honest, and I am not sure that we need all of it.',
  'I understand. Which of the parts would help your team the most right now, if you had to choose one?',
  'The reports, certainly. Our people spend half of every Friday putting the numbers together by hand.',
];

const LINES: Line[] = Array.from({ length: 60 }, (_, index) => ({
  role: index % 2 === 0 ? 'manager' : 'customer',
  speaker: index % 2,
  startMs: index * 5_000,
  endMs: index * 5_000 + 4_600,
  text: SAID[index % SAID.length] ?? '',
}));

export const SAMPLE_TRANSCRIPT: Transcript = {
  language: 'en',
  utterances: LINES.map(({ speaker, startMs, endMs, text }) => ({ speaker, startMs, endMs, text })),
  speakersBy: 'channels',
  engine: { name: 'bench', model: 'none' },
  audio: { seconds: 300, channels: 2, coveredSeconds: 280, speechSeconds: [138, 138], dropped: [] },
};

export const SAMPLE_ANALYSIS: Analysis = {
  engine: { name: 'bench', model: 'none' },
  language: 'en',
  lines: LINES,
  rolesBy: 'channels',
  rolesConfidence: 0.97,
  product: 'Reporting suite',
  customerIntent: 'Wants to spend less time on weekly reports.',
  nextStep: 'A demonstration on Thursday with the whole team.',
  saleStatus: 'follow_up',
  summary:
    'The manager followed up on a proposal. The customer finds it expensive but needs the reports. They agreed on a demonstration.',
  positives: findings(2),
  issues: findings(1),
  objections: findings(1),
  managerMistakes: findings(3),
  recommendations: [
    'Name the value of the saved hours before the price.',
    'Offer the reports alone first.',
    'Send the invitation today.',
  ],
  score: 71,
  rubric: [{ id: 'discovery', title: 'Discovery', points: 71, of: 100, why: 'Asked what matters most.' }],
  numbers: { talkRatio: 0.5, longestMonologueSeconds: 4.6, interruptions: 0, silenceSeconds: 20, questions: 15 },
  sections: REPORT_SECTIONS.map((id) => ({
    id,
    title: id.replaceAll('_', ' '),
    content:
      'The customer spends half of every Friday on reports and would like to stop doing so; the price is the open question.',
    points: ['Half of every Friday goes into reports.', 'The price is higher than expected.'],
  })),
};

function findings(said: number): Finding[] {
  return Array.from({ length: 3 }, (_, index) => ({
    text: 'The customer says what the present way of working costs.',
    quote: SAID[said] ?? null,
    line: said + index * SAID.length,
  }));
}

export const SAMPLE_SEGMENT: Segment = {
  key: 'all',
  channel: null,
  startMs: 0,
  endMs: 300_000,
  utterances: SAMPLE_TRANSCRIPT.utterances,
  language: 'en',
};

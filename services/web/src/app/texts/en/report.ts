import type { CallStatus } from '@call-analytics/contracts';

export const report = {
  title: 'Call',
  back: 'All calls',
  status: 'Status',
  score: 'Score',
  scoreOf: (score: number, word: string) => `Score: ${score} of 100, ${word}`,
  of100: 'of 100',
  bands: { strong: 'strong', fair: 'fair', weak: 'weak' },
  noScore: 'Not scored',
  outcome: 'Outcome',
  product: 'Product',
  language: 'Language',
  uploaded: 'Uploaded',

  report: 'Report',
  view: 'View',
  summary: 'Summary',
  customerIntent: 'What the customer wants',
  nextStep: 'Next step',
  actionItems: {
    title: 'Action items',
    who: { manager: 'Manager', customer: 'Customer', both: 'Manager and customer' },
  },
  customerQuestions: {
    title: 'The customer asked',
    answer: (quote: string) => `Answer: “${quote}”`,
    unanswered: 'Not answered',
  },
  positives: 'What went well',
  issues: 'Issues',
  objections: 'Objections',
  managerMistakes: 'Mistakes',
  recommendations: 'Recommendations',
  sections: 'Details',
  showWords: (time: string) => `Show these words in the transcript, at ${time}`,

  scorecard: {
    title: 'Scorecard',
    own: (version: number) => `Version ${version} of your scorecard`,
    standard: 'Default rubric',
    question: 'Question',
    answer: 'Answer',
    points: 'Points',
    answers: { yes: 'Yes', no: 'No', not_applicable: 'Not applicable', not_judged: 'Not judged' },
    pointsOf: (points: number, of: number) => `${points} of ${of}`,
    failedBy: (question: string) => `The score is 0, because the answer to “${question}” is no.`,
    autoFail: 'Auto-fail',
    absent: 'Not found in the call',
    notJudged: 'Not judged: no words of the call prove an answer, or the engine does not answer this question.',
  },

  trackers: {
    title: 'Trackers',
    said: (quote: string, speaker: string) => `“${quote}” (${speaker})`,
    further: (places: number) => `and ${places} more`,
    missing: {
      manager: 'not said by the manager',
      customer: 'not said by the customer',
      anyone: 'not said',
    },
    notJudged: (names: readonly string[]) =>
      `Not checked, because it is not certain who speaks or only one person does: ${names.join(', ')}.`,
  },

  transcript: 'Transcript',
  heardAs: (heard: string) => `Heard as “${heard}”`,
  noTranscript: 'This recording has no transcript.',
  manager: 'Manager',
  customer: 'Customer',
  speaker: (number: number) => `Speaker ${number}`,
  search: 'Search the transcript',
  found: (current: number, all: number, more: boolean) =>
    `${current} of ${all.toLocaleString('en')}${more ? ' or more' : ''}`,
  notFoundInTranscript: 'No matches',
  previousHit: 'Previous match',
  nextHit: 'Next match',
  clearSearch: 'Clear search',

  speakers: {
    correct: 'Correct the speakers',
    explanation: 'Say who is who. The call is analyzed again with these roles.',
    roleOf: (speaker: number) => `Role of speaker ${speaker}`,
    roles: { manager: 'Manager', customer: 'Customer', other: 'Other' },
    save: 'Save and analyze again',
    failed: 'The speakers could not be changed',
  },

  corrections: {
    correct: 'Correct the report',
    explanation: 'Answers that you leave as they are count as right. The score and the details stay as they are.',
    saleStatus: 'Outcome',
    product: 'Product',
    nextStep: 'Next step',
    objections: 'Objections',
    managerMistakes: 'Mistakes',
    untick: 'Clear what is wrong.',
    save: 'Save',
    failed: 'The report could not be corrected',
    correctedBy: (name: string, answers: readonly string[]) => `Corrected by ${name}: ${answers.join(', ')}`,
    confirmedBy: (name: string) => `Confirmed by ${name}`,
  },

  copy: 'Copy',
  download: 'Download',
  asText: 'Report as text (.txt)',
  asMarkdown: 'Report as Markdown (.md)',
  transcriptAs: {
    txt: 'Transcript with times (.txt)',
    vtt: 'Subtitles (.vtt)',
    srt: 'Subtitles (.srt)',
  },
  transcriptWord: 'transcript',
  print: 'Print',
  more: 'More actions',
  delete: 'Delete',
  fileWord: 'report',

  progress: 'Progress',
  steps: { queued: 'Queued', transcribing: 'Transcription', analyzing: 'Analysis', completed: 'Report' },
  now: {
    queued: 'The recording is waiting in the queue.',
    transcribing: 'Transcribing and identifying speakers. Long recordings take several minutes.',
    analyzing: 'Analyzing the transcript and writing the report.',
  } satisfies Partial<Record<CallStatus, string>>,
  position: (position: number) =>
    position === 1
      ? 'Next in your queue.'
      : `Position in your queue: ${position > 1001 ? 'more than 1,001' : position.toLocaleString('en')}.`,
  startsIn: (time: string) => `It starts in about ${time}.`,
  transcribed: (done: string, all: string) => `${done} of ${all} transcribed.`,
  waitingSince: (since: string) => `Since ${since}. The call continues automatically.`,
  nowWhere: 'This page updates automatically. You can close it.',
  done: 'The report is ready.',

  failed: 'This call could not be processed',
  retry: 'Retry',
  retryFailed: 'The call could not be retried',
  uploadAgain: 'Upload a recording',

  missing: 'Call not found',
  missingWhy: 'It may have been deleted, or the link is incomplete. Calls of other accounts are not shown.',
};

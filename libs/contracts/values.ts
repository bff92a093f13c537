import type { TrackerSpeaker } from './trackers.ts';

// Values that services and pages share. The pages import this file because it does not load zod, which would enlarge
// their first load; so nothing here may import a file of schemas except for types.

/** A call's public state, as GET /calls/:id shows it. A completed call may be corrected, a failed one retried. */
export const CALL_STATUSES = ['queued', 'transcribing', 'analyzing', 'completed', 'failed'] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

export const REPORT_TYPES = ['high_level', 'medium', 'detailed'] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

export const SALE_STATUSES = ['sold', 'not_sold', 'follow_up', 'unclear'] as const;
export type SaleStatus = (typeof SALE_STATUSES)[number];

/** What kind of conversation a recording holds. Only `sales` is scored. */
export const CALL_KINDS = ['sales', 'service', 'other', 'voicemail', 'wrong_number', 'no_conversation'] as const;
export type CallKind = (typeof CALL_KINDS)[number];

/**
 * Why a call has no score: `not_analyzed` when it is not completed yet or failed, `nothing_judged` when no question of
 * the account's scorecard got an answer.
 */
export const NOT_SCORED_CODES = [
  'not_analyzed',
  'no_speech',
  'too_short',
  'not_a_sales_call',
  'kind_unclear',
  'language_not_supported',
  'roles_unclear',
  'nothing_judged',
] as const;
export type NotScoredCode = (typeof NOT_SCORED_CODES)[number];

/** Below this certainty, roles are a guess, and nothing that depends on them is reported. */
export const ROLES_SURE = 0.6;

/** The kinds of work on a call. */
export const STAGES = ['transcription', 'analysis'] as const;
export type Stage = (typeof STAGES)[number];

/** The engines that analyze transcripts. */
export const ANALYSIS_ENGINES = ['openai', 'rules'] as const;
export type AnalysisEngine = (typeof ANALYSIS_ENGINES)[number];

/** A dependency that does not work now, for which a call can wait. */
export const DEPENDENCIES = ['speech_engine', 'analysis_engine', 'storage', 'decoder'] as const;
export type Dependency = (typeof DEPENDENCIES)[number];

/** Why work on a call does not begin although its turn may have come. */
export const WAITS = [...DEPENDENCIES, 'spending_limit'] as const;
export type Wait = (typeof WAITS)[number];

/** All allowed changes of status. */
export const TRANSITIONS: Readonly<Record<CallStatus, readonly CallStatus[]>> = {
  queued: ['transcribing', 'analyzing', 'failed'],
  transcribing: ['analyzing', 'failed'],
  analyzing: ['completed', 'failed'],
  completed: ['analyzing'],
  failed: ['queued'],
};

/** The accepted formats. The content of a file decides, not its name. */
export const AUDIO_FORMATS = ['mp3', 'wav', 'm4a', 'ogg', 'flac', 'aac', 'wma'] as const;
export type AudioFormat = (typeof AUDIO_FORMATS)[number];

/** What an API key may do: `write` includes `read`. */
export const KEY_SCOPES = ['read', 'write'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** The sections of an analysis, in the order of the report. */
export const REPORT_SECTIONS = [
  'overview',
  'outcome',
  'customer_needs',
  'opening',
  'product_presentation',
  'objections',
  'conversation_quality',
  'mistakes',
  'next_steps',
  'recommendations',
] as const;
export type ReportSectionId = (typeof REPORT_SECTIONS)[number];

/** The sections that each report type shows. All report types show the same analysis. */
export const SECTIONS_SHOWN: Readonly<Record<ReportType, readonly ReportSectionId[]>> = {
  high_level: ['overview', 'outcome', 'recommendations'],
  medium: ['overview', 'outcome', 'customer_needs', 'objections', 'next_steps', 'recommendations'],
  detailed: REPORT_SECTIONS,
};

/** Bounds of a recording: decoding costs time and memory by channels and sample rate. */
const SOUND_LIMITS = { maxChannels: 8, minHz: 4_000, maxHz: 192_000 } as const;

export interface Sound {
  channels: number;
  /** Hz */
  sampleRate: number;
}

/** @returns for the owner, what is wrong with the recording and what to do; null when it is acceptable */
export function soundProblem({ channels, sampleRate }: Sound): string | null {
  const { maxChannels, minHz, maxHz } = SOUND_LIMITS;
  if (channels > maxChannels)
    return `The recording has ${channels} channels; at most ${maxChannels} are accepted. Mix it down to mono or stereo and upload it again.`;
  if (sampleRate < minHz || sampleRate > maxHz)
    return `The recording has a sample rate of ${shownHz(sampleRate)}; ${minHz / 1_000} kHz to ${maxHz / 1_000} kHz are accepted. Convert it to 16 kHz and upload it again.`;
  return null;
}

function shownHz(hz: number): string {
  return hz < 1_000 ? `${hz} Hz` : `${hz / 1_000} kHz`;
}

/** Who speaks in a call. */
export const SPEAKER_ROLES = ['manager', 'customer', 'other'] as const;

/** The questions that each engine answers, also those of the default rubric. */
export const SCORECARD_CHECKS = {
  greeted: { question: 'Does the manager greet the customer?', who: 'manager' },
  introduced: { question: 'Does the manager say their name or company?', who: 'manager' },
  purpose: { question: 'Does the manager say what the call is about, or ask how to help?', who: 'manager' },
  discovery_questions: { question: "Does the manager ask about the customer's situation or need?", who: 'manager' },
  confirmed_need: { question: 'Does the manager sum up the need in their own words?', who: 'manager' },
  named_offer: { question: 'Does the manager name the offer?', who: 'manager' },
  price_or_proof: { question: 'Does the manager give a price, a number or a reference?', who: 'manager' },
  objections_addressed: { question: "Does the manager address the customer's objections?", who: 'manager' },
  next_step: { question: 'Is a next step agreed?', who: 'anyone' },
  next_step_time: { question: 'Is a time named for the next step?', who: 'anyone' },
  courteous_end: { question: 'Does the manager end the call politely?', who: 'manager' },
} as const satisfies Readonly<Record<string, { question: string; who: TrackerSpeaker }>>;
export type ScorecardCheck = keyof typeof SCORECARD_CHECKS;

import { type Failure, WorkError } from '@call-analytics/service-kit';
import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { neverConnected } from './connection.ts';
import { retryAt } from './retry-after.ts';

type Class = Omit<Failure, 'until' | 'kind'> & { kind: Exclude<Failure['kind'], 'rate-limited'> };

const OUT_OF_QUOTA: Class = {
  kind: 'out-of-quota',
  code: 'engine_out_of_quota',
  message:
    'The AI provider account of this installation has no credit left or has reached its spending limit. Its operator must add credit.',
};
const KEY_REFUSED: Class = {
  kind: 'out-of-quota',
  code: 'engine_key_refused',
  message: 'The AI provider refuses the API key of this installation. Its operator must replace the key.',
};
const UNREACHABLE: Class = {
  kind: 'unavailable',
  code: 'engine_unreachable',
  message: 'The AI provider could not be reached.',
};
const UNAVAILABLE: Class = {
  kind: 'unavailable',
  code: 'engine_unavailable',
  message: 'The AI provider is not available.',
};
// The provider may be broken, or this request may break it.
const TIMED_OUT: Class = {
  kind: 'unanswered',
  code: 'engine_timeout',
  message: 'The AI provider did not answer in time.',
};
const CUT: Class = {
  kind: 'unanswered',
  code: 'engine_connection_lost',
  message: 'The AI provider closed the connection before it had answered.',
};
const BROKEN: Class = {
  kind: 'unanswered',
  code: 'engine_error',
  message: 'The AI provider returned a server error.',
};
const UNREADABLE_ANSWER: Class = {
  kind: 'unanswered',
  code: 'engine_answer_unreadable',
  message: 'The AI provider returned an unreadable answer.',
};
const UNREADABLE_AUDIO: Class = {
  kind: 'rejected',
  code: 'audio_refused',
  message:
    'The speech engine could not decode this recording. Check that it plays, convert it to MP3 or WAV, and upload it again.',
};
const CONTENT_REFUSED: Class = {
  kind: 'rejected',
  code: 'engine_refused_content',
  message: 'The AI provider rejected the content of this call under its usage policy.',
};
const TOO_LONG_FOR_MODEL: Class = {
  kind: 'rejected',
  code: 'call_too_long_for_model',
  message: 'This call is too long for the model of this installation. Upload it in parts.',
};
const PIECE_TOO_LARGE: Class = {
  kind: 'bug',
  code: 'engine_piece_too_large',
  message: 'A segment of the recording exceeds the size limit of the speech engine.',
};
const NOT_UNDERSTOOD: Class = {
  kind: 'bug',
  code: 'engine_request_refused',
  message: 'The AI provider rejected the request.',
};

/** Codes of a 429 that no waiting cures (developers.openai.com/api/docs/guides/error-codes, read 2026-11-21). `type` may say insufficient_quota beside any of them. */
const BILLING = [
  'insufficient_quota',
  'billing_not_active',
  'billing_hard_limit_reached',
  'credit_balance_exhausted',
  'organization_spend_limit_exceeded',
  'project_spend_limit_exceeded',
  'organization_usage_limit_exceeded',
];

/**
 * Turns any error of a call to the endpoint into one of the closed set. Texts for people are our own: a vendor's message may hold parts of the key or the prompt.
 *
 * A wrong model or parameter is the operator's to mend and would fail every call: it pauses like an empty account. Only what names such a cause does so; a 400
 * that nobody understands is counted against its call, since pausing for it would let one odd call stop all others.
 * @param now for Retry-After
 * @throws the error itself when the request was aborted by its caller: that is no failure of anything
 */
export function classifyOpenAiError(error: unknown, now: Date): Failure {
  if (error instanceof WorkError) return error.failure;
  if (error instanceof APIUserAbortError) throw error;
  if (error instanceof APIConnectionTimeoutError) return TIMED_OUT;
  if (error instanceof APIConnectionError) return neverConnected(error) ? UNREACHABLE : CUT;
  if (error instanceof APIError && error.status !== undefined) return ofAnswer(error as Answer, now);
  if (nameOf(error) === 'SyntaxError') return UNREADABLE_ANSWER;
  if (isBrokenBody(error)) return CUT;
  return { kind: 'bug', code: 'internal_error', message: 'Something went wrong on our side.' };
}

/** An error that came as an HTTP answer. Other servers than OpenAI's may leave any of the texts out, or send something else in their place. */
type Answer = APIError & { status: number; code: unknown; type: unknown; param: unknown; headers: Headers | undefined };

/** What a proxy answers for a server that is away, and the server itself when it is overloaded. */
const GATEWAY_STATUSES = [502, 503, 504, 529];

function ofAnswer(answer: Answer, now: Date): Failure {
  const { status } = answer;
  if (status === 402 || (status === 429 && isAbout(BILLING, answer))) return OUT_OF_QUOTA;
  if (status === 429) return rateLimited(retryAt(answer.headers, answer.message, now));
  if (answer.code === 'model_not_found' || status === 404 || status === 405) return misconfigured('model or address');
  if (status === 401 || status === 403) return KEY_REFUSED;
  if (status === 503 && answer.headers?.has('retry-after')) return rateLimited(retryAt(answer.headers, '', now));
  if (GATEWAY_STATUSES.includes(status)) return UNAVAILABLE;
  if (status >= 500 || status === 408 || status === 409 || status === 425) return BROKEN;
  if (status === 413) return PIECE_TOO_LARGE;
  return ofRefusedRequest(answer);
}

/** What the endpoint says of audio it cannot use; it has no codes for it, and `param` is often null. Recorded in classify.test.ts. */
const BAD_AUDIO =
  /could not be decoded|invalid file format|unrecognized file format|file format is not supported|does not support the format you provided|corrupted or unsupported|audio file is too short|something went wrong reading your request|no audio/i;
const TOO_LONG_AUDIO = /longer than \d+ seconds|maximum content size/i;
const POLICY = ['content_policy_violation', 'content_filter', 'invalid_prompt', 'cyber_policy_violation'];
/** Parameters that differ from call to call; all others come from settings and code and are the same for every call. */
const CALL_PARAMETERS = /^(file|messages|input|prompt)\b/;

function ofRefusedRequest(answer: Answer): Failure {
  const { code, message, param } = answer;
  if (TOO_LONG_AUDIO.test(message)) return PIECE_TOO_LARGE;
  if (BAD_AUDIO.test(message) || param === 'file') return UNREADABLE_AUDIO;
  if (code === 'context_length_exceeded' || code === 'string_above_max_length') return TOO_LONG_FOR_MODEL;
  if (isAbout(POLICY, answer)) return CONTENT_REFUSED;
  if (typeof param === 'string' && param !== '' && !CALL_PARAMETERS.test(param)) return misconfigured(shown(param));
  if (/\bmodel\b.*(not exist|not found|not supported|deprecated|shut ?down|retired)|invalid model/i.test(message))
    return misconfigured('model');
  return NOT_UNDERSTOOD;
}

function misconfigured(what: string): Failure {
  return {
    kind: 'out-of-quota',
    code: 'engine_misconfigured',
    message: `The AI provider does not accept the ${what} that this installation uses. Its operator must correct the settings.`,
  };
}

function rateLimited(until: Date): Failure {
  return {
    kind: 'rate-limited',
    code: 'engine_rate_limited',
    message: 'The AI provider limited the request rate.',
    until,
  };
}

function isAbout(words: readonly string[], { code, type }: Answer): boolean {
  return [code, type].some((word) => typeof word === 'string' && words.includes(word));
}

/** A parameter's name as the vendor sent it, if it looks like one. */
function shown(param: string): string {
  return /^[\w.[\]-]{1,60}$/.test(param) ? param : 'parameters';
}

/** fetch's way of saying that the connection ended in the middle of an answer. */
function isBrokenBody(error: unknown): boolean {
  return nameOf(error) === 'TypeError' && /^(terminated|fetch failed)$/.test((error as Error).message);
}

/** By name, not by class: fetch's errors may come from another realm. */
function nameOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : '';
}

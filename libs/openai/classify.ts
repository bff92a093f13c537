import { type Failure, failureOf, WorkError } from '@call-analytics/service-kit';
import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { neverConnected } from './client.ts';

type Kind = Exclude<Failure['kind'], 'rate-limited'>;

function failure(kind: Kind, code: string, message: string): Failure & { kind: Kind } {
  return { kind, code, message };
}

const OUT_OF_QUOTA = failure(
  'out-of-quota',
  'engine_out_of_quota',
  'The AI provider account of this installation has no credit left or has reached its spending limit. ' +
    'Its operator must add credit.',
);
const KEY_REFUSED = failure(
  'out-of-quota',
  'engine_key_refused',
  'The AI provider refuses the API key of this installation. Its operator must replace the key.',
);
const UNREACHABLE = failure('unavailable', 'engine_unreachable', 'The AI provider could not be reached.');
const UNAVAILABLE = failure('unavailable', 'engine_unavailable', 'The AI provider is not available.');
// The provider may be broken, or this request may break it.
export const TIMED_OUT = failure('unanswered', 'engine_timeout', 'The AI provider did not answer in time.');
const CUT = failure(
  'unanswered',
  'engine_connection_lost',
  'The AI provider closed the connection before it had answered.',
);
const BROKEN = failure('unanswered', 'engine_error', 'The AI provider returned a server error.');
export const UNREADABLE = failure(
  'unanswered',
  'engine_answer_unreadable',
  'The AI provider returned an unreadable answer.',
);
const UNREADABLE_AUDIO = failure(
  'rejected',
  'audio_refused',
  'The speech engine could not decode this recording. ' +
    'Check that it plays, convert it to MP3 or WAV, and upload it again.',
);
const CONTENT_REFUSED = failure(
  'rejected',
  'engine_refused_content',
  'The AI provider rejected the content of this call under its usage policy.',
);
const TOO_LONG_FOR_MODEL = failure(
  'rejected',
  'call_too_long_for_model',
  'This call is too long for the model of this installation. Upload it in parts.',
);
const SEGMENT_TOO_LARGE = failure(
  'bug',
  'engine_piece_too_large',
  'A segment of the recording exceeds the size limit of the speech engine.',
);
const NOT_UNDERSTOOD = failure('bug', 'engine_request_refused', 'The AI provider rejected the request.');

/**
 * Codes of a 429 that waiting does not cure (developers.openai.com/api/docs/guides/error-codes, read 2026-11-21).
 * `type` may be insufficient_quota beside any of them.
 */
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
 * Turns any error of a request to the endpoint into one of the closed set. The messages are our own: a vendor's message
 * may contain parts of the key or the prompt.
 * @param now for Retry-After
 * @throws the error itself when the caller aborted the request
 */
export function classifyOpenAiError(error: unknown, now: Date): Failure {
  if (error instanceof WorkError) return error.failure;
  if (error instanceof APIUserAbortError) throw error;
  if (error instanceof APIConnectionTimeoutError) return TIMED_OUT;
  if (error instanceof APIConnectionError) return neverConnected(error) ? UNREACHABLE : CUT;
  if (error instanceof APIError && error.status !== undefined) return ofResponse(error as ErrorResponse, now);
  if (nameOf(error) === 'SyntaxError') return UNREADABLE;
  if (isBrokenBody(error)) return CUT;
  return failureOf(error);
}

/** An error that came as an HTTP response. Servers other than OpenAI's may omit or change any of the texts. */
type ErrorResponse = APIError & {
  status: number;
  code: unknown;
  type: unknown;
  param: unknown;
  headers: Headers | undefined;
};

/** From a proxy whose server is unavailable, or from an overloaded server. */
const GATEWAY_STATUSES = [502, 503, 504, 529];

function ofResponse(response: ErrorResponse, now: Date): Failure {
  const { status } = response;
  if (status === 402 || (status === 429 && isAbout(BILLING, response))) return OUT_OF_QUOTA;
  if (status === 429) return rateLimited(retryAt(response.headers, response.message, now));
  if (response.code === 'model_not_found' || status === 404 || status === 405) return misconfigured('model or address');
  if (status === 401 || status === 403) return KEY_REFUSED;
  if (status === 503 && response.headers?.has('retry-after')) return rateLimited(retryAt(response.headers, '', now));
  if (GATEWAY_STATUSES.includes(status)) return UNAVAILABLE;
  if (status >= 500 || status === 408 || status === 409 || status === 425) return BROKEN;
  if (status === 413) return SEGMENT_TOO_LARGE;
  return ofRefusedRequest(response);
}

/** Texts for audio that the endpoint cannot use: it has no codes for it. Recorded in classify.test.ts. */
const BAD_AUDIO =
  /could not be decoded|invalid file format|unrecognized file format|file format is not supported|does not support the format you provided|corrupted or unsupported|audio file is too short|something went wrong reading your request|no audio/i;
const TOO_LONG_AUDIO = /longer than \d+ seconds|maximum content size/i;
const POLICY = ['content_policy_violation', 'content_filter', 'invalid_prompt', 'cyber_policy_violation'];
/** Parameters that differ between calls. All others come from settings and code. */
const CALL_PARAMETERS = /^(file|messages|input|prompt)\b/;

function ofRefusedRequest(response: ErrorResponse): Failure {
  const { code, message, param } = response;
  if (TOO_LONG_AUDIO.test(message)) return SEGMENT_TOO_LARGE;
  if (BAD_AUDIO.test(message) || param === 'file') return UNREADABLE_AUDIO;
  if (code === 'context_length_exceeded' || code === 'string_above_max_length') return TOO_LONG_FOR_MODEL;
  if (isAbout(POLICY, response)) return CONTENT_REFUSED;
  if (typeof param === 'string' && param !== '' && !CALL_PARAMETERS.test(param)) return misconfigured(shown(param));
  if (/\bmodel\b.*(not exist|not found|not supported|deprecated|shut ?down|retired)|invalid model/i.test(message))
    return misconfigured('model');
  // Counts against its call: a pause would let one odd call stop all others.
  return NOT_UNDERSTOOD;
}

/** Pauses like an empty account, because every call fails until the operator corrects the settings. */
function misconfigured(what: string): Failure {
  const refused = `The AI provider does not accept the ${what} that this installation uses.`;
  return failure('out-of-quota', 'engine_misconfigured', `${refused} Its operator must correct the settings.`);
}

function rateLimited(until: Date): Failure {
  const message = 'The AI provider limited the request rate.';
  return { kind: 'rate-limited', code: 'engine_rate_limited', message, until };
}

function isAbout(words: readonly string[], { code, type }: ErrorResponse): boolean {
  return [code, type].some((word) => typeof word === 'string' && words.includes(word));
}

/** The parameter's name from the vendor, if it looks like a name. */
function shown(param: string): string {
  return /^[\w.[\]-]{1,60}$/.test(param) ? param : 'parameters';
}

/** How fetch reports a connection that ended in the middle of a response. */
function isBrokenBody(error: unknown): boolean {
  return nameOf(error) === 'TypeError' && /^(terminated|fetch failed)$/.test((error as Error).message);
}

/** By name, not by class: fetch's errors may come from another realm. */
function nameOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : '';
}

const DEFAULT_WAIT_MS = 20_000;
/** The longest wait, whatever the vendor says: limits get raised, and headers can be wrong. */
const MAX_WAIT_MS = 60 * 60_000;

/**
 * When to retry after a 429 or 503: by the headers, else by the sentence "Please try again in 1m30s", else in 20
 * seconds.
 * @param headers `retry-after-ms`, `retry-after` (seconds or an HTTP date, RFC 9110 10.2.3), and `x-ratelimit-reset-*`
 *   (durations such as 20ms, 6m0s) of the limits of which nothing remains
 * @returns a time after `now`, at most an hour away
 */
function retryAt(headers: Headers | undefined, message: string, now: Date): Date {
  const waitMs =
    fromHeaders(headers, now) ??
    durationMs(/try again in ([\d.hms]+)/i.exec(message)?.[1]?.replace(/\.$/, '')) ??
    DEFAULT_WAIT_MS;
  return new Date(now.getTime() + Math.min(MAX_WAIT_MS, Math.max(1, Math.ceil(waitMs))));
}

function fromHeaders(headers: Headers | undefined, now: Date): number | null {
  if (headers === undefined) return null;
  const ms = number(headers.get('retry-after-ms'));
  if (ms !== null) return ms;
  const after = headers.get('retry-after');
  const seconds = number(after);
  if (seconds !== null) return seconds * 1000;
  const date = after === null ? Number.NaN : Date.parse(after);
  if (!Number.isNaN(date)) return date - now.getTime();
  const resets = ['requests', 'tokens']
    .filter((limit) => number(headers.get(`x-ratelimit-remaining-${limit}`)) === 0)
    .map((limit) => durationMs(headers.get(`x-ratelimit-reset-${limit}`)) ?? 0);
  const longest = Math.max(0, ...resets);
  return longest > 0 ? longest : null;
}

function number(text: string | null): number | null {
  return text !== null && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null;
}

const UNIT_MS: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/** `6m0s`, `1h2m3.5s`, `20ms`. @returns null for anything else */
function durationMs(text: string | null | undefined): number | null {
  if (text === null || text === undefined || !/^(\d+(\.\d+)?(h|ms|m|s))+$/.test(text)) return null;
  let sum = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g))
    sum += Number(amount) * (UNIT_MS[unit ?? ''] ?? 0);
  return sum;
}

import type { ServerResponse } from 'node:http';

export type Endpoint = 'transcriptions' | 'chat' | 'responses' | 'models';

/** What may go wrong with one request, as a client sees it. */
export type Effect =
  /** 429 that waiting cures. */
  | { kind: 'rate-limit'; retryAfterSeconds?: number }
  /** 429 that no waiting cures. */
  | { kind: 'quota' }
  | { kind: 'server-error'; status?: 500 | 502 | 503 | 504 }
  /** Any error of the API, word for word. */
  | { kind: 'error'; status: number; body: unknown; headers?: Record<string, string> }
  /** The whole answer, later. */
  | { kind: 'delay'; ms: number }
  /** No answer, ever. */
  | { kind: 'hang' }
  /** The connection ends before an answer. */
  | { kind: 'hang-up' }
  /** The connection ends in the middle of the answer. */
  | { kind: 'cut' }
  /** Half of the answer, and then nothing more. */
  | { kind: 'stall' }
  /** 200 with a body that is not JSON. */
  | { kind: 'not-json' }
  /** Another text than was spoken, as models make up on noise or repeat. */
  | { kind: 'words'; text: string }
  /** What a text model may do: decline, stop at its token limit, break its JSON, or fill in another schema. */
  | { kind: 'refusal' }
  | { kind: 'length' }
  | { kind: 'invalid-json' }
  | { kind: 'wrong-schema' };

/** Which requests, and what happens to them. All conditions must hold; without any it is every request. */
export interface Fault {
  endpoint?: Endpoint;
  model?: string;
  /** Counted from 1 among the requests that meet the other conditions. */
  nth?: number | readonly number[];
  /** Words that occur in what is spoken, or in the messages; or the SHA-256 of the file or body in hex. */
  content?: string;
  do: Effect;
}

interface FaultSubject {
  endpoint: Endpoint;
  model: string | null;
  hash: string;
  /** Asked for only when a fault needs it. */
  text(): Promise<string>;
}

const seen = new WeakMap<Fault, number>();

/**
 * @returns what happens to this request: the first fault in the list that is about it; null when none is. Counts it for
 * `nth`.
 */
export async function effectOf(faults: readonly Fault[], subject: FaultSubject): Promise<Effect | null> {
  let effect: Effect | null = null;
  for (const fault of [...faults]) {
    if (!(await isAbout(fault, subject))) continue;
    const count = (seen.get(fault) ?? 0) + 1;
    seen.set(fault, count);
    if (fault.nth !== undefined && ![fault.nth].flat().includes(count)) continue;
    effect ??= fault.do;
  }
  return effect;
}

async function isAbout({ endpoint, model, content }: Fault, subject: FaultSubject): Promise<boolean> {
  if (endpoint !== undefined && endpoint !== subject.endpoint) return false;
  if (model !== undefined && model !== subject.model) return false;
  return content === undefined || content === subject.hash || (await subject.text()).includes(content);
}

/** @throws ApiError for an effect that is an answer of the API; anything else passes */
export function throwIfError(effect: Effect | null): void {
  switch (effect?.kind) {
    case 'rate-limit':
      throw new ApiError(429, 'Rate limit reached for requests. Please try again later.', {
        type: 'requests',
        code: 'rate_limit_exceeded',
        headers: { 'retry-after': String(effect.retryAfterSeconds ?? 1) },
      });
    case 'quota':
      throw new ApiError(429, 'You exceeded your current quota, please check your plan and billing details.', {
        type: 'insufficient_quota',
        code: 'insufficient_quota',
      });
    case 'server-error':
      throw new ApiError(
        effect.status ?? 500,
        'The server had an error while processing your request. Sorry about that!',
        { type: 'server_error' },
      );
    default:
  }
}

/** What is sent in place of a whole answer. @returns false when the answer goes out whole */
export function sendBroken(
  effect: Effect | null,
  response: ServerResponse,
  headers: Record<string, string>,
  body: string,
): boolean {
  const half = body.slice(0, Math.max(1, Math.floor(body.length / 2)));
  switch (effect?.kind) {
    case 'cut':
      response.writeHead(200, { ...headers, 'content-length': String(Buffer.byteLength(body)) });
      response.write(half, () => response.destroy());
      return true;
    case 'stall':
      response.writeHead(200, { ...headers, 'content-length': String(Buffer.byteLength(body)) });
      response.write(half);
      return true;
    case 'not-json':
      response.writeHead(200, headers).end(half);
      return true;
    default:
      return false;
  }
}

/**
 * An answer that is not 200, in the shape the API gives its errors (developers.openai.com/api/docs/guides/error-codes,
 * and answers users have published).
 */
export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    message: string,
    { type = 'invalid_request_error', param = null, code = null, headers = {} }: ErrorDetails = {},
  ) {
    super(message);
    this.status = status;
    this.body = { error: { message, type, param, code } };
    this.headers = headers;
  }
}

interface ErrorDetails {
  type?: string;
  param?: string | null;
  code?: string | null;
  headers?: Record<string, string>;
}

export function noKey(): ApiError {
  return new ApiError(
    401,
    "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth " +
      '(i.e. Authorization: Bearer YOUR_KEY). You can obtain an API key from ' +
      'https://platform.openai.com/account/api-keys.',
  );
}

/** The API shows the ends of the key it was given, and so does this. */
export function wrongKey(key: string): ApiError {
  const shown = key.length > 12 ? `${key.slice(0, 7)}${'*'.repeat(5)}${key.slice(-4)}` : '*'.repeat(key.length);
  return new ApiError(
    401,
    `Incorrect API key provided: ${shown}. You can find your API key at https://platform.openai.com/account/api-keys.`,
    { code: 'invalid_api_key' },
  );
}

export function unknownModel(model: string): ApiError {
  return new ApiError(404, `The model \`${model}\` does not exist or you do not have access to it.`, {
    code: 'model_not_found',
  });
}

export function missingParameter(param: string): ApiError {
  return new ApiError(400, `Missing required parameter: '${param}'.`, { param, code: 'missing_required_parameter' });
}

export function unknownParameter(param: string): ApiError {
  return new ApiError(400, `Unknown parameter: '${param}'.`, { param, code: 'unknown_parameter' });
}

export function unsupportedParameter(param: string, instead = ''): ApiError {
  return new ApiError(400, `Unsupported parameter: '${param}' is not supported with this model.${instead}`, {
    param,
    code: 'unsupported_parameter',
  });
}

export function invalidValue(param: string, value: unknown, allowed: readonly string[]): ApiError {
  const names = allowed.map((name) => `'${name}'`).join(', ');
  return new ApiError(400, `Invalid value: '${String(value)}'. Supported values are: ${names}.`, {
    param,
    code: 'invalid_value',
  });
}

export function invalidType(param: string, expected: string): ApiError {
  return new ApiError(400, `Invalid type for '${param}': expected ${expected}.`, { param, code: 'invalid_type' });
}

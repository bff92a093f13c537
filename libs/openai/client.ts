import { OpenAI } from 'openai';

/**
 * The only way to reach an OpenAI-compatible endpoint. The SDK does not retry, because retries are decided in one
 * place, and each request has a deadline.
 * @param options.baseUrl an OpenAI-compatible endpoint ending in /v1; OpenAI's own by default
 * @param options.timeoutMs the deadline of one request in milliseconds, from connecting to the last byte of the
 *   response
 * @param options.connectTimeoutMs the deadline for the connection alone, in milliseconds
 */
export function openaiClient({
  apiKey,
  baseUrl,
  timeoutMs,
  connectTimeoutMs = 10_000,
}: {
  apiKey: string;
  baseUrl?: string;
  timeoutMs: number;
  connectTimeoutMs?: number;
}): OpenAI {
  return new OpenAI({
    apiKey,
    // Never undefined: the SDK would read OPENAI_BASE_URL, OPENAI_ORG_ID and so on from the environment.
    baseURL: baseUrl ?? 'https://api.openai.com/v1',
    organization: null,
    project: null,
    timeout: timeoutMs,
    maxRetries: 0,
    fetch: fetchOrNotConnected,
    fetchOptions: { dispatcher: dispatcherWithTimeouts(0, connectTimeoutMs) },
  });
}

interface Endpoint {
  apiKey: string | undefined;
  baseUrl: string | undefined;
}

/**
 * The endpoint of one engine: its own address and key, else the common ones. A key goes only to the address it was set
 * for, so an address of its own does not get the common key.
 * @returns null when neither an address nor a key is set
 */
export function endpointOf(own: Endpoint, common: Endpoint): { apiKey: string; baseUrl?: string } | null {
  const baseUrl = own.baseUrl ?? common.baseUrl;
  const apiKey = own.apiKey ?? (own.baseUrl === undefined ? common.apiKey : undefined);
  if (baseUrl === undefined && apiKey === undefined) return null;
  // A self-hosted server may need no key, but the SDK requires one.
  return { apiKey: apiKey ?? 'none', ...(baseUrl !== undefined && { baseUrl }) };
}

type Dispatcher = NonNullable<RequestInit['dispatcher']>;
type DispatcherClass = new (options: {
  headersTimeout: number;
  bodyTimeout: number;
  connect: { timeout: number };
}) => Dispatcher;

/**
 * For a deadline beyond five minutes, after which fetch by itself gives up waiting for a response. Node does not export
 * undici's Agent, so the class is that of the global dispatcher (undici, lib/global.js), also where that is a proxy's.
 * @param limitMs the limit for the headers and between two chunks of the body; 0 for none but the deadline of the
 *   request
 * @returns undefined when this runtime has no such class: the limits of fetch stay
 */
export function dispatcherWithTimeouts(limitMs = 0, connectTimeoutMs = 10_000): Dispatcher | undefined {
  // Reading the property makes Node load undici.
  void globalThis.fetch;
  const current = (globalThis as unknown as Record<symbol, object | undefined>)[
    Symbol.for('undici.globalDispatcher.1')
  ];
  if (current === undefined) return undefined;
  return new (current.constructor as DispatcherClass)({
    headersTimeout: limitMs,
    bodyTimeout: limitMs,
    connect: { timeout: connectTimeoutMs },
  });
}

/**
 * Codes of errors that come before a request is sent: name resolution, the connection, TLS.
 * https://nodejs.org/api/errors.html#common-system-errors,
 * https://github.com/nodejs/undici/blob/main/docs/docs/api/Errors.md
 */
const NOT_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|UNABLE_TO_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+)$/;

/** The endpoint was not reached and no request was sent. */
class NotConnected extends Error {
  override name = 'NotConnected';
  readonly reason: string;

  constructor(reason: string) {
    // Without the reason, which may contain "timeout": see `fetchOrNotConnected`.
    super('the endpoint could not be reached');
    this.reason = reason;
  }
}

/**
 * fetch, with a separate error when there is no connection. The SDK reports every error whose text contains "timeout"
 * as a request that timed out and drops the cause, so a connect timeout needs another text.
 */
async function fetchOrNotConnected(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    const code = codeOf(error);
    if (code === null || !NOT_SENT.test(code)) throw error;
    throw new NotConnected(code);
  }
}

/** @returns whether this error, or one that caused it, says that no request was sent */
export function neverConnected(error: unknown): boolean {
  return causes(error).some(({ name }) => name === 'NotConnected');
}

function codeOf(error: unknown): string | null {
  const found = causes(error).find(({ code }) => typeof code === 'string');
  if (found === undefined) return null;
  return found.syscall === 'connect' && found.code === 'ETIMEDOUT' ? 'UND_ERR_CONNECT_TIMEOUT' : String(found.code);
}

interface Fields {
  name?: unknown;
  code?: unknown;
  syscall?: unknown;
  cause?: unknown;
}

/** The error and its causes. Compared by fields and not by class: errors may come from another realm. */
function causes(error: unknown): Fields[] {
  const found: Fields[] = [];
  for (let at = error; typeof at === 'object' && at !== null && found.length < 10; at = (at as Fields).cause)
    found.push(at);
  return found;
}

import { OpenAI } from 'openai';
import { fetchOrNotConnected } from './connection.ts';

/**
 * The one way to reach an OpenAI-compatible endpoint: no retries of the SDK's own (retrying is decided in one place), and a deadline for each call.
 * @param options.baseUrl an OpenAI-compatible endpoint ending in /v1; OpenAI's own by default
 * @param options.timeoutMs the deadline of one request in milliseconds, from connecting to the last byte of the answer
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
    // Never undefined: the SDK would then take OPENAI_BASE_URL, OPENAI_ORG_ID and so on from the environment, past the settings.
    baseURL: baseUrl ?? 'https://api.openai.com/v1',
    organization: null,
    project: null,
    timeout: timeoutMs,
    maxRetries: 0,
    fetch: fetchOrNotConnected,
    fetchOptions: { dispatcher: patientDispatcher(0, connectTimeoutMs) },
  });
}

type Dispatcher = NonNullable<RequestInit['dispatcher']>;
type DispatcherClass = new (options: {
  headersTimeout: number;
  bodyTimeout: number;
  connect: { timeout: number };
}) => Dispatcher;

/**
 * fetch gives up by itself when the first byte of an answer takes five minutes, whatever deadline its caller has. Node builds undici in without exporting its
 * Agent, so the class comes from the global dispatcher, which undici publishes under a registered symbol (undici, lib/global.js). It may be a proxy's
 * agent, and then stays one.
 * @param limitMs fetch's own limit for the headers and between two pieces of the body; 0 for none: the deadline of the request is then the only one
 * @returns undefined when this runtime has no such class: fetch's own limits stay
 */
export function patientDispatcher(limitMs = 0, connectTimeoutMs = 10_000): Dispatcher | undefined {
  // Touching fetch makes Node load undici.
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

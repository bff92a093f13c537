import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from '@call-analytics/service-kit';
import { chatAnswer, responsesAnswer } from './completions.ts';
import {
  ApiError,
  type Effect,
  type Endpoint,
  effectOf,
  type Fault,
  noKey,
  sendBroken,
  throwIfError,
  wrongKey,
} from './faults.ts';
import { livingModels } from './models.ts';
import { chooseSpeech, type Speech, type SpeechChoice } from './speech.ts';
import { checkChat, checkResponses, type TextRequest } from './text-requests.ts';
import { checkTranscription, transcriptionAnswer } from './transcriptions.ts';
import { readUpload } from './upload.ts';

/** A request as it was received. */
interface Recorded {
  endpoint: Endpoint;
  model: string | null;
  /** Seconds of audio; null when there was none. */
  seconds: number | null;
  /** SHA-256 of the file or the body, in hex: the same piece sent twice has the same. */
  hash: string;
  at: Date;
  /** The status of the answer, once all of it was sent; null before, and for good when it never was. */
  answered: number | null;
}

interface StandInOptions {
  /** 0, the default: any free one. */
  port?: number;
  /** 127.0.0.1, the default, unless it runs in a container. */
  host?: string;
  apiKey?: string;
  faults?: Fault[];
  speech?: SpeechChoice;
  /** Takes one line for each answer. */
  log?: (line: string) => void;
  /** Decides which models are shut down. */
  clock?: Clock;
}

export interface StandIn {
  /** Ends in /v1. */
  url: string;
  key: string;
  /** Where its words come from. */
  speech: Speech['name'];
  /** Every request that came with the right key, in order. */
  requests: Recorded[];
  /** What goes wrong; may be changed at any time. */
  faults: Fault[];
  close(): Promise<void>;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
  recorded: Recorded;
}

const ENDPOINTS: Readonly<Record<string, { endpoint: Endpoint; method: 'GET' | 'POST' }>> = {
  '/v1/audio/transcriptions': { endpoint: 'transcriptions', method: 'POST' },
  '/v1/chat/completions': { endpoint: 'chat', method: 'POST' },
  '/v1/responses': { endpoint: 'responses', method: 'POST' },
  '/v1/models': { endpoint: 'models', method: 'GET' },
};
const MAX_JSON_BYTES = 64 * 2 ** 20;
const JSON_TYPE = { 'content-type': 'application/json' };

/**
 * Starts an OpenAI-compatible server that is as strict as the real one.
 * @throws Error when the port is taken, or pocketsphinx was asked for and is not installed
 */
export async function startStandIn({
  port = 0,
  host = '127.0.0.1',
  apiKey = 'sk-stand-in-key',
  faults = [],
  speech: choice = 'auto',
  log = () => {},
  clock = systemClock,
}: StandInOptions = {}): Promise<StandIn> {
  const speech = await chooseSpeech(choice);
  const requests: Recorded[] = [];

  const server = createServer((request, response) => {
    response.setHeader('x-request-id', `req_${randomUUID().replaceAll('-', '')}`);
    void answer(request, response).catch((error: unknown) => sendError(response, error));
  });

  // Longer than a client keeps an idle connection: a request must not meet a server that is just closing it.
  server.keepAliveTimeout = 120_000;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://stand-in').pathname;
    const startedAt = performance.now();
    response.on('finish', () =>
      log(`${request.method} ${path} ${response.statusCode} ${Math.round(performance.now() - startedAt)} ms`),
    );
    checkKey(request, apiKey);
    const known = ENDPOINTS[path];
    if (known === undefined) throw new ApiError(404, `Invalid URL (${request.method} ${path})`);
    if (known.method !== request.method) {
      throw new ApiError(
        405,
        `Not allowed to ${request.method} on ${path}. (HINT: Perhaps you meant to use a different HTTP method?)`,
      );
    }
    const recorded: Recorded = {
      endpoint: known.endpoint,
      model: null,
      seconds: null,
      hash: '',
      at: clock.now(),
      answered: null,
    };
    requests.push(recorded);
    response.on('finish', () => {
      recorded.answered = response.statusCode;
    });
    const exchange = { request, response, path, recorded };
    if (known.endpoint === 'transcriptions') await transcribe(exchange);
    else if (known.endpoint === 'models') await listModels(exchange);
    else await write(exchange);
  }

  async function transcribe({ request, response, recorded }: Exchange): Promise<void> {
    const upload = await readUpload(request);
    recorded.model = upload.fields.get('model')?.[0]?.value ?? null;
    recorded.hash = upload.file?.hash ?? '';
    const checked = checkTranscription(upload, clock.now());
    recorded.seconds = checked.seconds;
    let hearing: ReturnType<Speech['recognize']> | null = null;
    const listen = () => {
      hearing ??= speech.recognize(checked.samples);
      return hearing;
    };
    const effect = await met(recorded, response, async () => (await listen()).words.map(({ text }) => text).join(' '));
    if (effect === 'no answer') return;
    const heard = effect?.kind === 'words' ? invented(effect.text, checked.seconds) : await listen();
    const { type, body } = transcriptionAnswer(checked, heard);
    send(response, effect, { 'content-type': type }, body);
  }

  async function write({ request, response, path, recorded }: Exchange): Promise<void> {
    const body = await readBody(request);
    recorded.hash = createHash('sha256').update(body).digest('hex');
    const json = parsed(body);
    const check = path === '/v1/responses' ? checkResponses : checkChat;
    const checked: TextRequest = check(json, clock.now());
    recorded.model = checked.model;
    const effect = await met(recorded, response, async () => checked.said.join('\n'));
    if (effect === 'no answer') return;
    const made = path === '/v1/responses' ? responsesAnswer : chatAnswer;
    send(response, effect, JSON_TYPE, JSON.stringify(made(checked, effect, clock.now())));
  }

  async function listModels({ response, recorded }: Exchange): Promise<void> {
    const effect = await met(recorded, response, async () => '');
    if (effect === 'no answer') return;
    const data = livingModels(clock.now()).map((id) => ({
      id,
      object: 'model',
      created: 1_760_000_000,
      owned_by: 'stand-in',
    }));
    send(response, effect, JSON_TYPE, JSON.stringify({ object: 'list', data }));
  }

  /** What goes wrong with this request, as far as it goes wrong before the answer is made. */
  async function met(
    recorded: Recorded,
    response: ServerResponse,
    text: () => Promise<string>,
  ): Promise<Effect | 'no answer' | null> {
    const { endpoint, model, hash } = recorded;
    const effect = await effectOf(faults, { endpoint, model, hash, text });
    throwIfError(effect);
    switch (effect?.kind) {
      case 'error':
        response.writeHead(effect.status, { ...JSON_TYPE, ...effect.headers }).end(JSON.stringify(effect.body));
        return 'no answer';
      case 'hang':
        return 'no answer';
      case 'hang-up':
        response.destroy();
        return 'no answer';
      case 'delay':
        await new Promise((resolve) => setTimeout(resolve, effect.ms));
        return effect;
      default:
        return effect;
    }
  }

  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    key: apiKey,
    speech: speech.name,
    requests,
    faults,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function checkKey(request: IncomingMessage, apiKey: string): void {
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (given === undefined) throw noKey();
  const digest = (text: string) => createHash('sha256').update(text).digest();
  if (!timingSafeEqual(digest(given), digest(apiKey))) throw wrongKey(given);
}

function send(response: ServerResponse, effect: Effect | null, headers: Record<string, string>, body: string): void {
  if (sendBroken(effect, response, headers, body)) return;
  response.writeHead(200, { ...headers, 'content-length': String(Buffer.byteLength(body)) }).end(body);
}

function sendError(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return;
  const known =
    error instanceof ApiError
      ? error
      : new ApiError(500, `The stand-in failed: ${String(error)}`, { type: 'server_error' });
  // The body that was not read cannot be told from the next request.
  const headers = response.req.complete ? {} : { connection: 'close' };
  response.writeHead(known.status, { ...JSON_TYPE, ...known.headers, ...headers }).end(JSON.stringify(known.body));
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_JSON_BYTES) throw new ApiError(413, 'Request body too large.', { type: 'server_error' });
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

function invented(text: string, seconds: number): Awaited<ReturnType<Speech['recognize']>> {
  const words = text.split(/\s+/).filter(Boolean);
  const each = (seconds * 1000) / Math.max(1, words.length);
  return {
    language: 'en',
    words: words.map((word, index) => ({
      text: word,
      startMs: index * each,
      endMs: (index + 1) * each,
      speaker: 'A',
      turn: 0,
    })),
  };
}

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Failure } from '@call-analytics/service-kit';
import { afterEach } from '@jest/globals';
import { classifyOpenAiError, openaiClient } from './index.ts';

export const NOW = new Date('2026-11-21T12:00:00Z');
const open: (() => Promise<void>)[] = [];
afterEach(closeServers);

export async function closeServers(): Promise<void> {
  for (const close of open.splice(0)) await close();
}

/** @returns the base URL of a real server that answers so */
export async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** What comes of such an answer through the real SDK. */
export async function failureOf(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  timeoutMs = 5_000,
): Promise<Failure> {
  return askAt(await serve(answer), timeoutMs);
}

/** @returns the base URL of a server whose process stands still and whose queue of connections is full */
export async function unaccepting(): Promise<string> {
  const program = `
    import { createServer } from 'node:net';
    const server = createServer().listen(0, '127.0.0.1', 1, () => process.stdout.write(String(server.address().port)));
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = Number(String((await once(child.stdout, 'data'))[0]));
  child.kill('SIGSTOP');
  const sockets: Socket[] = [];
  open.push(async () => {
    for (const socket of sockets) socket.destroy();
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  // A listener takes a few connections more than its backlog: the queue is full when three in a row are not taken.
  for (let refused = 0; refused < 3; ) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    refused = await Promise.race([once(socket, 'connect').then(() => 0), delay(200, refused + 1)]);
  }
  return `http://127.0.0.1:${port}/v1`;
}

/**
 * In a process of its own: the SDK recognizes its own abort by class, and the test runner gives the test another
 * realm's classes and no undici.
 */
export async function askFromOutside(
  baseUrl: string,
  timeouts: { timeoutMs: number; connectTimeoutMs?: number },
): Promise<Failure> {
  const program = `
    import { classifyOpenAiError, openaiClient } from ${JSON.stringify(new URL('index.ts', import.meta.url).href)};
    const client = openaiClient(${JSON.stringify({ apiKey: 'test', baseUrl, ...timeouts })});
    const failed = await client.models.list().catch((error) => error);
    console.log(JSON.stringify(classifyOpenAiError(failed, new Date())));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    timeout: 15_000,
  });
  return JSON.parse(stdout) as Failure;
}

export async function askAt(baseUrl: string, timeoutMs = 5_000): Promise<Failure> {
  const client = openaiClient({ apiKey: 'test', baseUrl, timeoutMs });
  try {
    await client.chat.completions.create({ model: 'gpt-5.6-luna', messages: [{ role: 'user', content: 'hello' }] });
  } catch (error) {
    return classifyOpenAiError(error, NOW);
  }
  throw new Error('the request should have failed');
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}) {
  return (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}
export const error = (
  message: string,
  code: string | null = null,
  param: string | null = null,
  type = 'invalid_request_error',
) => ({ error: { message, type, param, code } });

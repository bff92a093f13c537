import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = (request: { body: string }, response: ServerResponse) => void;

/** For tests: a real server at the endpoint's place that gives one scripted answer to each request. */
export async function scriptedServer(
  answer: Answer,
): Promise<{ baseUrl: string; requests: string[]; close(): Promise<void> }> {
  const requests: string[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    requests.push(body);
    answer({ body }, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** @param message what differs from a whole answer of the model, e.g. `{ finish_reason: 'length' }` */
export function completion(
  content: unknown,
  { finish_reason = 'stop', refusal = null as string | null, prompt_tokens = 900 } = {},
): Answer {
  const text = content === null || typeof content === 'string' ? content : JSON.stringify(content);
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1_790_000_000,
        model: 'gpt-5.6-luna',
        choices: [{ index: 0, finish_reason, message: { role: 'assistant', content: text, refusal } }],
        usage: { prompt_tokens, completion_tokens: 400, total_tokens: prompt_tokens + 400 },
      }),
    );
  };
}

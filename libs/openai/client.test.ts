import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openaiClient } from './index.ts';

const requests: { url: string | undefined; authorization: string | undefined; organization: unknown }[] = [];
const server = createServer((request, response) => {
  requests.push({
    url: request.url,
    authorization: request.headers.authorization,
    organization: request.headers['openai-organization'],
  });
  request.resume();
  if (request.url === '/slow') return;
  response.writeHead(500).end();
});
let address = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe('the client of an OpenAI-compatible endpoint', () => {
  it('asks once, whatever comes back: retrying is decided elsewhere', async () => {
    requests.length = 0;
    const client = openaiClient({ apiKey: 'k', baseUrl: `${address}/v1`, timeoutMs: 5_000 });
    await expect(client.models.list()).rejects.toThrow('500');
    expect(requests).toHaveLength(1);
  });

  it('takes nothing from the environment behind the back of the settings', async () => {
    requests.length = 0;
    process.env.OPENAI_BASE_URL = 'http://127.0.0.1:9/elsewhere';
    process.env.OPENAI_ORG_ID = 'org-elsewhere';
    try {
      expect(openaiClient({ apiKey: 'k', timeoutMs: 1 }).baseURL).toBe('https://api.openai.com/v1');
      await openaiClient({ apiKey: 'k', baseUrl: `${address}/v1`, timeoutMs: 5_000 })
        .models.list()
        .catch(() => {});
    } finally {
      delete process.env.OPENAI_BASE_URL;
      delete process.env.OPENAI_ORG_ID;
    }
    expect(requests).toEqual([{ url: '/v1/models', authorization: 'Bearer k', organization: undefined }]);
  });

  it('can move the limits that fetch has of its own: the runtime obeys them', async () => {
    // In a process of its own, since the test runner hides the runtime's globals. A limit of 50 ms is honoured, so 0 (none) is too: waiting out the
    // default five minutes would prove the same.
    const program = `
      import { dispatcherWithTimeouts } from ${JSON.stringify(new URL('client.ts', import.meta.url).href)};
      const failed = await fetch('${address}/slow', { dispatcher: dispatcherWithTimeouts(50) }).catch((error) => error);
      console.log(failed.cause.code);
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
      timeout: 15_000,
    });
    expect(stdout.trim()).toBe('UND_ERR_HEADERS_TIMEOUT');
  });
});

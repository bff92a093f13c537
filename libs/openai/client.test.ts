import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endpointOf, openaiClient } from './index.ts';

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
    // In a process of its own, since the test runner hides the runtime's globals. A limit of 50 ms is honored, so 0
    // (none) is too: waiting out the default five minutes would prove the same.
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

describe('the endpoint of an engine', () => {
  const none = { apiKey: undefined, baseUrl: undefined };
  const common = { apiKey: 'common', baseUrl: 'http://common/v1' };
  const local = 'http://local/v1';

  it.each([
    ['is the common one', none, common, common],
    [
      'has an address of its own, which never gets the common key',
      { ...none, baseUrl: local },
      common,
      { apiKey: 'none', baseUrl: local },
    ],
    ['has both of its own', { apiKey: 'own', baseUrl: local }, common, { apiKey: 'own', baseUrl: local }],
    ['has a key of its own for the common address', { ...none, apiKey: 'own' }, common, { ...common, apiKey: 'own' }],
    ['is that of OpenAI without an address', none, { ...none, apiKey: 'common' }, { apiKey: 'common' }],
    ['does not exist without key and address', none, none, null],
  ])('%s', (_name, own, shared, expected) => {
    expect(endpointOf(own, shared)).toEqual(expected);
  });
});

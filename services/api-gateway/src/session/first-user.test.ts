import { afterEach, describe, expect, it } from '@jest/globals';
import { Browser, PASSWORD } from '../testing/browser.fixture.ts';
import { type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';
import { RawClient } from '../testing/socket.fixture.ts';

let gateway: RunningGateway;
const run = async (settings: Record<string, string> = {}) => {
  gateway = await runGateway({ fresh: true, settings });
};
afterEach(() => gateway.stop());

const person = { name: 'Eve', email: 'eve@example.com', password: PASSWORD, accountName: 'Acme' };
const signUp = (headers: Record<string, string> = {}, more: object = {}) =>
  new Browser(gateway).ask('POST', '/app/users', { body: { ...person, ...more }, headers });
const codeOf = ({ status, body }: { status: number; body: unknown }) =>
  `${status} ${(body as { code?: string }).code ?? ''}`.trim();
const policy = async (headers: Record<string, string> = {}) =>
  ((await new Browser(gateway).ask('GET', '/app/installation', { headers })).body as { signUp: string }).signUp;

describe('the first user', () => {
  it('may sign up on the machine itself', async () => {
    await run();
    expect(await policy()).toBe('first');
    expect((await signUp()).status).toBe(201);
    expect(await policy()).toBe('closed');
  });

  it.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-host'])(
    'needs the setup link when a proxy passed the request on: %s',
    async (header) => {
      await run();
      expect(await policy({ [header]: '203.0.113.7' })).toBe('setup');
      expect(codeOf(await signUp({ [header]: '203.0.113.7' }))).toBe('403 setup_link_needed');
    },
  );

  it.each<Record<string, string>>([
    { PUBLIC_URL: 'https://calls.example.com' },
    { HOST: '0.0.0.0', PUBLIC_URL: 'http://127.0.0.1:8080' },
    { TRUSTED_PROXIES: '1' },
  ])('needs the setup link where others can reach the service, also from the machine itself: %j', async (settings) => {
    await run(settings);
    expect(await policy()).toBe('setup');
    expect(codeOf(await signUp())).toBe('403 setup_link_needed');
    const { token: link } = await gateway.users.makeSetupLink();
    expect((await signUp({}, { link })).status).toBe(201);
    expect(codeOf(await signUp({}, { link, email: 'second@example.com' }))).toBe('404 link_not_valid');
  });

  it('is nobody who comes under a name of their own that leads here', async () => {
    await run();
    const client = await RawClient.connect(gateway.port);
    const body = JSON.stringify(person);
    const head = [
      'POST /app/users HTTP/1.1',
      'Host: attacker.example',
      'Sec-Fetch-Site: same-origin',
      'Content-Type: application/json',
    ];
    client.send(`${[...head, `Content-Length: ${body.length}`, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`);
    await client.closed();
    expect(client.answer.status).toBe(403);
    expect((await gateway.accounts.listAccounts()).accounts).toEqual([]);
  });

  it('comes too late where the API is in use, and after the only account was deleted', async () => {
    await run();
    const browser = new Browser(gateway);
    await browser.signUp('ada@example.com', { accountName: 'Acme' });
    expect(
      (await browser.ask('DELETE', '/app/account', { body: { accountName: 'Acme', password: PASSWORD } })).status,
    ).toBe(204);
    expect(codeOf(await signUp())).toBe('403 sign_up_closed');
    await gateway.stop();
    await run();
    await gateway.newClient('By API alone');
    expect(codeOf(await signUp())).toBe('403 sign_up_closed');
  });
});

describe('a link that an owner sends', () => {
  it('never begins with the name that the request came with', async () => {
    await run({ HOST: '0.0.0.0', PUBLIC_URL: 'https://calls.example.com' });
    const owner = new Browser(gateway);
    await owner.signUp('ada@example.com', { link: (await gateway.users.makeSetupLink()).token });
    const client = await RawClient.connect(gateway.port);
    const head = [
      'POST /app/invitations HTTP/1.1',
      'Host: attacker.example',
      'Sec-Fetch-Site: same-origin',
      'Content-Type: application/json',
    ];
    const body = '{"role":"member"}';
    client.send(
      `${[...head, `Cookie: ${owner.cookie}`, `Content-Length: ${body.length}`, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`,
    );
    await client.closed();
    expect(client.answer.status).toBe(201);
    expect(client.answer.body).toContain('https://calls.example.com/invitation#token=');
    expect(client.answer.body).not.toContain('attacker');
  });
});

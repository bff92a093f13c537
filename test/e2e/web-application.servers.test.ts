import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startStandIn } from '@call-analytics/stand-in';
import { FILES } from '@call-analytics/stand-in/recordings';
import { buildPages } from '@call-analytics/web/server';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithServers } from '../servers/index.ts';
import { until } from '../until.fixture.ts';
import { type ClusterInstallation, clusterOn, freePort, type Member } from './cluster.fixture.ts';

const CALL = join(FILES, 'excerpt.mp3');
const PASSWORD = 'correct horse battery';

describeWithServers('the web application on servers of its own, with two gateways', (servers) => {
  let standIn: Awaited<ReturnType<typeof startStandIn>>;
  let installation: ClusterInstallation;
  let web: Member;
  let urls: [string, string];
  let cookie = '';

  beforeAll(async () => {
    expect(await buildPages(() => {})).toBe(true);
    standIn = await startStandIn({ speech: 'known-text' });
    const webPort = String(await freePort());
    const web0 = { WEB_PORT: webPort, WEB_URL: `http://127.0.0.1:${webPort}` };
    installation = await clusterOn(servers, {
      ...web0,
      OPENAI_BASE_URL: standIn.url,
      OPENAI_API_KEY: standIn.key,
      ANALYSIS_ENGINE: 'rules',
    });
    await installation.cluster.start();
    web = await installation.cluster.add('web');
    const port = String(await freePort());
    await (await installation.cluster.prepare('api-gateway', { PORT: port })).start();
    urls = [installation.cluster.url, `http://127.0.0.1:${port}`];
  });
  afterAll(async () => {
    await installation.remove();
    await standIn.close();
  });

  const ask = (url: string, method: string, path: string, body?: unknown) =>
    fetch(url + path, {
      method,
      headers: { origin: url, cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  it('knows who has signed in at each of them, and shows at one what happens at the other', async () => {
    const [one, other] = urls;
    const user = { name: 'Anna', email: 'anna@acme.example', password: PASSWORD, accountName: 'Acme' };
    const signedUp = await ask(one, 'POST', '/app/users', user);
    expect(signedUp.status).toBe(201);
    cookie = signedUp.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect(await (await ask(other, 'GET', '/app/session')).json()).toMatchObject({
      role: 'owner',
      account: { name: 'Acme' },
    });

    const events = await ask(other, 'GET', '/app/events');
    expect(events.status).toBe(200);
    let heard = '';
    const listening = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of events.body ?? []) heard += decoder.decode(chunk, { stream: true });
    })();
    const form = new FormData();
    form.set('file', new Blob([await readFile(CALL)]), 'excerpt.mp3');
    const uploaded = await fetch(`${one}/api/v1/calls`, {
      method: 'POST',
      headers: { origin: one, cookie },
      body: form,
    });
    const { id } = (await uploaded.json()) as { id: string };
    await until(() => heard.includes(`event: change\ndata: {"callId":"${id}"}\n\n`), 'the page hears of the call');
    const status = async () =>
      ((await (await ask(other, 'GET', `/api/v1/calls/${id}`)).json()) as { status: string }).status;
    await until(async () => (await status()) === 'completed', 'the report is there', 60_000);
    const found = (await (await ask(other, 'GET', '/app/calls?sort=score')).json()) as { calls: { id: string }[] };
    expect(found.calls.map((call) => call.id)).toEqual([id]);

    expect((await ask(one, 'DELETE', '/app/session')).status).toBe(204);
    expect((await ask(other, 'GET', '/api/v1/calls')).status).toBe(401);
    // Looked at every 30 s.
    await Promise.race([
      listening.catch(() => {}),
      delay(45_000, undefined, { ref: false }).then(() => Promise.reject(new Error('the stream goes on'))),
    ]);
  });

  it('serves the pages from a service of their own, and says so plainly while that is away; the API goes on', async () => {
    const [one] = urls;
    const page = await fetch(`${one}/calls`);
    expect({ status: page.status, policy: page.headers.get('content-security-policy') }).toEqual({
      status: 200,
      policy: expect.stringMatching(/^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-/),
    });
    await web.kill('SIGKILL');
    const away = await fetch(`${one}/calls`);
    expect({ status: away.status, text: await away.text() }).toEqual({
      status: 503,
      text: expect.stringContaining('temporarily unavailable'),
    });
    const client = await installation.cluster.client();
    expect((await client.fetch('/me')).status).toBe(200);
    expect((await fetch(`${one}/readyz`)).status).toBe(200);
    await web.start();
    await until(async () => (await fetch(`${one}/calls`)).status === 200, 'the pages are back', 30_000);
  });

  it('goes on without the broker: pages are told that there is nothing to hear, and poll', async () => {
    const away = await installation.cluster.prepare('api-gateway', {
      PORT: String(await freePort()),
      RABBITMQ_URL: 'amqp://127.0.0.1:1',
    });
    await away.start();
    const url = `http://127.0.0.1:${away.settings.PORT}`;
    const link = { email: 'anna@acme.example', password: PASSWORD };
    const signedIn = await ask(url, 'POST', '/app/session', link);
    expect(signedIn.status).toBe(200);
    cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await ask(url, 'GET', '/app/events')).status).toBe(503);
    expect((await ask(url, 'GET', '/app/calls')).status).toBe(200);
  });
});

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FILES } from '../audio/manifest.ts';
import { Client, eventually } from '../e2e/client.ts';
import { describeNeeds, itNeeds, type Requirement } from '../requirements.ts';
import { aBrowser, openBrowser } from '../web/browser.ts';
import { doMainJob } from '../web/main-job.ts';
import { Visitor } from '../web/visitor.ts';

const PORT = '18080';
const ENVIRONMENT = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  COMPOSE_PROJECT_NAME: 'call-analytics-test',
  COMPOSE_PROFILES: 'offline',
  PORT,
  RABBITMQ_PAGE_PORT: '18672',
  OPENAI_BASE_URL: 'http://stand-in:8099/v1',
  OPENAI_API_KEY: 'sk-stand-in-key',
  ANALYSIS_ENGINE: 'rules',
  LEASE_DURATION: '2s',
  GRANT_DURATION: '2s',
};
const BUILD_MS = 600_000;

const isFinished = ({ status }: { status: string }) => status === 'completed' || status === 'failed';

const compose = async (...args: string[]) => {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  return (await promisify(execFile)('docker', ['compose', ...args], { cwd, env: ENVIRONMENT, maxBuffer: 2 ** 26 })).stdout;
};

/** Building images and starting twelve containers is not what somebody wants who only runs the tests. */
const timeToBuild: Requirement = { what: 'to build images; npm run test:integration does', present: process.env.SERVERS === 'required' };

describeNeeds(timeToBuild, 'docker compose', () => {
  let client: Client;
  let accountId: string;

  beforeAll(async () => {
    await compose('up', '--build', '--wait', '--quiet-pull');
    const made = JSON.parse(await compose('run', '--rm', 'accounts-cli', 'create', '--name', 'Acme', '--json')) as {
      account: { id: string };
      key: { secret: string };
    };
    accountId = made.account.id;
    client = new Client(() => `http://127.0.0.1:${PORT}`, made.key.secret);
  }, BUILD_MS);

  afterAll(() => compose('down', '--volumes', '--timeout', '5'), BUILD_MS);

  it('brings a call from its upload to its report', async () => {
    const call = await client.finished(await client.uploaded(join(FILES, 'bundled-call.mp3')), 120_000);
    expect(call).toMatchObject({ status: 'completed', product: 'Horizon', saleStatus: 'follow_up' });
  });

  it('shows the pages at the same address, from a service of their own, and says so plainly while that is away', async () => {
    const page = () => fetch(`http://127.0.0.1:${PORT}/`);
    const shown = await page();
    expect({ status: shown.status, policy: shown.headers.get('content-security-policy') }).toEqual({
      status: 200,
      policy: expect.stringContaining("script-src 'self'"),
    });
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await shown.text())?.[1];
    const sent = await fetch(`http://127.0.0.1:${PORT}${script}`, { headers: { 'accept-encoding': 'br' } });
    expect({ status: sent.status, coding: sent.headers.get('content-encoding') }).toEqual({ status: 200, coding: 'br' });
    await compose('stop', 'web');
    expect((await page()).status).toBe(503);
    expect((await fetch(`http://127.0.0.1:${PORT}/healthz`)).status).toBe(200);
    await compose('up', '--detach', '--wait', '--no-recreate');
    await eventually(async () => (await page()).status === 200, 'the pages are back', 60_000);
  });

  itNeeds(
    aBrowser,
    'does the main job in the browser: from signing up to a report, of which another account sees nothing',
    async () => {
      const url = `http://127.0.0.1:${PORT}`;
      const browser = await openBrowser();
      const visitor = async () => Visitor.of(await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage(), url);
      try {
        await doMainJob(await visitor(), async () => {
          const eve = await visitor();
          const claim = await compose('run', '--rm', 'accounts-cli', 'claim', accountId, '--json');
          await eve.join((JSON.parse(claim) as { url: string }).url);
          return eve;
        });
      } finally {
        await browser.close();
      }
    },
    240_000,
  );

  it.each(['api-gateway', 'web', 'transcription', 'analysis', 'cleanup', 'dispatcher', 'accounts', 'rabbitmq', 'mongodb', 'minio'])(
    'loses nothing when %s is killed in the middle of a call and started again',
    async (service) => {
      const id = await client.uploaded(join(FILES, 'bundled-call.mp3'));
      await eventually(async () => (await client.call(id)).status !== 'queued', 'the call is worked on', 60_000);
      await compose('kill', service);
      await compose('up', '--detach', '--no-recreate');
      // The gateway may be the one that was killed.
      await eventually(() => client.call(id).then(isFinished, () => false), 'the call is finished', 180_000);
      expect((await client.call(id)).status).toBe('completed');
      // Compose gives up at once when a service says that it misses what is only just coming back.
      const isWhole = () => compose('up', '--detach', '--wait', '--no-recreate').then(() => true);
      await eventually(() => isWhole().catch(() => false), 'everything is healthy again', 240_000);
    },
    600_000,
  );

  it('says of a service that cannot work why, where Docker shows it', async () => {
    await compose('stop', 'rabbitmq');
    const health = () =>
      compose('exec', '-T', 'cleanup', 'bash', '/app/deploy/health.sh').catch(({ code, stdout }) => `exit ${code}: ${stdout}`);
    await eventually(async () => /^exit 1: .*messaging: /s.test(await health()), 'the container is said to be unhealthy', 30_000);
    await compose('start', 'rabbitmq');
    await eventually(async () => (await health()) === '', 'it is healthy again', 60_000);
  });

  it('runs every service without root, on a file system that cannot be written to, with an init', async () => {
    for (const service of ['api-gateway', 'web', 'accounts', 'dispatcher', 'transcription', 'analysis', 'cleanup']) {
      const seen = await compose('exec', '-T', service, 'sh', '-c', 'id -u; touch /app/x 2>&1; cat /proc/1/comm');
      expect(seen).toMatch(/^1000\n.*Read-only file system\ntini\n$/);
    }
  });
});

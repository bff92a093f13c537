import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv, promisify } from 'node:util';
import { DEAD_LETTER_QUEUE } from '@call-analytics/contracts';
import { FILES } from '@call-analytics/stand-in/recordings';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from '../e2e/client.fixture.ts';
import { describeNeeds, itNeeds, type Requirement } from '../requirements.fixture.ts';
import { until } from '../until.fixture.ts';
import { aBrowser, openBrowser } from '../web/browser.fixture.ts';
import { doMainJob } from '../web/main-job.fixture.ts';
import { Visitor } from '../web/visitor.fixture.ts';

const PORT = '18080';
const RABBITMQ_PAGE_PORT = '18672';
const ENVIRONMENT = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  COMPOSE_PROJECT_NAME: 'call-analytics-test',
  COMPOSE_PROFILES: 'offline',
  PORT,
  RABBITMQ_PAGE_PORT,
  OPENAI_BASE_URL: 'http://stand-in:8099/v1',
  OPENAI_API_KEY: 'sk-stand-in-key',
  ANALYSIS_ENGINE: 'rules',
  LEASE_DURATION: '2s',
  GRANT_DURATION: '2s',
};
const BUILD_MS = 600_000;

const cwd = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;
/** Not the checkout's own `.env`. */
const envFile = () => join(folder, '.env');

const compose = async (...args: string[]) => {
  const command = ['compose', '--env-file', envFile(), ...args];
  return (await promisify(execFile)('docker', command, { cwd, env: ENVIRONMENT, maxBuffer: 2 ** 26 })).stdout;
};

/** Building images and starting twelve containers takes too long for a plain `npm test`. */
const timeToBuild: Requirement = {
  what: 'to build images; npm run test:integration does',
  present: process.env.SERVERS === 'required',
};

describeNeeds(timeToBuild, 'docker compose', () => {
  let client: Client;
  let accountId: string;
  let secrets: NodeJS.Dict<string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'compose-'));
    await promisify(execFile)(process.execPath, ['deploy/compose/init.mjs', envFile()], { cwd, env: ENVIRONMENT });
    secrets = parseEnv(await readFile(envFile(), 'utf8'));
    await compose('up', '--build', '--wait', '--quiet-pull');
    const made = JSON.parse(await compose('run', '--rm', 'accounts-cli', 'create', '--name', 'Acme', '--json')) as {
      account: { id: string };
      key: { secret: string };
    };
    accountId = made.account.id;
    client = new Client(() => `http://127.0.0.1:${PORT}`, made.key.secret);
  }, BUILD_MS);

  afterAll(async () => {
    await compose('down', '--volumes', '--timeout', '5');
    await rm(folder, { recursive: true });
  }, BUILD_MS);

  /** Waits until every container is healthy. Compose gives up as soon as one is not, so it is asked again. */
  const allHealthy = async () => {
    let composeError = '';
    const tryOnce = () =>
      compose('up', '--detach', '--wait', '--wait-timeout', '120', '--no-recreate').then(
        () => true,
        ({ stderr, message }: { stderr?: string; message: string }) => {
          composeError = (stderr ?? message).trim().split('\n').slice(-3).join('\n');
          return false;
        },
      );
    try {
      await until(tryOnce, 'everything is healthy again', 240_000);
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${composeError}\n${(await unhealthyContainers()).join('\n')}`);
    }
  };

  /** The state of each container that is not running and healthy, with the last answers of its health check. */
  const unhealthyContainers = async () => {
    const ids = (await compose('ps', '--all', '--quiet')).trim().split('\n');
    const inspected = await promisify(execFile)('docker', ['inspect', ...ids], { maxBuffer: 2 ** 26 });
    const containers = JSON.parse(inspected.stdout) as { Name: string; State: { Health?: { Status: string } } }[];
    return containers
      .filter(({ State }) => State.Health?.Status !== 'healthy')
      .map(({ Name, State }) => `${Name} ${JSON.stringify(State)}`);
  };

  /** What MongoDB says to each expression, as each of these users. One mongosh for all: its start takes a second. */
  const mongosh = async (users: string[], ...expressions: string[]) => {
    const logins = users.map((user) => {
      const password = secrets[user === 'root' ? 'MONGODB_PASSWORD' : `MONGODB_${user.toUpperCase()}_PASSWORD`] ?? '';
      return `db.getSiblingDB('admin').auth('${user}', '${password}')`;
    });
    const asked = expressions.map(
      (each) => `try { ${each}; print('yes') } catch (e) { print(e.codeName ?? e.message) }`,
    );
    const script = logins.flatMap((login) => [login, ...asked]).join(';');
    const command = ['exec', '-T', 'mongodb', 'mongosh', '--quiet', 'call_analytics', '--eval', script];
    return (await compose(...command)).trim().split('\n');
  };

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
    expect({ status: sent.status, coding: sent.headers.get('content-encoding') }).toEqual({
      status: 200,
      coding: 'br',
    });
    await compose('stop', 'web');
    expect((await page()).status).toBe(503);
    expect((await fetch(`http://127.0.0.1:${PORT}/healthz`)).status).toBe(200);
    await allHealthy();
    await until(async () => (await page()).status === 200, 'the pages are back', 60_000);
  });

  itNeeds(
    aBrowser,
    'does the main job in the browser: from joining to a report, of which another account sees nothing',
    async () => {
      const url = `http://127.0.0.1:${PORT}`;
      const browser = await openBrowser();
      const visitor = async () =>
        Visitor.of(await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage(), url);
      try {
        const claim = async (id: string) => {
          const claimed = await compose('run', '--rm', 'accounts-cli', 'claim', id, '--json');
          return (JSON.parse(claimed) as { url: string }).url;
        };
        const acme = JSON.parse(await compose('run', '--rm', 'accounts-cli', 'create', '--name', 'Acme', '--json')) as {
          account: { id: string };
        };
        const ada = await visitor();
        await ada.join(await claim(acme.account.id), { name: 'Ada Byron', email: 'ada@example.com' });
        await doMainJob(ada, async () => {
          const eve = await visitor();
          await eve.join(await claim(accountId));
          return eve;
        });
      } finally {
        await browser.close();
      }
    },
    240_000,
  );

  it('gives each service a database user that can do what it needs, and no more', async () => {
    const asked = [
      'db.calls.findOne()',
      `db.calls.deleteOne({ _id: 'none' })`,
      'db.calls.aggregate([{ $indexStats: {} }]).toArray()',
      `db.calls.dropIndex('none')`,
      `db.getSiblingDB('call_analytics_accounts').api_keys.findOne()`,
      'db.calls.drop()',
      `db.getSiblingDB('admin').getUsers()`,
    ];
    const NO = 'Unauthorized';
    const allowed = {
      ...Object.fromEntries(
        ['gateway', 'transcription', 'analysis', 'dispatcher', 'ops'].map((user) => [
          user,
          ['yes', NO, NO, NO, NO, NO, NO],
        ]),
      ),
      cleanup: ['yes', 'yes', 'yes', 'IndexNotFound', NO, NO, NO],
      accounts: [NO, NO, NO, NO, 'yes', NO, NO],
    };
    const users = Object.keys(allowed);
    const answers = await mongosh(users, ...asked);
    const of = (index: number) => answers.slice(index * asked.length, (index + 1) * asked.length);
    expect(Object.fromEntries(users.map((user, index) => [user, of(index)]))).toEqual(allowed);
  });

  it('has each service use a user of its own at MinIO', async () => {
    const userOf = async (service: string) =>
      (await compose('exec', '-T', service, 'printenv', 'S3_ACCESS_KEY')).trim();
    const services = ['api-gateway', 'transcription', 'cleanup'];
    expect(await Promise.all(services.map(userOf))).toEqual(['gateway', 'transcription', 'cleanup']);
    expect(await compose('ps', '--all', 's3-users', '--format', '{{.ExitCode}}')).toBe('0\n');
  });

  it('is copied, and restored after its databases are lost, with the rights that operators have', async () => {
    const { id } = await client.finished(await client.uploaded(join(FILES, 'excerpt.mp3')));
    const ops = (command: string) =>
      compose(
        'run',
        '--rm',
        '--user',
        String(process.getuid?.()),
        '-v',
        `${folder}:/copies`,
        'ops',
        command,
        '/copies/1',
      );
    expect(await ops('backup')).toContain('The copy is checked.');
    await compose('stop', 'api-gateway', 'accounts', 'dispatcher', 'transcription', 'analysis', 'cleanup');
    const dropped = ['call_analytics', 'call_analytics_accounts'].map(
      (db) => `db.getSiblingDB('${db}').dropDatabase()`,
    );
    expect(await mongosh(['root'], ...dropped)).toEqual(['yes', 'yes']);
    expect(await ops('restore')).toContain('are restored');
    await allHealthy();
    expect((await client.call(id)).status).toBe('completed');
    expect((await client.finished(await client.uploaded(join(FILES, 'excerpt.mp3')))).status).toBe('completed');
  }, 240_000);

  it('lets a consumer put what it cannot read among the dead letters, where operators find it', async () => {
    const login = Buffer.from(`calls:${secrets.RABBITMQ_PASSWORD}`).toString('base64');
    const message = {
      properties: { message_id: 'unreadable' },
      routing_key: 'calls.cleanup',
      payload: '{}',
      payload_encoding: 'string',
    };
    const api = `http://127.0.0.1:${RABBITMQ_PAGE_PORT}/api`;
    const headers = { authorization: `Basic ${login}`, 'content-type': 'application/json' };
    const body = JSON.stringify(message);
    await fetch(`${api}/exchanges/%2F/amq.default/publish`, { method: 'POST', headers, body });
    const letters = async () => (await fetch(`${api}/queues/%2F/${DEAD_LETTER_QUEUE}`, { headers })).json();
    await until(async () => ((await letters()) as { messages?: number }).messages === 1, 'it is there', 60_000);
    expect(await compose('run', '--rm', 'ops', 'dead-letters', 'list', '--json')).toContain('"queue": "cleanup"');
    const doctor = await compose('run', '--rm', 'ops', 'doctor');
    expect(doctor).toMatch(/^warning +broker +1 dead letter\./m);
    expect(doctor).toMatch(/^ok +call database/m);
    expect(doctor).toMatch(/^ok +audio store/m);
    expect(doctor).toMatch(/^ok +work/m);
  });

  it('lets out to the internet only what asks others: the engines and the mail server', async () => {
    const ways = async (service: string) => {
      const id = (await compose('ps', '--quiet', service)).split('\n')[0] ?? '';
      const format = '{{range $name, $_ := .NetworkSettings.Networks}}{{$name}} {{end}}';
      const names = (await promisify(execFile)('docker', ['inspect', '--format', format, id])).stdout.trim().split(' ');
      return names.map((name) => name.replace('call-analytics-test_', ''));
    };
    expect(await Promise.all(['mongodb', 'minio', 'web', 'dispatcher', 'cleanup'].map(ways))).toEqual(
      Array(5).fill(['backend']),
    );
    expect(await Promise.all(['api-gateway', 'rabbitmq'].map(ways))).toEqual(Array(2).fill(['backend', 'published']));
    const isInternal = ['network', 'inspect', '--format', '{{.Internal}}', 'call-analytics-test_backend'];
    expect((await promisify(execFile)('docker', isInternal)).stdout.trim()).toBe('true');
  });

  it('moves accounts of an earlier release, which were beside the calls, to a database of their own', async () => {
    await compose('stop', 'accounts');
    const back = `const a = db.getSiblingDB('call_analytics_accounts'); for (const name of a.getCollectionNames())
      db.adminCommand({ renameCollection: 'call_analytics_accounts.' + name, to: 'call_analytics.' + name })`;
    expect(await mongosh(['root'], back, `db.api_keys.findOne().name || 1`)).toEqual(['yes', 'yes']);
    await compose('restart', 'mongodb');
    await allHealthy();
    expect(await compose('run', '--rm', 'accounts-cli', 'list')).toContain('Acme');
  }, 300_000);

  // Each service alone is killed at each of its points by test/e2e/cluster-kill.servers.test.ts.
  it.each(['api-gateway web accounts', 'transcription analysis cleanup dispatcher', 'rabbitmq', 'mongodb', 'minio'])(
    'loses nothing when each container of %s is killed in the middle of a call and started again',
    async (services) => {
      const id = await client.uploaded(join(FILES, 'bundled-call.mp3'));
      await until(async () => (await client.call(id)).status !== 'queued', 'the call is worked on', 60_000);
      await compose('kill', ...services.split(' '));
      await allHealthy();
      expect((await client.finished(id, 180_000)).status).toBe('completed');
    },
    600_000,
  );

  it('says of a service that cannot work why, where Docker shows it', async () => {
    await compose('stop', 'rabbitmq');
    const health = () =>
      compose('exec', '-T', 'cleanup', 'bash', '/app/deploy/health.sh').catch(
        ({ code, stdout }) => `exit ${code}: ${stdout}`,
      );
    await until(
      async () => /^exit 1: .*messaging: /s.test(await health()),
      'the container is said to be unhealthy',
      30_000,
    );
    await compose('start', 'rabbitmq');
    await until(async () => (await health()) === '', 'it is healthy again', 60_000);
  });

  it('runs every service without root, on a file system that cannot be written to, with an init', async () => {
    for (const service of ['api-gateway', 'web', 'accounts', 'dispatcher', 'transcription', 'analysis', 'cleanup']) {
      const seen = await compose('exec', '-T', service, 'sh', '-c', 'id -u; touch /app/x 2>&1; cat /proc/1/comm');
      expect(seen).toMatch(/^1000\n.*Read-only file system\ntini\n$/);
    }
  });
});

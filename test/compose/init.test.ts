import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

interface Init {
  SECRETS: string[];
  init(file: string, project: string): { code: number; said: string };
  conflict(text: string, volumes: string[]): string | null;
}

const root = new URL('../../', import.meta.url);
/** No installation has this name. */
const PROJECT = 'call-analytics-that-is-not-there';

describe('npm run compose:init', () => {
  let dir: string;
  let file: string;
  let script: Init;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'init-'));
    file = join(dir, '.env');
    script = (await import(fileURLToPath(new URL('deploy/compose/init.mjs', root)))) as Init;
  });
  afterEach(() => rm(dir, { recursive: true }));

  const run = () => script.init(file, PROJECT);
  const settings = async () => parseEnv(await readFile(file, 'utf8'));

  it('writes a random value for each secret, readable for its owner alone', async () => {
    expect(run()).toMatchObject({ code: 0 });
    const secrets = await settings();
    expect(Object.keys(secrets).sort()).toEqual([...script.SECRETS].sort());
    for (const value of Object.values(secrets)) expect(value).toMatch(/^[0-9a-f]{48}$/);
    expect(new Set(Object.values(secrets)).size).toBe(script.SECRETS.length);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('changes nothing when all are set, and takes rights from others', async () => {
    run();
    const written = await readFile(file, 'utf8');
    await chmod(file, 0o644);
    expect(run().said).toContain('all secrets already');
    expect(await readFile(file, 'utf8')).toBe(written);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('keeps what is set, comments and order too, and fills in what is empty', async () => {
    await writeFile(file, '# mine\nPORT=9000\nMONGODB_PASSWORD="chosen"\nACCOUNTS_SECRET=\nLOG_LEVEL=debug');
    run();
    const text = await readFile(file, 'utf8');
    expect(text).toMatch(
      /^# mine\nPORT=9000\nMONGODB_PASSWORD="chosen"\nACCOUNTS_SECRET=[0-9a-f]{48}\nLOG_LEVEL=debug\nRABBITMQ_PASSWORD=/,
    );
    expect(await settings()).toMatchObject({ PORT: '9000', MONGODB_PASSWORD: 'chosen', LOG_LEVEL: 'debug' });
  });

  it('refuses where volumes exist whose passwords it does not know, and says what to do', () => {
    const refusal = script.conflict('', ['mongodb', 'rabbitmq']);
    expect(refusal).toContain('MONGODB_PASSWORD=for-this-machine-only\n  RABBITMQ_PASSWORD=for-this-machine-only');
    expect(refusal).toContain('docker compose down --volumes');
    expect(script.conflict('MONGODB_PASSWORD=a\nRABBITMQ_PASSWORD=b\n', ['mongodb', 'rabbitmq'])).toBeNull();
    expect(script.conflict('', [])).toBeNull();
  });

  it('knows every secret that docker-compose.yml demands, and .env.example names each', async () => {
    const demanded = (text: string) => new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name ?? ''));
    const compose = await readFile(new URL('docker-compose.yml', root), 'utf8');
    expect([...demanded(compose)].sort()).toEqual([...script.SECRETS].sort());
    expect(compose).not.toContain('for-this-machine-only');
    const example = parseEnv(await readFile(new URL('.env.example', root), 'utf8'));
    expect(Object.keys(example)).toEqual(expect.arrayContaining(script.SECRETS));
  });
});

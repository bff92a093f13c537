import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSqliteCallStore } from '@call-analytics/calls';
import { type StandIn, startStandIn } from '@call-analytics/stand-in';
import { FILES } from '@call-analytics/stand-in/recordings';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { describeWithServers } from '../servers/index.ts';
import { ranAlone } from '../terminal.fixture.ts';
import { until } from '../until.fixture.ts';
import { Client } from './client.fixture.ts';
import { type ClusterInstallation, clusterOn } from './cluster.fixture.ts';
import { Installation } from './installation.fixture.ts';

const SHORT = join(FILES, 'excerpt.mp3');
const LONG = join(FILES, 'bundled-call.mp3');
const OPS = fileURLToPath(new URL('../../services/ops/src/main.ts', import.meta.url));
const ANNA = { email: 'anna@acme.example', password: 'correct horse battery' };

describeWithServers('a standalone installation that moves to the servers', (servers) => {
  let folder: string;
  let standIn: StandIn;
  let settings: Record<string, string>;
  let standalone: Installation;
  let moved: ClusterInstallation;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'move-'));
    standIn = await startStandIn({ speech: 'known-text' });
    settings = {
      OPENAI_BASE_URL: standIn.url,
      OPENAI_API_KEY: standIn.key,
      ANALYSIS_ENGINE: 'openai',
      TRANSCRIPTION_CONCURRENCY: '1',
      SEGMENT_CONCURRENCY: '1',
      LEASE_DURATION: '2s',
      GRANT_DURATION: '2s',
      REMOVAL_GRACE: '10m',
    };
    standalone = await Installation.make(settings);
    moved = await clusterOn(servers, settings);
  });
  afterEach(async () => {
    await Promise.all([standalone.remove(), moved.remove()]);
    await standIn.close();
    await rm(folder, { recursive: true });
  });

  const ops = (args: string[], env: Record<string, string>) => ranAlone(OPS, args, env);
  const browse = (url: string, method: string, path: string, cookie: string, body?: object) =>
    fetch(url + path, {
      method,
      headers: { origin: url, cookie, ...(body && { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    });
  /** How often each piece of a recording was paid for. */
  const paid = () => {
    const times = new Map<string, number>();
    for (const { endpoint, hash, answered } of standIn.requests)
      if (endpoint === 'transcriptions' && answered === 200) times.set(hash, (times.get(hash) ?? 0) + 1);
    return times;
  };
  const segmentsOf = async (id: string) => {
    const store = openSqliteCallStore({ file: join(standalone.dataDir, 'calls.sqlite') });
    try {
      return (await store.segments(id)).length;
    } finally {
      await store.close();
    }
  };

  it('has every call with the same bytes, the same keys, sessions and passwords, and completes the work in flight; nothing is paid for twice', async () => {
    await standalone.start();
    const signedUp = await browse(standalone.url, 'POST', '/app/users', '', {
      ...ANNA,
      name: 'Anna',
      accountName: 'Acme',
    });
    const cookie = signedUp.headers.get('set-cookie')?.split(';')[0] ?? '';
    const client = await standalone.client();
    const done = await client.uploaded(SHORT, { reportType: 'detailed' });
    const removed = await client.uploaded(SHORT);
    for (const id of [done, removed]) expect((await client.finished(id)).status).toBe('completed');
    expect((await client.fetch(`/calls/${removed}`, { method: 'DELETE' })).status).toBe(204);
    const ofShort = [...paid().keys()];
    standIn.faults.push({ endpoint: 'chat', do: { kind: 'server-error', status: 503 } });
    const [failed, analyzing] = [await client.uploaded(SHORT), await client.uploaded(SHORT)];
    for (const id of [failed, analyzing])
      await until(async () => (await client.call(id)).status === 'analyzing', 'it waits for its analysis');
    const { dataDir } = standalone;
    expect(await ops(['calls', 'fail', failed, 'Not now.'], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
    standIn.faults.push({ endpoint: 'transcriptions', nth: 3, do: { kind: 'hang' } });
    const inWork = await client.uploaded(LONG);
    const paidOfLong = () => [...paid()].filter(([hash]) => !ofShort.includes(hash));
    await until(async () => (await segmentsOf(inWork)) === 2 && paidOfLong().length === 2, 'two segments are kept');
    const idempotent = { headers: { 'idempotency-key': 'the-last-one' } };
    const queued = await client.uploaded(SHORT, idempotent);
    const ids = [done, failed, analyzing, inWork, queued];
    const answers = async (of: Client) => Promise.all(ids.map(async (id) => (await of.fetch(`/calls/${id}`)).text()));
    const list = async (of: Client) => (await of.fetch('/calls?limit=100')).text();
    const before = { calls: await answers(client), list: await list(client) };
    await standalone.kill();

    const copy = join(folder, 'copy');
    expect(await ops(['backup', copy], { DATA_DIR: dataDir })).toMatchObject({ code: 0, err: '' });
    const env = { ...moved.servers.settings, ACCOUNTS_MONGODB_URL: moved.servers.settings.MONGODB_URL };
    expect(await ops(['restore', copy], env)).toMatchObject({ code: 0, out: expect.stringMatching(/^6 calls and 4 /) });
    expect(await ops(['restore', copy], env)).toMatchObject({
      code: 1,
      err: expect.stringContaining('empty database'),
    });

    const { cluster } = moved;
    const now = new Client(() => cluster.url, client.key);
    for (const service of ['accounts', 'api-gateway'] as const) await cluster.add(service);
    expect({ calls: await answers(now), list: await list(now) }).toEqual(before);
    expect((await browse(cluster.url, 'GET', '/app/session', cookie)).status).toBe(200);
    expect((await browse(cluster.url, 'POST', '/app/session', '', ANNA)).status).toBe(200);
    const wrong = { ...ANNA, password: 'another horse battery' };
    expect((await browse(cluster.url, 'POST', '/app/session', '', wrong)).status).toBe(403);
    expect(await now.uploaded(SHORT, idempotent)).toBe(queued);

    standIn.faults.length = 0;
    for (const service of ['dispatcher', 'transcription', 'analysis', 'cleanup'] as const) await cluster.add(service);
    expect((await now.fetch(`/calls/${removed}/restore`, { method: 'POST' })).status).toBe(200);
    expect((await now.fetch(`/calls/${failed}/retry`, { method: 'POST' })).status).toBe(202);
    for (const id of [...ids, removed]) expect((await now.finished(id)).status).toBe('completed');
    expect((await now.calls()).total).toBe(6);
    await until(async () => (await moved.servers.recordings()) === 0, 'the recordings are gone');
    expect(paidOfLong().length).toBeGreaterThan(2);
    expect(paidOfLong().filter(([, times]) => times > 1)).toEqual([]);
    for (const hash of ofShort) expect(paid().get(hash)).toBe(5);
  });
});

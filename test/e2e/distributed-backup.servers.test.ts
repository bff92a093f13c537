import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openMongoCallStore } from '@call-analytics/calls/mongo';
import { type StandIn, startStandIn } from '@call-analytics/stand-in';
import { FILES } from '@call-analytics/stand-in/recordings';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { describeWithServers } from '../servers/index.ts';
import { ranAlone } from '../terminal.fixture.ts';
import { until } from '../until.fixture.ts';
import { Client } from './client.fixture.ts';
import { type ClusterInstallation, clusterOn } from './cluster.fixture.ts';

const SHORT = join(FILES, 'excerpt.mp3');
const LONG = join(FILES, 'bundled-call.mp3');
const OPS = fileURLToPath(new URL('../../services/ops/src/main.ts', import.meta.url));

describeWithServers('a distributed installation that is destroyed and restored from its backup', (servers) => {
  let folder: string;
  let standIn: StandIn;
  let settings: Record<string, string>;
  let installation: ClusterInstallation;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'backup-'));
    standIn = await startStandIn({ speech: 'known-text' });
    settings = {
      OPENAI_BASE_URL: standIn.url,
      OPENAI_API_KEY: standIn.key,
      ANALYSIS_ENGINE: 'rules',
      TRANSCRIPTION_CONCURRENCY: '1',
      LEASE_DURATION: '2s',
      GRANT_DURATION: '2s',
    };
    installation = await clusterOn(servers, settings);
  });
  afterEach(async () => {
    await installation.remove();
    await standIn.close();
    await rm(folder, { recursive: true });
  });

  const ops = (command: string) => {
    const { settings: env } = installation.servers;
    return ranAlone(OPS, [command, join(folder, 'copy')], { ...env, ACCOUNTS_MONGODB_URL: env.MONGODB_URL });
  };
  const answered = () => standIn.requests.filter((request) => request.answered === 200).map(({ hash }) => hash);
  const segmentsOf = async (id: string) => {
    const store = openMongoCallStore({ url: installation.servers.settings.MONGODB_URL });
    try {
      return (await store.segments(id)).length;
    } finally {
      await store.close();
    }
  };

  it('has every call, the same key, and completes the work in flight; what was paid for is not paid for again', async () => {
    await installation.cluster.start();
    const client = await installation.cluster.client();
    const done = await client.finished(await client.uploaded(SHORT));
    const ofShort = answered();
    standIn.faults.push({ endpoint: 'transcriptions', nth: 3, do: { kind: 'hang' } });
    const inWork = await client.uploaded(LONG);
    await until(() => standIn.requests.length >= ofShort.length + 3, 'the engine is asked');
    const queued = await client.uploaded(SHORT);
    await until(
      async () => (await segmentsOf(inWork)) === answered().length - ofShort.length,
      'what the engine answered is kept',
    );

    // The services run meanwhile.
    expect(await ops('backup')).toMatchObject({ code: 0, out: expect.stringMatching(/^3 calls and 2 recordings /) });
    expect(await ops('backup')).toMatchObject({ code: 1, err: expect.stringContaining('is not empty') });
    const paidBefore = answered().length - ofShort.length;
    expect(paidBefore).toBeGreaterThanOrEqual(2);
    await installation.remove();
    standIn.faults.length = 0;

    installation = await clusterOn(servers, settings);
    expect(await ops('restore')).toMatchObject({ code: 0, err: '' });
    expect(await ops('restore')).toMatchObject({ code: 1, err: expect.stringContaining('empty database') });
    const { cluster } = installation;
    await cluster.start();
    const restored = new Client(() => cluster.url, client.key);
    expect(await restored.call(done.id)).toEqual(done);
    for (const id of [inWork, queued]) expect((await restored.finished(id)).status).toBe('completed');
    expect((await restored.calls()).total).toBe(3);
    await until(async () => (await installation.servers.recordings()) === 0, 'the recordings are gone');
    const times = new Map<string, number>();
    for (const hash of answered()) times.set(hash, (times.get(hash) ?? 0) + 1);
    for (const [hash, count] of times) expect([hash, count]).toEqual([hash, ofShort.includes(hash) ? 2 : 1]);
    expect(times.size).toBeGreaterThan(ofShort.length + paidBefore);
  });
});

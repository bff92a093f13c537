import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inProcessMessaging } from '@call-analytics/messaging';
import { seededFaults } from '@call-analytics/messaging/seeded-faults.fixture.ts';
import { makeLogger, makeMetrics } from '@call-analytics/service-kit';
import { startStandIn } from '@call-analytics/stand-in';
import { FILES } from '@call-analytics/stand-in/recordings';
import { readStandaloneSettings, type Standalone, startStandalone } from '@call-analytics/standalone';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from './client.fixture.ts';

describe('messages that are lost, doubled, late and out of order', () => {
  let standIn: Awaited<ReturnType<typeof startStandIn>>;
  let standalone: Standalone;
  let dataDir: string;

  beforeEach(async () => {
    standIn = await startStandIn({ speech: 'known-text' });
    dataDir = await mkdtemp(join(tmpdir(), 'call-analytics-'));
  });

  afterEach(async () => {
    await standalone.stop();
    await standIn.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('cost time and nothing else: every call completes once, and every piece is paid for once', async () => {
    const log = makeLogger('test', 'silent');
    const settings = readStandaloneSettings({
      PORT: '0',
      DATA_DIR: dataDir,
      OPENAI_BASE_URL: standIn.url,
      OPENAI_API_KEY: standIn.key,
      ANALYSIS_ENGINE: 'rules',
      GRANT_DURATION: '1s',
      DUE_AUDIO_SWEEP_INTERVAL: '1s',
    });
    const faults = seededFaults(20261121, { drop: 0.3, duplicate: 0.3, delay: 0.3, reorder: 0.5 });
    const messaging = inProcessMessaging({ log, metrics: makeMetrics(), faults });
    standalone = await startStandalone(settings, log, { messaging });

    const clients = await Promise.all(
      ['Acme', 'Bolt', 'Crux', 'Dune'].map(async (name) => {
        const { account } = await standalone.accounts.createAccount({ name });
        const { secret } = await standalone.accounts.createKey({ accountId: account.id, name: 'test' });
        return new Client(() => standalone.url, secret);
      }),
    );
    const uploads = await Promise.all(
      clients.flatMap((client) =>
        Array.from({ length: 8 }, async () => ({ client, id: await client.uploaded(join(FILES, 'excerpt.wav')) })),
      ),
    );
    for (const { client, id } of uploads) expect((await client.finished(id, 120_000)).status).toBe('completed');
    for (const client of clients) expect((await client.calls('?status=completed')).total).toBe(8);

    // All calls are the same recording, so each of its pieces is paid for exactly once per call.
    const paid = new Map<string, number>();
    for (const { hash, answered } of standIn.requests) if (answered === 200) paid.set(hash, (paid.get(hash) ?? 0) + 1);
    expect([...new Set(paid.values())]).toEqual([uploads.length]);
    expect(await messaging.deadLetters(10)).toEqual([]);
  }, 180_000);
});

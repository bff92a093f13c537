import { join } from 'node:path';
import { type CallStore, openSqliteCallStore } from '@call-analytics/calls';
import { type StandIn, startStandIn } from '@call-analytics/stand-in';
import { FILES } from '@call-analytics/stand-in/recordings';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../until.fixture.ts';
import type { Client } from './client.fixture.ts';
import { Installation } from './installation.fixture.ts';

const CALL = join(FILES, 'one-channel-silent.mp3');
/** More attempts than may be counted before a call fails. */
const ATTEMPTS = 6;

/** A free port, and the address of an engine that does not listen there yet. */
async function engineAway(): Promise<{ port: number; url: string; key: string }> {
  const { url, key, close } = await startStandIn({ speech: 'known-text' });
  await close();
  return { port: Number(new URL(url).port), url, key };
}

describe('while the engine is away', () => {
  let engine: Awaited<ReturnType<typeof engineAway>>;
  let standIn: StandIn | null;
  let installation: Installation;
  let client: Client;

  const start = async (settings: Record<string, string>) => {
    installation = await Installation.make({
      OPENAI_BASE_URL: engine.url,
      OPENAI_API_KEY: engine.key,
      ANALYSIS_ENGINE: 'rules',
      ...settings,
    });
    client = await installation.client();
    await installation.start();
  };
  const engineIsBack = async () => {
    standIn = await startStandIn({ speech: 'known-text', port: engine.port });
  };
  const failedAttempts = (id: string) =>
    installation.log.filter(({ msg, callId }) => msg === 'this attempt failed' && callId === id).length;

  beforeEach(async () => {
    standIn = null;
    engine = await engineAway();
  });
  afterEach(async () => {
    await installation.remove();
    await standIn?.close();
  });

  it('calls wait, nothing is counted, and all complete when it is back', async () => {
    await start({});
    const first = await client.uploaded(CALL);
    await until(() => failedAttempts(first) >= ATTEMPTS, 'the call had more attempts than may be counted', 60_000);
    const store = openSqliteCallStore({ file: join(installation.dataDir, 'calls.sqlite') });
    expect(await store.get(first)).toMatchObject({
      status: 'transcribing',
      failures: 0,
      waiting: { for: 'speech_engine' },
    });
    await store.close();
    const others = await Promise.all(Array.from({ length: 9 }, () => client.uploaded(CALL)));

    await engineIsBack();
    for (const id of [first, ...others]) expect(await client.finished(id)).toMatchObject({ status: 'completed' });
  });

  it('for longer than the limit, a call fails and says so', async () => {
    await start({ OUTAGE_LIMIT: '3s' });
    expect(await client.finished(await client.uploaded(CALL))).toMatchObject({
      status: 'failed',
      errorMessage: 'The speech engine was unavailable for 3 seconds. Retry the call.',
    });
  });
});

describe('while the analysis engine is away', () => {
  let installation: Installation;
  let client: Client;
  let store: CallStore;

  beforeEach(async () => {
    installation = await Installation.withStandIn({ ANALYSIS_ENGINE: 'openai' });
    client = await installation.client();
    await installation.start();
    store = openSqliteCallStore({ file: join(installation.dataDir, 'calls.sqlite') });
    installation.standIn.faults.push({ endpoint: 'chat', do: { kind: 'server-error', status: 503 } });
  });
  afterEach(async () => {
    await store.close();
    await installation.remove();
  });

  const failedAttempts = () =>
    installation.log.filter(({ msg, stage }) => msg === 'this attempt failed' && stage === 'analysis').length;

  it('transcribed calls wait and say so, nothing is counted, and all complete from their transcripts', async () => {
    const first = await client.uploaded(CALL);
    await until(() => failedAttempts() >= ATTEMPTS, 'the call had more attempts than may be counted', 60_000);
    expect(await client.progress(first)).toMatchObject({
      status: 'analyzing',
      stage: 'analysis',
      waitingFor: { code: 'analysis_engine', message: 'Waiting for the analysis engine.' },
    });
    const failures = async (id: string) => (await store.get(id))?.failures;
    expect(await failures(first)).toBe(0);
    const second = await client.uploaded(CALL);
    await until(async () => (await client.progress(second)).stage === 'analysis', 'the second call is transcribed');
    const transcribed = installation.standIn.requests.filter(({ endpoint }) => endpoint === 'transcriptions').length;

    installation.standIn.faults.length = 0;
    for (const id of [first, second]) {
      expect(await client.finished(id)).toMatchObject({ status: 'completed' });
      expect(await failures(id)).toBe(0);
    }
    expect(installation.standIn.requests.filter(({ endpoint }) => endpoint === 'transcriptions')).toHaveLength(
      transcribed,
    );
  });
});

describe('/readyz', () => {
  it.each([
    { engine: 'speech', endpoint: 'transcriptions' as const },
    { engine: 'analysis', endpoint: 'chat' as const },
  ])(
    'stays 200 and names the $engine engine as degraded until it answers again, also during a trial request',
    async ({ engine, endpoint }) => {
      const installation = await Installation.withStandIn({ ANALYSIS_ENGINE: 'openai', OPS_PORT: '0' });
      try {
        const client = await installation.client();
        const { url, ops } = await installation.start();
        const readiness = () => Promise.all([url, ops].map((origin) => readinessOf(String(origin))));
        const logged = (msg: string) => installation.log.some((line) => line.msg === msg);
        const ready = { http: 200, status: 'ready' };
        const degraded = { ...ready, degraded: [`the ${engine} engine does not answer: calls wait for it`] };
        expect(await readiness()).toEqual([ready, ready]);
        installation.standIn.faults.push({ endpoint, do: { kind: 'server-error', status: 503 } });
        const id = await client.uploaded(CALL);
        await until(() => logged('circuit open: requests are refused'), 'the circuit opens', 60_000);
        expect(await readiness()).toEqual([degraded, degraded]);

        const before = installation.standIn.requests.length;
        installation.standIn.faults.splice(0, 1, { endpoint, do: { kind: 'delay', ms: 2_000 } });
        await until(() => installation.standIn.requests.length > before, 'a request tries whether the engine is back');
        expect(logged('circuit half-open: the next request is a trial')).toBe(true);
        expect(await readiness()).toEqual([degraded, degraded]);
        expect(await client.finished(id)).toMatchObject({ status: 'completed' });
        expect(await readiness()).toEqual([ready, ready]);
      } finally {
        await installation.remove();
      }
    },
  );
});

async function readinessOf(origin: string): Promise<object> {
  const response = await fetch(`${origin}/readyz`);
  return { http: response.status, ...((await response.json()) as object) };
}

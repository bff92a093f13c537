import { join } from 'node:path';
import { startStandIn } from '@call-analytics/stand-in';
import { FILES } from '@call-analytics/stand-in/recordings';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { describeWithServers } from '../servers/index.ts';
import { until } from '../until.fixture.ts';
import { type ClusterInstallation, clusterOn } from './cluster.fixture.ts';
import { Collector } from './otlp-collector.fixture.ts';

const CALL = join(FILES, 'excerpt.mp3');
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SENT = `00-${TRACE}-00f067aa0ba902b7-01`;

describeWithServers('a call from its upload to its deleted recording', (servers) => {
  let standIn: Awaited<ReturnType<typeof startStandIn>>;
  let collector: Collector;
  let installation: ClusterInstallation | undefined;

  beforeEach(async () => {
    standIn = await startStandIn({ speech: 'known-text' });
    collector = await Collector.start();
  });
  afterEach(async () => {
    await installation?.remove();
    await standIn.close();
    await collector.close();
  });

  const start = async (settings: Record<string, string>) => {
    const engine = { OPENAI_BASE_URL: standIn.url, OPENAI_API_KEY: standIn.key, ANALYSIS_ENGINE: 'rules' };
    installation = await clusterOn(servers, { ...engine, OTEL_BSP_SCHEDULE_DELAY: '100', ...settings });
    await installation.cluster.start();
    return { installation, cluster: installation.cluster, client: await installation.cluster.client() };
  };

  it('is one trace through all services and the broker, and their log lines name it', async () => {
    const { cluster, client } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const id = await client.uploaded(CALL, { headers: { traceparent: SENT } });
    expect((await client.finished(id)).status).toBe('completed');
    const ofCall = () => collector.spans.filter(({ traceId }) => traceId === TRACE);
    await until(() => ofCall().length >= 4, 'the spans have arrived');

    const [upload] = ofCall().filter(({ name }) => name === 'POST /api/v1/calls');
    expect(upload).toMatchObject({
      service: 'api-gateway',
      parentSpanId: '00f067aa0ba902b7',
      kind: 'SERVER',
      attributes: { 'http.response.status_code': 202 },
    });
    const rest = ofCall().filter((span) => span !== upload);
    expect(new Set(rest.map(({ service, name }) => `${service}: ${name}`))).toEqual(
      new Set(['transcription: transcription', 'analysis: analysis', 'cleanup: cleanup']),
    );
    for (const span of rest)
      expect(span).toMatchObject({
        kind: 'CONSUMER',
        parentSpanId: upload?.spanId,
        attributes: { callId: id },
        failed: null,
      });

    for (const [service, msg] of [
      ['api-gateway', 'request'],
      ['transcription', 'started'],
      ['analysis', 'ended'],
    ] as const)
      expect(cluster.log(service)).toContainEqual(expect.objectContaining({ msg, traceId: TRACE }));
  });

  it('is a trace of its own when the client sent none, and polls are no part of it', async () => {
    const { client } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const ids = [await client.uploaded(CALL), await client.uploaded(CALL)];
    for (const id of ids) await client.finished(id);
    const uploads = () =>
      collector.spans.filter(({ name, parentSpanId }) => name === 'POST /api/v1/calls' && parentSpanId === '');
    const cleaned = () => collector.spans.filter(({ name }) => name === 'cleanup');
    await until(() => uploads().length === 2 && cleaned().length >= 2, 'the spans have arrived');
    const traces = uploads().map(({ traceId }) => traceId);
    expect(new Set(traces).size).toBe(2);
    expect(new Set(cleaned().map(({ traceId }) => traceId))).toEqual(new Set(traces));
    await until(() => collector.spans.some(({ name }) => name === 'GET /api/v1/calls/:id'), 'the polls have arrived');
    for (const { traceId } of collector.spans.filter(({ name }) => name.startsWith('GET')))
      expect(traces).not.toContain(traceId);
  });

  it('carries the traceparent that the client sent through the broker, also when no traces are made here', async () => {
    const { installation, cluster, client } = await start({});
    await cluster.member('transcription').kill();
    await client.uploaded(CALL, { headers: { traceparent: SENT } });
    let waiting: unknown[] = [];
    await until(async () => {
      waiting = await installation.servers.messages('calls.transcription');
      return waiting.length > 0;
    }, 'the call is granted');
    expect(waiting).toEqual([expect.objectContaining({ type: 'transcription.requested', traceparent: SENT })]);
    expect(collector.spans).toEqual([]);
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Collector } from '../../../test/e2e/otlp-collector.fixture.ts';
import { TestService } from '../process.fixture.ts';
import { currentTraceId, currentTraceparent, inSpan } from './tracing.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SENT = `00-${TRACE}-b7ad6b7169203331-01`;

describe('without traces', () => {
  it('a trace that began elsewhere is passed on, through whatever waits in between', async () => {
    const seen = await inSpan('outer', { traceparent: SENT }, async () => {
      await new Promise((later) => setTimeout(later, 1));
      return inSpan('inner', {}, async () => [currentTraceparent(), currentTraceId()]);
    });
    expect(seen).toEqual([SENT, TRACE]);
    expect(currentTraceparent()).toBeNull();
  });

  it('none is made up, and what is no traceparent is none', async () => {
    for (const traceparent of [null, 'x', undefined])
      expect(await inSpan('work', { traceparent }, async () => currentTraceparent())).toBeNull();
  });

  it('work that does not belong to the trace it is called in does not carry it', async () => {
    const inner = () => inSpan('other', { traceparent: null }, async () => currentTraceparent());
    expect(await inSpan('outer', { traceparent: SENT }, inner)).toBeNull();
  });

  it('the work is done and throws what it throws', async () => {
    expect(await inSpan('work', {}, async () => 7)).toBe(7);
    await expect(inSpan('work', { traceparent: SENT }, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  });
});

describe('a service', () => {
  let collector: Collector;
  const services: TestService[] = [];
  beforeEach(async () => {
    collector = await Collector.start();
  });
  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.remove()));
    await collector.close();
  });
  /** Does `work` once it is started, stops when told to. */
  const run = (work: string, env: Record<string, string>) => {
    const loaded = `Object.keys((await import('node:module')).default.createRequire('file:///').cache).some((file) => file.includes('@opentelemetry/sdk-trace'))`;
    const service = new TestService(
      `return [part('worker', { start: async () => { ${work}; log.info({ sdk: ${loaded} }, 'done') } })]`,
      env,
    );
    services.push(service);
    return service;
  };
  const stopped = async (service: TestService) => {
    await service.logged('ready');
    service.kill('SIGTERM');
    return service.ended();
  };
  const NESTED = `await inSpan('outer', { traceparent: '${SENT}', kind: 'server', attributes: { route: '/calls' } }, async (span) => {
    log.info('within');
    span.set({ status: 202 });
    await inSpan('inner', {}, async () => { await delay(1); log.info('deeper'); });
  })`;

  it('sends its spans to the collector that it is told of, also the last ones when it stops', async () => {
    const service = run(NESTED, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    expect(await stopped(service)).toBe(0);
    const [outer, inner] = ['outer', 'inner'].map((name) => collector.spans.find((span) => span.name === name));
    expect(outer).toMatchObject({
      service: 'test-service',
      traceId: TRACE,
      parentSpanId: 'b7ad6b7169203331',
      kind: 'SERVER',
      attributes: { route: '/calls', status: 202 },
      failed: null,
    });
    expect(inner).toMatchObject({ traceId: TRACE, parentSpanId: outer?.spanId, kind: 'INTERNAL' });
  });

  it('says in each log line within a span which trace it belongs to, and in no other', async () => {
    const service = run(NESTED, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    await service.logged('ready');
    expect(await service.logged('within')).toMatchObject({ traceId: TRACE });
    expect(await service.logged('deeper')).toMatchObject({ traceId: TRACE });
    expect(await service.logged('done')).not.toHaveProperty('traceId');
  });

  it('marks a span whose work throws with the code of the failure, and sends nothing of its message', async () => {
    const work = `await inSpan('a', {}, () => Promise.reject(away('a secret'))).catch(() => {}); await inSpan('b', {}, async () => { throw new Error('a secret') }).catch(() => {})`;
    await stopped(run(work, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }));
    expect(collector.spans).toMatchObject([
      { name: 'a', failed: 'store_unavailable', parentSpanId: '', attributes: { 'error.type': 'store_unavailable' } },
      { name: 'b', failed: 'internal_error' },
    ]);
    expect(JSON.stringify(collector.spans)).not.toContain('a secret');
  });

  it('obeys the standard variables: its name, the sampler, the address with its path', async () => {
    const named = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`, OTEL_SERVICE_NAME: 'mine' };
    await stopped(run(`await inSpan('a', {}, async () => {})`, named));
    expect(collector.spans).toMatchObject([{ name: 'a', service: 'mine' }]);
    await stopped(run(`await inSpan('b', {}, async () => {})`, { ...named, OTEL_TRACES_SAMPLER: 'always_off' }));
    expect(collector.spans).toHaveLength(1);
  });

  it.each([
    ['no collector is named', () => ({})],
    ['OTEL_SDK_DISABLED is true', () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SDK_DISABLED: 'True' })],
    [
      'OTEL_TRACES_EXPORTER is none',
      () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_EXPORTER: 'none' }),
    ],
  ])('makes no traces when %s, and does not even load what makes them', async (_when, env) => {
    const service = run(NESTED, env());
    expect(await service.logged('done')).toMatchObject({ sdk: false });
    expect(await service.logged('within')).not.toHaveProperty('traceId');
    expect(await stopped(service)).toBe(0);
    expect(collector.spans).toEqual([]);
  });

  it('loads it otherwise, so that the test before this one can fail', async () => {
    expect(await run('', { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }).logged('done')).toMatchObject({ sdk: true });
  });

  it.each([
    ['is not there', 'http://127.0.0.1:9'],
    ['refuses', ''],
  ])('works and stops cleanly when the collector %s, and says so', async (_how, url) => {
    collector.status = 400;
    const service = run(NESTED, { OTEL_EXPORTER_OTLP_ENDPOINT: url || collector.url });
    expect(await stopped(service)).toBe(0);
    expect(service.lines).toContainEqual(expect.objectContaining({ level: 'warn', msg: 'traces are not being sent' }));
  });
});

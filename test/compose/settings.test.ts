import { existsSync, readFileSync } from 'node:fs';
import { serviceSettings } from '@call-analytics/service-kit';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { SETTINGS } from '../service-settings.fixture.ts';

/** Settings that .env does not set with compose, and why. */
const FIXED: Record<string, string> = {
  PORT: 'the port in the container; PORT in .env is the published one',
  HOST: 'set by the image',
  WEB_HOST: 'set by the image',
  WEB_PORT: 'the port in the container',
  ACCOUNTS_GRPC_PORT: 'the port in the container',
  OPS_HOST: 'set by the image',
  OPS_PORT: 'the port in the container',
  S3_REGION: 'that of the MinIO here',
  VOICE_MODEL: 'a path outside of the container; the model that was fetched is in the volume of models',
  ACCOUNTS_TLS_CERT: 'files: set these and mount them in an override',
  ACCOUNTS_TLS_KEY: 'files: set these and mount them in an override',
  ACCOUNTS_TLS_CA: 'files: set these and mount them in an override',
  SHUTDOWN_DELAY: 'no balancer chooses between containers',
  SHUTDOWN_DEADLINE: 'shorter than stop_grace_period',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'OTEL_EXPORTER_OTLP_ENDPOINT is there',
  OTEL_EXPORTER_OTLP_PROTOCOL: 'has one value',
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'has one value',
  OTEL_TRACES_EXPORTER: 'no endpoint, no traces',
  OTEL_SDK_DISABLED: 'no endpoint, no traces',
};

type Environment = Record<string, string>;
const compose = parse(readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8'), { merge: true });

describe('docker-compose.yml', () => {
  it.each(Object.keys(SETTINGS))('gives %s every setting that it reads', (name) => {
    const environment: Environment = compose.services[name].environment;
    const given = Object.keys(environment);
    const read = Object.keys({ ...SETTINGS[name], ...serviceSettings.shape });
    expect(read.filter((each) => !given.includes(each) && !(each in FIXED))).toEqual([]);
  });

  it('lists no reason for a setting that no service reads', () => {
    const read = new Set(
      Object.values(SETTINGS).flatMap((shape) => Object.keys({ ...shape, ...serviceSettings.shape })),
    );
    expect(Object.keys(FIXED).filter((each) => !read.has(each))).toEqual([]);
  });
});

describe('the profile observability', () => {
  const root = new URL('../../', import.meta.url);
  const read = (path: string) => parse(readFileSync(new URL(path, root), 'utf8'));
  const { prometheus, grafana, jaeger } = compose.services;

  it('is no part of an installation that does not ask for it', () => {
    for (const { profiles } of [prometheus, grafana, jaeger]) expect(profiles).toEqual(['observability']);
  });

  it('mounts files that are there, and is reached from this machine alone', () => {
    for (const { volumes = [], ports = [] } of [prometheus, grafana, jaeger]) {
      const mounted = volumes.map((volume: string) => volume.split(':')[0]).filter((path: string) => path[0] === '.');
      expect(mounted.filter((path: string) => !existsSync(new URL(path, root)))).toEqual([]);
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
  });

  it('scrapes every service that serves metrics', () => {
    const jobs: { job_name: string; dns_sd_configs?: { names: string[] }[] }[] = read(
      'deploy/prometheus/prometheus.yml',
    ).scrape_configs;
    const scraped = jobs.flatMap(({ dns_sd_configs: [found] = [] }) => found?.names ?? []);
    const running = Object.keys(SETTINGS).filter((name) => compose.services[name]?.profiles === undefined);
    expect(scraped.sort()).toEqual(running.filter((name) => name in compose.services).sort());
  });

  it('gives Grafana its sources and its dashboards', () => {
    const { datasources } = read('deploy/grafana/provisioning/datasources/datasources.yaml');
    for (const { url } of datasources) expect(Object.keys(compose.services)).toContain(new URL(url).hostname);
    const [{ options }] = read('deploy/grafana/provisioning/dashboards/dashboards.yaml').providers;
    expect(grafana.volumes).toContain(`./deploy/grafana:${options.path}:ro`);
    for (const name of ['work', 'platform']) expect(read(`deploy/grafana/${name}.json`).panels).not.toEqual([]);
  });
});

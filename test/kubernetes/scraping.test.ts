import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { describeNeeds, program } from '../requirements.fixture.ts';
import { SETTINGS } from '../service-settings.fixture.ts';
import { copyManifests, type Manifest, render } from './manifests.fixture.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Rule {
  from?: object[];
  ports?: { port: unknown }[];
}

describeNeeds(program('kubectl'), 'the component prometheus on the local overlay', () => {
  let objects: Manifest[];
  beforeAll(() => {
    const folder = copyManifests(['prometheus'], 'local');
    objects = render(join(folder, 'k8s/overlays/all'));
    rmSync(folder, { recursive: true });
  });

  /** @returns what a PodMonitor asks, the port of each pod that it finds, and whether Prometheus may ask them */
  const scraped = (name: string) => {
    const monitor = objects.find(({ kind, metadata }) => kind === 'PodMonitor' && metadata.name === name);
    if (monitor === undefined) throw new Error(`there is no PodMonitor ${name}`);
    const [label = '', value] = Object.entries(monitor.spec.selector.matchLabels)[0] ?? [];
    const [endpoint] = monitor.spec.podMetricsEndpoints;
    const isAllowed = ({ from = [], ports = [] }: Rule) =>
      JSON.stringify(from).includes('"monitoring"') && ports.some(({ port }) => port === endpoint.port);
    const isOpen = objects.some(
      ({ kind, spec }) =>
        kind === 'NetworkPolicy' && spec.podSelector.matchLabels?.[label] === value && spec.ingress?.some(isAllowed),
    );
    const ports: Record<string, number | undefined> = {};
    for (const { metadata, spec } of objects)
      if (spec?.template?.metadata?.labels?.[label] === value)
        ports[metadata.name] = spec.template.spec.containers[0].ports?.find(
          (port: { name: string }) => port.name === endpoint.port,
        )?.containerPort;
    return { endpoint, isOpen, ports };
  };

  it('scrapes every service that has metrics', () => {
    const ports = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, name === 'ops' ? undefined : 9090]));
    expect(scraped('call-analytics')).toMatchObject({ isOpen: true, ports });
  });

  it('scrapes the broker for the length of its queues, as deploy/prometheus does', () => {
    const { scrape_configs } = parse(readFileSync(join(root, 'deploy/prometheus/prometheus.yml'), 'utf8'));
    const compose = scrape_configs.find(({ job_name }: { job_name: string }) => job_name === 'rabbitmq');
    const [target] = compose.static_configs[0].targets as string[];
    const { endpoint, isOpen, ports } = scraped('rabbitmq');
    expect({ isOpen, ports }).toEqual({ isOpen: true, ports: { rabbitmq: Number(target?.split(':')[1]) } });
    expect(endpoint).toMatchObject({ path: compose.metrics_path, params: compose.params });
  });
});

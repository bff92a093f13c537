import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import { freePort } from '../e2e/cluster.fixture.ts';
import { program } from '../requirements.fixture.ts';
import { until } from '../until.fixture.ts';

/** How much quicker than in production the alerts fire: every time in their rules is divided by it. */
export const QUICKER = 15;
const COMPONENT = fileURLToPath(new URL('../../k8s/components/prometheus/', import.meta.url));
const DASHBOARDS = ['work', 'platform'].map((name) =>
  fileURLToPath(new URL(`../../deploy/grafana/${name}.json`, import.meta.url)),
);
/** Queries of the dashboards for what this installation does not do: its engines count no tokens and drop nothing. */
export const EMPTY_PANELS = [
  'Tokens: sum by (model, direction) (rate(engine_tokens_total[5m]))',
  'Left out of analyses: sum by (reason) (increase(analysis_items_dropped_total[1h]))',
];
const SECONDS = { s: 1, m: 60, h: 3600 };

interface Pod {
  metadata: { name: string; labels: Record<string, string> };
  spec: { containers: { ports?: { name?: string }[] }[] };
  status: { phase: string };
}

interface Panel {
  title: string;
  targets: { expr: string }[];
}

interface Relabeling {
  sourceLabels?: string[];
  targetLabel: string;
  replacement?: string;
}

/** @returns the rules with their windows, waits and thresholds in seconds divided by `QUICKER` */
function quickRules(): string {
  const [document] = parseAllDocuments(readFileSync(join(COMPONENT, 'rules.yaml'), 'utf8'));
  return JSON.stringify(document?.toJS().spec)
    .replace(/\b(\d+)([smh])\b/g, (_, n: string, unit: 's' | 'm' | 'h') => {
      return `${(Number(n) * SECONDS[unit] * 1000) / QUICKER}ms`;
    })
    .replace(/> (\d{2,})\b/g, (_, seconds: string) => `> ${Number(seconds) / QUICKER}`);
}

/** The labels that the PodMonitor gives, as Prometheus itself has them configured. */
function relabelings(): object[] {
  const [monitor] = parseAllDocuments(readFileSync(join(COMPONENT, 'scraping.yaml'), 'utf8'));
  const list = monitor?.toJS().spec.podMetricsEndpoints[0].relabelings as Relabeling[];
  return list.map(({ sourceLabels, targetLabel, replacement }) => ({
    ...(sourceLabels && { source_labels: sourceLabels }),
    ...(replacement && { replacement }),
    target_label: targetLabel,
  }));
}

/**
 * A Prometheus on this machine. It reads the pods of a namespace through the API server, with the rules of the
 * component.
 */
export class Prometheus {
  readonly #folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
  readonly #children: ChildProcess[] = [];
  #targets!: Server;
  #url = '';

  async start(namespace: string): Promise<void> {
    if (!program('prometheus').present)
      throw new Error('prometheus is not on the PATH: install Prometheus, or unpack the Debian package `prometheus`');
    const proxy = this.#spawn('kubectl', ['proxy', '--port=0']);
    const [line] = (await once(createInterface(proxy.stdout as NodeJS.ReadableStream), 'line')) as [string];
    const apiServer = /127\.0\.0\.1:\d+/.exec(line)?.[0] ?? '';
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    this.#targets = createServer(async (_req, res) => {
      const { items } = (await (await fetch(`http://${apiServer}${pods}`)).json()) as { items: Pod[] };
      res.setHeader('content-type', 'application/json').end(JSON.stringify(items.flatMap((pod) => targets(pod))));
    }).listen(0, '127.0.0.1');
    await once(this.#targets, 'listening');
    const targets = ({ metadata, spec, status }: Pod) => {
      const name = metadata.labels['app.kubernetes.io/name'];
      const hasOps = spec.containers.some(({ ports = [] }) => ports.some((port) => port.name === 'ops'));
      if (status.phase !== 'Running' || (!hasOps && name !== 'rabbitmq')) return [];
      const path = hasOps ? ':9090/proxy/metrics' : ':15692/proxy/metrics/detailed';
      const labels = {
        instance: metadata.name,
        __meta_kubernetes_pod_label_app_kubernetes_io_name: name,
        __metrics_path__: `${pods}/${metadata.name}${path}`,
        ...(hasOps ? {} : { __param_family: 'queue_coarse_metrics' }),
      };
      return [{ targets: [apiServer], labels }];
    };
    const { port } = this.#targets.address() as AddressInfo;
    const configuration = {
      global: { scrape_interval: '2s', scrape_timeout: '2s', evaluation_interval: '1s' },
      rule_files: [join(this.#folder, 'rules.yml')],
      scrape_configs: [
        {
          job_name: 'pods',
          http_sd_configs: [{ url: `http://127.0.0.1:${port}`, refresh_interval: '2s' }],
          relabel_configs: relabelings(),
        },
      ],
    };
    writeFileSync(join(this.#folder, 'rules.yml'), quickRules());
    writeFileSync(join(this.#folder, 'prometheus.yml'), JSON.stringify(configuration));
    const address = `127.0.0.1:${await freePort()}`;
    this.#url = `http://${address}`;
    const [config, data] = ['prometheus.yml', 'data'].map((name) => join(this.#folder, name));
    const options = [`--config.file=${config}`, `--storage.tsdb.path=${data}`, `--web.listen-address=${address}`];
    const server = this.#spawn('prometheus', options);
    let log = '';
    for (const stream of [server.stdout, server.stderr])
      stream?.on('data', (chunk) => {
        log += chunk;
      });
    const isReady = async () => {
      if (server.exitCode !== null) throw new Error(`Prometheus ended: ${log}`);
      return fetch(`${this.#url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    };
    await until(isReady, 'Prometheus is ready');
  }

  /** @returns the result of a PromQL query */
  async query(promql: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]> {
    const response = await fetch(`${this.#url}/api/v1/query?query=${encodeURIComponent(promql)}`);
    const answer = (await response.json()) as { data?: { result: [] }; error?: string };
    if (answer.data === undefined) throw new Error(`${promql}: ${answer.error}`);
    return answer.data.result;
  }

  /** @returns the names of the alerts that were in this state in the last `ms` */
  async alerts(state: 'pending' | 'firing', ms: number): Promise<string[]> {
    const alerts = await this.query(`max_over_time(ALERTS{alertstate="${state}"}[${ms}ms])`);
    return [...new Set(alerts.map(({ metric }) => metric.alertname as string))].sort();
  }

  /** @returns the queries of dashboards that had no series at any time in the last `ms`. @throws when one is wrong */
  async emptyPanels(ms: number): Promise<string[]> {
    const panels = DASHBOARDS.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')).panels as Panel[]);
    const empty = await Promise.all(
      panels.flatMap(({ title, targets }) =>
        targets.map(async ({ expr }) => {
          const series = await this.query(`count_over_time((${expr})[${ms}ms:5s])`);
          return series.length === 0 ? [`${title}: ${expr}`] : [];
        }),
      ),
    );
    return empty.flat();
  }

  async stop(): Promise<void> {
    for (const child of this.#children) {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
    }
    this.#targets?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #spawn(command: string, args: string[]): ChildProcess {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#children.push(child);
    return child;
  }
}

/** @returns the names of all alerts */
export function alertNames(): string[] {
  const { groups } = parse(readFileSync(join(COMPONENT, 'rules.yaml'), 'utf8')).spec;
  return groups.flatMap(({ rules }: { rules: { alert: string }[] }) => rules.map(({ alert }) => alert)).sort();
}

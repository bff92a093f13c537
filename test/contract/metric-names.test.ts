import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeMetrics } from '@call-analytics/service-kit';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { itNeeds, program } from '../requirements.fixture.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');

/** Of the broker and of Prometheus itself: seen at /metrics/detailed?family=queue_coarse_metrics of RabbitMQ 4.0. */
const FOREIGN: Record<string, readonly string[]> = { rabbitmq_detailed_queue_messages: ['queue', 'vhost'], up: [] };
/** Given by deploy/prometheus/prometheus.yml. */
const SCRAPED = ['service', 'job', 'instance'];
const WORDS = ['and', 'or', 'unless', 'by', 'on', 'without', 'ignoring', 'offset', 'bool'];

const metrics = await makeMetrics({ processMetrics: true }).registry.getMetricsAsArray();
const labelsOf = new Map<string, readonly string[]>(Object.entries(FOREIGN));
for (const metric of metrics) {
  const labels = 'labelNames' in metric ? (metric.labelNames as string[]) : [];
  const names =
    String(metric.type) === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => metric.name + end) : [metric.name];
  for (const name of names) labelsOf.set(name, name.endsWith('_bucket') ? [...labels, 'le'] : labels);
}

interface Query {
  names: string[];
  selected: { name: string; labels: string[] }[];
  grouped: string[];
}

/** @returns which metrics and labels a PromQL expression names */
function understand(expression: string): Query {
  const selected = [...expression.matchAll(/([a-z_]\w*)\{([^}]*)\}/g)].map(([, name = '', inside = '']) => ({
    name,
    labels: [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
  }));
  const grouped = [...expression.matchAll(/\b(?:by|on|without|ignoring)\s*\(([^)]*)\)/g)].flatMap(
    ([, list = '']) => list.match(/\w+/g) ?? [],
  );
  const bare = expression
    .replace(/\{[^}]*\}/g, '')
    .replace(/\b(?:by|on|without|ignoring)\s*\([^)]*\)/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\boffset \w+/g, '');
  const names = [...bare.matchAll(/\b[a-z_]\w*\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !WORDS.includes(name));
  return { names, selected, grouped };
}

interface Alert {
  alert: string;
  expr: string;
  annotations: { runbook: string };
}
const alerts = (parse(read('deploy/prometheus/alerts.yml')) as { groups: { rules: Alert[] }[] }).groups.flatMap(
  ({ rules }) => rules,
);
const dashboards = ['work', 'platform'].map(
  (name) =>
    JSON.parse(read(`deploy/grafana/${name}.json`)) as { panels: { title: string; targets: { expr: string }[] }[] },
);
const panels = dashboards.flatMap((dashboard) => dashboard.panels);
const queries = [
  ...alerts.map(({ alert, expr }) => [`the alert ${alert}`, expr]),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [`the panel "${title}"`, expr])),
] as [string, string][];

describe('what operators look at', () => {
  it('is found', () => {
    expect(alerts.length).toBeGreaterThanOrEqual(6);
    expect(queries.length).toBeGreaterThan(20);
  });

  it.each(queries)('%s asks for metrics and labels that there are', (_where, expression) => {
    const { names, selected, grouped } = understand(expression);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !labelsOf.has(name))).toEqual([]);
    for (const { name, labels } of selected)
      expect(labels.filter((label) => ![...(labelsOf.get(name) ?? []), ...SCRAPED].includes(label))).toEqual([]);
    const known = [...names.flatMap((name) => labelsOf.get(name) ?? []), ...SCRAPED];
    expect(grouped.filter((label) => !known.includes(label))).toEqual([]);
  });

  it.each(alerts.map(({ alert, annotations }) => [alert, annotations.runbook]))(
    'the alert %s has its page: %s',
    (_alert, runbook) => {
      expect(existsSync(`${root}${runbook}`)).toBe(true);
    },
  );

  itNeeds(program('promtool'), 'every alert fires when it should, and none in an hour of normal work', () => {
    const run = () =>
      execFileSync('promtool', ['test', 'rules', `${root}deploy/prometheus/alerts.test.yml`], { encoding: 'utf8' });
    expect(run()).toContain('SUCCESS');
    const text = read('deploy/prometheus/alerts.test.yml');
    expect(alerts.filter(({ alert }) => !text.includes(`alertname: ${alert}\n        exp_alerts:`))).toEqual([]);
  });

  itNeeds(program('promtool'), 'Prometheus can read what every panel asks', () => {
    const rules = panels.flatMap(({ targets }) => targets.map(({ expr }) => ({ record: 'panel', expr })));
    const groups = rules.map((rule, index) => ({ name: `${index}`, rules: [rule] }));
    const folder = mkdtempSync(join(tmpdir(), 'panels-'));
    try {
      writeFileSync(join(folder, 'rules.yml'), JSON.stringify({ groups }));
      const check = () => execFileSync('promtool', ['check', 'rules', join(folder, 'rules.yml')], { stdio: 'pipe' });
      expect(check).not.toThrow();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('every metric of ours is on a dashboard', () => {
    const shown = new Set(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => understand(expr).names)));
    const ours = metrics.map(({ name }) => name).filter((name) => !/^(process|nodejs)_/.test(name));
    const missing = ours.filter(
      (name) => ![name, `${name}_bucket`, `${name}_count`].some((series) => shown.has(series)),
    );
    expect(missing).toEqual([]);
  });

  const code = globSync('{libs,services}/**/*.ts', { cwd: root, exclude: (name) => name.includes('node_modules') })
    .filter((path) => !path.includes('.test.'))
    .map(read)
    .join('\n');
  it.each(globSync('docs/runbooks/*.md', { cwd: root }))(
    '%s names metrics, and codes of failures, that there are',
    (page) => {
      const named = [...read(page).matchAll(/`([a-z]+(?:_[a-z]+)+)(?:\{[^}`]*\})?`/g)].map(([, name = '']) => name);
      const known = (name: string) =>
        labelsOf.has(name) || labelsOf.has(`${name}_bucket`) || code.includes(`'${name}'`);
      expect(named.filter((name) => !known(name))).toEqual([]);
    },
  );
});

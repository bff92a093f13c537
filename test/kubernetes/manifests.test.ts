import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openAccounts } from '@call-analytics/accounts';
import { callSettings, openSqliteCallStore } from '@call-analytics/calls';
import { makeMetrics, readSettings, serviceSettings } from '@call-analytics/service-kit';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { describeNeeds, program } from '../requirements.fixture.ts';
import { SETTINGS } from '../service-settings.fixture.ts';
import { COMPONENTS, copyManifests, type Manifest, OVERLAYS, render, renderOverlay } from './manifests.fixture.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Settings that are secrets. ACCOUNTS_TLS_KEY names a file. */
const SECRET = /(?<!TLS)_(KEY|SECRET|PREVIOUS)$|^(MONGODB|RABBITMQ|SMTP)_URL$/;
/** @returns the objects of the base with these components */
function withComponents(...components: string[]): Manifest[] {
  const folder = copyManifests(components);
  try {
    return render(join(folder, 'k8s/overlays/all'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Services that scale, so their manifests must not say how many there are. */
const SCALED = ['analysis', 'api-gateway', 'transcription'];

describeNeeds(program('kubectl'), 'the manifests', () => {
  describe.each(OVERLAYS)('of the overlay %s', (overlay) => {
    let objects: Manifest[];
    let services: Manifest[];
    beforeAll(() => {
      objects = renderOverlay(overlay);
      services = of('Deployment').filter(({ metadata }) => metadata.name in SETTINGS);
    });
    const of = (kind: string) => objects.filter((each) => each.kind === kind);
    const named = (kind: string, name: string): Manifest => {
      const found = of(kind).find(({ metadata }) => metadata.name === name);
      if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
      return found;
    };

    it('have every service', () => {
      expect(services.map(({ metadata }) => metadata.name).sort()).toEqual(Object.keys(SETTINGS).sort());
    });

    it.each(Object.keys(SETTINGS))('give %s only settings that it reads, with values that it accepts', (name) => {
      const [container] = named('Deployment', name).spec.template.spec.containers;
      const sources = container.envFrom as { configMapRef?: { name: string }; secretRef?: { name: string } }[];
      const settings: Record<string, string> = {};
      const secrets: Record<string, string> = {};
      for (const { configMapRef, secretRef } of sources) {
        if (configMapRef !== undefined) Object.assign(settings, named('ConfigMap', configMapRef.name).data);
        if (secretRef !== undefined) Object.assign(secrets, named('Secret', secretRef.name).data);
      }
      const common = Object.keys(named('ConfigMap', sources[0]?.configMapRef?.name ?? '').data ?? {});
      const known = Object.keys({ ...SETTINGS[name], ...serviceSettings.shape });
      const unknown = [...Object.keys(settings), ...Object.keys(secrets)].filter((each) => !known.includes(each));
      // What all services must agree on reaches also those that need a part of it.
      expect(unknown.filter((each) => !common.includes(each))).toEqual([]);
      expect(common).toEqual(expect.arrayContaining(Object.keys(callSettings.shape)));
      const decoded = Object.entries(secrets).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]);
      const given = { ...settings, ...Object.fromEntries(decoded) };
      const checked = z.object(SETTINGS[name]).partial();
      expect(readSettings(checked, given)).toBeDefined();
      if (overlay === 'local') expect(readSettings(z.object(SETTINGS[name]), given)).toBeDefined();
      expect(Object.keys(settings).filter((each) => /(KEY|SECRET|TOKEN|PASSWORD)$/.test(each))).toEqual([]);
    });

    if (overlay === 'production')
      it.each(Object.keys(SETTINGS))('have a place for every secret that %s reads', (name) => {
        const secrets = Object.keys(SETTINGS[name] ?? {}).filter((each) => SECRET.test(each));
        const sources = named('Deployment', name).spec.template.spec.containers[0].envFrom;
        const refs = (sources as { secretRef?: { name: string } }[]).flatMap(({ secretRef }) => secretRef ?? []);
        const places = Object.assign({}, ...refs.map((ref) => named('Secret', ref.name).data));
        expect(secrets.filter((each) => !(each in places))).toEqual([]);
      });

    it('run every service as the restricted policy demands, without a token', () => {
      for (const { metadata, spec } of of('Deployment')) {
        const pod = spec.template.spec;
        expect({ name: metadata.name, ...pod.securityContext }).toMatchObject({
          runAsNonRoot: true,
          runAsUser: 1000,
          seccompProfile: { type: 'RuntimeDefault' },
        });
        expect(pod.automountServiceAccountToken).toBe(false);
        for (const { securityContext } of pod.containers)
          expect(securityContext).toEqual({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          });
      }
    });

    it('leave the number of pods to what scales them', () => {
      const fixed = services.filter(({ spec }) => 'replicas' in spec).map(({ metadata }) => metadata.name);
      expect(fixed.sort()).toEqual(
        Object.keys(SETTINGS)
          .filter((name) => !SCALED.includes(name))
          .sort(),
      );
      const targets = [...of('ScaledObject'), ...of('HorizontalPodAutoscaler')].map(
        ({ spec }) => spec.scaleTargetRef.name as string,
      );
      expect(targets.sort()).toEqual(overlay === 'production' ? SCALED : ['api-gateway']);
    });

    it('give every service probes, limits, a budget for disruptions, an account and a time to end', () => {
      for (const { metadata, spec } of services) {
        const { name } = metadata;
        // It only holds a shell.
        if (name === 'ops') continue;
        const pod = spec.template.spec;
        const [container] = pod.containers;
        for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
          expect(container[probe].httpGet.port).toBe('ops');
        expect(container.resources).toMatchObject({
          requests: { cpu: expect.any(String), memory: expect.any(String) },
          limits: { memory: expect.any(String) },
        });
        expect(pod.topologySpreadConstraints).toHaveLength(1);
        expect(named('PodDisruptionBudget', name).spec.selector.matchLabels).toEqual({
          'app.kubernetes.io/name': name,
        });
        expect(pod.serviceAccountName).toBe(named('ServiceAccount', name).metadata.name);
        const settings = container.envFrom.map(
          (source: { configMapRef?: { name: string } }) =>
            source.configMapRef && named('ConfigMap', source.configMapRef.name).data,
        );
        const { SHUTDOWN_DELAY, SHUTDOWN_DEADLINE } = readSettings(serviceSettings, Object.assign({}, ...settings));
        expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThanOrEqual(SHUTDOWN_DELAY + SHUTDOWN_DEADLINE);
        if (spec.strategy !== undefined) expect(SHUTDOWN_DELAY).toBeGreaterThanOrEqual(5_000);
      }
    });

    it('allow between the services what docs/architecture.md draws, and nothing else', () => {
      expect(named('NetworkPolicy', 'default-deny').spec).toEqual({
        podSelector: {},
        policyTypes: ['Ingress', 'Egress'],
      });
      const arrows: string[] = [];
      const heard: string[] = [];
      for (const { spec } of of('NetworkPolicy')) {
        const name = spec.podSelector.matchLabels?.['app.kubernetes.io/name'];
        const peers = (rules: { to?: Peer[]; from?: Peer[] }[] = []) =>
          rules.flatMap(({ to = [], from = [] }) => [...to, ...from]).flatMap((peer) => peerName(peer) ?? []);
        arrows.push(...peers(spec.egress).map((peer) => `${name} > ${peer}`));
        heard.push(...peers(spec.ingress).map((peer) => `${peer} > ${name}`));
      }
      const between = (list: string[]) =>
        list.filter((arrow) => arrow.split(' > ').every((name) => name in SETTINGS)).sort();
      expect(between(arrows)).toEqual(['api-gateway > accounts', 'api-gateway > web']);
      expect(between(heard)).toEqual(between(arrows));
    });

    it('replace the pods when a setting or a secret changes', () => {
      for (const { metadata } of [...of('ConfigMap'), ...of('Secret')]) expect(metadata.name).toMatch(/-[0-9a-z]{10}$/);
    });

    it('ask autoscalers for metrics that exist, and one worker for as many calls as it works on', async () => {
      const metrics = await makeMetrics().registry.getMetricsAsArray();
      for (const { metadata, spec } of of('ScaledObject')) {
        const [{ metadata: trigger }] = spec.triggers;
        const [, metric, stage] = /^(\w+)\{stage="(\w+)"\}$/.exec(trigger.valueLocation) ?? [];
        expect(metrics.map(({ name }) => name)).toContain(metric);
        expect(stage).toBe(metadata.name);
        const settings = of('ConfigMap').find((each) => each.metadata.name.startsWith(`${metadata.name}-`))?.data ?? {};
        expect(trigger.targetValue).toBe(settings[`${metadata.name.toUpperCase()}_CONCURRENCY`]);
      }
    });
  });

  it('have the alerts of deploy/prometheus, and every component renders', () => {
    const read = (path: string) => parse(readFileSync(join(root, path), 'utf8'));
    expect(read('k8s/components/prometheus/rules.yaml').spec).toEqual(read('deploy/prometheus/alerts.yml'));
    const objects = withComponents(...COMPONENTS);
    const kinds = new Set(objects.map(({ kind }) => kind));
    expect([...kinds]).toEqual(
      expect.arrayContaining(['ScaledObject', 'PodMonitor', 'PrometheusRule', 'Ingress', 'ExternalSecret', 'CronJob']),
    );
  });

  it('have an External Secret for each Secret that a pod reads, and no other', () => {
    const objects = withComponents('external-secrets', 'backup');
    const podOf = ({ spec }: Manifest) => (spec.jobTemplate?.spec ?? spec).template.spec;
    const read = objects
      .filter(({ kind }) => kind === 'Deployment' || kind === 'CronJob')
      .flatMap((each) => podOf(each).containers[0].envFrom as { secretRef?: { name: string } }[])
      .flatMap(({ secretRef }) => secretRef?.name ?? []);
    const made = objects.filter(({ kind }) => kind === 'ExternalSecret').map(({ spec }) => spec.target.name as string);
    expect(made.sort()).toEqual([...new Set(read)].sort());
  });

  it('back up with the settings, the rights and the restrictions of the pod for operators', () => {
    const objects = withComponents('backup');
    const podOf = (kind: string, name: string) => {
      const spec = objects.find((each) => each.kind === kind && each.metadata.name === name)?.spec;
      return (spec?.jobTemplate?.spec ?? spec).template.spec;
    };
    const [backup, ops] = [podOf('CronJob', 'backup'), podOf('Deployment', 'ops')];
    for (const part of ['serviceAccountName', 'automountServiceAccountToken', 'enableServiceLinks', 'securityContext'])
      expect(backup[part]).toEqual(ops[part]);
    for (const part of ['envFrom', 'securityContext', 'image'])
      expect(backup.containers[0][part]).toEqual(ops.containers[0][part]);
  });
});

describe('the backup of each night', () => {
  it('makes a whole copy, then deletes those of the week before, and restores one by its name', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'backup-'));
    try {
      const objects = parseAllDocuments(readFileSync(join(root, 'k8s/components/backup/backup.yaml'), 'utf8'));
      const [{ args, env }] = objects
        .map((each) => each.toJS() as Manifest)
        .flatMap(({ spec }) => spec.jobTemplate?.spec.template.spec.containers ?? []);
      const [data, backups, restored] = ['data', 'backups', 'restored'].map((name) => join(folder, name)) as [
        string,
        string,
        string,
      ];
      const run = (given: Record<string, string>) => {
        const set = Object.fromEntries(env.map(({ name, value }: { name: string; value: string }) => [name, value]));
        const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
        const [shell, ...rest] = args.map((each: string) => each.replaceAll('/backups', backups)) as [string];
        return spawnSync(shell, rest, { cwd: root, env: { ...set, PATH, ...given }, encoding: 'utf8' });
      };
      const old = { week: join(backups, '2026-01-01T023000'), volume: join(backups, 'lost+found') };
      for (const path of Object.values(old)) {
        mkdirSync(path, { recursive: true });
        utimesSync(path, new Date(0), new Date(0));
      }
      // Without databases there is nothing to copy.
      expect(run({ DATA_DIR: data }).status).toBe(1);
      expect(existsSync(old.week)).toBe(true);

      await openSqliteCallStore({ file: join(data, 'calls.sqlite') }).close();
      await openAccounts({ file: join(data, 'accounts.sqlite') }).close();
      expect(run({ DATA_DIR: data })).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('The copy is checked.'),
      });
      const [copy = '', ...others] = readdirSync(backups).sort();
      expect(others).toEqual(['lost+found']);
      expect(run({ DATA_DIR: restored, RESTORE: copy })).toMatchObject({ status: 0 });
      expect(existsSync(join(restored, 'accounts.sqlite'))).toBe(true);
      expect(readdirSync(backups).sort()).toEqual([copy, 'lost+found']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

interface Peer {
  podSelector?: { matchLabels?: Record<string, string> };
}

function peerName({ podSelector }: Peer): string | undefined {
  return podSelector?.matchLabels?.['app.kubernetes.io/name'];
}

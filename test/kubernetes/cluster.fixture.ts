import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Effect } from '@call-analytics/stand-in';
import { Clients } from './clients.fixture.ts';
import {
  create,
  get,
  inNamespace,
  kubectl,
  NAMESPACE,
  type Pod,
  pods,
  podsOf,
  scale,
  untilShown,
} from './kubectl.fixture.ts';
import { copyManifests } from './manifests.fixture.ts';

export const SERVICES = ['accounts', 'analysis', 'api-gateway', 'cleanup', 'dispatcher', 'transcription', 'web'];
/** The folder with the data of each server. */
export const SERVERS = { mongodb: '/data/db', rabbitmq: '/var/lib/rabbitmq', minio: '/data' };
const CLAIMS = [...Object.keys(SERVERS).map((server) => `data-${server}-0`), 'backups'];
/** The workers, whose number KEDA says. */
export const SCALED_BY_KEDA = ['transcription', 'analysis'];
/** The most workers that the test scales to. */
export const MAX_WORKERS = 4;
/** How long the engine takes for a recording. A worker that stops lets requests of less than 3 s finish. */
const ENGINE_DELAY = '500ms';

export type Release = 'this' | 'previous';

interface Workload {
  metadata: { name: string; generation: number };
  spec: { replicas: number };
  status: { observedGeneration?: number; replicas?: number; updatedReplicas?: number; availableReplicas?: number };
}

/** The local overlay with KEDA and quick reactions, on the cluster of the current context. */
export class Installation {
  readonly #folder = copyManifests();
  /** The services as the previous release had them, with the servers and secrets of this one. */
  readonly #previous = withPreviousServices(this.#folder);
  /** Undefined until a release is installed. */
  #clients: Clients | undefined;

  get isInstalled(): boolean {
    return this.#clients !== undefined;
  }

  get clients(): Clients {
    if (this.#clients === undefined) throw new Error('no release is installed');
    return this.#clients;
  }

  /** Applies the overlay and waits until every pod is ready. */
  async apply(release: Release): Promise<void> {
    const folder = join(release === 'this' ? this.#folder : this.#previous, 'k8s/overlays/test');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(testOverlay(release)));
    await kubectl('apply', '-k', folder);
    await this.ready();
  }

  /** Waits until every Deployment and StatefulSet has the pods of its present version and no others, all ready. */
  async ready(): Promise<void> {
    const isReady = ({ metadata, spec, status }: Workload) =>
      status.observedGeneration === metadata.generation &&
      [status.replicas, status.updatedReplicas, status.availableReplicas].every((n = 0) => n === spec.replicas);
    const waiting = async () => {
      const { items } = (await get('deployment,statefulset')) as { items: Workload[] };
      return items.filter((item) => !isReady(item)).map(({ metadata }) => metadata.name);
    };
    await untilShown(waiting, ({ length }) => length === 0, 4 * 60_000);
  }

  /** Installs a release from nothing. */
  async install(release: Release): Promise<void> {
    await this.#delete();
    if (!(await hasDefaultStorage())) await this.#volumes();
    await this.apply(release);
    const account = ['services/accounts/src/cli/main.ts', 'create', '--name', 'Acme', '--json'];
    const { key } = JSON.parse(await this.exec('deploy/accounts', 'node', ...account)) as { key: { secret: string } };
    this.#clients = new Clients(key.secret);
    await this.#clients.start();
  }

  async remove(): Promise<void> {
    await this.#delete();
    await this.#clients?.stop();
    await kubectl('delete', 'pv', ...CLAIMS.map(volumeOf), '--ignore-not-found');
    for (const folder of [this.#folder, this.#previous]) rmSync(folder, { recursive: true });
  }

  exec(where: string, ...command: string[]): Promise<string> {
    return inNamespace('exec', where, '--', ...command);
  }

  /** Starts the engine anew with a fault in every transcription, or without one. What was paid before is forgotten. */
  async engineSays(effect: Effect | null): Promise<void> {
    const faults = JSON.stringify([{ endpoint: 'transcriptions', do: effect }]);
    const program = `import { startStandIn } from './services/stand-in/src/index.ts';
      await startStandIn({ port: 8099, host: '0.0.0.0', faults: ${faults} });`;
    const args = effect === null ? null : ['node', '--input-type=module', '--eval', program];
    const patch = { spec: { template: { spec: { containers: [{ name: 'stand-in', args }] } } } };
    await inNamespace('patch', 'deployment', 'stand-in', '--patch', JSON.stringify(patch));
    await inNamespace('rollout', 'status', 'deployment/stand-in', '--timeout=60s');
  }

  /** @returns the sum of a metric over the dispatchers. @param series its name with all labels */
  async figure(series: string): Promise<number> {
    const read = (pod: string) =>
      kubectl('get', '--raw', `/api/v1/namespaces/${NAMESPACE}/pods/${pod}:9090/proxy/metrics`);
    const lines = (await Promise.all((await pods('dispatcher')).map(read))).join('').split('\n');
    const values = lines.filter((line) => line.startsWith(`${series} `)).map((line) => Number(line.split(' ').at(-1)));
    return values.reduce((sum, value) => sum + value, 0);
  }

  /** @returns how many transcriptions the engine has answered, and so was paid for */
  async paid(): Promise<number> {
    const log = await inNamespace('logs', 'deploy/stand-in', '--tail=-1');
    return log.split('/v1/audio/transcriptions 200').length - 1;
  }

  /** Ends all processes of a service or server with SIGKILL, and waits until the containers have started again. */
  async kill(service: string): Promise<void> {
    if (service in SERVERS) return this.#replace(`${service}-0`);
    const found = await podsOf(service);
    // The command dies with the container.
    const end = ({ metadata }: Pod) => this.exec(metadata.name, 'sh', '-c', 'kill -KILL -1').catch(() => undefined);
    await Promise.all(found.map(end));
    // KEDA may add or end a worker meanwhile.
    const again = async () => {
      const left = new Map((await podsOf(service)).map((pod) => [pod.metadata.name, restarts(pod)]));
      return found.every((pod) => (left.get(pod.metadata.name) ?? Number.POSITIVE_INFINITY) > restarts(pod));
    };
    await untilShown(again, `${service} has started again`, 60_000);
  }

  /** Evicts a pod, as the drain of a node does: it waits while the budget for disruptions forbids it. */
  async evict(pod: string): Promise<void> {
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod, namespace: NAMESPACE } };
    const path = `/api/v1/namespaces/${NAMESPACE}/pods/${pod}/eviction`;
    const isEvicted = async () => {
      try {
        return (await create(eviction, '--raw', path)) !== '';
      } catch (error) {
        if (/disruption budget/.test((error as { stderr?: string }).stderr ?? '')) return false;
        throw error;
      }
    };
    await untilShown(isEvicted, `${pod} may be evicted`, 120_000);
  }

  /** Runs the Job of the component `backup`. @param restore the name of the copy to restore @returns its log */
  async backup(restore = ''): Promise<string> {
    const name = restore === '' ? 'backup-now' : 'restore';
    const job = JSON.parse(
      await inNamespace('create', 'job', name, '--from=cronjob/backup', '--dry-run=client', '--output', 'json'),
    );
    const [{ env }] = job.spec.template.spec.containers;
    env.find(({ name }: { name: string }) => name === 'RESTORE').value = restore;
    await create(job);
    await inNamespace('wait', '--for=condition=Complete', `job/${name}`, '--timeout=120s');
    return inNamespace('logs', `job/${name}`);
  }

  /** Ends every service, and gives all servers empty volumes. @returns `start`, which starts the services again */
  async wipe(): Promise<{ start: () => Promise<void> }> {
    const { items } = (await get('deployment')) as { items: Workload[] };
    const replicas = new Map(items.map(({ metadata, spec }) => [metadata.name, spec.replicas] as const));
    for (const other of ['stand-in', 'ops']) replicas.delete(other);
    for (const worker of SCALED_BY_KEDA) await this.scaledByHand(worker, 0);
    for (const service of replicas.keys()) await scale(`deployment/${service}`, 0);
    const left = async () => (await pods(...replicas.keys())).length;
    await untilShown(left, (count) => count === 0, 60_000);
    const empty = async ([server, folder]: [string, string]) => {
      await this.exec(`${server}-0`, 'sh', '-c', `find ${folder} -mindepth 1 -delete`);
      await this.#replace(`${server}-0`);
    };
    await Promise.all(Object.entries(SERVERS).map(empty));
    const start = async () => {
      for (const [service, count] of replicas) await scale(`deployment/${service}`, count);
      for (const worker of SCALED_BY_KEDA) await this.scaledByHand(worker, null);
      await this.ready();
    };
    return { start };
  }

  /** Kills a pod of a StatefulSet, and waits until the next one is ready. */
  async #replace(pod: string): Promise<void> {
    await inNamespace('delete', 'pod', pod, '--force', '--grace-period=0');
    await inNamespace('wait', '--for=create', `pod/${pod}`, '--timeout=30s');
    await inNamespace('wait', '--for=condition=Ready', `pod/${pod}`, '--timeout=120s');
  }

  /** Workers so many and no more; null: as many as KEDA says. */
  async scaledByHand(worker: string, replicas: number | null): Promise<void> {
    const annotation = `autoscaling.keda.sh/paused-replicas${replicas === null ? '-' : `=${replicas}`}`;
    await inNamespace('annotate', '--overwrite', 'scaledobject', worker, annotation);
  }

  /** Waits until a service has so many pods, none of them ending, and all of them ready. */
  async scaled(service: string, count: number, withinMs: number): Promise<void> {
    for (const path of ['spec.replicas', 'status.replicas', 'status.readyReplicas']) {
      const state = `--for=jsonpath={.${path}}=${count}`;
      await inNamespace('wait', `deployment/${service}`, state, `--timeout=${withinMs}ms`);
    }
  }

  /** In a cluster without storage, volumes in folders of this machine, which must be its node. */
  async #volumes(): Promise<void> {
    await kubectl('delete', 'pv', ...CLAIMS.map(volumeOf), '--ignore-not-found');
    for (const claim of CLAIMS) {
      const path = join(this.#folder, 'volumes', claim);
      mkdirSync(path, { recursive: true });
      const isAny = { matchExpressions: [{ key: 'kubernetes.io/os', operator: 'Exists' }] };
      await create({
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: volumeOf(claim) },
        spec: {
          capacity: { storage: '20Gi' },
          accessModes: ['ReadWriteOnce'],
          claimRef: { namespace: NAMESPACE, name: claim },
          local: { path },
          nodeAffinity: { required: { nodeSelectorTerms: [isAny] } },
        },
      });
    }
  }

  /** Deletes the namespace with all in it, without waiting for pods to end. */
  async #delete(): Promise<void> {
    await kubectl('delete', 'namespace', NAMESPACE, '--ignore-not-found', '--wait=false');
    await inNamespace('delete', 'pod', '--all', '--force', '--grace-period=0');
    await kubectl('delete', 'namespace', NAMESPACE, '--ignore-not-found', '--timeout=150s');
  }
}

/** @returns a kustomization of the local overlay and KEDA that reacts quickly */
function testOverlay(release: Release): object {
  const scaledTo = (name: string) => ({
    target: { kind: 'ScaledObject', name },
    patch: JSON.stringify([
      { op: 'replace', path: '/spec/maxReplicaCount', value: MAX_WORKERS },
      { op: 'replace', path: '/spec/pollingInterval', value: 5 },
      {
        op: 'replace',
        path: '/spec/advanced/horizontalPodAutoscalerConfig/behavior/scaleDown',
        value: { stabilizationWindowSeconds: 10, policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
      },
    ]),
  });
  const delay = {
    op: 'add',
    path: '/spec/template/spec/containers/0/env',
    value: [{ name: 'STAND_IN_DELAY', value: ENGINE_DELAY }],
  };
  return {
    resources: ['../local'],
    components: ['../../components/keda', '../../components/backup'],
    namespace: NAMESPACE,
    images: [{ name: 'call-analytics', newTag: release === 'this' ? 'local' : 'previous' }],
    // As in production: one can end while the other works.
    replicas: ['accounts', 'web'].map((name) => ({ name, count: 2 })),
    configMapGenerator: [
      { name: 'call-analytics', behavior: 'merge', literals: ['LEASE_DURATION=10s'] },
      { name: 'dispatcher', behavior: 'merge', literals: ['IN_FLIGHT_PER_ACCOUNT=100'] },
      // An upgrade starts every service at once, for which two processors need longer than the default of 2 s.
      { name: 'api-gateway', behavior: 'merge', literals: ['ACCOUNTS_DEADLINE=10s'] },
    ],
    patches: [
      ...SCALED_BY_KEDA.map(scaledTo),
      { target: { kind: 'Deployment', name: 'stand-in' }, patch: JSON.stringify([delay]) },
    ],
  };
}

const restarts = ({ status }: Pod) => status.containerStatuses?.[0]?.restartCount ?? 0;

const volumeOf = (claim: string) => `call-analytics-${claim}`;

/** @returns a copy of the folder with the services of the revision that the file `previous-release` names */
function withPreviousServices(folder: string): string {
  const copy = `${folder}-previous`;
  cpSync(folder, copy, { recursive: true });
  rmSync(join(copy, 'k8s/base'), { recursive: true });
  const revision = readFileSync(new URL('previous-release', import.meta.url), 'utf8').trim();
  const archive = execFileSync('git', ['archive', revision, 'k8s/base']);
  execFileSync('tar', ['-x', '-C', copy], { input: archive });
  return copy;
}

async function hasDefaultStorage(): Promise<boolean> {
  const { items } = await get('storageclass');
  return items.some(
    ({ metadata }: { metadata: { annotations?: Record<string, string> } }) =>
      metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true',
  );
}

import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../until.fixture.ts';
import { copyManifests } from './manifests.fixture.ts';

const NAMESPACE = 'call-analytics';
const SERVERS = ['mongodb', 'rabbitmq', 'minio'];
/** The most workers that the test scales to. */
export const MOST_WORKERS = 4;
/** How long the engine takes for a recording. A worker that stops lets requests of less than 3 s finish. */
const ENGINE_DELAY = '1500ms';
const RECORDING = 'services/stand-in/recordings/excerpt.mp3';
/** What is paid for one call: the recording has two people in two channels. */
export const SEGMENTS = 2;

/** What the program in the client's pod counted. */
export interface LoadReport {
  accepted: number;
  completed: number;
  failed: string[];
  unfinished: string[];
  /** How many responses had which status. */
  statuses: Record<string, number>;
  cutConnections: number;
  /** By how many the calls of the account have grown. */
  total: number;
}

/** Runs kubectl. @throws with what it wrote on stderr */
export async function kubectl(...args: string[]): Promise<string> {
  return (await promisify(execFile)('kubectl', args, { maxBuffer: 2 ** 26 })).stdout;
}

/** @returns an object or a list, as the API server has it */
// biome-ignore lint/suspicious/noExplicitAny: objects of many kinds, read by tests only
export async function get(...args: string[]): Promise<any> {
  return JSON.parse(await kubectl('-n', NAMESPACE, 'get', ...args, '--output', 'json'));
}

/** The local overlay with KEDA and quick reactions, on the cluster of the current context. */
export class Installation {
  readonly #folder = copyManifests();
  key = '';

  /** Applies the overlay and waits until every pod is ready. @param over changes settings of all services */
  async apply(over: Record<string, string> = {}): Promise<void> {
    const folder = join(this.#folder, 'k8s/overlays/test');
    mkdirSync(folder, { recursive: true });
    const scaledTo = (name: string) => ({
      target: { kind: 'ScaledObject', name },
      patch: JSON.stringify([
        { op: 'replace', path: '/spec/maxReplicaCount', value: MOST_WORKERS },
        { op: 'replace', path: '/spec/pollingInterval', value: 5 },
        {
          op: 'replace',
          path: '/spec/advanced/horizontalPodAutoscalerConfig/behavior/scaleDown',
          value: { stabilizationWindowSeconds: 10, policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
        },
      ]),
    });
    const overlay = {
      resources: ['../local'],
      components: ['../../components/keda'],
      namespace: NAMESPACE,
      configMapGenerator: [
        { name: 'call-analytics', behavior: 'merge', literals: settings({ LEASE_DURATION: '10s', ...over }) },
        { name: 'dispatcher', behavior: 'merge', literals: settings({ IN_FLIGHT_PER_ACCOUNT: '100' }) },
      ],
      patches: [
        scaledTo('transcription'),
        scaledTo('analysis'),
        {
          target: { kind: 'Deployment', name: 'stand-in' },
          patch: JSON.stringify([
            {
              op: 'add',
              path: '/spec/template/spec/containers/0/env',
              value: [{ name: 'STAND_IN_DELAY', value: ENGINE_DELAY }],
            },
          ]),
        },
      ],
    };
    writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(overlay));
    await kubectl('apply', '-k', folder);
    await this.ready();
  }

  /** Waits until every Deployment and StatefulSet has the pods of its present version, all ready. */
  async ready(): Promise<void> {
    for (const { kind, metadata } of (await get('deployment,statefulset')).items)
      await kubectl('-n', NAMESPACE, 'rollout', 'status', `${kind}/${metadata.name}`, '--timeout=240s');
  }

  async prepare(): Promise<void> {
    await this.#delete();
    if (!(await hasDefaultStorage())) await this.#volumes();
    await this.apply();
    const made = await this.exec('deploy/accounts', 'node', 'services/accounts/src/cli/main.ts', ...CREATE);
    this.key = (JSON.parse(made) as { key: { secret: string } }).key.secret;
    await this.#client();
  }

  async remove(): Promise<void> {
    await this.#delete();
    await kubectl('delete', 'pod', 'call-analytics-client', '--ignore-not-found', '--force', '--grace-period=0');
    for (const server of SERVERS) await kubectl('delete', 'pv', `call-analytics-${server}`, '--ignore-not-found');
    rmSync(this.#folder, { recursive: true });
  }

  exec(where: string, ...command: string[]): Promise<string> {
    return kubectl('-n', NAMESPACE, 'exec', where, '--', ...command);
  }

  /** Starts clients with `open` calls at a time. @returns `stop`, which lets them finish and gives the report */
  load(open: number): { accepted: () => number; stop: () => Promise<LoadReport> } {
    const program = ['node', '/tmp/load.mjs', this.key, String(open), RECORDING];
    const child = spawn('kubectl', ['exec', '-i', 'call-analytics-client', '--', ...program]);
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    const closed = new Promise<void>((resolve) => child.on('close', () => resolve()));
    return {
      accepted: () => text.split('accepted ').length - 1,
      async stop() {
        child.stdin.end();
        await closed;
        const [, report] = /^report (.*)$/m.exec(text) ?? [];
        if (report === undefined) throw new Error(`the clients ended without a report: ${text.slice(-2_000)}`);
        return JSON.parse(report) as LoadReport;
      },
    };
  }

  /** @returns how many transcriptions the engine has answered, and so was paid for */
  async paid(): Promise<number> {
    const log = await kubectl('-n', NAMESPACE, 'logs', 'deploy/stand-in', '--tail=-1');
    return log.split('/v1/audio/transcriptions 200').length - 1;
  }

  /** @returns the names of the pods of a service that are not ending */
  async pods(service: string): Promise<string[]> {
    const { items } = await get('pods', '--selector', `app.kubernetes.io/name=${service}`);
    return items
      .filter(({ metadata }: { metadata: { deletionTimestamp?: string } }) => metadata.deletionTimestamp === undefined)
      .map(({ metadata }: { metadata: { name: string } }) => metadata.name);
  }

  /** Waits until a service has so many pods, none of them ending, and all of them ready. */
  async scaled(service: string, pods: number, withinMs: number): Promise<void> {
    const is = async () => {
      const { status, spec } = await get('deployment', service);
      return spec.replicas === pods && (status.readyReplicas ?? 0) === pods && status.replicas === pods;
    };
    await until(is, `${service} has ${pods} pods`, withinMs);
  }

  /** In a cluster without storage, volumes in folders of this machine, which must be its node. */
  async #volumes(): Promise<void> {
    for (const server of SERVERS) {
      const path = join(this.#folder, 'volumes', server);
      mkdirSync(path, { recursive: true });
      const volume = {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: `call-analytics-${server}` },
        spec: {
          capacity: { storage: '5Gi' },
          accessModes: ['ReadWriteOnce'],
          claimRef: { namespace: NAMESPACE, name: `data-${server}-0` },
          local: { path },
          nodeAffinity: {
            required: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/os', operator: 'Exists' }] }],
            },
          },
        },
      };
      await kubectl('delete', 'pv', volume.metadata.name, '--ignore-not-found');
      await this.#create(volume);
    }
  }

  /** Deletes the namespace with all in it, without waiting for pods to end. */
  async #delete(): Promise<void> {
    await kubectl('delete', 'namespace', NAMESPACE, '--ignore-not-found', '--wait=false');
    await kubectl('-n', NAMESPACE, 'delete', 'pod', '--all', '--force', '--grace-period=0');
    await kubectl('delete', 'namespace', NAMESPACE, '--ignore-not-found', '--timeout=150s');
  }

  async #client(): Promise<void> {
    await kubectl('delete', 'pod', 'call-analytics-client', '--ignore-not-found', '--force', '--grace-period=0');
    await this.#create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'call-analytics-client' },
      spec: {
        containers: [{ name: 'client', image: 'call-analytics-stand-in:local', args: ['sleep', 'infinity'] }],
        terminationGracePeriodSeconds: 0,
      },
    });
    await kubectl('wait', '--for=condition=Ready', 'pod/call-analytics-client', '--timeout=60s');
    const program = readFileSync(new URL('load.mjs', import.meta.url), 'utf8');
    await kubectl('exec', 'call-analytics-client', '--', 'sh', '-c', `cat > /tmp/load.mjs <<'END'\n${program}\nEND`);
  }

  async #create(object: { apiVersion: string; kind: string; metadata: { name: string }; spec: object }): Promise<void> {
    const file = join(this.#folder, `${object.kind}-${object.metadata.name}.json`);
    writeFileSync(file, JSON.stringify(object));
    await kubectl('create', '-f', file);
  }
}

const CREATE = ['create', '--name', 'Acme', '--json'];

const settings = (values: Record<string, string>) => Object.entries(values).map(([name, value]) => `${name}=${value}`);

async function hasDefaultStorage(): Promise<boolean> {
  const { items } = await get('storageclass');
  return items.some(
    ({ metadata }: { metadata: { annotations?: Record<string, string> } }) =>
      metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true',
  );
}

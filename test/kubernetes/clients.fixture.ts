import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { create, kubectl, NAMESPACE } from './kubectl.fixture.ts';

const POD = 'call-analytics-client';
const RECORDING = 'services/stand-in/recordings/excerpt.mp3';
/** What is paid for one call: the recording has two people in two channels. */
export const SEGMENTS = 2;

/** What `load.mjs` counted. */
export interface LoadReport {
  accepted: number;
  completed: number;
  failed: string[];
  unfinished: string[];
  /** Completed calls that a later request showed otherwise. */
  changed: string[];
  /** The responses with 5xx. */
  serverErrors: string[];
  /** By how many the calls of the account have grown. */
  total: number;
}

export interface Load {
  accepted: () => number;
  completed: () => number;
  /** Requests whose connection was refused or cut, with the time and the reason. */
  cutConnections: () => string[];
  /** Lets the open calls finish. */
  stop: () => Promise<LoadReport>;
}

/** A pod outside the namespace, which reaches the gateway as any client in the cluster does. */
export class Clients {
  readonly #key: string;
  readonly #loads: ChildProcessWithoutNullStreams[] = [];

  /** @param key of the account that the calls belong to */
  constructor(key: string) {
    this.#key = key;
  }

  async start(): Promise<void> {
    await this.stop();
    const container = { name: 'client', image: 'call-analytics-stand-in:local', args: ['sleep', 'infinity'] };
    const spec = { containers: [container], terminationGracePeriodSeconds: 0 };
    await create({ apiVersion: 'v1', kind: 'Pod', metadata: { name: POD }, spec });
    await kubectl('wait', '--for=condition=Ready', `pod/${POD}`, '--timeout=60s');
    const program = readFileSync(new URL('load.mjs', import.meta.url), 'utf8');
    await kubectl('exec', POD, '--', 'sh', '-c', `cat > /tmp/load.mjs <<'END'\n${program}\nEND`);
  }

  async stop(): Promise<void> {
    await kubectl('delete', 'pod', POD, '--ignore-not-found', '--force', '--grace-period=0');
  }

  /** Starts clients with `open` calls at a time. @param probeMs the pause between two requests on new connections */
  load(open: number, probeMs = 0): Load {
    const program = ['node', '/tmp/load.mjs', this.#key, String(open), RECORDING, String(probeMs)];
    const child = spawn('kubectl', ['exec', '-i', POD, '--', ...program]);
    this.#loads.push(child);
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
    const closed = new Promise<void>((resolve) => child.on('close', () => resolve()));
    const count = (event: string) => text.split(`${event} `).length - 1;
    return {
      accepted: () => count('accepted'),
      completed: () => count('completed'),
      cutConnections: () => text.split('\n').filter((line) => line.startsWith('cut ')),
      async stop() {
        child.stdin.end();
        await closed;
        const [, report] = /^report (.*)$/m.exec(text) ?? [];
        if (report === undefined) throw new Error(`the clients ended without a report: ${text.slice(-2_000)}`);
        return JSON.parse(report) as LoadReport;
      },
    };
  }

  /** Lets the open calls of every load finish, without a report. */
  endLoads(): void {
    for (const { stdin } of this.#loads.splice(0)) stdin.end();
  }

  /** @returns the id of a new call */
  async upload(): Promise<string> {
    const { id } = (await this.#run(`const body = new FormData();
      body.set('file', await openAsBlob('${RECORDING}'), 'call.mp3');
      return api('/calls', { method: 'POST', body });`)) as { id: string };
    return id;
  }

  /** @returns all calls of the account (100 at most), each as its own resource shows it */
  async calls(): Promise<{ id: string; status: string }[]> {
    return (await this.#run(`const { calls } = await api('/calls?limit=100');
      return Promise.all(calls.map(({ id }) => api('/calls/' + id)));`)) as { id: string; status: string }[];
  }

  /** Runs the body of a function in the pod. @returns what the function returns */
  async #run(body: string): Promise<unknown> {
    const program = `import { openAsBlob } from 'node:fs';
      const headers = { authorization: 'Bearer ${this.#key}' };
      async function api(path, init = {}) {
        const response = await fetch('http://api-gateway.${NAMESPACE}:8080/api/v1' + path, { headers, ...init });
        if (!response.ok) throw new Error(path + ': ' + response.status + ' ' + (await response.text()));
        return response.json();
      }
      console.log(JSON.stringify(await (async () => { ${body} })()));`;
    return JSON.parse(await kubectl('exec', POD, '--', 'node', '--input-type=module', '--eval', program));
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openAccounts } from '@call-analytics/accounts';
import type { CallDetail, CallList } from '@call-analytics/contracts';

const MAIN = fileURLToPath(new URL('../../services/standalone/src/main.ts', import.meta.url));
const KILL_AT = new URL('./kill-at.ts', import.meta.url).href;

/** An installation in a folder of its own, whose service process can be started, killed and started again, as an operator would. */
export class Installation {
  readonly dataDir: string;
  readonly #settings: Record<string, string>;
  #process: ChildProcess | null = null;
  /** Log lines of all runs. */
  readonly log: Record<string, unknown>[] = [];
  url = '';

  private constructor(dataDir: string, settings: Record<string, string>) {
    this.dataDir = dataDir;
    this.#settings = settings;
  }

  static async make(settings: Record<string, string>): Promise<Installation> {
    return new Installation(await mkdtemp(join(tmpdir(), 'call-analytics-')), settings);
  }

  /** @param killAt a named point at which the process dies, e.g. `segment.saved:2` */
  async start({ killAt, settings = {} }: { killAt?: string; settings?: Record<string, string> } = {}): Promise<void> {
    const child = spawn(process.execPath, [...(killAt === undefined ? [] : ['--import', KILL_AT]), MAIN], {
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        HOST: '127.0.0.1',
        DATA_DIR: this.dataDir,
        LOG_LEVEL: 'info',
        ...this.#settings,
        ...settings,
        ...(killAt === undefined ? {} : { KILL_AT: killAt }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    let errors = '';
    child.stderr?.on('data', (chunk) => (errors += chunk));
    this.url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
        const entry = JSON.parse(line) as Record<string, unknown>;
        this.log.push(entry);
        if (entry.msg === 'ready') resolve(String(entry.url));
      });
      child.once('exit', (code, signal) => reject(new Error(`the service ended before it was ready (${signal ?? code}): ${errors}`)));
    });
  }

  get pid(): number {
    return this.#process?.pid ?? Number.NaN;
  }

  /** @returns the signal that ended the process, or its exit code */
  async ended(): Promise<NodeJS.Signals | number | null> {
    const child = this.#process;
    if (child === null) return null;
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    return child.signalCode ?? child.exitCode;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<NodeJS.Signals | number | null> {
    this.#process?.kill(signal);
    return this.ended();
  }

  /** Stops the service, whatever state it is in, and removes the installation. */
  async remove(): Promise<void> {
    await this.kill();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Makes an account beside the running service. @returns a client with its key */
  async client(name = 'Acme'): Promise<Client> {
    const accounts = openAccounts({ file: join(this.dataDir, 'accounts.sqlite') });
    const { account } = await accounts.createAccount({ name });
    const { secret } = await accounts.createKey({ accountId: account.id, name: 'test' });
    await accounts.close();
    return new Client(() => this.url, secret);
  }
}

/** A caller of the API. */
export class Client {
  readonly key: string;
  readonly #url: () => string;

  constructor(url: () => string, key: string) {
    this.#url = url;
    this.key = key;
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.#url()}/api/v1${path}`, { ...init, headers: { authorization: `Bearer ${this.key}`, ...init.headers } });
  }

  async upload(
    file: string,
    { reportType, headers = {}, name = basename(file) }: { reportType?: string; headers?: Record<string, string>; name?: string } = {},
  ) {
    const form = new FormData();
    if (reportType !== undefined) form.set('reportType', reportType);
    form.set('file', await openAsBlob(file), name);
    return this.fetch('/calls', { method: 'POST', body: form, headers });
  }

  /** @returns the id of an accepted upload */
  async uploaded(file: string, options: Parameters<Client['upload']>[1] = {}): Promise<string> {
    const response = await this.upload(file, options);
    if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
    return ((await response.json()) as { id: string }).id;
  }

  async call(id: string): Promise<CallDetail> {
    return (await (await this.fetch(`/calls/${id}`)).json()) as CallDetail;
  }

  async calls(query = ''): Promise<CallList> {
    return (await (await this.fetch(`/calls${query}`)).json()) as CallList;
  }

  /** Polls until the call is completed or failed. */
  async finished(id: string, withinMs = 60_000): Promise<CallDetail> {
    const until = Date.now() + withinMs;
    for (;;) {
      const call = await this.call(id);
      if (call.status === 'completed' || call.status === 'failed') return call;
      if (Date.now() > until) throw new Error(`call ${id} is still ${call.status}`);
      await delay(20);
    }
  }
}

/** Waits until `condition` holds. For states that have no event to wait for from outside. */
export async function eventually(condition: () => boolean | Promise<boolean>, what: string, withinMs = 30_000): Promise<void> {
  const until = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > until) throw new Error(`still not: ${what}`);
    await delay(20);
  }
}

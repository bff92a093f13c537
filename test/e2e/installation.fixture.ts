import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAccounts } from '@call-analytics/accounts';
import { type StandIn, startStandIn } from '@call-analytics/stand-in';
import { Client } from './client.fixture.ts';
import { ServiceProcess, type Start } from './process.fixture.ts';

/** A standalone installation in a folder of its own. */
export class Installation {
  readonly dataDir: string;
  readonly #process: ServiceProcess;
  url = '';
  #standIn: StandIn | null = null;

  private constructor(dataDir: string, settings: Record<string, string>) {
    this.dataDir = dataDir;
    const place = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, LOG_LEVEL: 'info' };
    this.#process = new ServiceProcess('standalone', { ...place, ...settings });
  }

  static async make(settings: Record<string, string>): Promise<Installation> {
    return new Installation(await mkdtemp(join(tmpdir(), 'call-analytics-')), settings);
  }

  /** With a stand-in as the engine of speech, and of the analysis too if the settings say so. */
  static async withStandIn(settings: Record<string, string> = {}): Promise<Installation> {
    const standIn = await startStandIn({ speech: 'known-text' });
    const engine = { OPENAI_BASE_URL: standIn.url, OPENAI_API_KEY: standIn.key, ANALYSIS_ENGINE: 'rules' };
    const installation = await Installation.make({ ...engine, ...settings });
    installation.#standIn = standIn;
    return installation;
  }

  get standIn(): StandIn {
    if (this.#standIn === null) throw new Error('this installation has no stand-in');
    return this.#standIn;
  }

  /** Starts the closed stand-in again, at its address and without its requests. */
  async restartStandIn(): Promise<void> {
    this.#standIn = await startStandIn({ speech: 'known-text', port: Number(new URL(this.standIn.url).port) });
  }

  /** @returns the log line by which it was ready */
  async start(options: Start = {}): Promise<Record<string, unknown>> {
    const ready = await this.#process.start(options, ({ msg }) => msg === 'ready');
    this.url = String(ready.url);
    return ready;
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** Log lines of all runs. */
  get log(): Record<string, unknown>[] {
    return this.#process.log;
  }

  get running(): boolean {
    return this.#process.running;
  }

  dieAt(point: string) {
    return this.#process.dieAt(point);
  }

  ended() {
    return this.#process.ended();
  }

  kill(signal?: NodeJS.Signals) {
    return this.#process.kill(signal);
  }

  /** Stops the service, whatever state it is in, and removes the installation. */
  async remove(): Promise<void> {
    await this.kill();
    await this.#standIn?.close();
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

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAccounts } from '@call-analytics/accounts';
import { Client } from './client.fixture.ts';
import { ServiceProcess, type Start } from './process.fixture.ts';

/** A standalone installation in a folder of its own. */
export class Installation {
  readonly dataDir: string;
  readonly #process: ServiceProcess;
  url = '';

  private constructor(dataDir: string, settings: Record<string, string>) {
    this.dataDir = dataDir;
    const place = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, LOG_LEVEL: 'info' };
    this.#process = new ServiceProcess('standalone', { ...place, ...settings });
  }

  static async make(settings: Record<string, string>): Promise<Installation> {
    return new Installation(await mkdtemp(join(tmpdir(), 'call-analytics-')), settings);
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

  ended() {
    return this.#process.ended();
  }

  kill(signal?: NodeJS.Signals) {
    return this.#process.kill(signal);
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

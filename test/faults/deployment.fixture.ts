import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type StandIn, startStandIn } from '@call-analytics/stand-in';
import { Cluster } from '../e2e/cluster.fixture.ts';
import type { IsolatedServers } from '../servers/isolated.fixture.ts';
import { Account } from './account.fixture.ts';

/** So that a worker's death shows soon, and what waits for a sweep does not wait for long. */
const QUICK = {
  LEASE_DURATION: '2s',
  GRANT_DURATION: '1s',
  DUE_AUDIO_SWEEP_INTERVAL: '1s',
  ORPHAN_AUDIO_SWEEP_INTERVAL: '1s',
  ORPHAN_AUDIO_GRACE: '1m',
  FAILED_AUDIO_RETENTION: '1s',
};

/**
 * The services, each in processes of its own, on real servers; the engine that they ask; and accounts that use all of
 * it.
 */
export class Deployment<On extends IsolatedServers = IsolatedServers> {
  readonly servers: On;
  readonly cluster: Cluster;
  readonly standIn: StandIn;
  readonly #folder: string;
  #recordingsMade = 0;

  private constructor(servers: On, cluster: Cluster, standIn: StandIn, folder: string) {
    this.servers = servers;
    this.cluster = cluster;
    this.standIn = standIn;
    this.#folder = folder;
  }

  /**
   * Starts one copy of each service.
   * @param settings of the services
   * @param removal gets what has to be stopped
   */
  static async start<On extends IsolatedServers>(
    servers: On,
    removal: AsyncDisposableStack,
    settings: Record<string, string> = {},
  ): Promise<Deployment<On>> {
    const standIn = await startStandIn({ speech: 'known-text' });
    removal.defer(() => standIn.close());
    const folder = await mkdtemp(join(tmpdir(), 'recordings-'));
    removal.defer(() => rm(folder, { recursive: true, force: true }));
    const engines = { OPENAI_BASE_URL: standIn.url, OPENAI_API_KEY: standIn.key, ANALYSIS_ENGINE: 'rules' };
    const cluster = await Cluster.make(servers.settings, { ...engines, ...QUICK, ...settings });
    removal.defer(() => cluster.remove());
    await cluster.start();
    return new Deployment(servers, cluster, standIn, folder);
  }

  /** Every answer of the engine takes so long, from now on. */
  slowEngine(ms: number): void {
    this.standIn.faults.splice(0, Number.POSITIVE_INFINITY, { endpoint: 'transcriptions', do: { kind: 'delay', ms } });
  }

  /** An account of its own, and somebody who uploads recordings for it. */
  async account(): Promise<Account> {
    return new Account(await this.cluster.client(), this.#folder, () => this.#recordingsMade++);
  }
}

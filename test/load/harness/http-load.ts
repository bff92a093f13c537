import { isDeepStrictEqual } from 'node:util';
import type { Load, Loaded } from '../clients/http.main.ts';
import { Child } from './child.ts';
import { canReadMemory, cpuSeconds } from './machine.ts';
import { type Context, compared, figure, interleaved, type Row } from './measure.ts';

/** So many that a server always has a request waiting, so few that this says nothing about queues. */
const CONNECTIONS = 8;

interface Server {
  pid: number;
  url: string;
}

interface Run extends Loaded {
  /** Processor time of the server for each request, in microseconds. */
  serverMicros: number;
}

/** Reads over HTTP from the service and, in turns, from a bare server that gives the same answers. */
export class HttpLoad {
  readonly #servers: { ours: Server; floor: Server };
  readonly #headers: Record<string, string>;
  readonly #client: Child<Load, Loaded>;
  readonly #progress: Context['progress'];

  private constructor(
    servers: { ours: Server; floor: Server },
    headers: Record<string, string>,
    client: Child<Load, Loaded>,
    progress: Context['progress'],
  ) {
    this.#servers = servers;
    this.#headers = headers;
    this.#client = client;
    this.#progress = progress;
  }

  /** @param floor the process of the bare server, which answers with its port */
  static async start(
    { workspace, progress }: Pick<Context, 'workspace' | 'progress'>,
    { ours, floor, key }: { ours: Server; floor: Child<null, number>; key: string },
  ): Promise<HttpLoad> {
    const bare = { pid: floor.pid, url: `http://127.0.0.1:${await floor.ask(null)}` };
    const script = new URL('../clients/http.main.ts', import.meta.url);
    const client = await Child.start<Load, Loaded>(workspace, script, null);
    return new HttpLoad({ ours, floor: bare }, { authorization: `Bearer ${key}` }, client, progress);
  }

  /** @returns the paths of the latest calls, at most 100 */
  async callPaths(): Promise<string[]> {
    const { calls } = (await this.#get(this.#servers.ours, '/api/v1/calls?limit=100')) as { calls: { id: string }[] };
    return calls.map(({ id }) => `/api/v1/calls/${id}`);
  }

  /**
   * @param paths asked for in turn, as clients do
   * @throws Error when the two servers do not say the same: then there is nothing to compare
   */
  async compare(
    what: string,
    paths: readonly string[],
    { runs, seconds, warmUps = 0 }: { runs: number; seconds: number; warmUps?: number },
  ): Promise<Row> {
    const bytes = await this.#sameAnswer(paths[0] ?? '');
    const [ours, bare] = [this.#servers.ours, this.#servers.floor].map(
      (server) => () => this.#load(server, paths, seconds),
    ) as [() => Promise<Run>, () => Promise<Run>];
    for (let warmUp = 0; warmUp < warmUps; warmUp += 1) {
      await ours();
      await bare();
    }
    const measured = await interleaved(runs, ours, bare);
    const perSecond = (of: readonly Run[]) => of.map((run) => run.requestsPerSecond);
    const both = (field: keyof Run) =>
      [measured.ours, measured.floor].map((of) => figure(of.map((run) => run[field])).median.toFixed(2));
    const [p50, bareP50] = both('p50Ms');
    const [p99, bareP99] = both('p99Ms');
    const [micros, bareMicros] = both('serverMicros');
    return compared(
      `${what}, ${CONNECTIONS} connections`,
      'requests/s',
      { ours: perSecond(measured.ours), floor: perSecond(measured.floor) },
      { atLeast: 0.85 },
      [
        `answers of ${bytes} bytes, the same from both`,
        `p50 ${p50} ms against ${bareP50} ms, p99 ${p99} ms against ${bareP99} ms`,
        `processor time for each request: ours ${micros} µs, floor ${bareMicros} µs; the client used ${both('cpuShare').join(' and ')} of a core`,
      ],
    );
  }

  stop(): Promise<void> {
    return this.#client.stop();
  }

  async #load({ pid, url }: Server, paths: readonly string[], seconds: number): Promise<Run> {
    const used = () => (canReadMemory ? cpuSeconds(pid) : Number.NaN);
    const before = used();
    const loaded = await this.#client.ask({ url, paths, headers: this.#headers, connections: CONNECTIONS, seconds });
    const micros = ((used() - before) / (loaded.requestsPerSecond * seconds)) * 1e6;
    this.#progress(`${url}${paths[0]} ${loaded.requestsPerSecond.toFixed(0)}/s`);
    return { ...loaded, serverMicros: micros };
  }

  async #get({ url }: Server, path: string): Promise<unknown> {
    const response = await fetch(`${url}${path}`, { headers: this.#headers });
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
    return response.json();
  }

  /** @returns the size of the answer, in bytes */
  async #sameAnswer(path: string): Promise<number> {
    const [ours, floor] = await Promise.all([
      this.#get(this.#servers.ours, path),
      this.#get(this.#servers.floor, path),
    ]);
    if (!isDeepStrictEqual(ours, floor))
      throw new Error(`${path}: the answers differ\n${JSON.stringify(ours)}\n${JSON.stringify(floor)}`);
    return Buffer.byteLength(JSON.stringify(ours));
  }
}

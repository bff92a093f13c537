import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE } from '../terminal.fixture.ts';

const KILL_AT = new URL('./kill-at.fixture.ts', import.meta.url).href;

export interface Start {
  settings?: Record<string, string>;
}

/** A service in a process of its own, which can be killed and started again, as an operator would. */
export class ServiceProcess {
  /** Log lines of all runs. */
  readonly log: Record<string, unknown>[] = [];
  readonly #main: string;
  readonly #settings: Record<string, string>;
  #process: ChildProcess | null = null;
  #errors = '';

  /** @param service its folder in services */
  constructor(service: string, settings: Record<string, string>) {
    this.#main = fileURLToPath(new URL(`../../services/${service}/src/main.ts`, import.meta.url));
    this.#settings = settings;
  }

  /**
   * @param isReady looks at a log line
   * @returns the log line by which it was ready
   */
  async start(
    { settings = {} }: Start,
    isReady: (line: Record<string, unknown>) => boolean,
  ): Promise<Record<string, unknown>> {
    const child = spawn(process.execPath, ['--import', COMPILE_CACHE, '--import', KILL_AT, this.#main], {
      env: { PATH: process.env.PATH, ...this.#settings, ...settings },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#process = child;
    this.#errors = '';
    child.stderr?.on('data', (chunk) => (this.#errors += chunk));
    return new Promise((resolve, reject) => {
      createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (text) => {
        const line = JSON.parse(text) as Record<string, unknown>;
        this.log.push(line);
        if (isReady(line)) resolve(line);
      });
      child.once('exit', (code, signal) =>
        reject(new Error(`the service ended before it was ready (${signal ?? code}): ${this.#errors}`)),
      );
    });
  }

  /** Has the process die when it comes to a named point, e.g. `segment.saved:2`, with a call that is new to it. */
  async dieAt(point: string): Promise<void> {
    const child = this.#process as ChildProcess;
    child.send(point);
    await once(child, 'message');
  }

  get pid(): number {
    return this.#process?.pid ?? Number.NaN;
  }

  get running(): boolean {
    return this.#process !== null && this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** What it wrote to stderr since it was started: nothing, unless it broke. */
  get errors(): string {
    return this.#errors;
  }

  /** @returns the signal that ended the process, or its exit code */
  async ended(): Promise<NodeJS.Signals | number | null> {
    if (this.running) await once(this.#process as ChildProcess, 'exit');
    return this.#process === null ? null : (this.#process.signalCode ?? this.#process.exitCode);
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<NodeJS.Signals | number | null> {
    this.#process?.kill(signal);
    return this.ended();
  }
}

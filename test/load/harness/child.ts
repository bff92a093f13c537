import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Workspace } from './workspace.ts';

/** A server or a client in a process of its own, so that neither pays for the other. */
export class Child<Job, Answer> {
  readonly #process: ChildProcess;
  readonly #answers = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>();
  #jobs = 0;
  #ready: (() => void) | null = null;

  private constructor(child: ChildProcess) {
    this.#process = child;
    child.on('message', (message) => this.#heard(message as FromChild<Answer>));
    child.once('exit', (code, signal) => {
      for (const { reject } of this.#answers.values()) reject(new Error(`the process ended (${signal ?? code})`));
    });
  }

  /** @param module a `*.main.ts` that calls `obey` @param settings what it gets; must survive JSON */
  static async start<Job = unknown, Answer = unknown>(
    workspace: Workspace,
    module: URL,
    settings: unknown,
  ): Promise<Child<Job, Answer>> {
    // Standard output is the log of a service: in production it goes to a file or a pipe, and so it does here.
    const log = openSync(join(workspace.dir, 'log'), 'a');
    const forked = fork(fileURLToPath(module), [JSON.stringify(settings)], {
      stdio: ['ignore', log, 'inherit', 'ipc'],
      execArgv: (process.env.BENCH_NODE_OPTIONS ?? '').split(' ').filter((option) => option !== ''),
    });
    closeSync(log);
    workspace.adopt(forked);
    const child = new Child<Job, Answer>(forked);
    await new Promise<void>((resolve, reject) => {
      child.#ready = resolve;
      forked.once('exit', (code, signal) =>
        reject(new Error(`${fileURLToPath(module)} ended before it was ready (${signal ?? code})`)),
      );
    });
    return child;
  }

  get pid(): number {
    return this.#process.pid ?? Number.NaN;
  }

  /** @throws what the job threw */
  ask(job: Job): Promise<Answer> {
    this.#jobs += 1;
    const id = this.#jobs;
    return new Promise((resolve, reject) => {
      this.#answers.set(id, { resolve, reject });
      this.#process.send({ id, job } satisfies ToChild<Job>);
    });
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.disconnect();
    await once(this.#process, 'exit');
  }

  #heard(message: FromChild<Answer>): void {
    if ('ready' in message) {
      this.#ready?.();
      return;
    }
    const waiting = this.#answers.get(message.id);
    this.#answers.delete(message.id);
    if ('error' in message) waiting?.reject(new Error(message.error));
    else waiting?.resolve(message.answer);
  }
}

type ToChild<Job> = { id: number; job: Job };
type FromChild<Answer> = { ready: true } | { id: number; answer: Answer } | { id: number; error: string };

/**
 * The other side of `Child`, called once by a `*.main.ts`.
 * @param start gets the settings of `Child.start` and returns what does the jobs
 */
export async function obey<Settings, Job, Answer>(
  start: (settings: Settings) => Promise<(job: Job) => Promise<Answer>>,
): Promise<void> {
  const tell = (message: FromChild<Answer>) => process.send?.(message);
  const work = await start(JSON.parse(process.argv[2] ?? 'null') as Settings);
  process.on('message', ({ id, job }: ToChild<Job>) => {
    work(job).then(
      (answer) => tell({ id, answer }),
      (error: unknown) => tell({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
  // Nobody is left to work for. An orderly exit, so that a profiler writes what it has seen.
  process.on('disconnect', () => process.exit(0));
  tell({ ready: true });
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

type Line = Record<string, unknown>;

/** A service in a process of its own, written for one test. */
export class TestService {
  readonly lines: Line[] = [];
  stderr = '';
  readonly #child;
  readonly #ended: Promise<unknown[]>;
  readonly #news = new EventTarget();

  /**
   * @param body of `async ({ settings, log, metrics }) => parts`; `part(name, { start, stop, ready })` makes one
   *   whose start and stop are logged
   * @param env what is set beside PATH
   * @param schema the service's own settings, as code
   */
  constructor(body: string, env: Record<string, string> = {}, schema = 'z.object({})') {
    const code = `
      import { inSpan, runService, WorkError } from '@call-analytics/service-kit';
      import { setTimeout as delay } from 'node:timers/promises';
      import { z } from 'zod';
      let tries = 0;
      const away = (message) => new WorkError({ kind: 'transient', code: 'store_unavailable', message });
      await runService({
        name: 'test-service',
        settings: ${schema},
        parts: async ({ settings, log, metrics }) => {
          const part = (name, { start, stop, ...rest } = {}) => ({
            name,
            start: async () => { log.info('start ' + name); await start?.(); log.info('started ' + name); },
            stop: async (deadline) => { log.info('stop ' + name); await stop?.(deadline); log.info('stopped ' + name); },
            ...rest,
          });
          tries += 1;
          ${body}
        },
      });`;
    this.#child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      env: { PATH: process.env.PATH, OPS_PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#ended = once(this.#child, 'close');
    this.#child.stderr.on('data', (chunk) => (this.stderr += chunk));
    createInterface({ input: this.#child.stdout }).on('line', (text) => {
      this.lines.push(JSON.parse(text));
      this.#news.dispatchEvent(new Event('line'));
    });
  }

  /** What was logged, in order, without what everything else logs. */
  get said(): string[] {
    return this.lines.map(({ msg }) => String(msg));
  }

  /** @returns the first line with this message, when it is there */
  async logged(msg: string): Promise<Line> {
    for (;;) {
      const line = this.lines.find((candidate) => candidate.msg === msg);
      if (line !== undefined) return line;
      const over = this.#ended.then(() => {
        throw new Error(`it ended without saying "${msg}": ${this.said.join(', ')} ${this.stderr}`);
      });
      await Promise.race([once(this.#news, 'line'), over]);
    }
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** @returns the exit code, or the signal that killed it */
  async ended(): Promise<unknown> {
    const [code, signal] = await this.#ended;
    return signal ?? code;
  }

  /** Ends it, whatever it is doing. */
  async remove(): Promise<void> {
    this.kill('SIGKILL');
    await this.#ended;
  }
}

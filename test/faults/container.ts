import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { StartedTestContainer } from 'testcontainers';

/** @throws Error when the engine refuses */
export async function docker(...command: string[]): Promise<void> {
  await promisify(execFile)('docker', command);
}

/** A server of a site that can be killed and started again. Its published ports change with that: whoever needs the server goes through the site's proxies. */
export class Container {
  readonly #container: StartedTestContainer;

  constructor(container: StartedTestContainer) {
    this.#container = container;
  }

  /** As by kill -9. */
  async kill(): Promise<void> {
    await docker('kill', this.#container.getId());
  }

  async start(): Promise<void> {
    await docker('start', this.#container.getId());
  }

  /** Runs a command inside. @returns what it wrote. @throws Error when it fails */
  async exec(...command: string[]): Promise<string> {
    const { exitCode, output } = await this.#container.exec(command);
    if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${output}`);
    return output;
  }
}

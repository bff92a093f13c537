import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from '../e2e/cluster.fixture.ts';
import type { Requirement } from '../requirements.fixture.ts';
import { until } from '../until.fixture.ts';

/** A script outside of the project: `serve PORT MODEL` starts an OpenAI-compatible server with Whisper's weights. */
const SCRIPT = process.env.RECOGNIZER || fileURLToPath(new URL('../../../shared/speech/up.sh', import.meta.url));

/** The first time it installs what it needs. */
const STARTED_WITHIN_MS = 240_000;

export const recognizer: Requirement = { what: 'a real recognizer (RECOGNIZER)', present: existsSync(SCRIPT) };

/** Gives words their times by aligning them with the sound. @returns the address, and what ends the server */
export async function startRecognizer(model: 'base' | 'tiny.en'): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort();
  const server = spawn(SCRIPT, ['serve', String(port), model], { stdio: 'ignore' });
  const ended = once(server, 'exit');
  const url = `http://127.0.0.1:${port}/v1`;
  const answers = () =>
    fetch(`${url}/models`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(async () => server.exitCode !== null || (await answers()), 'ready', STARTED_WITHIN_MS);
  if (server.exitCode !== null) throw new Error(`The recognizer ended with status ${server.exitCode}.`);
  const stop = async () => {
    server.kill();
    await ended;
  };
  return { url, stop };
}

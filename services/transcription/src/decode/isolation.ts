import { text } from 'node:stream/consumers';
import { SettingsError } from '@call-analytics/service-kit';
import { z } from 'zod';
import { startBare } from '../sandbox/bare-process.ts';
import { LAYERS, type Layer } from '../sandbox/lock-down.ts';

const Answer = z.object({ layers: z.array(z.enum(LAYERS)) });
const HEAP_MIB = 64;

/**
 * Locks a process down as the decoder does, without a recording.
 * @returns what holds on this machine
 * @throws SettingsError when the decoder cannot be isolated here
 */
export async function requireIsolation(memoryBytes: number): Promise<Layer[]> {
  const script = new URL('../sandbox/probe.child.ts', import.meta.url);
  const child = startBare({
    script,
    args: [String(memoryBytes)],
    directory: process.cwd(),
    stdin: 'ignore',
    heapMiB: HEAP_MIB,
  });
  const answer = child.stdout === null ? '' : await text(child.stdout);
  const layers = answer === '' ? [] : Answer.parse(JSON.parse(answer)).layers;
  if (layers.includes('seccomp')) return layers;
  throw new SettingsError(
    'DECODER_ISOLATION is "required", and this machine cannot isolate the decoder. It needs Linux on x64 or arm64 and a container that ' +
      'allows seccomp and prctl. Set it to "preferred" to decode recordings without that protection.',
  );
}

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { itNeeds } from '@call-analytics/test/requirements.ts';
import { afterAll, describe, expect, it } from '@jest/globals';
import { startBare } from './bare-process.ts';
import type { Layer } from './lock-down.ts';

interface Prisoner {
  layers: Layer[];
  succeeded: Record<string, boolean>;
}

const directory = mkdtempSync(join(tmpdir(), 'prisoner-'));
const server = createServer((socket) => socket.destroy());
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const port = (server.address() as { port: number }).port;

async function prisoner(...how: ('free' | 'threads')[]): Promise<Prisoner> {
  const script = new URL('./prisoner.child.fixture.ts', import.meta.url);
  const args = [String(process.pid), String(port), String(2 ** 28), ...how];
  const child = startBare({ script, args, directory, stdin: 'ignore', heapMiB: 64 });
  const [output, errors] = await Promise.all([
    text(child.stdout as NodeJS.ReadableStream),
    text(child.stderr as NodeJS.ReadableStream),
  ]);
  if (output === '') throw new Error(`the prisoner said nothing: ${errors}`);
  return JSON.parse(output);
}

afterAll(() => {
  server.close();
  rmSync(directory, { recursive: true, force: true });
});

const onLinux = process.platform === 'linux';
const { layers, succeeded } = onLinux ? await prisoner() : { layers: [], succeeded: {} };
const seccomp = { what: 'seccomp', present: layers.includes('seccomp') };

// The name of this test says which layers hold on the machine that runs it.
describe(`a process that locked itself down (here: ${layers.join(', ') || 'no layer'})`, () => {
  itNeeds(
    { what: 'Linux on x64 or arm64', present: onLinux && ['x64', 'arm64'].includes(process.arch) },
    'has every layer',
    () => {
      const expected = ['limits', 'no-new-privileges', 'seccomp', ...(process.getuid?.() === 0 ? ['user'] : [])];
      expect([...layers].sort()).toEqual(expected.sort());
    },
  );

  itNeeds(seccomp, 'can do nothing of what hostile native code would try', () => {
    expect(Object.entries(succeeded).filter(([, did]) => did)).toEqual([]);
  });

  itNeeds(seccomp, 'can do no more when it may start threads', async () => {
    const other = await prisoner('threads');
    expect(other.layers).toEqual(layers);
    expect(Object.entries(other.succeeded).filter(([, did]) => did)).toEqual([]);
  });

  itNeeds(seccomp, 'could do it before: the attempts are real', async () => {
    const free = await prisoner('free');
    const needsMore = ['becomes root', 'uses io_uring'];
    const failed = Object.entries(free.succeeded).filter(([what, did]) => !did && !needsMore.includes(what));
    expect(failed).toEqual([]);
  });
});

describe('seccompFilter', () => {
  it('is null for a processor that it does not know', async () => {
    const { seccompFilter } = await import('./seccomp.ts');
    const { COMPUTE } = await import('./system-calls.ts');
    expect(seccompFilter(COMPUTE, 'riscv64')).toBeNull();
    expect(seccompFilter(COMPUTE, 'arm64')?.length).toBeGreaterThan(0);
  });
});

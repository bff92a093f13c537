import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { readSettings } from '@call-analytics/service-kit';
import { itNeeds } from '@call-analytics/test/requirements.fixture.ts';
import { afterAll, describe, expect, it } from '@jest/globals';
import { transcriptionSettings } from '../settings.ts';
import { requireIsolation, startIsolated } from './isolated-process.ts';
import type { Layer } from './lock-down.ts';

interface Attack {
  layers: Layer[];
  succeeded: Record<string, boolean>;
}

const directory = mkdtempSync(join(tmpdir(), 'attacker-'));
const server = createServer((socket) => socket.destroy());
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const port = (server.address() as { port: number }).port;

async function attack(...how: ('free' | 'threads')[]): Promise<Attack> {
  const script = new URL('./attacker.child.fixture.ts', import.meta.url);
  const args = [String(process.pid), String(port), String(2 ** 28), ...how];
  const child = startIsolated({ script, args, directory, stdin: 'ignore' });
  const [output, errors] = await Promise.all([
    text(child.stdout as NodeJS.ReadableStream),
    text(child.stderr as NodeJS.ReadableStream),
  ]);
  if (output === '') throw new Error(`the attacker wrote nothing: ${errors}`);
  return JSON.parse(output);
}

afterAll(() => {
  server.close();
  rmSync(directory, { recursive: true, force: true });
});

const onLinux = process.platform === 'linux';
const { layers, succeeded } = onLinux ? await attack() : { layers: [], succeeded: {} };
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
    const other = await attack('threads');
    expect(other.layers).toEqual(layers);
    expect(Object.entries(other.succeeded).filter(([, did]) => did)).toEqual([]);
  });

  itNeeds(seccomp, 'could do it before: the attempts are real', async () => {
    const free = await attack('free');
    const needsMore = ['becomes root', 'uses io_uring'];
    const failed = Object.entries(free.succeeded).filter(([what, did]) => !did && !needsMore.includes(what));
    expect(failed).toEqual([]);
  });
});

describe('seccompFilter', () => {
  it('is null for a processor that it does not know', async () => {
    const { seccompFilter } = await import('./seccomp.ts');
    const { COMPUTE } = await import('./seccomp.ts');
    expect(seccompFilter(COMPUTE, 'riscv64')).toBeNull();
    expect(seccompFilter(COMPUTE, 'arm64')?.length).toBeGreaterThan(0);
  });
});

const supported = {
  what: 'Linux on x64 or arm64',
  present: process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch),
};
const MEMORY_BYTES = 512 * 2 ** 20;

describe('DECODER_ISOLATION', () => {
  it('is preferred by default, and one of two words', () => {
    expect(readSettings(transcriptionSettings, {}).DECODER_ISOLATION).toBe('preferred');
    expect(() => readSettings(transcriptionSettings, { DECODER_ISOLATION: 'yes' })).toThrow('DECODER_ISOLATION');
  });

  itNeeds(supported, 'required lets the service start where the decoder can be isolated', async () => {
    expect(await requireIsolation(MEMORY_BYTES)).toEqual(
      expect.arrayContaining(['limits', 'no-new-privileges', 'seccomp']),
    );
  });
});

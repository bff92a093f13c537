import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import LongestFirst from './longest-first.sequencer.ts';

const LARGE = 'libs/calls/large.test.ts';
const CONTRACT = 'libs/calls/contract.test.ts';
const SERVERS = 'libs/calls/small.servers.test.ts';
const WHOLE = 'test/chaos/small.test.ts';
const FILES = {
  [LARGE]: '// A large file.'.repeat(9),
  [CONTRACT]: "from './a.suite.ts';\n",
  [SERVERS]: '',
  [WHOLE]: '',
};

let rootDir: string;
beforeAll(() => {
  rootDir = mkdtempSync(join(tmpdir(), 'order-'));
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(rootDir, file)), { recursive: true });
    writeFileSync(join(rootDir, file), text);
  }
});
afterAll(() => rmSync(rootDir, { recursive: true }));

/** The files in the order in which they start. @param seconds how long some took when they last ran */
function order(seconds: Record<string, number>): string[] {
  const sequencer = new LongestFirst({} as ConstructorParameters<typeof LongestFirst>[0]);
  Object.assign(sequencer, { time: ({ path }: { path: string }) => seconds[path.slice(rootDir.length + 1)] });
  const tests = Object.entries(FILES).map(([file, text]) => ({
    path: join(rootDir, file),
    context: { config: { cache: false, rootDir }, hasteFS: { getSize: () => text.length } },
  }));
  const sorted = sequencer.sort(tests as unknown as Parameters<typeof sequencer.sort>[0]);
  return sorted.map(({ path }) => path.slice(rootDir.length + 1));
}

it('tests that run long for their size start first as long as it is not known how long each file takes', () => {
  expect(order({}).at(-1)).toBe(LARGE);
  expect(order({ [LARGE]: 9 }).at(-1)).toBe(LARGE);
  expect(order({ [LARGE]: 9, [CONTRACT]: 1, [SERVERS]: 3, [WHOLE]: 2 })).toEqual([LARGE, SERVERS, WHOLE, CONTRACT]);
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { POINTS } from '../libs/service-kit/points.ts';
import { promisesOf } from './guarantees.reporter.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'ci-results-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PROMISED = promisesOf(readFileSync(`${ROOT}docs/guarantees.md`, 'utf8'));

/** A run in which every promise is proven, and the given statuses of the tests of some files. */
function runOf(name: string, files: Record<string, string[]>, promised = PROMISED): string {
  const proofs = [
    ...promised.map(({ file, test }) => ({ file, fullName: test })),
    ...(promised.length === 0 ? [] : POINTS).map((point) => ({
      file: 'test/e2e/kill.test.ts',
      fullName: `at ${point}`,
    })),
  ].map(({ file, fullName }) => result(file, [{ fullName, status: 'passed' }]));
  const others = Object.entries(files).map(([file, statuses]) =>
    result(
      file,
      statuses.map((status, index) => ({ fullName: `${file} test ${index}`, status })),
    ),
  );
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ testResults: [...merged(proofs), ...others] }));
  return path;
}

type Result = {
  name: string;
  status: string;
  message: string;
  assertionResults: { fullName: string; status: string }[];
};

const result = (file: string, assertionResults: Result['assertionResults']): Result => ({
  name: join(ROOT, file),
  status: assertionResults.some(({ status }) => status === 'failed') ? 'failed' : 'passed',
  message: `the message of ${file}`,
  assertionResults,
});

function merged(results: Result[]): Result[] {
  return [...Map.groupBy(results, ({ name }) => name).values()].map((same) => ({
    ...(same[0] as Result),
    assertionResults: same.flatMap(({ assertionResults }) => assertionResults),
  }));
}

function resultsOf(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['.ci/results.ts', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

describe('the result of a whole run', () => {
  it('holds when every test passed and every promise is proven', () => {
    const { status, said } = resultsOf(runOf('green.json', { 'a.test.ts': ['passed'] }));
    expect(said).toMatch(/\d+ passed, 0 failed, 0 skipped/);
    expect(status).toBe(0);
  });

  it('does not hold when a test failed twice', () => {
    const first = runOf('first.json', { 'a.test.ts': ['failed'] });
    const { status, said } = resultsOf(first, runOf('second.json', { 'a.test.ts': ['failed'] }, []));
    expect(said).toContain('failed: a.test.ts');
    expect(status).toBe(1);
  });

  it('holds when a failed test passed alone, and shows its first failure', () => {
    const first = runOf('first.json', { 'a.test.ts': ['failed', 'passed'] });
    expect(resultsOf('--repeat', first).said).toBe('a.test.ts\n');
    const { status, said } = resultsOf(first, runOf('second.json', { 'a.test.ts': ['passed', 'passed'] }, []));
    expect(said).toContain('FLAKY');
    expect(said).toContain('the message of a.test.ts');
    expect(status).toBe(0);
  });

  it('counts the earlier result of a test that was left out when failed tests of its file ran once more', () => {
    const first = runOf('first.json', { 'a.test.ts': ['failed', 'passed', 'failed'] });
    expect(resultsOf('--repeat-tests', first).said).toBe('^(a\\.test\\.ts test 0|a\\.test\\.ts test 2)$\n');
    const again = (third: string) => runOf('second.json', { 'a.test.ts': ['passed', 'pending', third] }, []);
    expect(resultsOf(first, again('passed'))).toMatchObject({ status: 0, said: expect.stringContaining(' 0 skipped') });
    expect(resultsOf(first, again('failed'))).toMatchObject({ status: 1, said: expect.stringContaining(' 1 failed') });
  });

  it('repeats nothing when more than eight files failed', () => {
    const files = Object.fromEntries([...'abcdefghi'].map((name) => [`${name}.test.ts`, ['failed']]));
    expect(resultsOf('--repeat', runOf('many.json', files)).said).toBe('');
  });

  it('does not hold when a test was skipped that must run', () => {
    const { status, said } = resultsOf(runOf('skipped.json', { 'a.test.ts': ['pending'] }));
    expect(said).toContain('skipped, but must run here: a.test.ts test 0');
    expect(status).toBe(1);
  });

  it('does not hold when a promise has no test', () => {
    const { status, said } = resultsOf(runOf('unproven.json', {}, PROMISED.slice(1)));
    expect(said).toContain(`not proven: ${PROMISED[0]?.promise}`);
    expect(status).toBe(1);
  });
});

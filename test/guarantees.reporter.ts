import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { POINTS } from '../libs/service-kit/points.ts';

/** A row of docs/guarantees.md: `| promise | file | test |`. */
export interface Promised {
  promise: string;
  file: string;
  /** A part of the test's full name. `%s`, `${...}` and `$name` stand for any text, as in the title. */
  test: string;
}

export interface Ran {
  /** From the root of the project. */
  file: string;
  fullName: string;
  status: string;
}

/** @returns the rows of the page */
export function promisesOf(page: string): Promised[] {
  return page
    .split('\n')
    .filter((line) => /^\| .* \| `[^`]+` \| /.test(line))
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()))
    .map(([promise = '', file = '', test = '']) => ({ promise, file: file.replaceAll('`', ''), test }));
}

/**
 * @param everything whether all tests ran, and so each promise must have one that passed; otherwise only files that ran
 * count
 * @returns what the run did not prove, in words
 */
export function unproven(promises: readonly Promised[], ran: readonly Ran[], everything: boolean): string[] {
  const files = new Set(ran.map(({ file }) => file));
  const withPoints = [...promises, ...POINTS.map(killedAt)];
  return withPoints.flatMap(({ promise, file, test }) => {
    if (!everything && !files.has(file)) return [];
    const title = titlePattern(test);
    // A suite runs in the test file of each adapter.
    const named = ran.filter((one) => (one.file === file || !file.endsWith('.test.ts')) && title.test(one.fullName));
    const isProven = named.some(({ status }) => status === 'passed');
    if (isProven || (!everything && named.length > 0)) return [];
    return [`${promise}: ${named.length === 0 ? 'no test is named' : 'no test passed of'} "${test}" in ${file}`];
  });
}

function killedAt(point: string): Promised {
  return { promise: `the process may die at ${point}`, file: 'test/e2e/kill.test.ts', test: `at ${point}` };
}

/** @returns what matches the test of this title */
export function titlePattern(test: string): RegExp {
  const texts = test.split(/%[a-z]|\$\{[^}]*\}|\$\w+/);
  return new RegExp(texts.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*'), 's');
}

interface Results {
  testResults: {
    testFilePath: string;
    testExecError?: unknown;
    testResults: { fullName: string; status: string }[];
  }[];
}

/** Jest's reporter that fails a run in which a promise of a file that ran has no test. CI asks for all promises. */
export default class GuaranteesReporter {
  readonly #isFiltered: boolean;
  #unproven: string[] = [];

  constructor({ testNamePattern }: { testNamePattern?: string }) {
    this.#isFiltered = Boolean(testNamePattern);
  }

  onRunComplete(_contexts: unknown, { testResults }: Results): void {
    if (this.#isFiltered) return;
    const root = fileURLToPath(new URL('../', import.meta.url));
    const ran = testResults.flatMap(({ testFilePath, testResults }) =>
      testResults.map(({ fullName, status }) => ({ file: relative(root, testFilePath), fullName, status })),
    );
    this.#unproven = unproven(promisesOf(readFileSync(`${root}docs/guarantees.md`, 'utf8')), ran, false);
    for (const each of this.#unproven) process.stderr.write(`docs/guarantees.md: not proven: ${each}\n`);
  }

  getLastError(): Error | undefined {
    return this.#unproven.length === 0 ? undefined : new Error('docs/guarantees.md promises more than this run proved');
  }
}

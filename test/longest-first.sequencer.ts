import { readFileSync } from 'node:fs';
import sequencer from '@jest/test-sequencer';

// The types of the package describe what `require` returns.
const TestSequencer = sequencer as unknown as typeof sequencer.default;
type Tests = Parameters<InstanceType<typeof TestSequencer>['sort']>[0];

/** Tests of several services, with real servers, or of a contract: they run long, and many of their files are small. */
const RUNS_LONG = /\/test\/|\.servers\.test\.ts$/;
const OF_A_CONTRACT = /\.suite\.ts';$/m;

/**
 * Jest starts the files first that took longest in the last run. On a fresh checkout it starts the largest first, and a
 * processor would have nothing to do at the end, while small files run for minutes.
 */
export default class LongestFirst extends TestSequencer {
  override sort(tests: Tests): Tests {
    const sorted = super.sort(tests) as Tests;
    if (sorted.every(({ duration }) => duration !== undefined)) return sorted;
    const runLong = new Set(
      sorted.filter(({ path }) => RUNS_LONG.test(path) || OF_A_CONTRACT.test(readFileSync(path, 'utf8'))),
    );
    return [...runLong, ...sorted.filter((test) => !runLong.has(test))];
  }
}

import { describe, expect, it } from '@jest/globals';
import { POINTS } from '../libs/service-kit/points.ts';
import { promisesOf, type Ran, unproven } from './guarantees.reporter.ts';

const PAGE = `
| Promise | File | Test |
|---|---|---|
| is never lost | \`a.test.ts\` | keeps it |
| at any %s | \`a.test.ts\` | of %s waits |
| by every adapter | \`a.suite.ts\` | keeps a segment |
`;
const promises = promisesOf(PAGE);
const kills: Ran[] = POINTS.map((point) => ({
  file: 'test/e2e/kill.test.ts',
  fullName: `a service killed at ${point} goes on`,
  status: 'passed',
}));
const passed = (file: string, fullName: string): Ran => ({ file, fullName, status: 'passed' });
const ALL = [
  passed('a.test.ts', 'the store keeps it, whatever happens'),
  passed('a.test.ts', 'a call of 502 waits for the engine'),
  passed('b.test.ts', 'in SQLite keeps a segment'),
  ...kills,
];

describe('the check of the guarantees', () => {
  it('reads the rows of the page', () => {
    expect(promises).toHaveLength(3);
    expect(promises[0]).toEqual({ promise: 'is never lost', file: 'a.test.ts', test: 'keeps it' });
  });

  it('accepts a run in which each promise has a test that passed', () => {
    expect(unproven(promises, ALL, true)).toEqual([]);
  });

  it.each(['skipped', 'pending', 'failed'])('names a promise whose only test is %s', (status) => {
    const [first, ...others] = ALL;
    const ran = [{ ...(first as Ran), status }, ...others];
    expect(unproven(promises, ran, true)).toEqual(['is never lost: no test passed of "keeps it" in a.test.ts']);
  });

  it('names a promise whose test is in another file, and a suite that ran nowhere', () => {
    const [first, second, , ...others] = ALL;
    const ran = [{ ...(first as Ran), file: 'c.test.ts' }, second as Ran, ...others];
    expect(unproven(promises, ran, true)).toEqual([
      'is never lost: no test is named "keeps it" in a.test.ts',
      'by every adapter: no test is named "keeps a segment" in a.suite.ts',
    ]);
  });

  it('names a point at which no test killed the process', () => {
    expect(unproven(promises, ALL.slice(0, -1), true)).toHaveLength(1);
  });

  it('of a part of the tests asks only about files that ran, and accepts skipped tests', () => {
    expect(unproven(promises, [{ file: 'a.test.ts', fullName: 'keeps it', status: 'pending' }], false)).toEqual([
      'at any %s: no test is named "of %s waits" in a.test.ts',
    ]);
  });
});

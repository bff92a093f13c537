import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { promisesOf, type Ran, titlePattern, unproven } from '../test/guarantees.reporter.ts';

/**
 * What a whole run of the tests says, from Jest's JSON.
 *   node .ci/results.ts --repeat RUN.json          prints the failed files, when they are few enough to run once more
 *   node .ci/results.ts --repeat-tests RUN.json    prints a pattern of the failed tests, for Jest's -t
 *   node .ci/results.ts RUN.json [FURTHER.json…]   prints the result; exit status 1 when something is not proven. Of a
 *                                                  test that ran in several runs the last one counts
 */

interface Results {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

/** More failures than these are a defect, not a machine that was short of time. */
const MAX_REPEATED = 8;
/** What is not part of the project may be absent, and the cluster has its own run; all else must run. */
const EXCUSED = /needs (the real recordings|a real recognizer|kubectl|go|a Kubernetes cluster)/;

const say = (line: string) => process.stdout.write(`${line}\n`);
const { values, positionals: runs } = parseArgs({
  options: { repeat: { type: 'boolean' }, 'repeat-tests': { type: 'boolean' } },
  allowPositionals: true,
});
if (values.repeat) {
  const failed = runs.flatMap(filesOf).filter(({ status }) => status === 'failed');
  if (failed.length <= MAX_REPEATED) for (const { name } of failed) say(name);
} else if (values['repeat-tests']) {
  const tests = runs.flatMap(filesOf).flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.filter(({ status }) => status === 'failed').map(({ fullName }) => titlePattern(fullName).source);
  say(failed.length === 0 ? '' : `^(${failed.join('|')})$`);
} else process.exitCode = report(runs.map(filesOf));

function filesOf(path: string): Results['testResults'] {
  const root = process.cwd();
  const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as Results;
  return testResults.map((file) => ({ ...file, name: relative(root, file.name) }));
}

/** A run of some tests of a file leaves out the others: their earlier results count. */
function withEarlier(
  file: Results['testResults'][number],
  earlier: Results['testResults'][number] | undefined,
): Results['testResults'][number] {
  const before = new Map(earlier?.assertionResults.map((test) => [test.fullName, test]));
  const isLeftOut = ({ status }: { status: string }) => status === 'pending';
  return {
    ...file,
    assertionResults: file.assertionResults.map((test) => (isLeftOut(test) && before.get(test.fullName)) || test),
  };
}

function report(runs: Results['testResults'][]): number {
  const all = runs.flat();
  const last = new Map<string, Results['testResults'][number]>();
  for (const file of all) last.set(file.name, withEarlier(file, last.get(file.name)));
  const ran: Ran[] = [...last.values()].flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({ file: name, fullName, status })),
  );
  const withStatus = (...statuses: string[]) => ran.filter(({ status }) => statuses.includes(status));
  const skipped = withStatus('pending', 'todo', 'skipped');
  const failed = [...last.values()].filter(({ status }) => status === 'failed').map(({ name }) => name);
  const flaky = all.filter(({ name, status }) => status === 'failed' && !failed.includes(name));
  const problems = [
    ...failed.map((name) => `failed: ${name}`),
    ...skipped
      .filter(({ fullName }) => !EXCUSED.test(fullName))
      .map(({ fullName }) => `skipped, but must run here: ${fullName}`),
    ...unproven(promisesOf(readFileSync('docs/guarantees.md', 'utf8')), ran, true).map(
      (promise) => `docs/guarantees.md: not proven: ${promise}`,
    ),
  ];
  for (const { fullName } of skipped) say(`skipped: ${fullName}`);
  for (const { name, message } of flaky) say(`FLAKY, passed only when it ran again, alone: ${name}\n${message}`);
  for (const problem of problems) say(problem);
  say(`${withStatus('passed').length} passed, ${withStatus('failed').length} failed, ${skipped.length} skipped`);
  return problems.length === 0 ? 0 : 1;
}

import { writeFileSync } from 'node:fs';
import { describeMachine, disturbance, processorTime } from './machine.ts';
import type { Measure, Result } from './measure.ts';
import { isNamedBy, readOptions } from './options.ts';
import { table } from './table.ts';
import { Workspace } from './workspace.ts';

export interface Surroundings {
  /** Where temporary files go, and thereby the disk that is measured. */
  tmp: string;
  /** The table and the JSON. */
  print(text: string): void;
  progress(line: string): void;
}

/**
 * Runs the measures that the command line names, and tidies up whatever happens.
 * @returns the exit code: 0 when every target is met, 1 when one is missed or could not be measured
 * @throws WrongOptions
 */
export async function bench(
  args: readonly string[],
  measures: readonly Measure[],
  { tmp, print, progress }: Surroundings,
): Promise<number> {
  const options = readOptions(
    args,
    measures.map(({ name }) => name),
  );
  const chosen = measures.filter(({ name }) => options.only?.some((each) => isNamedBy(name, each)) ?? true);
  const machine = describeMachine();
  const workspace = new Workspace(tmp);
  const endAtOnce = () => {
    workspace.remove();
    process.exit(1);
  };
  process.once('SIGINT', endAtOnce).once('SIGTERM', endAtOnce);

  const results: Result[] = [];
  let broken = false;
  try {
    for (const measure of chosen) {
      const say = (line: string) => progress(`${measure.name}: ${line}`);
      try {
        const before = processorTime();
        const found = await measure.run({ workspace, quick: options.quick, full: options.full, progress: say });
        const disturbed = disturbance(before, processorTime());
        results.push(
          ...found.map((result) =>
            disturbed === null || !('notes' in result) ? result : { ...result, notes: [...result.notes, disturbed] },
          ),
        );
      } catch (error) {
        // One broken measure must not cost the numbers of the others.
        broken = true;
        say(`could not be measured: ${error instanceof Error ? error.stack : String(error)}`);
      }
    }
  } finally {
    workspace.remove();
    process.removeListener('SIGINT', endAtOnce).removeListener('SIGTERM', endAtOnce);
  }

  print(`${table(results)}\n`);
  const json = JSON.stringify({ machine, quick: options.quick, results });
  if (options.json === null) print(json);
  else writeFileSync(options.json, `${json}\n`);
  return broken || results.some((result) => 'ok' in result && !result.ok) ? 1 : 0;
}

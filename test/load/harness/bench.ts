import { writeFileSync } from 'node:fs';
import { readArguments } from '@call-analytics/service-kit';
import { describeMachine, disturbance, processorTime } from './machine.ts';
import { type Measure, type Result, table } from './measure.ts';
import { Workspace } from './workspace.ts';

interface Surroundings {
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

export interface Options {
  /** Names of measures, or of groups of them (`abuse` for all `abuse/…`); null runs all. */
  only: readonly string[] | null;
  /** Smaller sizes and fewer runs: shows that the bench works; its numbers are worth little. */
  quick: boolean;
  /** The services on their real servers, instead of the standalone product. */
  distributed: boolean;
  /** The sizes that take minutes to make. */
  full: boolean;
  /** Where the JSON goes; null is standard output. */
  json: string | null;
}

export class WrongOptions extends Error {
  override name = 'WrongOptions';
}

/**
 * @param args the command line without the program
 * @param names the measures there are
 * @throws WrongOptions saying what is allowed
 */
function readOptions(args: readonly string[], names: readonly string[]): Options {
  const usage = `npm run bench -- [--only ${names.join(',')}] [--quick] [--distributed [--full]] [--json FILE]`;
  const flag = { type: 'boolean', default: false } as const;
  const read = readArguments({
    args,
    options: { only: { type: 'string' }, quick: flag, distributed: flag, full: flag, json: { type: 'string' } },
  });
  if ('wrong' in read) throw new WrongOptions(`${read.wrong}\n${usage}`);
  const { only: chosen, json = null, ...flags } = read.values;
  const only = chosen?.split(',') ?? null;
  const unknown = only?.filter((name) => !names.some((each) => isNamedBy(each, name))) ?? [];
  if (unknown.length > 0) throw new WrongOptions(`No such measure: ${unknown.join(', ')}\n${usage}`);
  return { only, json, ...flags };
}

/** @param name of a measure or, for all measures `NAME/…`, of their group */
export function isNamedBy(measure: string, name: string): boolean {
  return measure === name || measure.startsWith(`${name}/`);
}

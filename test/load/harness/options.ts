import { parseArgs } from 'node:util';

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
export function readOptions(args: readonly string[], names: readonly string[]): Options {
  const usage = `npm run bench -- [--only ${names.join(',')}] [--quick] [--distributed [--full]] [--json FILE]`;
  let values: { only?: string; quick?: boolean; distributed?: boolean; full?: boolean; json?: string };
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        only: { type: 'string' },
        quick: { type: 'boolean' },
        distributed: { type: 'boolean' },
        full: { type: 'boolean' },
        json: { type: 'string' },
      },
    }));
  } catch (error) {
    throw new WrongOptions(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
  const only = values.only?.split(',') ?? null;
  const unknown = only?.filter((name) => !names.some((each) => isNamedBy(each, name))) ?? [];
  if (unknown.length > 0) throw new WrongOptions(`No such measure: ${unknown.join(', ')}\n${usage}`);
  return {
    only,
    quick: values.quick ?? false,
    distributed: values.distributed ?? false,
    full: values.full ?? false,
    json: values.json ?? null,
  };
}

/** @param name of a measure or, for all measures `NAME/…`, of their group */
export function isNamedBy(measure: string, name: string): boolean {
  return measure === name || measure.startsWith(`${name}/`);
}

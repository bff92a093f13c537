import type { Workspace } from './workspace.ts';

/** One subject of the bench. */
export interface Measure {
  name: string;
  run(context: Context): Promise<Result[]>;
}

export interface Context {
  workspace: Workspace;
  quick: boolean;
  /** The sizes that take minutes to make. */
  full: boolean;
  /** Shown while the bench runs. */
  progress(line: string): void;
}

interface Figure {
  median: number;
  min: number;
  max: number;
  runs: number;
}

export type Target = { atLeast: number } | { atMost: number };

/** A line of the table: a judged value beside what it was made of. */
export interface Row {
  what: string;
  /** Of `ours` and `floor`. */
  unit: string;
  ours: Figure;
  floor: Figure | null;
  /** What is held against the target. */
  value: number;
  /** `x` for a ratio to the floor. */
  valueUnit: string;
  target: Target;
  ok: boolean;
  /** What one must know to believe the line. */
  notes: string[];
}

/** A line that could not be measured here. It is no miss, and it is never silent. */
interface Skipped {
  what: string;
  skipped: string;
}

export type Result = Row | Skipped;

/** @param values at least one */
export function figure(values: readonly number[]): Figure {
  return { median: percentile(values, 0.5), min: Math.min(...values), max: Math.max(...values), runs: values.length };
}

/** @param values at least one @param share 0 to 1 */
function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

/** A ratio of medians against a floor of the same run. The notes gain the spread of the ratio from pair to pair. */
export function compared(
  what: string,
  unit: string,
  { ours, floor }: { ours: readonly number[]; floor: readonly number[] },
  target: Target,
  notes: string[] = [],
): Row {
  const value = figure(ours).median / figure(floor).median;
  const ratios = ours.flatMap((one, run) => (floor[run] === undefined ? [] : [one / floor[run]]));
  const spread =
    ratios.length > 1
      ? [`from pair to pair ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`]
      : [];
  return {
    what,
    unit,
    ours: figure(ours),
    floor: figure(floor),
    value,
    valueUnit: 'x',
    target,
    ok: meets(value, target),
    notes: [...spread, ...notes],
  };
}

/** What ours takes more than the floor: the difference of the medians of the same run. */
export function beyond(
  what: string,
  unit: string,
  { ours, floor }: { ours: readonly number[]; floor: readonly number[] },
  target: Target,
  notes: string[] = [],
): Row {
  const value = figure(ours).median - figure(floor).median;
  return {
    what,
    unit,
    ours: figure(ours),
    floor: figure(floor),
    value,
    valueUnit: unit,
    target,
    ok: meets(value, target),
    notes,
  };
}

/** A value that has to keep a bound of its own. @param value what is judged: by default the median */
export function bounded(
  what: string,
  unit: string,
  ours: readonly number[],
  target: Target,
  { value = figure(ours).median, notes = [] }: { value?: number; notes?: string[] } = {},
): Row {
  return {
    what,
    unit,
    ours: figure(ours),
    floor: null,
    value,
    valueUnit: unit,
    target,
    ok: meets(value, target),
    notes,
  };
}

/** A value that is not a number (nothing was measured) meets no target. */
function meets(value: number, target: Target): boolean {
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
}

/**
 * Runs both in turn (ours, floor, ours, floor, ...), so that what else the machine does meets both alike. The first run
 * of each only warms up and is not counted.
 * @returns what each run returned
 */
export async function interleaved<T>(
  runs: number,
  ours: () => Promise<T>,
  floor: () => Promise<T>,
): Promise<{ ours: T[]; floor: T[] }> {
  await ours();
  await floor();
  const measured: { ours: T[]; floor: T[] } = { ours: [], floor: [] };
  for (let run = 0; run < runs; run += 1) {
    measured.ours.push(await ours());
    measured.floor.push(await floor());
  }
  return measured;
}

/** @returns the results as text for people */
export function table(results: readonly Result[]): string {
  const header = ['measure', 'ours', 'floor', 'value', 'target', 'ok'];
  const lines = results.map((result) =>
    'skipped' in result
      ? [result.what, `skipped: ${result.skipped}`, '', '', '', '-']
      : [
          result.what,
          shown(result.ours, result.unit),
          result.floor === null ? '-' : shown(result.floor, result.unit),
          `${number(result.value)} ${result.valueUnit}`,
          bound(result.target),
          result.ok ? 'yes' : 'NO',
        ],
  );
  const widths = header.map((title, column) =>
    Math.max(title.length, ...lines.map((line) => line[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  const rows = results.flatMap((result, index) => [
    line(lines[index] ?? []),
    ...('notes' in result ? result.notes.map((note) => `    ${note}`) : []),
  ]);
  return [line(header), rule, ...rows].join('\n');
}

function shown({ median, min, max, runs }: Figure, unit: string): string {
  return runs === 1
    ? `${number(median)} ${unit}`
    : `${number(median)} ${unit} (${number(min)} to ${number(max)}, n=${runs})`;
}

function bound(target: Target): string {
  return 'atLeast' in target ? `>= ${target.atLeast}` : `<= ${target.atMost}`;
}

function number(value: number): string {
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);
}

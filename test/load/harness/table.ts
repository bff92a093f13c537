import type { Figure, Result, Target } from './measure.ts';

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

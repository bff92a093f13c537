import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(`${root}docs/guarantees.md`, 'utf8');

// A row is `| promise | file | test |`; the test's name, or the sentence that begins it, stands in that file.
const rows = page
  .split('\n')
  .filter((line) => /^\| .* \| `[^`]+` \| /.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()))
  .map(([promise = '', file = '', test = '']) => ({ promise, file: file.replaceAll('`', ''), test }));

describe('docs/guarantees.md', () => {
  it('holds promises', () => {
    expect(rows.length).toBeGreaterThan(20);
  });

  it.each(rows)('names a test that exists for: $promise', ({ file, test }) => {
    expect(existsSync(`${root}${file}`)).toBe(true);
    expect(readFileSync(`${root}${file}`, 'utf8')).toContain(test);
  });
});

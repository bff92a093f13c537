import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { POINTS } from '../../libs/service-kit/points.ts';

const KILL_TEST = fileURLToPath(new URL('../e2e/kill.test.ts', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));

it('every named point is one at which the service is killed in a test', () => {
  const text = readFileSync(KILL_TEST, 'utf8');
  expect(POINTS.filter((point) => !text.includes(`'${point}'`) && !text.includes(`at ${point}`))).toEqual([]);
});

it('every named point is a place in the code', () => {
  const code = ['libs', 'services']
    .flatMap((folder) =>
      readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).map((file) => `${root}${folder}/${file}`),
    )
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  expect(POINTS.filter((point) => !code.includes(`point('${point}'`))).toEqual([]);
});

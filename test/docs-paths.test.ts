import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const pages = globSync('{*,{docs,deploy,k8s,libs,services,test}/**/*}.md', {
  cwd: root,
  exclude: (path) => path.endsWith('node_modules'),
});
const NAMED = /`((?:services|libs|test|deploy|docs|k8s|\.ci)\/[\w@./-]+)`/g;
/** What a newcomer looks for first. */
const SUBJECTS = [
  'cut into segments',
  'lease renewed',
  'upload limited',
  'retry',
  'circuit breaker',
  'backpressure',
  'graceful shutdown',
  'rate limit',
  'timeout',
  'dead letter',
  'alert',
  'operation of the api',
  'outbox',
  'idempotency key',
  'reconnect',
];

describe('the documentation', () => {
  it.each(pages)('%s names only files and folders that exist', (page) => {
    const named = [...read(page).matchAll(NAMED)].map(([, path = '']) => path);
    expect(named.filter((path) => !existsSync(`${root}${path}`))).toEqual([]);
  });

  it.each(SUBJECTS)('says in which file of the code the subject "%s" is', (subject) => {
    const rows = read('docs/architecture.md')
      .split('\n')
      .filter((line) => line.startsWith('| '));
    const answers = rows.filter((row) => row.split('|')[1]?.toLowerCase().includes(subject));
    expect(answers.flatMap((row) => [...row.matchAll(NAMED)])).not.toEqual([]);
  });
});

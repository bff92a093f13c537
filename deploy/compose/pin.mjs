// Pins the images of docker-compose.yml to the digests that their registries tell: `npm run compose:pin` writes them to
// .env. A tag can be moved to other contents; a digest names the contents.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { argumentsOf } from '../arguments.mjs';

const USAGE = `Pulls the images of docker-compose.yml and writes their digests to FILE.

  npm run compose:pin [-- FILE]   FILE is .env by default`;

/** The settings of docker-compose.yml that name images, each with its default. */
export function imagesOf(compose) {
  return Object.fromEntries(
    [...compose.matchAll(/\$\{(\w+_IMAGE):-([^}]+)\}/g)].map(([, name, image]) => [name, image]),
  );
}

/**
 * @param {string} image with its tag
 * @param {string[]} repoDigests of the image, as `docker image inspect` tells them
 * @returns {string | null} the image with tag and digest; null when it was built on this machine and has none
 */
export function pinned(image, repoDigests) {
  const repository = image.replace(/:[^/:]*$/, '');
  const own = repoDigests.find(
    (each) => each.startsWith(`${repository}@`) || each.startsWith(`docker.io/library/${repository}@`),
  );
  return own === undefined ? null : `${image}@${own.slice(own.indexOf('@') + 1)}`;
}

/** @returns {string} the text of .env with these settings, in place of earlier values */
export function withImages(text, images) {
  const names = Object.keys(images);
  const kept = text.split('\n').filter((line) => !names.some((name) => line.startsWith(`${name}=`)));
  while (kept.at(-1) === '') kept.pop();
  return [...kept, ...names.map((name) => `${name}=${images[name]}`), ''].join('\n');
}

function digestsOf(image) {
  const docker = (...args) => execFileSync('docker', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  docker('pull', '--quiet', image);
  return JSON.parse(docker('image', 'inspect', '--format', '{{json .RepoDigests}}', image)) ?? [];
}

function pin(file) {
  const images = imagesOf(readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8'));
  const found = Object.entries(images).map(([name, image]) => [name, pinned(image, digestsOf(image))]);
  const unknown = found.filter(([, image]) => image === null).map(([name]) => images[name]);
  if (unknown.length > 0)
    throw new Error(`no digest is known of ${unknown.join(', ')}: pull the image from its registry`);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  writeFileSync(`${file}.new`, withImages(before, Object.fromEntries(found)), { mode: 0o600, flag: 'wx' });
  renameSync(`${file}.new`, file);
  for (const [name, image] of found) process.stdout.write(`${name}=${image}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    const args = argumentsOf(USAGE, 1);
    if (args !== null) pin(args[0] ?? '.env');
  } catch (error) {
    process.stderr.write(`Nothing was pinned: ${error.message}\n`);
    process.exitCode = 1;
  }
}

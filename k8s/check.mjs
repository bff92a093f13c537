// Checks that a cluster can run an overlay, before it is applied: `npm run k8s:check -- k8s/overlays/local`. Plain
// JavaScript without packages, because it runs before `npm ci`.
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { argumentsOf } from '../deploy/arguments.mjs';

const USAGE = `Checks that the cluster of kubectl can run an overlay. Exits with 1 when it cannot.

  npm run k8s:check [-- OVERLAY]   OVERLAY is k8s/overlays/local by default`;

/** Older versions get no fixes any more. */
const OLDEST = [1, 30];

/**
 * @param {{ serverVersion: { major: string, minor: string }, apis: string[], hasStorage: boolean }} cluster `apis` are
 *   the API groups with versions that the cluster serves; `hasStorage` when it has a default StorageClass or volumes
 * @param {string} rendered the objects of the overlay, as YAML
 * @returns {string[]} what keeps the overlay from working, and what to do; empty when nothing does
 */
export function problems({ serverVersion, apis, hasStorage }, rendered) {
  const [major, minor] = [serverVersion.major, serverVersion.minor].map((part) => Number.parseInt(part, 10));
  const found = [];
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
    found.push(`The cluster runs Kubernetes ${major}.${minor}. It must be ${OLDEST.join('.')} or later: upgrade it.`);
  const needs = {
    'keda.sh/v1alpha1': 'KEDA is not installed: install it (https://keda.sh), or remove the component keda.',
    'monitoring.coreos.com/v1':
      'The Prometheus operator is not installed: install it, or remove the component prometheus.',
    'external-secrets.io/v1':
      'The External Secrets Operator is not installed: install it, or remove the component external-secrets.',
  };
  for (const [api, problem] of Object.entries(needs))
    if (rendered.includes(`apiVersion: ${api}\n`) && !apis.includes(api)) found.push(problem);
  if (rendered.includes('volumeClaimTemplates:') && !hasStorage)
    found.push(
      'The cluster has no default StorageClass and no PersistentVolume: add one, or the servers stay Pending.',
    );
  for (const [, name] of rendered.matchAll(/^ {2}(MONGODB_URL|RABBITMQ_URL|S3_SECRET_KEY|ACCOUNTS_SECRET): ""$/gm))
    if (!found.some((each) => each.startsWith(name))) found.push(`${name} is empty: fill it in in secrets/*.env.`);
  if (/calls\.example\.com/.test(rendered))
    found.push(
      'The host is still calls.example.com: set yours in PUBLIC_URL of api-gateway and accounts, and the Ingress.',
    );
  // KEDA asks the namespace in the address, which `namespace` of an overlay does not change.
  const [, asked] = /url: http:\/\/dispatcher\.([^.]+)\.svc/.exec(rendered) ?? [];
  if (asked !== undefined && !rendered.includes(`  namespace: ${asked}\n`))
    found.push(`KEDA asks the dispatcher of the namespace ${asked}: patch url in the ScaledObjects of your overlay.`);
  if (/@sha256:0{64}$/m.test(rendered))
    found.push('The image has no digest: set newName and digest under images in kustomization.yaml.');
  return found;
}

// What it writes on stderr is in the error.
const kubectl = (...args) => execFileSync('kubectl', args, { encoding: 'utf8', maxBuffer: 2 ** 26, stdio: 'pipe' });

/** @throws when kubectl is missing, the cluster does not answer, or the overlay does not render; kubectl says why */
export function check(overlay) {
  const { serverVersion } = JSON.parse(kubectl('version', '--output', 'json'));
  const classes = JSON.parse(kubectl('get', 'storageclass', '--output', 'json')).items;
  const isDefault = ({ metadata }) => metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true';
  const hasStorage = classes.some(isDefault) || JSON.parse(kubectl('get', 'pv', '--output', 'json')).items.length > 0;
  return problems(
    { serverVersion, apis: kubectl('api-versions').split('\n'), hasStorage },
    kubectl('kustomize', overlay),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    const args = argumentsOf(USAGE, 1);
    if (args !== null) {
      const found = check(args[0] ?? 'k8s/overlays/local');
      process.stdout.write(found.length === 0 ? 'The cluster can run it.\n' : `${found.join('\n')}\n`);
      process.exitCode = found.length === 0 ? 0 : 1;
    }
  } catch (error) {
    process.stderr.write(`${(error.stderr || error.message).trim()}\n`);
    process.exitCode = 1;
  }
}

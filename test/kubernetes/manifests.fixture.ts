import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

/** A Kubernetes object, as far as the tests look into it. */
export interface Manifest {
  kind: string;
  metadata: { name: string };
  // biome-ignore lint/suspicious/noExplicitAny: it differs from kind to kind, and only tests read it
  spec: any;
  data?: Record<string, string>;
}

export const OVERLAYS = ['local', 'production'] as const;
export const COMPONENTS = ['keda', 'prometheus', 'otel', 'ingress', 'external-secrets', 'backup'];

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Copies the manifests and gives them secrets of their own. The checkout and its secrets stay as they are.
 * @param components of another overlay, `all`
 * @param under what `all` is made of: the base, or an overlay
 * @returns the folder of the copy, which the caller removes
 */
export function copyManifests(components: readonly string[] = [], under?: (typeof OVERLAYS)[number]): string {
  const folder = mkdtempSync(join(tmpdir(), 'k8s-'));
  const isSecret = /overlays\/\w+\/secrets$/;
  for (const each of ['k8s', 'deploy'])
    cpSync(join(root, each), join(folder, each), { recursive: true, filter: (path) => !isSecret.test(path) });
  for (const overlay of OVERLAYS)
    execFileSync(process.execPath, [join(folder, 'k8s/init.mjs'), overlay], { stdio: 'ignore' });
  const all = join(folder, 'k8s/overlays/all');
  mkdirSync(all);
  const resources = [under === undefined ? '../../base' : `../${under}`];
  const paths = components.map((name) => `../../components/${name}`);
  writeFileSync(join(all, 'kustomization.yaml'), JSON.stringify({ resources, components: paths }));
  return folder;
}

/** @returns the objects of a kustomization, as kubectl renders them */
export function render(path: string): Manifest[] {
  const text = execFileSync('kubectl', ['kustomize', path], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}

/** @returns the objects of an overlay */
export function renderOverlay(overlay: (typeof OVERLAYS)[number]): Manifest[] {
  const folder = copyManifests();
  try {
    return render(join(folder, 'k8s/overlays', overlay));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

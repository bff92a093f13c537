import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { until } from '../until.fixture.ts';

/** The namespace of the local overlay. */
export const NAMESPACE = 'call-analytics';

/** Runs kubectl. @throws with what it wrote on stderr */
export async function kubectl(...args: string[]): Promise<string> {
  return (await promisify(execFile)('kubectl', args, { maxBuffer: 2 ** 26 })).stdout;
}

/** Runs kubectl in the namespace of the product. */
export function inNamespace(...args: string[]): Promise<string> {
  return kubectl('-n', NAMESPACE, ...args);
}

/** @returns an object or a list, as the API server has it */
// biome-ignore lint/suspicious/noExplicitAny: objects of many kinds, read by tests only
export async function get(...args: string[]): Promise<any> {
  return JSON.parse(await inNamespace('get', ...args, '--output', 'json'));
}

/** Sends an object to the API server. @param args where to, when it is not a resource of its own */
export async function create(object: object, ...args: string[]): Promise<string> {
  const running = promisify(execFile)('kubectl', ['create', ...args, '-f', '-']);
  running.child.stdin?.end(JSON.stringify(object));
  return (await running).stdout;
}

export function scale(what: string, replicas: number): Promise<string> {
  return inNamespace('scale', what, `--replicas=${replicas}`);
}

export interface Pod {
  metadata: { name: string; deletionTimestamp?: string };
  status: { containerStatuses?: { restartCount: number }[] };
}

/** @returns the pods of a service that are not ending */
export async function podsOf(service: string): Promise<Pod[]> {
  const { items } = await get('pods', '--selector', `app.kubernetes.io/name=${service}`);
  return (items as Pod[]).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

/** @returns the names of the pods of these services that are not ending */
export async function pods(...services: string[]): Promise<string[]> {
  return (await Promise.all(services.map(podsOf))).flat().map(({ metadata }) => metadata.name);
}

/** As `until`, for a condition that costs a call of kubectl. */
export function untilShown<T>(
  ask: () => Promise<T>,
  right: string | ((answer: T) => boolean),
  withinMs: number,
): Promise<T> {
  return until(ask, right, withinMs, 500);
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { until } from '../until.fixture.ts';

/** The namespace of the local overlay. */
export const NAMESPACE = 'call-analytics';

/** Runs kubectl. @throws with what it wrote on stderr */
export async function kubectl(...args: string[]): Promise<string> {
  return (await promisify(execFile)('kubectl', args, { maxBuffer: 2 ** 26 })).stdout;
}

/** Runs kubectl in the namespace of the product. @throws when a wait takes too long, with the pods not ready */
export function inNamespace(...args: string[]): Promise<string> {
  const running = kubectl('-n', NAMESPACE, ...args);
  return /^(wait|rollout)$/.test(args[0] ?? '') ? orWhy(running) : running;
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
  status: {
    phase: string;
    conditions?: { type: string; status: string; message?: string }[];
    containerStatuses?: { restartCount: number; state: ContainerState; lastState: ContainerState }[];
  };
}

type ContainerState = Record<string, { reason?: string; message?: string; exitCode?: number }>;

/** @returns the pods of a service that are not ending */
export async function podsOf(service: string): Promise<Pod[]> {
  const { items } = await get('pods', '--selector', `app.kubernetes.io/name=${service}`);
  return (items as Pod[]).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

/** @returns the names of the pods of these services that are not ending */
export async function pods(...services: string[]): Promise<string[]> {
  return (await Promise.all(services.map(podsOf))).flat().map(({ metadata }) => metadata.name);
}

/** @returns a paragraph for each pod that is not ready: its conditions, containers, warnings and last lines */
async function podsNotReady(): Promise<string> {
  const { items } = (await get('pods')) as { items: Pod[] };
  const isReady = ({ status }: Pod) =>
    status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
  const waiting = items.filter((pod) => pod.status.phase !== 'Succeeded' && !isReady(pod));
  const why = async ({ metadata: { name, deletionTimestamp }, status }: Pod) => {
    const ofPod = ['events', '--field-selector', `involvedObject.name=${name},type=Warning`];
    const events = ((await get(...ofPod)) as { items: { reason: string; message: string }[] }).items;
    const log = await inNamespace('logs', name, '--tail=5').catch(({ stderr }: { stderr: string }) => stderr);
    return [
      `${name} is not ready (${deletionTimestamp === undefined ? status.phase : `ending since ${deletionTimestamp}`})`,
      ...(status.conditions ?? []).flatMap(({ status, message }) => (status === 'True' || !message ? [] : [message])),
      ...(status.containerStatuses ?? []).map(({ restartCount, state, lastState }) =>
        JSON.stringify({ restartCount, state, lastState }),
      ),
      ...events.slice(-3).map(({ reason, message }) => `${reason}: ${message}`),
      log.trim(),
    ].join('\n    ');
  };
  return (await Promise.all(waiting.map(why))).join('\n');
}

/** Adds to the error of a wait which pods are not ready, and why. */
async function orWhy<T>(waiting: Promise<T>): Promise<T> {
  try {
    return await waiting;
  } catch (error) {
    const pods = await podsNotReady().catch((reason: unknown) => `no answer about the pods: ${reason}`);
    throw new Error(`${(error as Error).message}\n${pods}`, { cause: error });
  }
}

/** As `until`, for a condition that costs a call of kubectl. @throws with the pods that are not ready, and why */
export function untilShown<T>(
  ask: () => Promise<T>,
  right: string | ((answer: T) => boolean),
  withinMs: number,
): Promise<T> {
  return orWhy(until(ask, right, withinMs, 500));
}

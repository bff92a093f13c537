import { setTimeout as delay } from 'node:timers/promises';
import { type LoadReport, SEGMENTS } from '../kubernetes/clients.fixture.ts';
import { Installation, SCALED_BY_KEDA, SERVERS, SERVICES } from '../kubernetes/cluster.fixture.ts';
import { inNamespace, pods, scale } from '../kubernetes/kubectl.fixture.ts';
import { type ChaosOptions, type ChaosReport, faultCounter, faultsUntil } from './chaos.ts';
import { type Planned, planFaults } from './plan.ts';
import type { Fault } from './server-faults.ts';

const CALLS_AT_A_TIME = 4;
/** Why a worker may ask for segments whose results it cannot save. */
const CUTS_SHORT = /^transcription (loses|has no pods)|^(MongoDB|MinIO)/;
const NAMES: Record<string, string> = { mongodb: 'MongoDB', rabbitmq: 'RabbitMQ', minio: 'MinIO' };

const POD_FATES: Record<string, (installation: Installation, pod: string) => Promise<unknown>> = {
  'loses a pod': (_, pod) => deletePod(pod, '--force', '--grace-period=0'),
  'has a pod told to stop': (_, pod) => deletePod(pod),
  'has a pod evicted': (installation, pod) =>
    installation.evict(pod).catch((error: Error) => {
      // Another fault was quicker.
      if (!/NotFound|not found/.test(error.message)) throw error;
    }),
};

function deletePod(pod: string, ...how: string[]): Promise<string> {
  return inNamespace('delete', 'pod', pod, '--ignore-not-found', '--wait=false', ...how);
}

/** What may happen to an installation on Kubernetes. */
const KUBERNETES_FAULTS: Record<string, Fault<Installation>> = {
  ...Object.fromEntries(
    SERVICES.flatMap((service) =>
      Object.entries(POD_FATES).map(([what, meet]) => [
        `${service} ${what}`,
        async (installation: Installation, { choice }: Planned) => {
          const found = await pods(service);
          const pod = found[Math.floor(choice * found.length)];
          if (pod !== undefined) await meet(installation, pod);
        },
      ]),
    ),
  ),
  ...Object.fromEntries(
    SERVICES.map((service) => [
      `${service} is rolled out again`,
      async () => void (await inNamespace('rollout', 'restart', `deployment/${service}`)),
    ]),
  ),
  ...Object.fromEntries(
    Object.keys(SERVERS).flatMap((server): [string, Fault<Installation>][] => [
      [`${NAMES[server]} is killed and starts again`, (installation) => installation.kill(server)],
      [
        `${NAMES[server]} is away`,
        async (_, { forMs }) => {
          await scale(`statefulset/${server}`, 0);
          await delay(forMs);
          await scale(`statefulset/${server}`, 1);
        },
      ],
    ]),
  ),
  ...Object.fromEntries(
    SCALED_BY_KEDA.map((worker) => [
      `${worker} has no pods for a while`,
      async (installation: Installation, { forMs }: Planned) => {
        await installation.scaledByHand(worker, 0);
        await delay(forMs);
        await installation.scaledByHand(worker, null);
      },
    ]),
  ),
};

/**
 * Installs this release on the cluster of the current context; lets faults happen while recordings are uploaded; ends
 * them, waits until all is finished, and counts.
 */
export async function runChaosOnKubernetes({ minutes, seed, say }: Omit<ChaosOptions, 'calls'>): Promise<ChaosReport> {
  const installation = new Installation();
  try {
    await installation.install('this');
    const until = Date.now() + minutes * 60_000;
    const { faults, happens } = faultCounter(say);
    const load = installation.clients.load(CALLS_AT_A_TIME);
    const lanes = [0, 1].map((lane) =>
      faultsUntil(
        until,
        installation,
        KUBERNETES_FAULTS,
        planFaults(Object.keys(KUBERNETES_FAULTS), seed, lane),
        happens,
      ),
    );
    await Promise.all(lanes);
    say('no more faults');
    await heal(installation);
    const report = await load.stop();
    const paidAgain = (await installation.paid()) - report.accepted * SEGMENTS;
    const cutsShort = Object.entries(faults).reduce(
      (sum, [kind, times]) => sum + (CUTS_SHORT.test(kind) ? times : 0),
      0,
    );
    const { accepted, completed, serverErrors } = report;
    const counts: [string, unknown][] = [
      ['calls accepted', accepted],
      ['completed', completed],
      ['answers 5xx, which clients tried again', serverErrors.length],
      ['connections cut', load.cutConnections().length],
      ['segments paid for again', paidAgain],
    ];
    return { counts, faults, losses: lossesIn(report, paidAgain, cutsShort), details: [] };
  } finally {
    await installation.remove();
  }
}

function lossesIn(
  { accepted, completed, failed, unfinished, changed, total }: LoadReport,
  paidAgain: number,
  cutsShort: number,
): string[] {
  const losses = [...failed, ...unfinished.map((id) => `${id} is not finished`), ...changed];
  if (completed !== accepted) losses.push(`${accepted} calls were accepted, and ${completed} completed`);
  if (total !== accepted) losses.push(`${accepted} calls were accepted, and the account has ${total} more`);
  const most = cutsShort * CALLS_AT_A_TIME * SEGMENTS;
  if (paidAgain > most) losses.push(`${paidAgain} segments were paid for again; the faults explain ${most}`);
  if (paidAgain < 0) losses.push(`${-paidAgain} segments of accepted calls were not paid for`);
  return losses;
}

async function heal(installation: Installation): Promise<void> {
  await Promise.all(Object.keys(SERVERS).map((server) => scale(`statefulset/${server}`, 1)));
  await Promise.all(SCALED_BY_KEDA.map((worker) => installation.scaledByHand(worker, null)));
  await installation.ready();
}

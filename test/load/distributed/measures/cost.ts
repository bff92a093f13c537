import { openAsBlob } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type StandIn, startStandIn } from '@call-analytics/stand-in';
import { FILES } from '@call-analytics/stand-in/recordings';
import { canReadMemory, cpuSecondsOfTree, peakBytes } from '../../harness/machine.ts';
import { bounded, type Context, type Measure, type Result, type Target } from '../../harness/measure.ts';
import { Installation, type RunningService, type ServiceName, serverPids } from '../environment/installation.ts';

/** In processor milliseconds for a call: about twice what docs/scale.md counts with. */
const TARGETS: Record<ServiceName, Target> = {
  // First, because the gateway is ready when it answers.
  accounts: { atMost: 20 },
  transcription: { atMost: 2_000 },
  analysis: { atMost: 340 },
  'api-gateway': { atMost: 120 },
  dispatcher: { atMost: 40 },
  cleanup: { atMost: 20 },
};
const SERVICES = Object.keys(TARGETS) as ServiceName[];
const AT_A_TIME = 4;
const POLL_EVERY_MS = 2_000;
const MiB = 2 ** 20;

/**
 * The processor time of each service and server for a call of 157 s in stereo, without what they use while idle: the
 * engine of speech is the stand-in, which is not counted, and that of the analysis the rules.
 */
export const cost: Measure = {
  name: 'cost',
  async run({ workspace, quick, progress }: Context): Promise<Result[]> {
    if (!canReadMemory) return [{ what: 'Processor time for a call', skipped: 'needs /proc' }];
    const count = quick ? 8 : 24;
    const standIn = await startStandIn({ speech: 'known-text' });
    const installation = await Installation.make(workspace);
    const services = await start(installation, standIn);
    const pids = new Map([...services].map(([service, { pid }]) => [service as string, pid]));
    for (const [server, pid] of serverPids()) pids.set(server, pid);
    const { key } = await installation.account();
    const client = { url: installation.url, headers: { authorization: `Bearer ${key}` } };

    // The first calls compile the code and load the models.
    await callsOf(client, AT_A_TIME);
    const idle = await used(pids, () => delay(quick ? 10_000 : 30_000));
    const busy = await used(pids, () => callsOf(client, count));
    const perCall = (name: string) => {
      const idleSeconds = ((idle.cpu.get(name) ?? 0) / idle.seconds) * busy.seconds;
      return ((busy.cpu.get(name) ?? 0) - idleSeconds) / count;
    };
    const shownIdle = (name: string) => `idle ${(((idle.cpu.get(name) ?? 0) / idle.seconds) * 1_000).toFixed(0)} m`;
    for (const name of pids.keys())
      progress(`${name}: ${(perCall(name) * 1_000).toFixed(1)} ms for a call, ${shownIdle(name)}`);
    const results = SERVICES.map((name) =>
      bounded(`Processor time for a call of 157 s: ${name}`, 'ms', [perCall(name) * 1_000], TARGETS[name], {
        notes: [
          `${shownIdle(name)}, ${(peakBytes(pids.get(name) ?? 0) / MiB).toFixed(0)} MiB at most in its own process`,
        ],
      }),
    );
    await Promise.all([...services.values()].map((service) => service.stop()));
    await standIn.close();
    await installation.remove();
    return results;
  },
};

async function start(installation: Installation, { url, key }: StandIn): Promise<Map<ServiceName, RunningService>> {
  const settings = { OPENAI_BASE_URL: url, OPENAI_API_KEY: key, ANALYSIS_ENGINE: 'rules' };
  const started = new Map<ServiceName, RunningService>();
  for (const service of SERVICES) started.set(service, await installation.start(service, settings));
  return started;
}

/** @returns the seconds of processor time that each process has used meanwhile, with those that it started */
async function used(pids: ReadonlyMap<string, number>, act: () => Promise<unknown>) {
  const [before, began] = [all(), performance.now()];
  await act();
  const [after, seconds] = [all(), (performance.now() - began) / 1_000];
  return { cpu: new Map([...after].map(([name, value]) => [name, value - (before.get(name) ?? 0)])), seconds };

  function all() {
    return new Map([...pids].map(([name, pid]) => [name, cpuSecondsOfTree(pid)]));
  }
}

interface Client {
  url: string;
  headers: { authorization: string };
}

/** Uploads calls, a few at a time, and polls each until it is completed. */
async function callsOf(client: Client, count: number): Promise<void> {
  let left = count;
  const one = async () => {
    while (left > 0) {
      left -= 1;
      await callOf(client);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, one));
}

/** @throws Error unless the call is completed */
async function callOf({ url, headers }: Client): Promise<void> {
  const form = new FormData();
  form.set('file', await openAsBlob(`${FILES}/bundled-call.mp3`), 'bundled-call.mp3');
  const accepted = await fetch(`${url}/api/v1/calls`, { method: 'POST', body: form, headers });
  if (accepted.status !== 202) throw new Error(`${accepted.status} ${await accepted.text()}`);
  const { id } = (await accepted.json()) as { id: string };
  for (;;) {
    await delay(POLL_EVERY_MS);
    const call = (await (await fetch(`${url}/api/v1/calls/${id}`, { headers })).json()) as { status: string };
    if (call.status === 'completed') return;
    if (call.status === 'failed') throw new Error(JSON.stringify(call));
  }
}

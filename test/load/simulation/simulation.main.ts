import { Calls, type HeldLease, openSqliteCallStore } from '@call-analytics/calls';
import type { Stage } from '@call-analytics/contracts';
import { createDispatcher, dispatcherSettings } from '@call-analytics/dispatcher';
import { inProcessMessaging } from '@call-analytics/messaging';
import { makeLogger, makeMetrics, readSettings } from '@call-analytics/service-kit';
import { seeded } from '../../audio/wave.ts';
import { obey } from '../harness/child.ts';
import { SAMPLE_ANALYSIS, SAMPLE_TRANSCRIPT } from '../seed/sample.ts';
import { SimulatedTime } from './time.ts';

/** The busiest hour of an installation: an eighth of the calls of a day. */
export interface Load {
  callsPerDay: number;
  accounts: number;
  /** What is simulated, in seconds; the imports come after a fifth of it. */
  seconds: number;
  /** Calls that an account uploads at once. */
  imported: number;
}

export interface Simulated {
  /** How many calls are transcribed at a time. */
  places: number;
  inFlightPerAccount: number;
  accepted: number;
  /** During the imports: what the first call of a new account waited, in jobs (the longest that ran when it came). */
  newcomers: number[];
  /** The same of all other calls of that time, except those of the imports. */
  others: number[];
  /** The time of workers that each of the two imports got: the smaller for the larger. */
  shares: number;
  /** Processor time of each round of the dispatcher. */
  roundMs: number[];
  /** The share of its time in which the dispatcher computes. */
  busy: number;
  /** Calls that began, for each second of the dispatcher's processor time. */
  callsPerSecond: number;
  /** The share of the places that work, while calls wait. */
  utilization: number;
}

const ENGINE_SECONDS_PER_AUDIO_SECOND = 20 / 157;
const ANALYSIS_MS = 3_000;
/** A log-normal distribution with a mean of 157 s, cut at three hours. */
const LENGTH = { median: 110, sigma: 0.843, most: 10_800 };
const NEWCOMERS = 100;

await obey<null, Load, Simulated>(async () => (load) => simulate(load));

async function simulate({ callsPerDay, accounts, seconds, imported }: Load): Promise<Simulated> {
  const time = new SimulatedTime();
  time.install();
  const random = seeded(20_261_123);
  const perSecond = callsPerDay / 8 / 3_600;
  // A quarter more places than the calls of the busiest hour keep busy; three are the default of one worker.
  const places = Math.max(3, Math.ceil(perSecond * 20 * 1.25));
  const inFlightPerAccount = Math.max(4, Math.ceil(places / 4));

  const clock = { now: () => new Date(1_800_000_000_000 + time.now()) };
  const log = makeLogger('simulation', 'error');
  const metrics = makeMetrics();
  const store = openSqliteCallStore({ file: ':memory:', clock });
  // No worker dies in here, so no lease has to be renewed.
  const calls = new Calls(store, { clock, policy: { leaseMs: 7 * 86_400_000, grantMs: 3_600_000 } });
  const messaging = inProcessMessaging({ log, metrics, clock });
  await calls.announceWorker('transcription', 'simulated', places);

  interface Waiting {
    accountId: string;
    acceptedAt: number;
    seconds: number;
    /** Of the jobs that ran when it was accepted, the longest. */
    longestMs: number;
  }
  const waiting = new Map<string, Waiting>();
  const running = new Map<string, { accountId: string; beganAt: number; jobMs: number }>();
  const importBegan = (seconds / 5) * 1_000;
  /** By account, in ms. */
  const worked = new Map<string, number>();
  const newcomers: number[] = [];
  const others: number[] = [];
  const busyPlaces: number[] = [];
  let accepted = 0;

  const accept = async (accountId: string, audioSeconds: number) => {
    accepted += 1;
    const acceptedAt = time.now();
    const longestMs = Math.max(...[...running.values()].map(({ jobMs }) => jobMs));
    const audio = { key: `recording ${accepted}`, bytes: 1, format: 'mp3', seconds: audioSeconds } as const;
    const { call } = await calls.accept({ accountId, fileName: 'call.mp3', reportType: 'medium', audio });
    waiting.set(call.id, { accountId, acceptedAt, seconds: audioSeconds, longestMs });
  };
  const claim = async (callId: string, stage: Stage): Promise<HeldLease> => {
    const claimed = await calls.claim(callId, stage, 'simulated');
    if ('refused' in claimed) throw new Error(claimed.refused);
    return claimed.lease;
  };
  const pass = (ms: number) => new Promise<void>((resolve) => time.at(time.now() + ms, resolve));
  const began = (callId: string): number => {
    const call = waiting.get(callId);
    if (call === undefined) throw new Error('a call was begun twice');
    waiting.delete(callId);
    const { accountId, acceptedAt, longestMs } = call;
    const jobMs = call.seconds * ENGINE_SECONDS_PER_AUDIO_SECOND * 1_000;
    const waited = Math.max(0, time.now() - acceptedAt) / longestMs;
    if (accountId.startsWith('newcomer')) newcomers.push(waited);
    else if (!accountId.startsWith('import') && acceptedAt > importBegan) others.push(waited);
    running.set(callId, { accountId, beganAt: time.now(), jobMs });
    return jobMs;
  };
  const ended = (callId: string) => {
    const { accountId, beganAt } = running.get(callId) ?? { accountId: '', beganAt: 0 };
    running.delete(callId);
    worked.set(accountId, (worked.get(accountId) ?? 0) + time.now() - beganAt);
  };

  await messaging.consume(
    'transcription',
    async ({ data: { callId } }) => {
      const lease = await claim(callId, 'transcription');
      await pass(began(callId));
      ended(callId);
      await calls.commitTranscript(lease, { ...SAMPLE_TRANSCRIPT, utterances: [] });
      return { kind: 'done' };
    },
    { concurrency: places },
  );
  await messaging.consume(
    'analysis',
    async ({ data: { callId } }) => {
      const lease = await claim(callId, 'analysis');
      await pass(ANALYSIS_MS);
      await calls.commitAnalysis(lease, { ...SAMPLE_ANALYSIS, lines: [] });
      return { kind: 'done' };
    },
    { concurrency: Math.max(4, Math.ceil(perSecond * (ANALYSIS_MS / 1_000) * 1.5)) },
  );

  // Each round of the dispatcher asks for the queues once.
  let isRound = false;
  const dispatcher = createDispatcher({
    calls,
    store: Object.assign(Object.create(store) as typeof store, {
      queues: (now: Date) => {
        isRound = true;
        return store.queues(now);
      },
    }),
    messaging,
    log,
    metrics,
    clock,
    settings: { ...readSettings(dispatcherSettings, {}), IN_FLIGHT_PER_ACCOUNT: inFlightPerAccount },
  });
  await dispatcher.start();

  // Accounts differ as they do in life: the n-th has an n-th of the calls of the first.
  const weights = Array.from({ length: accounts }, (_, index) => 1 / (index + 1));
  const allWeights = weights.reduce((sum, weight) => sum + weight, 0);
  const anyAccount = () => {
    let left = random() * allWeights;
    const index = weights.findIndex((weight) => {
      left -= weight;
      return left <= 0;
    });
    return `account ${index}`;
  };
  const nextUpload = () => {
    void accept(anyAccount(), lengthOf(random));
    time.at(time.now() + (-Math.log(1 - random()) / perSecond) * 1_000, nextUpload);
  };
  time.at(0, nextUpload);
  // Two accounts bring equal hours of audio: one as short calls, the other as long ones.
  time.at(importBegan, () => {
    for (let n = 0; n < imported; n += 1) void accept('import of short calls', 60);
    for (let n = 0; n < imported / 10; n += 1) void accept('import of long calls', 600);
  });
  for (let n = 0; n < NEWCOMERS; n += 1) {
    const at = importBegan + ((n + 1) / (NEWCOMERS + 1)) * (seconds * 1_000 - importBegan);
    time.at(at, () => void accept(`newcomer ${n}`, 120));
  }
  const count = () => {
    busyPlaces.push(running.size / places);
    time.at(time.now() + 1_000, count);
  };
  time.at(importBegan + 1_000, count);

  const roundMs: number[] = [];
  await time.runUntil(seconds * 1_000, (tookMs) => {
    const timePasses = isRound;
    if (isRound) roundMs.push(tookMs);
    isRound = false;
    return { timePasses };
  });
  for (const callId of running.keys()) ended(callId);
  const [short = 0, long = 0] = ['import of short calls', 'import of long calls'].map((id) => worked.get(id));
  const dispatcherMs = roundMs.reduce((sum, ms) => sum + ms, 0);
  return {
    places,
    inFlightPerAccount,
    accepted,
    newcomers,
    others,
    shares: Math.min(short, long) / Math.max(short, long),
    roundMs,
    busy: dispatcherMs / (seconds * 1_000),
    callsPerSecond: (accepted - waiting.size) / (dispatcherMs / 1_000),
    utilization: busyPlaces.reduce((sum, share) => sum + share, 0) / busyPlaces.length,
  };
}

function lengthOf(random: () => number): number {
  // Box and Muller.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.min(LENGTH.most, Math.max(5, LENGTH.median * Math.exp(LENGTH.sigma * normal)));
}

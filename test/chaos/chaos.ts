import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../e2e/cluster.fixture.ts';
import { type Account, SEGMENTS } from '../faults/account.fixture.ts';
import { type Audit, auditCalls, NOTHING_LOST } from '../faults/audit.fixture.ts';
import { Deployment } from '../faults/deployment.fixture.ts';
import { startServers } from '../faults/faulty-servers.fixture.ts';
import { type Planned, planFaults } from './plan.ts';
import { PROCESS_FAULTS } from './process-faults.ts';
import { type Fault, SERVER_FAULTS } from './server-faults.ts';
import { type Uploaded, uploadAll } from './uploads.ts';

export interface ChaosOptions {
  calls: number;
  /** Of uploads and faults; what is not finished then has five more. */
  minutes: number;
  seed: number;
  /** Takes a line for each thing that happens. */
  say: (line: string) => void;
}

export interface ChaosReport {
  /** What was counted at the end, in words. */
  counts: [string, unknown][];
  /** How often each kind of fault happened. */
  faults: Record<string, number>;
  /** What was lost, in words; empty when nothing was. */
  losses: string[];
  /** What to look at when something was lost. */
  details: string[];
}

const FINISH_WITHIN_MS = 5 * 60_000;
const ACCOUNTS = 4;
const ENGINE_MS = 500;
const KEY_FOR_MS = 10_000;
/**
 * Starts everything, two copies of some; lets faults happen while recordings are uploaded; ends them, waits until all
 * is finished, and counts.
 */
export async function runChaos({
  calls,
  minutes,
  seed,
  say,
}: ChaosOptions): Promise<ChaosReport & Pick<Uploaded, 'deleted' | 'restored'> & { audit: Audit }> {
  await using removal = new AsyncDisposableStack();
  const servers = await startServers(removal);
  const deployment = await Deployment.start(servers, removal);
  await Promise.all([deployment.cluster.add('dispatcher'), deployment.cluster.add('transcription')]);
  deployment.slowEngine(ENGINE_MS);
  const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => deployment.account()));

  const until = Date.now() + minutes * 60_000;
  const { faults, happens } = faultCounter(say);
  const [uploaded] = await Promise.all([
    uploadAll(accounts, { calls, seed, until, giveUpMs: FINISH_WITHIN_MS }),
    faultsUntil(until, servers, SERVER_FAULTS, planFaults(Object.keys(SERVER_FAULTS), seed, 0), happens),
    faultsUntil(until, deployment.cluster, PROCESS_FAULTS, planFaults(Object.keys(PROCESS_FAULTS), seed, 1), happens),
    rotateKeys(deployment.cluster, accounts, until, happens),
  ]);
  say('no more faults');
  await servers.heal();
  await startThoseThatEnded(deployment.cluster);
  const audit = await auditCalls(deployment, accounts, FINISH_WITHIN_MS);
  const { deleted, restored, givenUp } = uploaded;
  const { lost, undeleted, unfinished, doneTwice, deadLetters, bugs } = audit;
  return {
    audit,
    deleted,
    restored,
    faults,
    losses: [...givenUp, ...lossesIn(audit, uploaded)],
    counts: [
      ['calls accepted, and not deleted for good', audit.accepted],
      ['completed', audit.completed],
      ...Object.entries(audit.failed).map(([reason, times]): [string, number] => [`failed: ${reason}`, times]),
      ['deleted', deleted],
      ['of them restored', restored],
      ['calls lost', lost.length],
      ['deleted for good, and there', undeleted.length],
      ['not finished', unfinished.length],
      ['more calls than uploads', audit.surplus],
      ['results made twice', doneTwice.length],
      ['attempts cut short', audit.cutShort],
      ['segments paid for twice', audit.paidTwice],
      ['recordings left', audit.recordings],
      ['dead letters', deadLetters.length],
      ['bugs', bugs.length],
    ],
    details: [...lost, ...undeleted, ...unfinished, ...doneTwice, ...deadLetters, ...bugs],
  };
}

/** @returns `happens`, which says each fault, and how often each kind happened */
export function faultCounter(say: ChaosOptions['say']) {
  const faults: Record<string, number> = {};
  const happens = (kind: string) => {
    faults[kind] = (faults[kind] ?? 0) + 1;
    say(kind);
  };
  return { faults, happens };
}

/** One account after the other gets another key while its old one is in use. */
async function rotateKeys(
  cluster: Cluster,
  accounts: readonly Account[],
  until: number,
  happens: (kind: string) => void,
): Promise<void> {
  for (let turn = 0; Date.now() < until; turn += 1) {
    await delay(KEY_FOR_MS);
    const rotated = await cluster.rotateKey((accounts[turn % accounts.length] as Account).client).then(
      () => true,
      () => false,
    );
    if (rotated) happens('an account gets a new key, and its old ones are revoked');
  }
}

export async function faultsUntil<On>(
  until: number,
  on: On,
  catalogue: Record<string, Fault<On>>,
  plan: Iterable<Planned>,
  happens: (kind: string) => void,
): Promise<void> {
  for (const planned of plan) {
    await delay(planned.afterMs);
    if (Date.now() >= until) return;
    happens(planned.kind);
    await catalogue[planned.kind]?.(on, planned);
  }
}

async function startThoseThatEnded({ members }: Cluster): Promise<void> {
  await Promise.all(members.filter(({ process }) => !process.running).map((member) => member.start()));
}

function lossesIn(audit: Audit, { unreadable, restored }: Uploaded): string[] {
  const { failed, paidTwice, cutShort, accepted, completed, ...rest } = audit;
  const failures = Object.values(failed).reduce((sum, count) => sum + count, 0);
  const losses = Object.keys(rest).filter((name) => {
    const key = name as keyof typeof rest;
    return JSON.stringify(rest[key]) !== JSON.stringify(NOTHING_LOST[key]);
  });
  if (failures !== unreadable) losses.push(`${failures} calls failed, and ${unreadable} recordings could not be read`);
  if (completed + failures !== accepted)
    losses.push(`${accepted} calls were accepted, and ${completed + failures} are finished`);
  // A try that is cut short, also by a deletion, may have asked for each segment of its call without saving one.
  if (paidTwice > (cutShort + restored) * SEGMENTS)
    losses.push(`${paidTwice} segments were paid for twice, but only ${cutShort + restored} attempts were cut short`);
  return losses;
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../e2e/cluster.ts';
import { PIECES } from '../faults/recording.ts';
import { startServers } from '../faults/servers.ts';
import { Site } from '../faults/site.ts';
import { NOTHING_LOST, type Stock, takeStock } from '../faults/stock.ts';
import { type Planned, planFaults } from './plan.ts';
import { PROCESS_FAULTS } from './process-faults.ts';
import { type Fault, SERVER_FAULTS } from './server-faults.ts';
import { uploadAll } from './uploads.ts';

export interface ChaosOptions {
  calls: number;
  /** Of uploads and faults; what is not finished then has five more. */
  minutes: number;
  seed: number;
  /** Takes a line for each thing that happens. */
  say: (line: string) => void;
}

export interface ChaosReport {
  stock: Stock;
  /** How often each kind of fault happened. */
  faults: Record<string, number>;
  /** What was lost, in words; empty when nothing was. */
  losses: string[];
}

const FINISH_WITHIN_MS = 5 * 60_000;
const ACCOUNTS = 4;
const ENGINE_MS = 500;
/** Starts everything, two copies of some; lets faults happen while recordings are uploaded; ends them, waits until all is finished, and counts. */
export async function runChaos({ calls, minutes, seed, say }: ChaosOptions): Promise<ChaosReport> {
  await using removal = new AsyncDisposableStack();
  const servers = await startServers(removal);
  const site = await Site.start(servers, removal);
  await Promise.all([site.cluster.add('dispatcher'), site.cluster.add('transcription')]);
  site.slowEngine(ENGINE_MS);
  const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => site.account()));

  const until = Date.now() + minutes * 60_000;
  const faults: Record<string, number> = {};
  const happens = (kind: string) => {
    faults[kind] = (faults[kind] ?? 0) + 1;
    say(kind);
  };
  const [{ unreadable, givenUp }] = await Promise.all([
    uploadAll(accounts, { calls, seed, until, giveUpMs: FINISH_WITHIN_MS }),
    faultsUntil(until, servers, SERVER_FAULTS, planFaults(Object.keys(SERVER_FAULTS), seed, 0), happens),
    faultsUntil(until, site.cluster, PROCESS_FAULTS, planFaults(Object.keys(PROCESS_FAULTS), seed, 1), happens),
  ]);
  say('no more faults');
  await servers.heal();
  await startThoseThatEnded(site.cluster);
  const stock = await takeStock(site, accounts, FINISH_WITHIN_MS);
  return { stock, faults, losses: [...givenUp, ...lossesIn(stock, unreadable)] };
}

async function faultsUntil<On>(
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

function lossesIn(stock: Stock, unreadable: number): string[] {
  const { failed, paidTwice, cutShort, accepted, completed, ...rest } = stock;
  const failures = Object.values(failed).reduce((sum, count) => sum + count, 0);
  const losses = Object.keys(rest).filter((name) => {
    const key = name as keyof typeof rest;
    return JSON.stringify(rest[key]) !== JSON.stringify(NOTHING_LOST[key]);
  });
  if (failures !== unreadable) losses.push(`${failures} calls failed, and ${unreadable} recordings could not be read`);
  if (completed + failures !== accepted)
    losses.push(`${accepted} calls were accepted, and ${completed + failures} are finished`);
  // A try that is cut short may have asked for each segment of its call without saving one.
  if (paidTwice > cutShort * PIECES)
    losses.push(`${paidTwice} segments were paid for twice, but only ${cutShort} tries were cut short`);
  return losses;
}

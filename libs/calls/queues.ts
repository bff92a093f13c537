import { DEPENDENCIES, type Dependency, type Stage } from '@call-analytics/contracts';
import type { Call } from './record.ts';

// What the dispatcher and the API know about waiting calls, and what the adapters share to answer it.

/** What is in flight in a stage. */
export interface InFlight {
  /** Calls that are granted and not yet claimed. */
  granted: number;
  /** Calls that are being worked on. */
  leased: number;
  /** Both together, for each account that has any. */
  ofAccount: ReadonlyMap<string, number>;
}

/** An account's calls that are ready for a stage: neither leased nor granted nor delayed. */
export interface Backlog {
  accountId: string;
  /** The next few, longest waiting first. What is said of a call is valid while the call has this version. */
  next: { callId: string; version: number; seconds: number; readySince: Date }[];
}

export interface Queues {
  inFlight: Record<Stage, InFlight>;
  /** The accounts with ready calls, each with its first `perAccount` ones. */
  backlog(stage: Stage, perAccount: number): Promise<Backlog[]>;
}

/** Where a call stands in its account's queue for a stage. */
export interface QueuePlace {
  /** Calls of the account before this one. At most COUNTED_AHEAD + 1, which means more than COUNTED_AHEAD. */
  ahead: number;
  /** What a call of the account in this stage waits for, which delays those behind it too; null when none waits. */
  waiting: Call['waiting'];
}
export const COUNTED_AHEAD = 1_000;

/** How fast an account's calls leave its queue. */
export interface QueuePace {
  /** Since then the account has had a queue for the stage without a break. */
  since: Date;
  /** When calls of the account were completed or failed since then, latest first; at most PACE.calls. */
  finishedAt: Date[];
}
/** Calls of the last `windowMs` count, at most the latest `calls`; fewer than `atLeast` give no estimate. */
export const PACE = { windowMs: 15 * 60_000, calls: 100, atLeast: 3 };

/**
 * @param first the call that has waited longest; null when none waits. One that was tried before may have waited
 * for a delay rather than for a place, so it says nothing about the queue.
 * @returns since when the pace can be measured; null when it cannot
 */
export function paceSince(first: { readySince: Date; lastFailure: unknown } | null, now: Date): Date | null {
  if (first === null || first.lastFailure !== null) return null;
  return new Date(Math.max(first.readySince.getTime(), now.getTime() - PACE.windowMs));
}

/**
 * Work on a call starts when the calls ahead of it and one more have left the queue.
 * @returns in how many seconds, at the measured pace; null when nothing or too little was measured
 */
export function secondsToStart({ ahead }: Pick<QueuePlace, 'ahead'>, pace: QueuePace | null, now: Date): number | null {
  if (pace === null || ahead > COUNTED_AHEAD) return null;
  const times = pace.finishedAt.map((at) => at.getTime());
  const isCut = times.length === PACE.calls;
  const since = (isCut ? times.at(-1) : undefined) ?? pace.since.getTime();
  const finished = times.length - Number(isCut);
  const last = times[0] ?? since;
  if (finished < PACE.atLeast) return null;
  // A call that takes longer than those before it slows the pace before it ends.
  const interval = Math.max((last - since) / finished, (now.getTime() - since) / (finished + 1));
  return Math.ceil(((ahead + 1) * interval - Math.min(interval, now.getTime() - last)) / 1000);
}

/** @returns the positions of waiting calls by their id, as `queuePlace` counts them: 1 is next */
export function positionsOf(
  granted: readonly string[],
  ready: readonly { callId: string; readySince: Date }[],
): Map<string, number> {
  const positions = new Map(granted.map((callId) => [callId, 1]));
  let earlier = 0;
  ready.forEach(({ callId, readySince }, index) => {
    if (readySince.getTime() !== ready[earlier]?.readySince.getTime()) earlier = index;
    positions.set(callId, granted.length + earlier + 1);
  });
  return positions;
}

/** @param rows how many calls of an account are granted or leased for a stage; a missing row means none */
export function inFlightOf(
  rows: Iterable<{ is: 'granted' | 'leased'; stage: Stage; accountId: string; calls: number }>,
): Record<Stage, InFlight> {
  const none = () => ({ granted: 0, leased: 0, ofAccount: new Map<string, number>() });
  const found = { transcription: none(), analysis: none() };
  for (const { is, stage, accountId, calls } of rows) {
    const { ofAccount } = found[stage];
    found[stage][is] += calls;
    ofAccount.set(accountId, (ofAccount.get(accountId) ?? 0) + calls);
  }
  return found;
}

/** @returns the first `perAccount` calls of each account, longest waiting first */
export function backlogOf(
  rows: Iterable<Backlog['next'][number] & { accountId: string }>,
  perAccount: number,
): Backlog[] {
  const accounts = new Map<string, Backlog['next']>();
  for (const { accountId, ...call } of rows) {
    const known = accounts.get(accountId);
    if (known === undefined) accounts.set(accountId, [call]);
    else known.push(call);
  }
  return [...accounts].map(([accountId, calls]) => ({
    accountId,
    next: calls.sort((a, b) => a.readySince.getTime() - b.readySince.getTime()).slice(0, perAccount),
  }));
}

/** @param rows how many calls wait for a dependency; a missing row means none */
export function waitingOf(rows: Iterable<readonly [Dependency, number]>): Record<Dependency, number> {
  const counts = new Map(rows);
  return Object.fromEntries(DEPENDENCIES.map((dependency) => [dependency, counts.get(dependency) ?? 0])) as Record<
    Dependency,
    number
  >;
}

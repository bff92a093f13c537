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

import { DEPENDENCIES, type Dependency, type Stage } from '@call-analytics/contracts';
import type { Backlog, InFlight, Queues } from './store.ts';

// What the adapters of the call store share in answering `queues`.

/** @param rows how many calls of an account are granted or leased for a stage; what is not in them is none */
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

export function queuesOf(inFlight: Record<Stage, InFlight>, backlog: (stage: Stage) => Backlog[]): Queues {
  const of = (stage: Stage) => ({ inFlight: inFlight[stage], backlog: backlog(stage) });
  return { transcription: of('transcription'), analysis: of('analysis') };
}

/** @param rows how many calls wait for a dependency; what is not in them is none */
export function waitingOf(rows: Iterable<readonly [Dependency, number]>): Record<Dependency, number> {
  const counts = new Map(rows);
  return Object.fromEntries(DEPENDENCIES.map((dependency) => [dependency, counts.get(dependency) ?? 0])) as Record<
    Dependency,
    number
  >;
}

/** @returns an account's first calls, for each that has any, longest waiting first */
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

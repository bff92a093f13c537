import type { SQLInputValue } from 'node:sqlite';
import type { Dependency, Stage } from '@call-analytics/contracts';
import {
  type Backlog,
  backlogOf,
  COUNTED_AHEAD,
  type InFlight,
  inFlightOf,
  type QueuePlace,
  waitingOf,
} from '../queues.ts';
import type { Call } from '../record.ts';
import type { CallStore, StoreFigures } from '../store.ts';
import { CLOCK_TOLERANCE_MS, LONGEST_DELAY_MS } from '../transitions.ts';
import type { Database, Statement } from './database.ts';
import { DISPATCH_QUERIES } from './dispatch-queries.ts';
import { toCall, toWaiting } from './rows.ts';

type Query = keyof typeof DISPATCH_QUERIES;
type Bound = Record<string, SQLInputValue>;

/** The questions of the dispatcher and the cleaner. */
export class DispatchReader {
  readonly #statements: Record<Query, Statement>;

  constructor(db: Database) {
    this.#statements = db.prepareAll(DISPATCH_QUERIES);
  }

  queuePlace({ accountId, stage, grantedUntil, readySince }: Parameters<CallStore['queuePlace']>[0]): QueuePlace {
    if (stage === null) return { ahead: 0, waiting: null };
    const queue = { $stage: stage, $accountId: accountId };
    const [dependency, since] = this.#statements.waitOfAccount.get(queue) ?? [null, null];
    const waiting = toWaiting(dependency as Dependency | null, Number(since));
    if (grantedUntil !== null) return { ahead: 0, waiting };
    const $limit = COUNTED_AHEAD + 1;
    const granted = this.#number('grantedOfAccount', { ...queue, $limit });
    const ready = this.#number('readyBefore', { ...queue, $readySince: readySince.getTime(), $limit });
    return { ahead: Math.min($limit, granted + ready), waiting };
  }

  endedWaits(now: Date, limit: number): Call[] {
    const { $now, $horizon } = times(now);
    const ended = (['endedDelays', 'endedGrants'] as const).flatMap((query) =>
      this.#statements[query].all({ $now, $horizon, $limit: limit }),
    );
    return ended.slice(0, limit).map(toCall);
  }

  expiredLeases(now: Date, limit: number): Call[] {
    const { $now, $tolerated } = times(now);
    if (!this.#any('anyExpired', { $now, $tolerated })) return [];
    return this.#statements.expiredLeases.all({ $now, $tolerated, $limit: limit }).map(toCall);
  }

  nextWake(now: Date): Date | null {
    const at = this.#statements.nextWake.get({ $now: now.getTime() })?.[0];
    return typeof at === 'number' ? new Date(at) : null;
  }

  audioDue(now: Date, limit: number): Call[] {
    return this.#statements.audioDue.all({ $now: now.getTime(), $limit: limit }).map(toCall);
  }

  removalsDue(now: Date, limit: number): Call[] {
    const { $now, $horizon } = times(now);
    const due = this.#statements.removalsDue.all({ $now, $limit: limit });
    const rest = limit - due.length;
    return [...due, ...(rest > 0 ? this.#statements.removalsAhead.all({ $horizon, $limit: rest }) : [])].map(toCall);
  }

  figures(now: Date): StoreFigures {
    const { $now, $horizon } = times(now);
    const ready = (stage: Stage) =>
      this.#number('ready', { $stage: stage }) +
      this.#number('dueDelays', { $stage: stage, $now, $horizon }) +
      this.#number('dueGrants', { $stage: stage, $now, $horizon });
    const { transcription, analysis } = this.inFlight(now);
    const oldest = this.#statements.oldestEvent.get()?.[0];
    return {
      ready: { transcription: ready('transcription'), analysis: ready('analysis') },
      leased: { transcription: transcription.leased, analysis: analysis.leased },
      waiting: waitingOf(
        this.#statements.waiting.all().map(([dependency, calls]) => [dependency as Dependency, Number(calls)]),
      ),
      oldestOutboxAgeMs: typeof oldest === 'number' ? Math.max(0, $now - oldest) : 0,
      audioDue: this.#number('audioDueCount', { $now }) + this.#number('removalsDueCount', { $now }),
    };
  }

  inFlight(now: Date): Record<Stage, InFlight> {
    const rows = this.#statements.inFlight.all(times(now));
    return inFlightOf(
      rows.map(([is, stage, accountId, calls]) => ({
        is: is as 'granted' | 'leased',
        stage: stage as Stage,
        accountId: String(accountId),
        calls: Number(calls),
      })),
    );
  }

  backlog(stage: Stage, perAccount: number): Backlog[] {
    if (!this.#any('anyReady', { $stage: stage })) return [];
    const rows = this.#statements.firstReady.all({ $stage: stage, $perAccount: perAccount });
    return backlogOf(
      rows.map(([accountId, callId, version, seconds, readySince]) => ({
        accountId: String(accountId),
        callId: String(callId),
        version: Number(version),
        seconds: Number(seconds),
        readySince: new Date(Number(readySince)),
      })),
      perAccount,
    );
  }

  #any(query: Query, parameters: Bound): boolean {
    return this.#statements[query].get(parameters) !== undefined;
  }

  #number(query: Query, parameters: Bound): number {
    return Number(this.#statements[query].get(parameters)?.[0]);
  }
}

function times(now: Date) {
  const $now = now.getTime();
  return { $now, $tolerated: $now + CLOCK_TOLERANCE_MS, $horizon: $now + LONGEST_DELAY_MS };
}

import type { SQLInputValue, StatementSync } from 'node:sqlite';
import type { Stage } from '@call-analytics/contracts';
import type { Call } from '../record.ts';
import type { Backlog, StoreFigures } from '../store.ts';
import { CLOCK_TOLERANCE_MS, LONGEST_DELAY_MS } from '../transitions.ts';
import type { Database } from './database.ts';
import { DISPATCH_QUERIES } from './dispatch-queries.ts';
import { type Row, toCall } from './rows.ts';

type Query = keyof typeof DISPATCH_QUERIES;
type Parameters = Record<string, SQLInputValue>;

const FOREVER = Number.MAX_SAFE_INTEGER;

/** The questions of the dispatcher and the cleaner. */
export class DispatchReader {
  readonly #statements: Record<Query, StatementSync>;

  constructor(db: Database) {
    const prepared = Object.entries(DISPATCH_QUERIES).map(([name, sql]) => [name, db.prepare(sql)] as const);
    this.#statements = Object.fromEntries(prepared) as Record<Query, StatementSync>;
  }

  backlog(stage: Stage, now: Date, perAccount: number): Backlog[] {
    const { $now, $tolerated, $horizon } = times(now);
    const next = new Map<string, Backlog['next']>();
    const collect = (query: Query, parameters: Parameters) => {
      for (const row of this.#statements[query].all({ $stage: stage, $perAccount: perAccount, ...parameters })) {
        const accountId = String(row.account_id);
        const calls = next.get(accountId) ?? [];
        calls.push({ callId: String(row.id), seconds: Number(row.audio_seconds), readySince: new Date(Number(row.ready_since)) });
        next.set(accountId, calls);
      }
    };
    if (this.#any('anyReady', { $stage: stage })) collect('firstReady', {});
    // Due is what lies in the past, and what lies further ahead than any delay can: that was written before the clock was set back.
    for (const span of [
      { $from: 0, $to: $now },
      { $from: $horizon, $to: FOREVER },
    ]) {
      if (this.#any('anyDelayed', span)) collect('firstDelayed', span);
      const granted = { ...span, $now, $horizon };
      if (this.#any('anyGranted', { $stage: stage, ...granted })) collect('firstGranted', granted);
    }

    const inFlight = new Map<string, number>();
    const count = (query: Query, parameters: Parameters) => {
      for (const row of this.#statements[query].all({ $stage: stage, ...parameters })) {
        const accountId = String(row.account_id);
        inFlight.set(accountId, (inFlight.get(accountId) ?? 0) + Number(row.calls));
      }
    };
    count('leasedByAccount', { $now, $tolerated });
    count('grantedByAccount', { $now, $horizon });

    return [...next].map(([accountId, calls]) => ({
      accountId,
      inFlight: inFlight.get(accountId) ?? 0,
      next: calls.sort((a, b) => a.readySince.getTime() - b.readySince.getTime()).slice(0, perAccount),
    }));
  }

  inFlight(stage: Stage, now: Date): { granted: number; leased: number } {
    const { $now, $tolerated, $horizon } = times(now);
    return {
      granted: this.#number('granted', { $stage: stage, $now, $horizon }),
      leased: this.#number('leased', { $stage: stage, $now, $tolerated }),
    };
  }

  expiredLeases(now: Date, limit: number): Call[] {
    const { $now, $tolerated } = times(now);
    if (!this.#any('anyExpired', { $now, $tolerated })) return [];
    return this.#statements.expiredLeases.all({ $now, $tolerated, $limit: limit }).map(toCall);
  }

  nextWake(now: Date): Date | null {
    const $now = now.getTime();
    const times = (['nextDelay', 'nextGrant'] as const).map((query) => this.#statements[query].get({ $now })?.at);
    const known = times.filter((at) => typeof at === 'number');
    return known.length === 0 ? null : new Date(Math.min(...known));
  }

  audioDue(now: Date, limit: number): Call[] {
    return this.#statements.audioDue.all({ $now: now.getTime(), $limit: limit }).map((row: Row) => toCall(row));
  }

  figures(now: Date): StoreFigures {
    const { $now, $horizon } = times(now);
    const ready = (stage: Stage) =>
      this.#number('ready', { $stage: stage }) +
      this.#number('dueDelays', { $stage: stage, $now, $horizon }) +
      this.#number('dueGrants', { $stage: stage, $now, $horizon });
    const leased = (stage: Stage) => this.inFlight(stage, now).leased;
    const oldest = this.#statements.oldestEvent.get()?.at;
    return {
      ready: { transcription: ready('transcription'), analysis: ready('analysis') },
      leased: { transcription: leased('transcription'), analysis: leased('analysis') },
      oldestOutboxAgeMs: typeof oldest === 'number' ? Math.max(0, $now - oldest) : 0,
      audioDue: this.#number('audioDueCount', { $now }),
    };
  }

  #any(query: Query, parameters: Parameters): boolean {
    return this.#statements[query].get(parameters) !== undefined;
  }

  #number(query: Query, parameters: Parameters): number {
    return Number(this.#statements[query].get(parameters)?.calls);
  }
}

function times(now: Date) {
  const $now = now.getTime();
  return { $now, $tolerated: $now + CLOCK_TOLERANCE_MS, $horizon: $now + LONGEST_DELAY_MS };
}

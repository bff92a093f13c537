import type { SQLInputValue } from 'node:sqlite';
import type { Stage } from '@call-analytics/contracts';
import type { Call } from '../record.ts';
import type { Backlog, StoreFigures } from '../store.ts';
import { CLOCK_TOLERANCE_MS, LONGEST_DELAY_MS } from '../transitions.ts';
import type { Database, Statement } from './database.ts';
import { DISPATCH_QUERIES } from './dispatch-queries.ts';
import { toCall } from './rows.ts';

type Query = keyof typeof DISPATCH_QUERIES;
type Parameters = Record<string, SQLInputValue>;

const FOREVER = Number.MAX_SAFE_INTEGER;

/** The questions of the dispatcher and the cleaner. */
export class DispatchReader {
  readonly #statements: Record<Query, Statement>;

  constructor(db: Database) {
    this.#statements = db.prepareAll(DISPATCH_QUERIES);
  }

  backlog(stage: Stage, now: Date, perAccount: number): Backlog[] {
    const { $now, $tolerated, $horizon } = times(now);
    const next = new Map<string, Backlog['next']>();
    const collect = (accountId: string, query: Query, parameters: Parameters) => {
      for (const [callId, seconds, readySince] of this.#statements[query].all({
        $stage: stage,
        $accountId: accountId,
        $perAccount: perAccount,
        ...parameters,
      })) {
        const calls = next.get(accountId) ?? [];
        calls.push({ callId: String(callId), seconds: Number(seconds), readySince: new Date(Number(readySince)) });
        next.set(accountId, calls);
      }
    };
    // Due is what lies in the past, and what lies further ahead than any delay can: that was written before the clock was set back.
    const past = { $from: 0, $to: $now };
    const impossible = { $from: $horizon, $to: FOREVER };
    for (const accountId of this.#accounts('nextWithReady', stage)) collect(accountId, 'firstReady', {});
    for (const accountId of this.#accounts('nextWithDelayed', stage)) {
      for (const span of [past, impossible]) collect(accountId, 'firstDelayed', span);
    }
    for (const accountId of this.#accounts('nextWithGranted', stage)) {
      for (const span of [past, impossible]) collect(accountId, 'firstGranted', { ...span, $now, $horizon });
    }

    if (next.size === 0) return [];

    const inFlight = new Map<string, number>();
    const count = (query: Query, parameters: Parameters) => {
      for (const [account, calls] of this.#statements[query].all({ $stage: stage, ...parameters })) {
        const accountId = String(account);
        inFlight.set(accountId, (inFlight.get(accountId) ?? 0) + Number(calls));
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
    const times = (['nextDelay', 'nextGrant'] as const).map((query) => this.#statements[query].get({ $now })?.[0]);
    const known = times.filter((at) => typeof at === 'number');
    return known.length === 0 ? null : new Date(Math.min(...known));
  }

  audioDue(now: Date, limit: number): Call[] {
    return this.#statements.audioDue.all({ $now: now.getTime(), $limit: limit }).map(toCall);
  }

  figures(now: Date): StoreFigures {
    const { $now, $horizon } = times(now);
    const ready = (stage: Stage) =>
      this.#number('ready', { $stage: stage }) +
      this.#number('dueDelays', { $stage: stage, $now, $horizon }) +
      this.#number('dueGrants', { $stage: stage, $now, $horizon });
    const leased = (stage: Stage) => this.inFlight(stage, now).leased;
    const oldest = this.#statements.oldestEvent.get()?.[0];
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

  /** Jumps from account to account in the index, so ten thousand calls of one account cost no more than one. */
  *#accounts(query: Query, stage: Stage): Generator<string> {
    for (let after = ''; ; ) {
      const row = this.#statements[query].get({ $stage: stage, $after: after });
      if (row === undefined) return;
      after = String(row[0]);
      yield after;
    }
  }

  #number(query: Query, parameters: Parameters): number {
    return Number(this.#statements[query].get(parameters)?.[0]);
  }
}

function times(now: Date) {
  const $now = now.getTime();
  return { $now, $tolerated: $now + CLOCK_TOLERANCE_MS, $horizon: $now + LONGEST_DELAY_MS };
}

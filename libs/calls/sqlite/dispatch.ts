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

/** The questions of the dispatcher and the cleaner. */
export class DispatchReader {
  readonly #statements: Record<Query, Statement>;

  constructor(db: Database) {
    this.#statements = db.prepareAll(DISPATCH_QUERIES);
  }

  backlog(stage: Stage, now: Date, perAccount: number): Backlog[] {
    const { $now, $tolerated, $horizon } = times(now);
    const [ready, delayed, granted] = this.#statements.waiting.get({ $stage: stage }) ?? [];
    const due = [
      ...(ready ? this.#statements.firstReady.all({ $stage: stage, $perAccount: perAccount }) : []),
      ...(delayed ? this.#statements.firstDelayed.all({ $stage: stage, $perAccount: perAccount, $now, $horizon }) : []),
      ...(granted ? this.#statements.firstGranted.all({ $stage: stage, $perAccount: perAccount, $now, $horizon }) : []),
    ];
    if (due.length === 0) return [];
    const accounts = new Map<string, Backlog>();
    for (const [account, callId, seconds, readySince] of due) {
      const accountId = String(account);
      const known = accounts.get(accountId);
      const call = { callId: String(callId), seconds: Number(seconds), readySince: new Date(Number(readySince)) };
      if (known === undefined) accounts.set(accountId, { accountId, inFlight: 0, next: [call] });
      else known.next.push(call);
    }
    for (const [account, calls] of this.#statements.inFlightByAccount.all({ $stage: stage, $now, $tolerated, $horizon })) {
      const known = accounts.get(String(account));
      if (known !== undefined) known.inFlight += Number(calls);
    }
    for (const backlog of accounts.values()) {
      backlog.next.sort((a, b) => a.readySince.getTime() - b.readySince.getTime());
      backlog.next.splice(perAccount);
    }
    return [...accounts.values()];
  }

  inFlight(stage: Stage, now: Date): { granted: number; leased: number } {
    const [granted, leased] = this.#statements.inFlight.get({ $stage: stage, ...times(now) }) ?? [];
    return { granted: Number(granted), leased: Number(leased) };
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
    const leased = (stage: Stage) => this.inFlight(stage, now).leased;
    const oldest = this.#statements.oldestEvent.get()?.[0];
    return {
      ready: { transcription: ready('transcription'), analysis: ready('analysis') },
      leased: { transcription: leased('transcription'), analysis: leased('analysis') },
      oldestOutboxAgeMs: typeof oldest === 'number' ? Math.max(0, $now - oldest) : 0,
      audioDue: this.#number('audioDueCount', { $now }) + this.#number('removalsDueCount', { $now }),
    };
  }

  #any(query: Query, parameters: Parameters): boolean {
    return this.#statements[query].get(parameters) !== undefined;
  }

  #number(query: Query, parameters: Parameters): number {
    return Number(this.#statements[query].get(parameters)?.[0]);
  }
}

function times(now: Date) {
  const $now = now.getTime();
  return { $now, $tolerated: $now + CLOCK_TOLERANCE_MS, $horizon: $now + LONGEST_DELAY_MS };
}

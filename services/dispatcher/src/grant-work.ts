import { randomUUID } from 'node:crypto';
import type { Backlog, Call, Calls, DispatcherStore, InFlight } from '@call-analytics/calls';
import { type MessageType, makeMessage, STAGES, type Stage } from '@call-analytics/contracts';
import type { Messaging } from '@call-analytics/messaging';
import { type Clock, point, WorkError } from '@call-analytics/service-kit';
import { allSettled, atMostEvery } from './loop.ts';

const REQUEST: Record<Stage, MessageType> = {
  transcription: 'transcription.requested',
  analysis: 'analysis.requested',
};
/** Workers, spending limits and drains change rarely, so they are read from the store at most once in this time. */
const CAPACITY_FRESH_MS = 1_000;
/**
 * Jobs that end within this time are so short that their order does not matter. Longer than a round of the dispatcher,
 * so that short jobs do not wait for rounds.
 */
const SHORT_MS = 250;

interface Dependencies {
  calls: Calls;
  store: Pick<DispatcherStore, 'queues' | 'capacity'>;
  messaging: Messaging;
  clock: Clock;
}

/**
 * Grants calls to the workers of every stage.
 * @param perAccount the most calls of one account that are granted or worked on at a time, for each stage
 * @returns looks once for ready calls; throws WorkError when the store or the broker fails. A call that was granted and
 * not announced is granted again when its grant expires
 */
export function workGranter(perAccount: number, { calls, store, messaging, clock }: Dependencies): () => Promise<void> {
  const granters = STAGES.map((stage) => new StageGranter(stage, perAccount, calls, messaging));
  let capacity: Record<Stage, number> = { transcription: 0, analysis: 0 };
  /** Accounts that may spend no more today, and drained stages. A worker checks that again when it claims a call. */
  let atLimit: ReadonlySet<string> = new Set();
  let drained: ReadonlyMap<Stage, Date> = new Map();
  const readCapacity = atMostEvery(CAPACITY_FRESH_MS, async () => {
    const reads = [store.capacity(clock.now()), calls.spending.accountsAtLimit(), calls.reads.drainedStages()] as const;
    [capacity, atLimit, drained] = await Promise.all(reads);
  });
  return async () => {
    const notReady = messaging.ready();
    // A grant whose message is lost delays its call until the grant expires.
    if (notReady !== null) throw new WorkError({ kind: 'transient', code: 'broker_unavailable', message: notReady });
    const now = clock.now();
    const { inFlight, backlog } = await store.queues(now);
    await readCapacity();
    const granted = granters.map(async (granter) => {
      const { stage } = granter;
      if (drained.has(stage)) return;
      const most = granter.wanted(inFlight[stage]);
      if (most <= 0) return;
      const waiting = (await backlog(stage, most)).filter(({ accountId }) => !atLimit.has(accountId));
      await granter.grant(inFlight[stage], waiting, capacity[stage], now);
    });
    (await allSettled(granted)).throwFailure();
  };
}

/** Grants ready calls of a stage, as many as may wait in its queue, and announces each to the workers. */
class StageGranter {
  readonly stage: Stage;
  readonly #calls: Calls;
  readonly #messaging: Messaging;
  readonly #perAccount: number;
  readonly #shares = new FairShares();
  readonly #window = new QueueWindow();

  constructor(stage: Stage, perAccount: number, calls: Calls, messaging: Messaging) {
    this.stage = stage;
    this.#perAccount = perAccount;
    this.#calls = calls;
    this.#messaging = messaging;
  }

  /** @returns how many calls of an account may be granted; 0 when none may */
  wanted(inFlight: InFlight): number {
    return Math.min(mostOf(this.#window.room(inFlight)), this.#perAccount);
  }

  /** @param capacity how many calls the workers work on at a time; 0 when that is not known */
  async grant(inFlight: InFlight, backlog: Backlog[], capacity: number, now: Date): Promise<void> {
    if (backlog.length === 0) return this.#shares.forgive();
    const accounts = backlog.map(
      (waiting) => new Account(waiting, this.#perAccount - (inFlight.ofAccount.get(waiting.accountId) ?? 0)),
    );
    const chosen = this.#choose(accounts, this.#window.room(inFlight), new LastWorker(capacity, inFlight));
    const granted = await allSettled(chosen.map(({ callId, version }) => this.#calls.grant(callId, version)));
    // All are published before the first confirm is awaited. null: another dispatcher was faster.
    const announced = await allSettled(
      granted.values.filter((call) => call !== null).map((call) => this.#announce(call, now)),
    );
    granted.throwFailure();
    announced.throwFailure();
  }

  /** The calls whose turn it is. A call that another dispatcher grants first is charged too: its account has got it. */
  #choose(accounts: readonly Account[], room: Room, lastWorker: LastWorker): Ready[] {
    let candidates = accounts.filter((account) => account.hasNext);
    const chosen: Ready[] = [];
    for (;;) {
      // While jobs are short, a worker is free within moments, and none has to be kept free.
      if (chosen.length >= room.shortCalls) candidates = candidates.filter((account) => lastWorker.mayGoTo(account));
      const account = this.#shares.next(candidates);
      if (account === null) return chosen;
      const isEarly = chosen.length < room.newcomers && this.#shares.isNewcomer(account);
      if (chosen.length >= room.calls && !isEarly && !fitsAhead(account, chosen.length)) return chosen;
      this.#shares.charge(account);
      this.#window.granted(account.seconds);
      lastWorker.granted(account);
      chosen.push(account.take());
      if (!account.hasNext) candidates.splice(candidates.indexOf(account), 1);
    }

    /** Optional work, so it must cost no account its share: none may be at its limit and have the next turn. */
    function fitsAhead({ seconds }: Account, soFar: number): boolean {
      return soFar < room.shortCalls && seconds <= room.shortSeconds && !accounts.some((account) => account.isAtLimit);
    }
  }

  async #announce({ id: callId, accountId, traceparent }: Call, now: Date): Promise<void> {
    await this.#messaging.publish(
      makeMessage(REQUEST[this.stage], { callId, accountId }, randomUUID(), '/dispatcher', now, traceparent),
    );
    await point('work.granted', callId);
  }
}

/** How many calls of one account may be granted. An account is a newcomer only for its first call. */
function mostOf({ calls, newcomers, shortCalls }: Room): number {
  return Math.max(0, calls, Math.min(newcomers, 1), shortCalls);
}

type Ready = Backlog['next'][number];

/** An account's next calls while they are granted. */
class Account implements Candidate {
  readonly accountId: string;
  readonly #next: Ready[];
  #free: number;

  /** @param free how many of its calls may be granted */
  constructor({ accountId, next }: Backlog, free: number) {
    this.accountId = accountId;
    this.#next = [...next];
    this.#free = free;
  }

  get hasNext(): boolean {
    return this.#free > 0 && this.#next.length > 0;
  }

  get isAtLimit(): boolean {
    return this.#free <= 0;
  }

  get seconds(): number {
    return this.#first.seconds;
  }

  get readySince(): Date {
    return this.#first.readySince;
  }

  take(): Ready {
    const call = this.#first;
    this.#next.shift();
    this.#free -= 1;
    return call;
  }

  get #first(): Ready {
    const [call] = this.#next;
    if (call === undefined) throw new Error('the account has no next call');
    return call;
  }
}

/** How many more calls the queue may take. */
interface Room {
  calls: number;
  /** Instead, of accounts that have been given nothing lately. */
  newcomers: number;
  /** Instead, of calls that are no longer than `shortSeconds`. */
  shortCalls: number;
  shortSeconds: number;
}

/**
 * How many calls may wait in a queue of the broker, granted and not yet claimed, where other calls can no longer pass
 * them. Few, so that a newcomer's call starts within the time of one job, and enough for workers that end short jobs;
 * the proof is in docs/decisions/0004.
 */
export class QueueWindow {
  /** Granted within the last SHORT_MS, oldest first. */
  #recent: { at: number; seconds: number }[] = [];

  /** @param inFlight from the store: calls granted and not yet claimed, and calls being worked on */
  room({ granted, leased }: { granted: number; leased: number }): Room {
    const since = performance.now() - SHORT_MS;
    while (this.#recent[0] !== undefined && this.#recent[0].at < since) this.#recent.shift();
    const ended = this.#recent.length - granted - leased;
    return {
      calls: Math.max(1, Math.floor(leased / 2)) - granted,
      // All calls before theirs are taken when each call in work has ended.
      newcomers: leased - granted,
      // As many as workers have ended lately: these are through within SHORT_MS.
      shortCalls: ended - granted,
      shortSeconds: Math.max(0, ...this.#recent.map(({ seconds }) => seconds)),
    };
  }

  granted(seconds: number): void {
    this.#recent.push({ at: performance.now(), seconds });
  }
}

/**
 * Keeps the last free worker for an account that has no call in flight, so that one account's long calls do not delay
 * another account's call. With one worker, or an unknown number of them, no worker is kept.
 */
class LastWorker {
  readonly #capacity: number;
  readonly #withWork: Set<string>;
  #inFlight: number;

  /** @param capacity how many calls the workers work on at a time; 0 when that is not known */
  constructor(capacity: number, { granted, leased, ofAccount }: InFlight) {
    this.#capacity = capacity;
    this.#inFlight = granted + leased;
    this.#withWork = new Set(ofAccount.keys());
  }

  mayGoTo({ accountId }: { accountId: string }): boolean {
    return this.#capacity < 2 || !this.#withWork.has(accountId) || this.#capacity - this.#inFlight > 1;
  }

  granted({ accountId }: { accountId: string }): void {
    this.#inFlight += 1;
    this.#withWork.add(accountId);
  }
}

interface Candidate {
  accountId: string;
  /** What its next call costs: seconds of audio. */
  seconds: number;
  /** Since when that call has been waiting. */
  readySince: Date;
}

/**
 * Decides whose call is next, so that accounts with work get equal seconds of audio, however long their calls are.
 *
 * Deficit round robin with the shortest possible turn: one call. An account pays for its calls after they are granted,
 * and is next when its debt is the smallest; the smallest debt is forgiven to all. This is start-time fair queueing
 * (Goyal, Vin and Cheng, SIGCOMM 1996): `#paid` is the virtual time, and an account's mark the virtual time at which it
 * has paid. For accounts that always have work it guarantees:
 *
 *   - between any two moments, the seconds of two accounts differ by at most one call of each;
 *   - an account without debt is next, before all that got a call since it came.
 *
 * An account that goes away keeps its debt, so it does not become a newcomer by coming back with one call at a time.
 */
export class FairShares {
  /** Seconds that every account has been given, or was forgiven because it did not ask. */
  #paid = 0;
  /** Of accounts in debt: the seconds at which the debt is paid, and the turn of their last call, for ties. */
  readonly #marks = new Map<string, { until: number; turn: number }>();
  #turns = 0;

  /** How many accounts are remembered. */
  get size(): number {
    return this.#marks.size;
  }

  /** Whether the account is without debt: it comes before all accounts in debt. */
  isNewcomer({ accountId }: Pick<Candidate, 'accountId'>): boolean {
    return !this.#marks.has(accountId);
  }

  /** @returns whose turn it is, or null; among equals the one served longest ago, then the one that waits longest */
  next<C extends Candidate>(candidates: readonly C[]): C | null {
    let best: C | null = null;
    for (const candidate of candidates) if (best === null || this.#order(candidate, best) < 0) best = candidate;
    return best;
  }

  /** The account was given a call. */
  charge({ accountId, seconds }: Pick<Candidate, 'accountId' | 'seconds'>): void {
    const start = this.#start(accountId);
    this.#turns += 1;
    // Every call costs something, so that many empty ones cannot keep the turn.
    this.#marks.set(accountId, { until: start + Math.max(1, seconds), turn: this.#turns });
    if (start <= this.#paid) return;
    this.#paid = start;
    for (const [id, { until }] of this.#marks) if (until < this.#paid) this.#marks.delete(id);
  }

  /** No account waits, so all debts are forgiven. */
  forgive(): void {
    this.#paid = 0;
    this.#marks.clear();
  }

  #order(a: Candidate, b: Candidate): number {
    const turn = ({ accountId }: Candidate) => this.#marks.get(accountId)?.turn ?? 0;
    return (
      this.#start(a.accountId) - this.#start(b.accountId) ||
      turn(a) - turn(b) ||
      a.readySince.getTime() - b.readySince.getTime()
    );
  }

  #start(accountId: string): number {
    return Math.max(this.#paid, this.#marks.get(accountId)?.until ?? 0);
  }
}

import { randomUUID } from 'node:crypto';
import type { Backlog, Call, Calls, InFlight, Queues } from '@call-analytics/calls';
import { type MessageType, makeMessage, STAGES, type Stage } from '@call-analytics/contracts';
import type { Messaging } from '@call-analytics/messaging';
import { type Clock, point, WorkError } from '@call-analytics/service-kit';
import { settled } from '../settled.ts';
import { type Candidate, FairShares } from './fair-shares.ts';
import { LastWorker } from './last-worker.ts';
import { QueueWindow, type Room } from './queue-window.ts';
import { WorkerCapacity } from './worker-capacity.ts';

const REQUEST: Record<Stage, MessageType> = {
  transcription: 'transcription.requested',
  analysis: 'analysis.requested',
};

interface Parts {
  calls: Calls;
  messaging: Messaging;
  clock: Clock;
}

/**
 * Hands calls out to the workers of every stage.
 * @param perAccount the most calls of one account that are granted or worked on at a time, for each stage
 * @returns looks once for calls that are ready, and throws WorkError when the store or the broker fails; a call that was granted and not announced is granted again when its grant ends
 */
export function workGranter(perAccount: number, parts: Parts): () => Promise<void> {
  const granters = {
    transcription: new StageGranter('transcription', perAccount, parts),
    analysis: new StageGranter('analysis', perAccount, parts),
  };
  const capacity = new WorkerCapacity(parts.calls.store);
  return async () => {
    const away = parts.messaging.ready();
    // A grant that nobody hears of holds its call back until it ends.
    if (away !== null) throw new WorkError({ kind: 'transient', code: 'broker_unavailable', message: away });
    const now = parts.clock.now();
    const queues = await parts.calls.store.queues(now, (stage, inFlight) => granters[stage].wanted(inFlight));
    const atOnce = await capacity.at(now);
    (
      await settled(STAGES.map((stage) => granters[stage].grantWork(queues[stage], atOnce[stage], now)))
    ).mustAllSucceed();
  };
}

/** Grants calls that are ready for a stage, as many as may wait in the queue at a time, and announces each to the workers. */
class StageGranter {
  readonly #stage: Stage;
  readonly #calls: Calls;
  readonly #messaging: Messaging;
  readonly #perAccount: number;
  readonly #shares = new FairShares();
  readonly #window = new QueueWindow();

  constructor(stage: Stage, perAccount: number, { calls, messaging }: Parts) {
    this.#stage = stage;
    this.#perAccount = perAccount;
    this.#calls = calls;
    this.#messaging = messaging;
  }

  /** @returns how many calls of an account may be granted; 0 when none may */
  wanted(inFlight: InFlight): number {
    return Math.min(mostOf(this.#window.room(inFlight)), this.#perAccount);
  }

  /** @param capacity how many calls the workers work on at a time; 0 when that is not known */
  async grantWork({ inFlight, backlog }: Queues[Stage], capacity: number, now: Date): Promise<void> {
    const room = this.#window.room(inFlight);
    if (mostOf(room) <= 0) return;
    if (backlog.length === 0) return this.#shares.forgive();
    const accounts = backlog.map(
      (waiting) => new Account(waiting, this.#perAccount - (inFlight.ofAccount.get(waiting.accountId) ?? 0)),
    );
    const lastWorker = new LastWorker(capacity, inFlight);
    const granted = await settled(
      this.#choose(accounts, room, lastWorker).map(({ callId, version }) => this.#calls.grant(callId, version)),
    );
    // One after the other into the queue, and then one wait for the broker's answers. Null: another dispatcher was faster.
    const announced = await settled(
      granted.values.filter((call) => call !== null).map((call) => this.#announce(call, now)),
    );
    granted.mustAllSucceed();
    announced.mustAllSucceed();
  }

  /** Those whose turn it is. One that another dispatcher then grants first is charged all the same: its account has got it. */
  #choose(accounts: readonly Account[], room: Room, lastWorker: LastWorker): Ready[] {
    let candidates = accounts.filter((account) => account.hasNext);
    const chosen: Ready[] = [];
    for (;;) {
      // While jobs are so short that one ends within moments, no worker has to be kept free.
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

    /** Workers would not wait without it, so it must cost nobody their share: not while one whose turn may be next has all it may have. */
    function fitsAhead({ seconds }: Account, soFar: number): boolean {
      return soFar < room.shortCalls && seconds <= room.shortSeconds && !accounts.some((account) => account.isAtLimit);
    }
  }

  async #announce({ id: callId, accountId, traceparent }: Call, now: Date): Promise<void> {
    await this.#messaging.publish(
      makeMessage(REQUEST[this.#stage], { callId, accountId }, randomUUID(), '/dispatcher', now, traceparent),
    );
    await point('work.granted', callId);
  }
}

/** How many calls of one account may be let in. A newcomer is none any more after its first. */
function mostOf({ calls, newcomers, shortCalls }: Room): number {
  return Math.max(0, calls, Math.min(newcomers, 1), shortCalls);
}

type Ready = Backlog['next'][number];

/** An account's next calls while they are handed out. */
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

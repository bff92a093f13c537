import { randomUUID } from 'node:crypto';
import type { Backlog, Call, Calls } from '@call-analytics/calls';
import { type MessageType, makeMessage, type Stage } from '@call-analytics/contracts';
import type { Messaging } from '@call-analytics/messaging';
import { type Clock, point, WorkError } from '@call-analytics/service-kit';
import { settled } from '../settled.ts';
import { type Candidate, FairShares } from './fair-shares.ts';
import { QueueWindow, type Room } from './queue-window.ts';

const REQUEST: Record<Stage, MessageType> = { transcription: 'transcription.requested', analysis: 'analysis.requested' };

/** Grants calls that are ready for a stage, as many as may wait in the queue at a time, and announces each to the workers. */
export class WorkGranter {
  readonly #calls: Calls;
  readonly #messaging: Messaging;
  readonly #clock: Clock;
  readonly #stage: Stage;
  readonly #perAccount: number;
  readonly #shares = new FairShares();
  readonly #window = new QueueWindow();

  /** @param perAccount the most calls of one account that are granted or worked on at a time */
  constructor(stage: Stage, perAccount: number, { calls, messaging, clock }: { calls: Calls; messaging: Messaging; clock: Clock }) {
    this.#stage = stage;
    this.#perAccount = perAccount;
    this.#calls = calls;
    this.#messaging = messaging;
    this.#clock = clock;
  }

  /** @throws WorkError when the store or the broker fails; a call that was granted and not announced is granted again when its grant ends */
  async grantWork(): Promise<void> {
    const away = this.#messaging.ready();
    // A grant that nobody hears of holds its call back until it ends.
    if (away !== null) throw new WorkError({ kind: 'transient', code: 'broker_unavailable', message: away });
    const now = this.#clock.now();
    const room = this.#window.room(await this.#calls.store.inFlight(this.#stage, now));
    const most = Math.max(room.calls, room.shortCalls);
    if (most <= 0) return;
    const waiting = await this.#calls.store.backlog(this.#stage, now, Math.min(most, this.#perAccount));
    if (waiting.length === 0) return this.#shares.forgive();
    const granted = await settled(this.#choose(waiting, room).map((callId) => this.#calls.grant(callId)));
    // One after the other into the queue, and then one wait for the broker's answers. Null: another dispatcher was faster.
    const announced = await settled(granted.values.filter((call) => call !== null).map((call) => this.#announce(call, now)));
    granted.mustAllSucceed();
    announced.mustAllSucceed();
  }

  /** Those whose turn it is. One that another dispatcher then grants first is charged all the same: its account has got it. */
  #choose(waiting: readonly Backlog[], room: Room): string[] {
    const accounts = waiting.map((backlog) => new Account(backlog, this.#perAccount));
    const candidates = accounts.filter((account) => account.hasNext);
    const chosen: string[] = [];
    for (;;) {
      const account = this.#shares.next(candidates);
      if (account === null) return chosen;
      if (chosen.length >= room.calls && !fitsAhead(account, chosen.length)) return chosen;
      this.#shares.charge(account);
      this.#window.granted(account.seconds);
      chosen.push(account.take().callId);
      if (!account.hasNext) candidates.splice(candidates.indexOf(account), 1);
    }

    /** Workers would not wait without it, so it must cost nobody their share: not while one whose turn may be next has all it may have. */
    function fitsAhead({ seconds }: Account, soFar: number): boolean {
      return soFar < room.shortCalls && seconds <= room.shortSeconds && !accounts.some((account) => account.isAtLimit);
    }
  }

  async #announce({ id: callId, accountId, traceparent }: Call, now: Date): Promise<void> {
    await this.#messaging.publish(makeMessage(REQUEST[this.#stage], { callId, accountId }, randomUUID(), '/dispatcher', now, traceparent));
    await point('work.granted', callId);
  }
}

/** An account's next calls while they are handed out. */
class Account implements Candidate {
  readonly accountId: string;
  readonly #next: Backlog['next'];
  #free: number;

  constructor({ accountId, inFlight, next }: Backlog, perAccount: number) {
    this.accountId = accountId;
    this.#next = [...next];
    this.#free = perAccount - inFlight;
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

  take(): Backlog['next'][number] {
    const call = this.#first;
    this.#next.shift();
    this.#free -= 1;
    return call;
  }

  get #first(): Backlog['next'][number] {
    const [call] = this.#next;
    if (call === undefined) throw new Error('the account has no next call');
    return call;
  }
}

import { randomUUID } from 'node:crypto';
import type { Backlog, Calls } from '@call-analytics/calls';
import { type MessageType, makeMessage, type Stage } from '@call-analytics/contracts';
import type { Messaging } from '@call-analytics/messaging';
import { type Clock, point, WorkError } from '@call-analytics/service-kit';
import { type Candidate, FairShares } from './fair-shares.ts';

const REQUEST: Record<Stage, MessageType> = { transcription: 'transcription.requested', analysis: 'analysis.requested' };

/** Grants calls that are ready for a stage, as many as may wait in the queue at a time, and announces each to the workers. */
export class WorkGranter {
  readonly #calls: Calls;
  readonly #messaging: Messaging;
  readonly #clock: Clock;
  readonly #stage: Stage;
  readonly #perAccount: number;
  readonly #shares = new FairShares();

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
    let room = this.#window(await this.#calls.store.inFlight(this.#stage, now));
    if (room <= 0) return;
    const waiting = await this.#calls.store.backlog(this.#stage, now, Math.min(room, this.#perAccount));
    if (waiting.length === 0) this.#shares.forgive();
    const candidates = waiting.map((backlog) => new Account(backlog, this.#perAccount)).filter((account) => account.hasNext);
    while (room > 0) {
      const account = this.#shares.next(candidates);
      if (account === null) return;
      const { callId, seconds } = account.take();
      if (!account.hasNext) candidates.splice(candidates.indexOf(account), 1);
      const granted = await this.#calls.grant(callId);
      // Another dispatcher was faster: its grant fills the place.
      room -= 1;
      if (granted === null) continue;
      this.#shares.charge({ accountId: granted.accountId, seconds });
      await this.#messaging.publish(
        makeMessage(REQUEST[this.#stage], { callId, accountId: granted.accountId }, randomUUID(), '/dispatcher', now, granted.traceparent),
      );
      await point('work.granted', callId);
    }
  }

  /**
   * How many more calls may wait in the queue, granted and not yet claimed. The broker's queue is first come, first served: what is in it can no longer be
   * overtaken, so it holds half as many calls as are being worked on. A newcomer's call then starts within the time of one job when two workers or more are
   * busy: those before it are taken by the first half of the workers that end their job, it by the next.
   */
  #window({ granted, leased }: { granted: number; leased: number }): number {
    return Math.max(1, Math.floor(leased / 2)) - granted;
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

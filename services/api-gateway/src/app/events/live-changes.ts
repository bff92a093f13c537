import type { ServerResponse } from 'node:http';
import type { Users } from '@call-analytics/accounts';
import { MESSAGE_TYPES } from '@call-analytics/contracts';
import type { Messaging, Subscription } from '@call-analytics/messaging';
import { type Logger, type Part, WorkError } from '@call-analytics/service-kit';
import { HttpProblem } from '../../http/problem.ts';
import type { Present } from '../../session/sessions.ts';
import { Stream } from './stream.ts';

/** Streams open at the same time. Browsers open six for a host over HTTP/1.1; more are programs, or pages left open. */
export interface StreamLimits {
  session: number;
  user: number;
  account: number;
}
const LIMITS: StreamLimits = { session: 10, user: 30, account: 300 };

export interface LiveChangesOptions {
  users: Users;
  /** Without it nobody can listen, and pages poll. */
  messaging: Pick<Messaging, 'subscribe'> | undefined;
  log: Logger;
  /** Milliseconds between signs of life. */
  awakeMs?: number;
  /** Milliseconds between looks at whether the sessions go on. */
  checkMs?: number;
  limits?: StreamLimits;
}

interface Listening {
  present: Present;
  stream: Stream;
}

/** The pages that listen, each to its own account. */
export class LiveChanges implements Part {
  readonly name = 'live changes';
  readonly #options: LiveChangesOptions;
  readonly #listening = new Set<Listening>();
  readonly #timers: NodeJS.Timeout[] = [];
  #subscription: Subscription | null = null;
  #isChecking = false;

  constructor(options: LiveChangesOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { messaging, awakeMs = 15_000, checkMs = 30_000 } = this.#options;
    this.#subscription =
      (await messaging?.subscribe(MESSAGE_TYPES, ({ data }) => this.#tell(data.accountId, data.callId))) ?? null;
    this.#timers.push(
      setInterval(() => this.#stayAwake(), awakeMs),
      setInterval(() => void this.#endThoseOfEndedSessions(), checkMs),
    );
  }

  /** Ends every stream at once: a server that stops waits for its answers. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#endAll();
    await this.#subscription?.close();
    this.#subscription = null;
  }

  get size(): number {
    return this.#listening.size;
  }

  /** @throws HttpProblem `too_many_streams`; WorkError `transient` while nothing can be heard: pages poll then */
  open(present: Present, res: ServerResponse): void {
    if (this.#subscription?.ready() !== null)
      throw new WorkError({ kind: 'transient', code: 'nothing_to_hear', message: 'Nothing can be heard now.' });
    this.#refuseBeyond(present);
    const listening = { present, stream: new Stream(res) };
    this.#listening.add(listening);
    res.once('close', () => this.#listening.delete(listening));
  }

  /** @throws HttpProblem `too_many_streams` */
  #refuseBeyond({ token, actor }: Present): void {
    const open: StreamLimits = { session: 0, user: 0, account: 0 };
    for (const { present } of this.#listening) {
      if (present.token === token) open.session += 1;
      if (present.actor.userId === actor.userId) open.user += 1;
      if (present.actor.accountId === actor.accountId) open.account += 1;
    }
    const { limits = LIMITS } = this.#options;
    const reached = (['session', 'user', 'account'] as const).find((whose) => open[whose] >= limits[whose]);
    if (reached === undefined) return;
    const detail = `This ${reached} has ${limits[reached]} event streams open, which is the limit. Close some pages.`;
    throw new HttpProblem('too_many_streams', detail, { 'Retry-After': '30' });
  }

  #tell(accountId: string, callId: string): void {
    for (const { present, stream } of this.#listening) if (present.actor.accountId === accountId) stream.tell(callId);
  }

  #stayAwake(): void {
    // Who hears nothing must know it, and poll.
    if (this.#subscription?.ready() !== null) this.#endAll();
    for (const { stream } of this.#listening) stream.stayAwake();
  }

  /** One after another, so that many pages are no burst for the accounts; a round that takes long is not joined by the next. */
  async #endThoseOfEndedSessions(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    for (const { present, stream } of [...this.#listening]) if (await this.#hasEnded(present)) stream.end();
    this.#isChecking = false;
  }

  /** While the accounts do not answer, nobody is sent away. */
  async #hasEnded({ token, actor }: Present): Promise<boolean> {
    try {
      const session = await this.#options.users.session({ token });
      return session?.account.id !== actor.accountId;
    } catch (error) {
      this.#options.log.debug({ err: error }, 'whether a session goes on is not known');
      return false;
    }
  }

  #endAll(): void {
    for (const { stream } of this.#listening) stream.end();
  }
}

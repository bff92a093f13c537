import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallStore, Calls, type HeldLease, openSqliteCallStore, type Transcript } from '@call-analytics/calls';
import { makeMessage, type QueueName, type Stage } from '@call-analytics/contracts';
import { type Faults, inProcessMessaging, type Messaging } from '@call-analytics/messaging';
import { type Clock, makeLogger, makeMetrics, type Part } from '@call-analytics/service-kit';
import { until } from '@call-analytics/test/until.fixture.ts';
import { expect, jest } from '@jest/globals';
import { createDispatcher } from './dispatcher.ts';

export const HOUR = 3_600_000;
/** No test waits this long: what happens sooner was not found by looking every now and then. */
export const RARELY = { IN_FLIGHT_PER_ACCOUNT: 4, DISPATCH_INTERVAL: 60_000 };
export const OFTEN = { IN_FLIGHT_PER_ACCOUNT: 4, DISPATCH_INTERVAL: 10 };

export const transcript: Transcript = {
  language: 'en',
  utterances: [],
  speakersBy: 'nothing',
  engine: { name: 'none', model: 'none' },
  audio: { seconds: 60, channels: 1, coveredSeconds: 60, speechSeconds: [], dropped: [] },
};

/** For the dispatcher's tests: the real store and the real messaging around it. */
export class DispatchFixture {
  readonly #dir: string;
  /** The database of the store. */
  readonly file: string;
  store: CallStore;
  calls: Calls;
  messaging: Messaging;
  /** How far the clock is ahead of the time, in ms. */
  offset = 0;
  readonly clock: Clock = { now: () => new Date(Date.now() + this.offset) };
  readonly parts: Part[] = [];
  readonly lines: string[] = [];
  readonly log = makeLogger('test', 'debug', { write: (line) => this.lines.push(line) });
  readonly metrics = makeMetrics();

  private constructor(dir: string, busyTimeoutMs?: number) {
    this.file = join(dir, 'calls.sqlite');
    this.#dir = dir;
    this.store = openSqliteCallStore({ file: this.file, ...(busyTimeoutMs && { busyTimeoutMs }) });
    this.calls = new Calls(this.store, { clock: this.clock });
    this.messaging = inProcessMessaging({ log: this.log, metrics: this.metrics });
  }

  /** @param busyTimeoutMs of the store */
  static async open(busyTimeoutMs?: number): Promise<DispatchFixture> {
    return new DispatchFixture(await mkdtemp(join(tmpdir(), 'dispatcher-')), busyTimeoutMs);
  }

  async close(): Promise<void> {
    jest.restoreAllMocks();
    for (const part of this.parts.splice(0)) await part.stop(new AbortController().signal);
    await this.messaging.close();
    await this.store.close();
    await rm(this.#dir, { recursive: true });
  }

  /** Moves to a store in memory, which takes thousands of calls in a second. */
  async inMemory(): Promise<void> {
    await this.store.close();
    this.store = openSqliteCallStore({ file: ':memory:' });
    this.calls = new Calls(this.store, { clock: this.clock });
  }

  /** Starts the broker again, without the messages that it had. */
  async restartMessaging(options: { faults?: Faults } = {}): Promise<void> {
    await this.messaging.close();
    this.messaging = inProcessMessaging({ log: this.log, metrics: this.metrics, ...options });
  }

  /** Fills the queue of cleanup, so that the broker refuses what belongs into it until somebody listens. */
  async fillCleanupQueue(): Promise<void> {
    const about = { callId: 'other', accountId: 'other' };
    const message = makeMessage('call.failed', about, 'other', '/test', this.clock.now());
    const fill = async () => {
      for (;;) await this.messaging.publish(message);
    };
    await expect(fill()).rejects.toThrow('The queue cleanup is full.');
  }

  async dispatch(
    settings = RARELY,
    over: { calls?: Calls; store?: CallStore; messaging?: Messaging; oneOfSeveral?: boolean } = {},
  ): Promise<Part> {
    const { calls, store, messaging, log, metrics, clock } = this;
    const part = createDispatcher({ calls, store, messaging, log, metrics, clock, settings, ...over });
    this.parts.push(part);
    await part.start();
    return part;
  }

  /** Moves the clock of `performance.now()`, by which the dispatcher judges how long jobs and outages have lasted. */
  pass(ms: number): void {
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + ms);
  }

  /** Resolves when a dispatcher that looks OFTEN has ended a round that it began after this call. */
  async anotherRound(): Promise<void> {
    const rounds = jest.spyOn(this.store, 'queues');
    await until(
      () => rounds.mock.calls.length,
      (begun) => begun >= 2,
    );
    rounds.mockRestore();
  }

  /** @returns the call's id */
  async accept(accountId = 'account_1', seconds = 60): Promise<string> {
    const audio = { key: `${accountId} ${Math.random()}`, bytes: 1, format: 'mp3', seconds } as const;
    return (await this.calls.accept({ accountId, fileName: 'a.mp3', reportType: 'medium', audio })).call.id;
  }

  async claim(callId: string, stage: Stage = 'transcription'): Promise<HeldLease> {
    const claimed = await this.calls.claim(callId, stage, 'test');
    if ('refused' in claimed) throw new Error(claimed.refused);
    return claimed.lease;
  }

  /** The calls whose messages a queue delivered, in order. */
  async listen(queue: QueueName): Promise<string[]> {
    const heard: string[] = [];
    await this.messaging.consume(
      queue,
      async ({ data }) => {
        heard.push(data.callId);
        return { kind: 'done' };
      },
      { concurrency: 1 },
    );
    return heard;
  }

  /**
   * Workers that claim and then hold each call until they are told to end one.
   * @returns the accounts whose calls were started
   */
  async workers(concurrency: number): Promise<{ started: string[]; endOne(): Promise<void> }> {
    const started: string[] = [];
    const jobs: (() => Promise<void>)[] = [];
    await this.messaging.consume(
      'transcription',
      async ({ data }, { signal }) => {
        const lease = await this.claim(data.callId);
        started.push(data.accountId);
        await new Promise<void>((end) => {
          signal.addEventListener('abort', () => end());
          jobs.push(async () => {
            await this.calls.commitTranscript(lease, transcript);
            end();
          });
        });
        return { kind: 'done' };
      },
      { concurrency },
    );
    return { started, endOne: async () => jobs.shift()?.() };
  }
}

/** Resolves when there are as many. */
export async function atLeast(count: number, of: readonly string[]): Promise<void> {
  await until(
    () => of.length,
    (length) => length >= count,
  );
}

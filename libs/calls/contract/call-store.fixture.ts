import type { Stage } from '@call-analytics/contracts';
import type { Clock, Failure } from '@call-analytics/service-kit';
import {
  type Analysis,
  type Backlog,
  type Call,
  type CallStore,
  Calls,
  type HeldLease,
  type InFlight,
  type Segment,
  type Transcript,
} from '../index.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

class SteppedClock implements Clock {
  #ms = Date.UTC(2026, 10, 21, 9);
  now(): Date {
    return new Date(this.#ms);
  }
  /** @param ms back when negative */
  step(ms: number): void {
    this.#ms += ms;
  }
}

/** A store with the domain on top of it, and a clock that stands still until it is stepped. */
export class Fixture {
  readonly store: CallStore;
  readonly clock = new SteppedClock();
  readonly calls: Calls;
  #recordings = 0;

  constructor(store: CallStore, policy: ConstructorParameters<typeof Calls>[1] = {}) {
    this.store = store;
    this.calls = new Calls(store, { clock: this.clock, ...policy });
  }

  async accept(accountId = 'account_1', seconds = 60): Promise<Call> {
    this.#recordings += 1;
    const audio = { key: `recording-${this.#recordings}`, bytes: 1_000, format: 'mp3', seconds } as const;
    return (await this.calls.accept({ accountId, fileName: 'call.mp3', reportType: 'medium', audio })).call;
  }

  async claim(callId: string, stage: Stage = 'transcription', worker = 'worker'): Promise<HeldLease> {
    const claimed = await this.calls.claim(callId, stage, worker);
    if ('refused' in claimed) throw new Error(`not claimed: ${claimed.refused}`);
    return claimed.lease;
  }

  async read(callId: string): Promise<Call> {
    const call = await this.store.get(callId);
    if (call === null) throw new Error('no such call');
    return call;
  }

  /** The types of the events that wait for the relay, oldest first. */
  async events(callId: string): Promise<string[]> {
    return (await this.store.outbox(1_000))
      .filter(({ message }) => message.data.callId === callId)
      .map(({ message }) => message.type);
  }

  /** What the dispatcher is told of a stage. */
  async queue(stage: Stage = 'transcription', perAccount = 10): Promise<{ inFlight: InFlight; backlog: Backlog[] }> {
    const { inFlight, backlog } = await this.store.queues(this.clock.now());
    return { inFlight: inFlight[stage], backlog: await backlog(stage, perAccount) };
  }

  /** The account's calls that are ready for a stage, in the order of the backlog, with those whose waits are over. */
  async ready(accountId: string, stage: Stage = 'transcription', perAccount = 10): Promise<string[]> {
    await this.calls.endWaits();
    const { backlog } = await this.queue(stage, perAccount);
    return backlog.find((each) => each.accountId === accountId)?.next.map(({ callId }) => callId) ?? [];
  }
}

export const transient: Failure = { kind: 'transient', code: 'engine_down', message: 'The engine did not answer.' };
export const unavailable: Failure = { kind: 'unavailable', code: 'engine_unreachable', message: 'No connection.' };
export const rejected: Failure = { kind: 'rejected', code: 'unreadable', message: 'The recording cannot be read.' };
export const bug: Failure = { kind: 'bug', code: 'internal_error', message: 'Ours.' };
export const outOfQuota: Failure = {
  kind: 'out-of-quota',
  code: 'insufficient_quota',
  message: 'The engine wants money.',
};
export const rateLimited = (until: Date): Failure => ({
  kind: 'rate-limited',
  code: 'rate_limit',
  message: 'Slower.',
  until,
});

export const segment: Segment = {
  key: 'channel 0, 0 to 8 s',
  channel: 0,
  startMs: 0,
  endMs: 8_000,
  utterances: [
    {
      speaker: 0,
      startMs: 120,
      endMs: 7_900,
      text: 'Guten Tag, hier ist Jörg – “hello”.',
      words: '#Y#5,:#/#Q\u0180\u00a0',
    },
  ],
  language: 'de',
};

export const transcript: Transcript = {
  language: 'de',
  utterances: segment.utterances.map((each) => ({ ...each, misheard: [{ at: 20, heard: 'York', term: 'Jörg' }] })),
  speakersBy: 'channels',
  engine: { name: 'openai', model: 'gpt-transcribe' },
  audio: {
    seconds: 61.5,
    channels: 2,
    coveredSeconds: 60,
    speechSeconds: [30, 20],
    dropped: [{ startMs: 0, endMs: 100, reason: 'silence' }],
  },
};

export const analysis: Analysis = {
  engine: { name: 'rules', model: '1' },
  language: 'de-AT',
  lines: [{ role: 'manager', speaker: 0, startMs: 120, endMs: 7_900, text: 'Guten Tag, hier ist Jörg – “hello”.' }],
  rolesBy: 'channels',
  rolesConfidence: 0.9,
  product: 'Dachziegel',
  customerIntent: 'a new roof',
  nextStep: null,
  saleStatus: 'follow_up',
  summary: 'They talked about a roof.',
  positives: [{ text: 'A greeting', quote: 'Guten Tag', line: 0 }],
  issues: [],
  objections: [],
  managerMistakes: [{ text: 'No next step', quote: null, line: null }],
  recommendations: ['Agree on a next step'],
  score: 0,
  rubric: [{ id: 'greeting', title: 'Greeting', points: 0, of: 5, why: 'short' }],
  numbers: { talkRatio: 0.6, questions: null },
  sections: [{ id: 'summary', title: 'Summary', content: 'They talked.', points: ['roof'] }],
};

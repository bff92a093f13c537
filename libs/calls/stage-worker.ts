import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Message, Stage } from '@call-analytics/contracts';
import {
  type CircuitBreaker,
  type Failure,
  failureOf,
  inSpan,
  type Logger,
  type Metrics,
  type Span,
  type SpanOptions,
} from '@call-analytics/service-kit';
import type { Calls, Claimed } from './calls.ts';
import { failureOfTry } from './failure-of-try.ts';
import type { Call, HeldLease } from './record.ts';

export const WORKER_NAME = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;

/** The same shapes as the messaging port's Outcome, so that a handler can return them as they are. */
export type StageOutcome =
  | { kind: 'done' }
  | { kind: 'skipped'; reason: string }
  | { kind: 'retry'; reason: string; pauseUntil?: Date };

export interface StageWork {
  call: Call;
  lease: HeldLease;
  /** Aborted when the lease is lost or the service stops: end soon, write nothing more. */
  signal: AbortSignal;
  log: Logger;
}

export interface StageTry {
  calls: Calls;
  log: Logger;
  metrics: Metrics;
  stage: Stage;
  message: Message;
  /** The engine of the stage, behind its circuit breaker: tells its failures from those of a call. */
  engine?: Pick<CircuitBreaker, 'answeredAt'> | undefined;
  /** Aborted when the service stops: the call is given back and nothing is counted. */
  stop: AbortSignal;
}

/**
 * One try of a stage, the same for every stage: claim, keep the lease alive, work, and settle what came of it. `work` commits its own result; it throws
 * WorkError for what it could classify.
 */
export function workOnStage(given: StageTry, work: (work: StageWork) => Promise<void>): Promise<StageOutcome> {
  return inSpan(given.stage, spanOf(given.message), async (span) => {
    const outcome = await tryStage(given, work, span);
    span.set({ outcome: outcome.kind, ...('reason' in outcome ? { reason: outcome.reason } : {}) });
    return outcome;
  });
}

/** What handling a message is in the trace that began with the upload of its call. */
export function spanOf({ traceparent, data: { callId } }: Message): SpanOptions {
  return { traceparent: traceparent ?? null, kind: 'consumer', attributes: { callId } };
}

async function tryStage(
  { calls, log, metrics, stage, message, engine, stop }: StageTry,
  work: (work: StageWork) => Promise<void>,
  span: Span,
): Promise<StageOutcome> {
  const callId = message.data.callId;
  let claimed: Claimed;
  try {
    claimed = await calls.claim(callId, stage, WORKER_NAME, engine?.answeredAt ?? null);
  } catch (error) {
    log.warn({ err: error, callId, stage }, 'could not claim');
    return later(error);
  }
  if ('refused' in claimed) return { kind: 'skipped', reason: claimed.refused };
  const { call, lease } = claimed;
  const callLog = log.child({ callId, stage, attempt: lease.attempt });
  const began = performance.now();
  const beganAt = new Date();
  // Of a later try it would count the earlier ones' work as waiting.
  if (call.lastFailure === null)
    metrics.queueWaitSeconds.observe({ stage }, Math.max(0, Date.now() - call.readySince.getTime()) / 1000);
  metrics.leasesInFlight.inc({ stage });
  metrics.stageAttempts.inc({ stage });
  span.set({ attempt: lease.attempt });

  const lost = new AbortController();
  const signal = AbortSignal.any([lost.signal, stop]);
  const renew = () => {
    calls.renew(lease).then(
      (kept) => kept || lost.abort(new Error('the lease is lost')),
      (error) => callLog.warn({ err: error }, 'could not renew the lease'),
    );
  };
  // The lease is renewed three times in its life, so that one slow write does not lose it.
  const heartbeat = setInterval(renew, calls.leaseMs / 3);
  const stopListening = calls.onRemoval(callId, renew);

  let outcome: StageOutcome;
  try {
    callLog.info('started');
    await work({ call, lease, signal, log: callLog });
    outcome = { kind: 'done' };
  } catch (error) {
    outcome = await settle(error).catch((unsettled) => {
      callLog.error(
        { err: unsettled, cause: error },
        'could not write down how this try ended: the call is taken back when its lease ends',
      );
      return later(unsettled);
    });
  } finally {
    clearInterval(heartbeat);
    stopListening();
    metrics.leasesInFlight.dec({ stage });
  }
  metrics.stageSeconds.observe({ stage, outcome: outcome.kind }, (performance.now() - began) / 1000);
  callLog.info({ outcome: outcome.kind, ms: Math.round(performance.now() - began) }, 'ended');
  return outcome;

  async function settle(error: unknown): Promise<StageOutcome> {
    if (lost.signal.aborted || error instanceof LeaseLost) return { kind: 'skipped', reason: 'the lease is lost' };
    if (stop.aborted) {
      await calls.release(lease);
      return { kind: 'retry', reason: 'the service stops' };
    }
    const { failure, pauseUntil } = failureOfTry(error, {
      call,
      began: beganAt,
      now: new Date(),
      engine: engine ?? null,
    });
    span.failed(failure.code);
    metrics.stageFailures.inc({ stage, kind: failure.kind, code: failure.code });
    const level = failure.kind === 'bug' || failure.kind === 'out-of-quota' ? 'error' : 'warn';
    callLog[level]({ err: error, kind: failure.kind, code: failure.code }, 'this try failed');
    const after = await calls.failAttempt(lease, failure);
    if (after === null) return { kind: 'skipped', reason: 'the lease is lost' };
    if (after.status === 'failed') return { kind: 'done' };
    return { kind: 'retry', reason: failure.code, ...pause(failure, after, pauseUntil) };
  }
}

/** How long a worker takes nothing when the store does not answer. */
const STORE_PAUSE_MS = 2_000;

/**
 * The store did not answer. The message is not needed again: the call's record, which did not change, says what to do, and the dispatcher reads it.
 * @throws the error, when it is not one that passes
 */
function later(error: unknown): StageOutcome {
  const failure = failureOf(error);
  if (failure.kind !== 'transient' && failure.kind !== 'unavailable') throw error;
  return { kind: 'retry', reason: failure.code, pauseUntil: new Date(Date.now() + STORE_PAUSE_MS) };
}

/** Thrown by `work` when a write was refused because another worker has the call now. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/** @throws LeaseLost when `kept` is false: for the writes of a worker, each of which says whether the lease was still held */
export function assertLeaseHeld(kept: boolean): void {
  if (!kept) throw new LeaseLost('the lease is lost');
}

/** An engine that says "later" says it for every call: nothing more is taken until then. */
function pause(failure: Failure, call: Call, pauseUntil: Date | null): { pauseUntil?: Date } {
  if (pauseUntil !== null) return { pauseUntil };
  if (failure.kind !== 'rate-limited' && failure.kind !== 'out-of-quota') return {};
  return call.nextAttemptAt === null ? {} : { pauseUntil: call.nextAttemptAt };
}

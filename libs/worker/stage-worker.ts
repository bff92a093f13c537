import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { type Call, type Calls, type Claimed, dayOf, type HeldLease } from '@call-analytics/calls';
import type { Message, Stage } from '@call-analytics/contracts';
import { HandlerTimeout, type Messaging, type Outcome } from '@call-analytics/messaging';
import {
  backoffMs,
  type CircuitBreaker,
  type Failure,
  failureOf,
  inSpan,
  type Logger,
  type Metrics,
  type Span,
  type SpanOptions,
} from '@call-analytics/service-kit';
import { failedAttempt } from './failed-attempt.ts';

/** Names this process to operators and to the dispatcher. */
const WORKER_NAME = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;
/** How long a worker takes no messages after the store did not answer. */
const STORE_PAUSE_MS = 2_000;
/** How long a result is kept for the store: longer than a server takes to restart or to elect a primary. */
const GIVE_UP_AFTER_MS = 120_000;
const RETRY_WRITE = { firstMs: 100, capMs: 2_000 };

/** The work of one attempt. */
export interface StageWork {
  call: Call;
  lease: HeldLease;
  /** Aborted when the lease is lost or the service stops: end soon and write nothing more. */
  signal: AbortSignal;
  /** Aborted when the service begins to stop: finish what is begun, and throw its reason instead of beginning more. */
  draining: AbortSignal;
  /**
   * Records what a request to the engine has cost. When the store stays unavailable, this is logged and the work
   * continues.
   * @param dollars null when the price is not known
   */
  paid(engine: { name: string; model: string }, dollars: number | null): Promise<void>;
  log: Logger;
}

interface StageAttempt {
  calls: Calls;
  log: Logger;
  metrics: Metrics;
  stage: Stage;
  message: Message;
  /** The engine for a call, behind its circuit breaker: tells its failures from those of the call. */
  engine?: ((call: Call) => Pick<CircuitBreaker, 'answeredAt'> | undefined) | undefined;
  /**
   * Aborted when the service stops: the call is given back and nothing is counted. Aborted with `HandlerTimeout`, the
   * attempt has failed.
   */
  stop: AbortSignal;
  /** Aborted some time before `stop`, where work in flight is given that time; else the same. */
  draining?: AbortSignal;
}

/** Thrown when a write was refused because another worker has the call now. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/** @throws LeaseLost when `held` is false, which every write of a worker returns when its lease is lost */
export function assertLeaseHeld(held: boolean): void {
  if (!held) throw new LeaseLost('the lease is lost');
}

/** The span of handling a message, in the trace that began with the upload of its call. */
export function spanOf({ traceparent, data: { callId } }: Message): SpanOptions {
  return { traceparent: traceparent ?? null, kind: 'consumer', attributes: { callId } };
}

/**
 * One attempt at a stage, the same for every stage: claim, renew the lease, work, and settle the result. `work` commits
 * its own result and throws WorkError for failures that it could classify.
 */
export function workOnStage(attempt: StageAttempt, work: (work: StageWork) => Promise<void>): Promise<Outcome> {
  return inSpan(attempt.stage, spanOf(attempt.message), async (span) => {
    const outcome = await attemptStage(attempt, work, span);
    span.set({ outcome: outcome.kind, ...('reason' in outcome ? { reason: outcome.reason } : {}) });
    return outcome;
  });
}

async function attemptStage(
  { calls, log, metrics, stage, message, engine, stop, draining = stop }: StageAttempt,
  work: (work: StageWork) => Promise<void>,
  span: Span,
): Promise<Outcome> {
  const callId = message.data.callId;
  let claimed: Claimed;
  try {
    claimed = await calls.claim(callId, stage, WORKER_NAME, (call) => engine?.(call)?.answeredAt ?? null);
  } catch (error) {
    log.warn({ err: error, callId, stage }, 'could not claim a call');
    return storeUnavailable(error);
  }
  if ('refused' in claimed) return { kind: 'skipped', reason: claimed.refused };
  const { call, lease } = claimed;
  const callLog = log.child({ callId, stage, attempt: lease.attempt });
  const began = performance.now();
  const beganAt = new Date();
  // In a later attempt this would count the work of earlier ones as waiting. A spending limit may have held the call
  // until midnight, which says nothing about the workers.
  if (call.lastFailure === null) {
    const since = Math.max(call.readySince.getTime(), Date.parse(dayOf(beganAt)));
    metrics.queueWaitSeconds.observe({ stage }, Math.max(0, beganAt.getTime() - since) / 1000);
  }
  metrics.leasesInFlight.inc({ stage });
  metrics.stageAttempts.inc({ stage });
  span.set({ attempt: lease.attempt });

  const kept = keepLease(calls, call.id, lease, callLog);
  const signal = AbortSignal.any([kept.lost, stop]);
  const costs = recordCosts(calls, lease, callLog, stop);

  let outcome: Outcome;
  try {
    callLog.info('started');
    await work({ call, lease, signal, draining, paid: costs.paid, log: callLog }).finally(costs.recorded);
    outcome = { kind: 'done' };
  } catch (error) {
    outcome = await settle(error).catch((unsettled) => {
      callLog.error(
        { err: unsettled, cause: error },
        'could not record how this attempt ended: the call is reclaimed when its lease expires',
      );
      return storeUnavailable(unsettled);
    });
  } finally {
    kept.stop();
    metrics.leasesInFlight.dec({ stage });
  }
  metrics.stageSeconds.observe({ stage, outcome: outcome.kind }, (performance.now() - began) / 1000);
  const reason = 'reason' in outcome ? { reason: outcome.reason } : {};
  callLog.info({ outcome: outcome.kind, ...reason, ms: Math.round(performance.now() - began) }, 'ended');
  return outcome;

  async function settle(error: unknown): Promise<Outcome> {
    if (kept.lost.aborted || error instanceof LeaseLost) return { kind: 'skipped', reason: 'the lease is lost' };
    const timeout = stop.reason instanceof HandlerTimeout ? stop.reason : null;
    if (timeout === null && (stop.aborted || (draining.aborted && error === draining.reason))) {
      await calls.release(lease);
      return { kind: 'retry', reason: 'the service stops' };
    }
    const facts = { call, began: beganAt, now: new Date(), engine: engine?.(call) ?? null };
    const { failure, pauseUntil } = failedAttempt(timeout ?? error, facts);
    span.failed(failure.code);
    metrics.stageFailures.inc({ stage, kind: failure.kind, code: failure.code });
    const level = failure.kind === 'bug' || failure.kind === 'out-of-quota' ? 'error' : 'warn';
    callLog[level]({ err: error, kind: failure.kind, code: failure.code }, 'this attempt failed');
    const after = await calls.failAttempt(lease, failure);
    if (after === null) return { kind: 'skipped', reason: 'the lease is lost' };
    if (after.status === 'failed') return { kind: 'done' };
    return { kind: 'retry', reason: failure.code, ...pause(failure, after, pauseUntil) };
  }
}

/**
 * Renews a lease until it is stopped, and looks at it when the call is removed.
 * @returns `lost` aborts when another worker has the call, or nobody
 */
function keepLease(calls: Calls, callId: string, lease: HeldLease, log: Logger): { lost: AbortSignal; stop(): void } {
  const lost = new AbortController();
  const renew = () => {
    calls.renew(lease).then(
      (held) => held || lost.abort(new Error('the lease is lost')),
      (error) => log.warn({ err: error }, 'could not renew the lease'),
    );
  };
  // Three renewals per lease, so that one slow write does not lose it.
  const heartbeat = setInterval(renew, calls.leaseMs / 3);
  const stopListening = calls.onRemoval(callId, renew);
  return {
    lost: lost.signal,
    stop() {
      clearInterval(heartbeat);
      stopListening();
    },
  };
}

/**
 * Adds up what an attempt has cost, and writes each sum after the one before.
 * @param stop aborted when the service stops: a sum that cannot be written is given up
 * @returns `recorded` resolves when everything so far is written or given up
 */
function recordCosts(
  calls: Calls,
  lease: HeldLease,
  log: Logger,
  stop: AbortSignal,
): { paid: StageWork['paid']; recorded(): Promise<void> } {
  let dollars: number | null | undefined;
  let recorded = Promise.resolve();
  return {
    async paid({ name, model }, more) {
      if (more === 0 || (more === null && dollars !== undefined)) return;
      dollars = more === null ? null : (dollars ?? 0) + more;
      const sum = dollars;
      const record = () => retryWrite(() => calls.spending.record(lease, { name, model }, sum), stop);
      const failed = (error: unknown) => log.error({ err: error, dollars: sum }, 'could not record the cost');
      recorded = recorded.then(record).catch(failed);
      return recorded;
    },
    recorded: () => recorded,
  };
}

/**
 * The store did not answer. The message is not needed again: the record of the call did not change, and the dispatcher
 * reads it.
 * @throws the error, when it does not pass by itself
 */
function storeUnavailable(error: unknown): Outcome {
  const failure = failureOf(error);
  if (failure.kind !== 'transient' && failure.kind !== 'unavailable') throw error;
  return { kind: 'retry', reason: failure.code, pauseUntil: new Date(Date.now() + STORE_PAUSE_MS) };
}

/** A rate limit or an empty quota applies to every call, so the worker takes no more messages until it ends. */
function pause(failure: Failure, call: Call, pauseUntil: Date | null): { pauseUntil?: Date } {
  if (pauseUntil !== null) return { pauseUntil };
  if (failure.kind !== 'rate-limited' && failure.kind !== 'out-of-quota') return {};
  return call.nextAttemptAt === null ? {} : { pauseUntil: call.nextAttemptAt };
}

/**
 * Writes a result that was paid for: while the store does not answer, the write is retried. Writing twice does no harm,
 * because the guards of the record refuse the second write.
 * @param signal aborts when the lease is lost or the service stops
 * @throws what `write` throws when the store is not the reason, or has been unavailable for two minutes; the reason of
 * the signal
 */
export async function retryWrite<T>(write: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const began = performance.now();
  for (let failures = 1; ; failures += 1) {
    try {
      return await write();
    } catch (error) {
      const { code } = failureOf(error);
      const isUnavailable = code === 'store_unavailable' || code === 'store_full';
      if (!isUnavailable || performance.now() - began > GIVE_UP_AFTER_MS) throw error;
      await delay(backoffMs(failures, RETRY_WRITE), undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

/**
 * Tells the dispatcher how many calls of a stage this process works on at a time; while the store does not answer, the
 * dispatcher uses the last known number. A process that dies is forgotten after the duration of a lease.
 * @returns ends the announcements, and has the process forgotten at once
 */
export async function announceWorker(
  calls: Calls,
  stage: Stage,
  atOnce: number,
  log: Logger,
): Promise<{ close(): Promise<void> }> {
  const announce = (count: number) =>
    calls
      .announceWorker(stage, WORKER_NAME, count)
      .catch((error) => log.warn({ err: error, stage }, 'could not announce the worker'));
  await announce(atOnce);
  // Three times per lease, so that one slow write does not lose the announcement.
  const timer = setInterval(() => announce(atOnce), calls.leaseMs / 3);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await announce(0);
    },
  };
}

/**
 * Checks the lease of a call as soon as another process says that the call was removed, instead of at its next renewal.
 * A missed message only costs that time.
 */
export function watchRemovals(
  calls: Calls,
  messaging: Pick<Messaging, 'subscribe'>,
): Promise<{ close(): Promise<void> }> {
  return messaging.subscribe(['call.removed'], ({ data }) => calls.notifyRemoval(data.callId));
}

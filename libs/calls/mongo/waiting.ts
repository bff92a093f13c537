import { STAGES, type Stage } from '@call-analytics/contracts';
import { CLOCK_TOLERANCE_MS, LONGEST_DELAY_MS } from '../transitions.ts';
import type { Index } from './database.ts';
import { EPOCH, NOT_SET } from './documents.ts';

// The indexes of unfinished calls, and the conditions that are asked of them. Finished calls are in none of these, so what the dispatcher asks costs the same however many
// are done.

export const UNFINISHED = 'queues';
export const BY_NEXT_ATTEMPT = 'delayed_by_time';
export const BY_DEPENDENCY = 'waiting_for_dependency';

export const WAITING_INDEXES: readonly Index[] = [
  // queues, all of it; expiredLeases, the grants that ended and the next to end, figures
  {
    name: UNFINISHED,
    key: {
      stage: 1,
      leaseUntil: 1,
      grantedUntil: 1,
      accountId: 1,
      nextAttemptAt: 1,
      readySince: 1,
      leaseSince: 1,
      version: 1,
      'audio.seconds': 1,
      _id: 1,
    },
    partialFilterExpression: { stage: { $gt: '' } },
  },
  // the delays that ended and the next to end, and for the figures how many have not
  {
    name: BY_NEXT_ATTEMPT,
    key: { nextAttemptAt: 1, stage: 1, leaseUntil: 1, grantedUntil: 1 },
    partialFilterExpression: { nextAttemptAt: { $gte: EPOCH } },
  },
  // the figures, and what an account's calls wait for
  {
    name: BY_DEPENDENCY,
    key: { stage: 1, accountId: 1, 'waiting.for': 1, 'waiting.since': 1 },
    partialFilterExpression: { 'waiting.since': { $gte: EPOCH } },
  },
];

/** An index that begins with the stage is no less quick for it. */
export const EITHER = { $in: [...STAGES] };

/** Neither leased nor granted: ready, or delayed. */
export function waiting(stage: Stage) {
  return { stage, leaseUntil: NOT_SET, grantedUntil: NOT_SET };
}

/** Of what waits: whose delay is over. It lies in the past, or further ahead than any delay can, which was written before the clock was set back. */
export function delayEnded(now: Date) {
  return { $or: [{ nextAttemptAt: { $gte: EPOCH, $lte: now } }, { nextAttemptAt: { $gt: horizon(now) } }] };
}

/** Of what waits: whose delay is not over. */
export function delayed(now: Date) {
  return { nextAttemptAt: { $gt: now, $lte: horizon(now) } };
}

/** Granted, and to be claimed still. */
export function granted(now: Date) {
  return { stage: EITHER, leaseUntil: NOT_SET, grantedUntil: { $gt: now, $lte: horizon(now) } };
}

/** Granted, not claimed, and due again. Looks at all grants, which are no more than are granted at a time. */
export function grantEnded(stage: Stage | typeof EITHER, now: Date) {
  const notAhead = { $not: { $gt: now, $lte: horizon(now) } };
  return { stage, leaseUntil: NOT_SET, grantedUntil: { $gte: EPOCH, ...notAhead }, nextAttemptAt: notAhead };
}

/** Leased, by a worker that is alive as far as anyone knows. */
export function leased(now: Date) {
  return { stage: EITHER, leaseUntil: { $gt: now }, leaseSince: { $lte: tolerated(now) } };
}

/** Of what is leased: see `hasEnded`. */
export function leaseEnded(now: Date) {
  return { leaseUntil: { $gte: EPOCH }, $or: [{ leaseUntil: { $lte: now } }, { leaseSince: { $gt: tolerated(now) } }] };
}

function tolerated(now: Date): Date {
  return new Date(now.getTime() + CLOCK_TOLERANCE_MS);
}

export function horizon(now: Date): Date {
  return new Date(now.getTime() + LONGEST_DELAY_MS);
}

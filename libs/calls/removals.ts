import type { Call } from './record.ts';
import { type Decision, isAhead, later, UNCLAIMED } from './transitions.ts';

// How a call leaves: deleted by its owner or by retention, restored, and gone for good. Pure, as in transitions.ts.

/**
 * The owner deletes the call. Readers no longer see it, its worker loses the lease, and without a stage the dispatcher
 * no longer finds it.
 * @param graceMs how long it can be restored; 0 when it cannot
 */
export function remove(call: Call, now: Date, graceMs: number): Decision {
  if (call.removal !== null) return { refused: 'removed already' };
  const removal = { at: now, until: later(now, graceMs), stage: call.stage, final: graceMs === 0 };
  const change = { ...UNCLAIMED, status: call.status, stage: null, attempt: call.attempt + 1, removal };
  return { write: { change, events: ['call.removed'], durable: true } };
}

/** The retention of a finished call is over: it is removed and cannot be restored. */
export function expire(call: Call, endedBefore: Date, now: Date): Decision {
  if (call.stage !== null) return { refused: `still ${call.status}` };
  if (call.updatedAt >= endedBefore) return { refused: 'its time has not come' };
  return remove(call, now, 0);
}

/** The call goes back to its result, or to its place in the queue of its stage. */
export function restore(call: Call, now: Date): Decision {
  const { removal, status } = call;
  if (removal === null) return { refused: 'not removed' };
  if (removal.final || !isAhead(removal.until, now)) return { refused: 'too late' };
  return {
    write: { change: { status, stage: removal.stage, removal: null }, events: ['call.restored'], durable: true },
  };
}

/** From now on the call cannot be restored, also not by a process whose clock is behind. */
export function finishRemoval(call: Call, now: Date): Decision {
  const { removal, status } = call;
  if (removal === null) return { refused: 'not removed' };
  if (removal.final) return { refused: 'final already' };
  if (isAhead(removal.until, now)) return { refused: 'its time has not come' };
  return { write: { change: { status, removal: { ...removal, final: true } }, events: [], durable: true } };
}

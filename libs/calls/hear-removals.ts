import type { Message, MessageType } from '@call-analytics/contracts';
import type { Calls } from './calls.ts';

/** The part of the messaging port that is needed, in the same shapes. */
interface Messaging {
  subscribe(types: readonly MessageType[], listener: (message: Message) => void): Promise<{ close(): Promise<void> }>;
}

/**
 * Has the workers of this process look after a call's lease as soon as another process tells that the call was removed, instead of at its next renewal. Missed news costs
 * that time and no more.
 */
export function watchRemovals(calls: Calls, messaging: Messaging): Promise<{ close(): Promise<void> }> {
  return messaging.subscribe(['call.removed'], ({ data }) => calls.notifyRemoval(data.callId));
}

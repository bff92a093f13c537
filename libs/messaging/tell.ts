import { type Message, parseMessage } from '@call-analytics/contracts';
import type { Logger } from '@call-analytics/service-kit';
import type { Listener } from './port.ts';

/** Hands a subscriber one message. Nothing that goes wrong in it reaches the others: neither a message that nobody can read nor a listener that throws. */
export function tell(listener: Listener, wire: () => string, log: Logger): void {
  let message: Message;
  try {
    message = parseMessage(wire());
  } catch (error) {
    // Its queue makes a dead letter of it.
    log.debug({ reason: String(error) }, 'heard a message that no version fits');
    return;
  }
  try {
    listener(message);
  } catch (error) {
    log.error({ err: error, type: message.type, callId: message.data.callId }, 'a listener threw');
  }
}

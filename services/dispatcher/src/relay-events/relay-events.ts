import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallStore, OutboxEntry } from '@call-analytics/calls';
import type { Messaging } from '@call-analytics/messaging';
import { point } from '@call-analytics/service-kit';
import { settled } from '../settled.ts';

const BATCH = 100;

/**
 * Publishes the events that wait in the outbox, oldest first, and removes each once the broker has it. Dying in between publishes it again: at least once.
 * @throws WorkError of the first event that could not be published; it stays, and does not hold up the others
 */
export async function relayEvents(store: CallStore, messaging: Messaging): Promise<void> {
  for (;;) {
    const entries = await store.outbox(BATCH);
    if (entries.length === 0) return;
    const published = await settled(entries.map((entry) => publish(messaging, entry)));
    await store.removeFromOutbox(published.values);
    published.mustAllSucceed();
    if (entries.length < BATCH) return;
    // Neither store nor broker need leave the process to answer: without this a long outbox would keep every socket waiting.
    await nextTurn();
  }
}

async function publish(messaging: Messaging, { id, message }: OutboxEntry): Promise<string> {
  await messaging.publish(message);
  await point('event.published', message.data.callId);
  return id;
}

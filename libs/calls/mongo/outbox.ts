import { makeMessage } from '@call-analytics/contracts';
import type { OutboxEntry } from '../store.ts';
import { DURABLE } from './connection.ts';
import type { Database, Index } from './database.ts';
import type { CallDocument } from './documents.ts';

const OUTBOX = 'outbox';
export const OUTBOX_INDEXES: readonly Index[] = [
  // outbox, and the age of its oldest event. A call without events is not in it.
  { name: OUTBOX, key: { 'outbox.at': 1, _id: 1 }, partialFilterExpression: { 'outbox.at': { $exists: true } } },
];

type Waiting = Pick<CallDocument, '_id' | 'accountId' | 'traceparent' | 'outbox'>;

/**
 * The events that wait, oldest first. Only those that a majority has: an event is a fact, and what is on one member alone may yet be lost with it.
 * @param limit of events
 */
export async function outbox({ calls }: Database, limit: number): Promise<OutboxEntry[]> {
  const waiting = await oldest(calls, limit);
  return waiting
    .flatMap((call) => inOrder(call).map((event) => ({ ...event, call })))
    .sort((a, b) => a.since - b.since)
    .slice(0, limit)
    .map(({ id, type, at, call: { _id, accountId, traceparent } }) => ({
      id,
      message: makeMessage(type, { callId: _id, accountId }, id, '/calls', at, traceparent),
    }));
}

export async function removeFromOutbox({ calls }: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await calls.updateMany(
    { _id: { $in: [...new Set(ids.map(callOf))] } },
    { $pull: { outbox: { id: { $in: ids } } } },
    // Majorities are what `outbox` reads: removed from less, the events would be published once more.
    { writeConcern: DURABLE },
  );
}

export async function oldestEventAt({ calls }: Database): Promise<Date | null> {
  const [first] = await oldest(calls, 1);
  return first?.outbox[0]?.at ?? null;
}

/** As many calls with events as there may be events: each has one at least, so no older event is in any other. */
function oldest(calls: Database['calls'], limit: number): Promise<Waiting[]> {
  return calls
    .find(
      { 'outbox.at': { $exists: true } },
      {
        projection: { accountId: 1, traceparent: 1, outbox: 1 },
        hint: OUTBOX,
        sort: { 'outbox.at': 1, _id: 1 },
        limit,
        readConcern: { level: 'majority' },
      },
    )
    .toArray();
}

/** Events of one call stay in their order, also when the clock was set back between them. */
function inOrder({ outbox }: Waiting) {
  let since = 0;
  return outbox.map((event) => {
    since = Math.max(since, event.at.getTime());
    return { ...event, since };
  });
}

/** @param id of an event, see `OutboxEvent` */
function callOf(id: string): string {
  return id.replace(/\.\d+\.[^.]+\.[^.]+$/, '');
}

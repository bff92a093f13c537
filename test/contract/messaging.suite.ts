import { randomUUID } from 'node:crypto';
import { type Message, type MessageType, makeMessage } from '@call-analytics/contracts';
import { type Consumer, DELIVERY_LIMIT, type DeliveryContext, type Handler, type Messaging, type Outcome } from '@call-analytics/messaging';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from './until.ts';

const DONE: Outcome = { kind: 'done' };

/**
 * What every adapter of `Messaging` must do.
 * @param open gives an adapter with empty queues, which redelivers after a few milliseconds so that the suite is quick
 */
export function messagingContract(name: string, open: () => Promise<Messaging>): void {
  describe(`messaging contract: ${name}`, () => {
    let messaging: Messaging;
    beforeEach(async () => {
      messaging = await open();
    });
    afterEach(() => messaging.close());

    const consume = (handler: Handler, concurrency = 1) => messaging.consume('cleanup', handler, { concurrency });
    const publish = async (callId: string, type: MessageType = 'call.completed') => {
      const message = messageAbout(callId, type);
      await messaging.publish(message);
      return message;
    };
    /** Ids of calls in the order in which their messages were handled. */
    const recorder = (outcome: (message: Message, context: DeliveryContext) => Outcome | Promise<Outcome> = () => DONE) => {
      const seen: string[] = [];
      const handler: Handler = async (message, context) => {
        seen.push(message.data.callId);
        return outcome(message, context);
      };
      return {
        seen,
        handler,
        saw: (count: number) =>
          until(
            () => seen.length,
            (n) => n >= count,
          ),
      };
    };

    describe('publishing', () => {
      it('hands a message to the consumer of its queue as it was sent, as delivery 1', async () => {
        const got = Promise.withResolvers<[Message, number]>();
        await consume(async (message, { delivery }) => {
          got.resolve([message, delivery]);
          return DONE;
        });
        const sent = await publish('call_1');
        expect(await got.promise).toEqual([sent, 1]);
      });

      it('keeps a message for a consumer that comes later', async () => {
        await publish('call_1');
        expect(await messaging.depth('cleanup')).toBe(1);
        const { handler, saw } = recorder();
        await consume(handler);
        await saw(1);
        expect(await messaging.depth('cleanup')).toBe(0);
      });

      it('brings each type of message to its own queue', async () => {
        await publish('call_1', 'transcription.requested');
        await publish('call_2', 'analysis.requested');
        await publish('call_3', 'call.failed');
        await publish('call_4', 'call.completed');
        expect(await Promise.all([messaging.depth('transcription'), messaging.depth('analysis'), messaging.depth('cleanup')])).toEqual([
          1, 1, 2,
        ]);
      });

      it('takes an event that no queue wants', async () => {
        await publish('call_1', 'call.uploaded');
        expect(await messaging.depth('transcription')).toBe(0);
      });

      it('loses none of a thousand messages published at once', async () => {
        const ids = Array.from({ length: 1_000 }, (_, i) => `call_${i}`);
        const { seen, handler, saw } = recorder();
        await consume(handler, 20);
        await Promise.all(ids.map((id) => publish(id)));
        await saw(1_000);
        expect(new Set(seen)).toEqual(new Set(ids));
      });

      it('refuses with broker_unavailable once it is closed', async () => {
        await messaging.close();
        await expect(publish('call_1')).rejects.toMatchObject({ failure: { kind: 'transient', code: 'broker_unavailable' } });
      });
    });

    describe('outcomes', () => {
      it.each<Outcome>([DONE, { kind: 'skipped', reason: 'nothing to do' }, { kind: 'retry', reason: 'the record says when' }])(
        'does not deliver a message again after $kind',
        async (outcome) => {
          const first = recorder(() => outcome);
          const consumer = await consume(first.handler);
          await publish('call_1');
          await first.saw(1);
          await consumer.close();
          expect(await messaging.depth('cleanup')).toBe(0);

          const second = recorder();
          await consume(second.handler);
          await publish('call_2');
          await second.saw(1);
          expect(second.seen).toEqual(['call_2']);
          expect(await messaging.deadLetters(10)).toEqual([]);
        },
      );

      it('delivers a message again when its handler threw, and counts the deliveries', async () => {
        const deliveries: number[] = [];
        await consume(async (_, { delivery }) => {
          deliveries.push(delivery);
          if (delivery < 3) throw new Error('a bug');
          return DONE;
        });
        await publish('call_1');
        await until(
          () => deliveries,
          (all) => all.length === 3,
        );
        expect(deliveries).toEqual([1, 2, 3]);
        expect(await messaging.deadLetters(10)).toEqual([]);
      });

      it('gives a message up after the last delivery, says why, and goes on with the others', async () => {
        const { seen, handler, saw } = recorder((message) => {
          if (message.data.callId === 'call_bad') throw new Error('a bug in the handler');
          return DONE;
        });
        await consume(handler);
        const bad = await publish('call_bad');
        await publish('call_good');
        const [letter] = await until(
          () => messaging.deadLetters(10),
          (letters) => letters.length === 1,
        );
        await saw(DELIVERY_LIMIT + 1);
        expect(letter).toMatchObject({ queue: 'cleanup', reason: expect.stringContaining('a bug in the handler') });
        expect(JSON.parse(letter?.wire ?? '')).toEqual(bad);
        expect(seen.filter((id) => id === 'call_bad')).toHaveLength(DELIVERY_LIMIT);
        expect(seen).toContain('call_good');
        expect(await messaging.depth('cleanup')).toBe(0);
      });

      it('dead-letters a failed message at once, with the reason that the handler gave', async () => {
        const { seen, handler } = recorder(() => ({ kind: 'failed', reason: 'no such call' }));
        await consume(handler);
        await publish('call_1');
        const letters = await until(
          () => messaging.deadLetters(10),
          (all) => all.length > 0,
        );
        expect(letters).toMatchObject([{ queue: 'cleanup', reason: 'no such call', deadAt: expect.any(Date) }]);
        expect(seen).toEqual(['call_1']);
      });

      it('dead-letters what it cannot read without troubling the handler, and goes on', async () => {
        const { seen, handler, saw } = recorder();
        await consume(handler);
        await messaging.publish({ ...messageAbout('call_future', 'call.completed'), dataschema: 'urn:call-analytics:call.completed:v99' });
        await publish('call_1');
        await saw(1);
        const [letter] = await until(
          () => messaging.deadLetters(10),
          (all) => all.length === 1,
        );
        expect(letter?.reason).toContain('v99');
        expect(seen).toEqual(['call_1']);
      });

      it('keeps attributes that a newer sender added', async () => {
        const got = Promise.withResolvers<Message>();
        await consume(async (message) => {
          got.resolve(message);
          return DONE;
        });
        await messaging.publish({ ...messageAbout('call_1', 'call.completed'), partitionkey: 'from the future' });
        expect(await got.promise).toHaveProperty('partitionkey', 'from the future');
      });
    });

    describe('dead letters', () => {
      const deadLetters = (count: number) =>
        until(
          () => messaging.deadLetters(100),
          (letters) => letters.length === count,
        );

      it('replays one as a first delivery, and lists it no more', async () => {
        let repaired = false;
        const deliveries: number[] = [];
        await consume(async (_, { delivery }) => {
          deliveries.push(delivery);
          return repaired ? DONE : { kind: 'failed', reason: 'broken' };
        });
        await publish('call_1');
        const [letter] = await deadLetters(1);
        repaired = true;
        expect(await messaging.replay(letter?.id ?? '')).toBe(true);
        await until(
          () => deliveries,
          (all) => all.length === 2,
        );
        expect(deliveries).toEqual([1, 1]);
        await deadLetters(0);
        expect(await messaging.replay(letter?.id ?? '')).toBe(false);
      });

      it('says so when there is no such dead letter', async () => {
        expect(await messaging.replay(randomUUID())).toBe(false);
      });

      it('lists no more of them than were asked for', async () => {
        await consume(recorder(() => ({ kind: 'failed', reason: 'no' })).handler);
        for (const id of ['call_1', 'call_2', 'call_3']) await publish(id);
        await deadLetters(3);
        expect(await messaging.deadLetters(2)).toHaveLength(2);
      });
    });

    describe('consumers', () => {
      it('hold no more messages than their concurrency, and as many', async () => {
        let inHand = 0;
        let most = 0;
        let handled = 0;
        const full = Promise.withResolvers<void>();
        await consume(async () => {
          inHand += 1;
          most = Math.max(most, inHand);
          if (inHand === 3) full.resolve();
          await full.promise;
          await new Promise(setImmediate);
          inHand -= 1;
          handled += 1;
          return DONE;
        }, 3);
        for (let i = 0; i < 20; i += 1) await publish(`call_${i}`);
        await until(
          () => handled,
          (n) => n === 20,
        );
        expect(most).toBe(3);
      });

      it('share a queue: each message goes to one of them, and none of them idles', async () => {
        const first = recorder();
        const second = recorder();
        await consume(first.handler);
        await consume(second.handler);
        const ids = Array.from({ length: 50 }, (_, i) => `call_${i}`);
        for (const id of ids) await publish(id);
        await until(
          () => first.seen.length + second.seen.length,
          (n) => n === 50,
        );
        expect([...first.seen, ...second.seen].sort()).toEqual(ids.sort());
        expect(Math.min(first.seen.length, second.seen.length)).toBeGreaterThan(0);
      });

      it('take nothing while paused, finish what they hold, and go on when resumed', async () => {
        const started = Promise.withResolvers<void>();
        const go = Promise.withResolvers<void>();
        const { seen, handler, saw } = recorder(async () => {
          started.resolve();
          await go.promise;
          return DONE;
        });
        const consumer = await consume(handler);
        await publish('call_1');
        await started.promise;
        await consumer.pause();
        expect(consumer.ready()).toBeNull();
        await publish('call_2');
        go.resolve();
        await otherQueueWorks(messaging);
        expect(seen).toEqual(['call_1']);
        expect(await messaging.depth('cleanup')).toBe(1);
        await consumer.resume();
        await saw(2);
        expect(seen).toEqual(['call_1', 'call_2']);
      });

      it('take nothing before the time that an outcome named, and go on by themselves', async () => {
        const pauseUntil = new Date(Date.now() + 300);
        const handledAt: Record<string, number> = {};
        await consume(async (message) => {
          handledAt[message.data.callId] = Date.now();
          return message.data.callId === 'call_1' ? { kind: 'retry', reason: 'the engine says later', pauseUntil } : DONE;
        });
        await publish('call_1');
        await publish('call_2');
        await until(
          () => handledAt,
          (at) => at.call_2 !== undefined,
        );
        // A timer may fire up to a millisecond before the clock shows its time.
        expect(handledAt.call_2).toBeGreaterThanOrEqual(pauseUntil.getTime() - 1);
        expect(await messaging.depth('cleanup')).toBe(0);
      });

      it('do not wait for a time that has passed', async () => {
        const { handler, saw } = recorder(() => ({ kind: 'retry', reason: 'late', pauseUntil: new Date(0) }));
        await consume(handler);
        await publish('call_1');
        await publish('call_2');
        await saw(2);
      });

      it('are not ready once closed', async () => {
        const consumer = await consume(recorder().handler);
        expect(consumer.ready()).toBeNull();
        await consumer.close();
        expect(consumer.ready()).not.toBeNull();
      });
    });

    describe('closing a consumer', () => {
      /** A consumer that holds `call_1` until told otherwise. */
      const holding = async () => {
        const started = Promise.withResolvers<AbortSignal>();
        const end = Promise.withResolvers<Outcome>();
        const consumer: Consumer = await consume(async (_, { signal }) => {
          started.resolve(signal);
          return end.promise;
        });
        await publish('call_1');
        return { consumer, signal: await started.promise, end: end.resolve };
      };

      it('waits for what is in hand and takes nothing new', async () => {
        const { consumer, signal, end } = await holding();
        await publish('call_2');
        let closed = false;
        const closing = consumer.close().then(() => {
          closed = true;
        });
        await otherQueueWorks(messaging);
        expect(closed).toBe(false);
        expect(signal.aborted).toBe(false);
        end(DONE);
        await closing;
        expect(await messaging.depth('cleanup')).toBe(1);
      });

      it('settles what ends soon after the deadline', async () => {
        const { consumer, signal, end } = await holding();
        signal.addEventListener('abort', () => end(DONE));
        await consumer.close(AbortSignal.abort());
        expect(await messaging.depth('cleanup')).toBe(0);
      });

      it('gives back what does not end, and ignores what comes of it later', async () => {
        const { consumer, signal, end } = await holding();
        const deadline = new AbortController();
        const closing = consumer.close(deadline.signal);
        expect(signal.aborted).toBe(false);
        deadline.abort();
        await closing;
        expect(signal.aborted).toBe(true);

        const second = Promise.withResolvers<[string, number]>();
        await consume(async (message, { delivery }) => {
          second.resolve([message.data.callId, delivery]);
          return DONE;
        });
        expect(await second.promise).toEqual(['call_1', 2]);
        end({ kind: 'failed', reason: 'too late' });
        await otherQueueWorks(messaging);
        expect(await messaging.deadLetters(10)).toEqual([]);
        expect(await messaging.depth('cleanup')).toBe(0);
      });
    });

    it('is ready until it is closed', async () => {
      expect(messaging.ready()).toBeNull();
      await messaging.close();
      expect(messaging.ready()).not.toBeNull();
    });
  });
}

function messageAbout(callId: string, type: MessageType): Message {
  return makeMessage(type, { callId, accountId: 'account_1' }, randomUUID(), '/contract', new Date());
}

/** Proves that messages flow: whatever was going to happen on the first queue had the same chance to. */
async function otherQueueWorks(messaging: Messaging): Promise<void> {
  const arrived = Promise.withResolvers<void>();
  const consumer = await messaging.consume(
    'analysis',
    async () => {
      arrived.resolve();
      return DONE;
    },
    { concurrency: 1 },
  );
  await messaging.publish(messageAbout('call_elsewhere', 'analysis.requested'));
  await arrived.promise;
  await consumer.close();
}

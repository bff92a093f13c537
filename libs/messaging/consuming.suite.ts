import { until } from '@call-analytics/test/until.fixture.ts';
import { describe, expect, it } from '@jest/globals';
import type { Consumer, Outcome } from './index.ts';
import { DONE, otherQueueWorks, recorder, type UnderTest } from './messaging.fixture.ts';

/** How consumers take messages, pause and close. */
export function consumersContract(at: UnderTest): void {
  describe('consumers', () => {
    it('hold no more messages than their concurrency, and as many', async () => {
      let inFlight = 0;
      let most = 0;
      let handled = 0;
      const full = Promise.withResolvers<void>();
      await at.consume(async () => {
        inFlight += 1;
        most = Math.max(most, inFlight);
        if (inFlight === 3) full.resolve();
        await full.promise;
        await new Promise(setImmediate);
        inFlight -= 1;
        handled += 1;
        return DONE;
      }, 3);
      for (let i = 0; i < 20; i += 1) await at.publish(`call_${i}`);
      await until(
        () => handled,
        (n) => n === 20,
      );
      expect(most).toBe(3);
    });

    it('share a queue: each message goes to one of them, and none of them idles', async () => {
      const first = recorder();
      const second = recorder();
      await at.consume(first.handler);
      await at.consume(second.handler);
      const ids = Array.from({ length: 50 }, (_, i) => `call_${i}`);
      for (const id of ids) await at.publish(id);
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
      const consumer = await at.consume(handler);
      await at.publish('call_1');
      await started.promise;
      await consumer.pause();
      expect(consumer.ready()).toBeNull();
      await at.publish('call_2');
      go.resolve();
      await otherQueueWorks(at.messaging);
      expect(seen).toEqual(['call_1']);
      expect(await at.messaging.depth('cleanup')).toBe(1);
      await consumer.resume();
      await saw(2);
      expect(seen).toEqual(['call_1', 'call_2']);
    });

    it('take nothing before the time that an outcome named, and go on by themselves', async () => {
      const pauseUntil = new Date(Date.now() + 300);
      const handledAt: Record<string, number> = {};
      await at.consume(async (message) => {
        handledAt[message.data.callId] = Date.now();
        return message.data.callId === 'call_1' ? { kind: 'retry', reason: 'the engine says later', pauseUntil } : DONE;
      });
      await at.publish('call_1');
      await at.publish('call_2');
      await until(
        () => handledAt,
        (times) => times.call_2 !== undefined,
      );
      // A timer may fire up to a millisecond before the clock shows its time.
      expect(handledAt.call_2).toBeGreaterThanOrEqual(pauseUntil.getTime() - 1);
      expect(await at.messaging.depth('cleanup')).toBe(0);
    });

    it('do not wait for a time that has passed', async () => {
      const { handler, saw } = recorder(() => ({ kind: 'retry', reason: 'late', pauseUntil: new Date(0) }));
      await at.consume(handler);
      await at.publish('call_1');
      await at.publish('call_2');
      await saw(2);
    });

    it('are not ready once closed', async () => {
      const consumer = await at.consume(recorder().handler);
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
      const consumer: Consumer = await at.consume(async (_, { signal }) => {
        started.resolve(signal);
        return end.promise;
      });
      await at.publish('call_1');
      return { consumer, signal: await started.promise, end: end.resolve };
    };

    it('waits for what is in flight and takes nothing new', async () => {
      const { consumer, signal, end } = await holding();
      await at.publish('call_2');
      let closed = false;
      const closing = consumer.close().then(() => {
        closed = true;
      });
      await otherQueueWorks(at.messaging);
      expect(closed).toBe(false);
      expect(signal.aborted).toBe(false);
      end(DONE);
      await closing;
      expect(await at.messaging.depth('cleanup')).toBe(1);
    });

    it('settles what ends soon after the deadline', async () => {
      const { consumer, signal, end } = await holding();
      signal.addEventListener('abort', () => end(DONE));
      await consumer.close(AbortSignal.abort());
      expect(await at.messaging.depth('cleanup')).toBe(0);
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
      await at.consume(async (message, { delivery }) => {
        second.resolve([message.data.callId, delivery]);
        return DONE;
      });
      expect(await second.promise).toEqual(['call_1', 2]);
      end({ kind: 'failed', reason: 'too late' });
      await otherQueueWorks(at.messaging);
      expect(await at.messaging.deadLetters(10)).toEqual([]);
      expect(await at.messaging.depth('cleanup')).toBe(0);
    });
  });
}

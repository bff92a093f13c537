import { randomUUID } from 'node:crypto';
import type { Message } from '@call-analytics/contracts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { describe, expect, it } from '@jest/globals';
import { DELIVERY_LIMIT, type Outcome } from './index.ts';
import { DONE, messageAbout, recorder, type UnderTest } from './messaging.fixture.ts';

/** What becomes of a message, from publishing to its end. */
export function messagesContract(at: UnderTest): void {
  describe('publishing', () => {
    it('hands a message to the consumer of its queue as it was sent, as delivery 1', async () => {
      const got = Promise.withResolvers<[Message, number]>();
      await at.consume(async (message, { delivery }) => {
        got.resolve([message, delivery]);
        return DONE;
      });
      const sent = await at.publish('call_1');
      expect(await got.promise).toEqual([sent, 1]);
    });

    it('keeps a message for a consumer that comes later', async () => {
      await at.publish('call_1');
      expect(await at.messaging.depth('cleanup')).toBe(1);
      const { handler, saw } = recorder();
      await at.consume(handler);
      await saw(1);
      expect(await at.messaging.depth('cleanup')).toBe(0);
    });

    it('brings each type of message to its own queue', async () => {
      await at.publish('call_1', 'transcription.requested');
      await at.publish('call_2', 'analysis.requested');
      await at.publish('call_3', 'call.failed');
      await at.publish('call_4', 'call.completed');
      expect(
        await Promise.all([
          at.messaging.depth('transcription'),
          at.messaging.depth('analysis'),
          at.messaging.depth('cleanup'),
        ]),
      ).toEqual([1, 1, 2]);
    });

    it('takes an event that no queue wants', async () => {
      await at.publish('call_1', 'call.uploaded');
      expect(await at.messaging.depth('transcription')).toBe(0);
    });

    it('loses none of a thousand messages published at once', async () => {
      const ids = Array.from({ length: 1_000 }, (_, i) => `call_${i}`);
      const { seen, handler, saw } = recorder();
      await at.consume(handler, 20);
      await Promise.all(ids.map((id) => at.publish(id)));
      await saw(1_000);
      expect(new Set(seen)).toEqual(new Set(ids));
    });

    it('refuses with broker_unavailable once it is closed', async () => {
      await at.messaging.close();
      await expect(at.publish('call_1')).rejects.toMatchObject({
        failure: { kind: 'transient', code: 'broker_unavailable' },
      });
    });
  });

  describe('outcomes', () => {
    it.each<Outcome>([
      DONE,
      { kind: 'skipped', reason: 'nothing to do' },
      { kind: 'retry', reason: 'the record says when' },
    ])('does not deliver a message again after $kind', async (outcome) => {
      const first = recorder(() => outcome);
      const consumer = await at.consume(first.handler);
      await at.publish('call_1');
      await first.saw(1);
      await consumer.close();
      expect(await at.messaging.depth('cleanup')).toBe(0);

      const second = recorder();
      await at.consume(second.handler);
      await at.publish('call_2');
      await second.saw(1);
      expect(second.seen).toEqual(['call_2']);
      expect(await at.messaging.deadLetters(10)).toEqual([]);
    });

    it('delivers a message again when its handler threw, and counts the deliveries', async () => {
      const deliveries: number[] = [];
      await at.consume(async (_, { delivery }) => {
        deliveries.push(delivery);
        if (delivery < 3) throw new Error('a bug');
        return DONE;
      });
      await at.publish('call_1');
      await until(
        () => deliveries,
        (all) => all.length === 3,
      );
      expect(deliveries).toEqual([1, 2, 3]);
      expect(await at.messaging.deadLetters(10)).toEqual([]);
    });

    it('gives a message up after the last delivery, says why, and goes on with the others', async () => {
      const { seen, handler, saw } = recorder((message) => {
        if (message.data.callId === 'call_bad') throw new Error('a bug in the handler');
        return DONE;
      });
      await at.consume(handler);
      const bad = await at.publish('call_bad');
      await at.publish('call_good');
      const [letter] = await until(
        () => at.messaging.deadLetters(10),
        (letters) => letters.length === 1,
      );
      await saw(DELIVERY_LIMIT + 1);
      expect(letter).toMatchObject({ queue: 'cleanup', reason: expect.stringContaining('a bug in the handler') });
      expect(JSON.parse(letter?.body ?? '')).toEqual(bad);
      expect(seen.filter((id) => id === 'call_bad')).toHaveLength(DELIVERY_LIMIT);
      expect(seen).toContain('call_good');
      expect(await at.messaging.depth('cleanup')).toBe(0);
    });

    it('dead-letters a failed message at once, with the reason that the handler gave', async () => {
      const { seen, handler } = recorder(() => ({ kind: 'failed', reason: 'no such call' }));
      await at.consume(handler);
      await at.publish('call_1');
      const letters = await until(
        () => at.messaging.deadLetters(10),
        (all) => all.length > 0,
      );
      expect(letters).toMatchObject([{ queue: 'cleanup', reason: 'no such call', deadAt: expect.any(Date) }]);
      expect(seen).toEqual(['call_1']);
    });

    it('dead-letters what it cannot read without troubling the handler, and goes on', async () => {
      const { seen, handler, saw } = recorder();
      await at.consume(handler);
      await at.messaging.publish({
        ...messageAbout('call_future', 'call.completed'),
        dataschema: 'urn:call-analytics:call.completed:v99',
      });
      await at.publish('call_1');
      await saw(1);
      const [letter] = await until(
        () => at.messaging.deadLetters(10),
        (all) => all.length === 1,
      );
      expect(letter?.reason).toContain('v99');
      expect(seen).toEqual(['call_1']);
    });

    it('keeps attributes that a newer sender added', async () => {
      const got = Promise.withResolvers<Message>();
      await at.consume(async (message) => {
        got.resolve(message);
        return DONE;
      });
      await at.messaging.publish({ ...messageAbout('call_1', 'call.completed'), partitionkey: 'from the future' });
      expect(await got.promise).toHaveProperty('partitionkey', 'from the future');
    });
  });

  describe('dead letters', () => {
    const deadLetters = (count: number) =>
      until(
        () => at.messaging.deadLetters(100),
        (letters) => letters.length === count,
      );

    it('replays one as a first delivery, and lists it no more', async () => {
      let repaired = false;
      const deliveries: number[] = [];
      await at.consume(async (_, { delivery }) => {
        deliveries.push(delivery);
        return repaired ? DONE : { kind: 'failed', reason: 'broken' };
      });
      await at.publish('call_1');
      const [letter] = await deadLetters(1);
      repaired = true;
      expect(await at.messaging.replay(letter?.id ?? '')).toBe(true);
      await until(
        () => deliveries,
        (all) => all.length === 2,
      );
      expect(deliveries).toEqual([1, 1]);
      await deadLetters(0);
      expect(await at.messaging.replay(letter?.id ?? '')).toBe(false);
    });

    it('says so when there is no such dead letter', async () => {
      expect(await at.messaging.replay(randomUUID())).toBe(false);
    });

    it('lists no more of them than were asked for', async () => {
      await at.consume(recorder(() => ({ kind: 'failed', reason: 'no' })).handler);
      for (const id of ['call_1', 'call_2', 'call_3']) await at.publish(id);
      await deadLetters(3);
      expect(await at.messaging.deadLetters(2)).toHaveLength(2);
    });
  });
}

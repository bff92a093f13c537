import { MESSAGE_TYPES, type Message, type MessageType } from '@call-analytics/contracts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { describe, expect, it } from '@jest/globals';
import { DONE, otherQueueWorks, recorder, type UnderTest } from './messaging.fixture.ts';

/** How those who are no consumers hear of everything. */
export function subscriptionsContract(at: UnderTest): void {
  describe('subscriptions', () => {
    const subscribed = async (types: readonly MessageType[] = MESSAGE_TYPES) => {
      const heard: Message[] = [];
      const subscription = await at.messaging.subscribe(types, (message) => heard.push(message));
      const hears = (count: number) =>
        until(
          () => heard.length,
          (n) => n >= count,
        );
      return { heard, hears, subscription };
    };

    it('hear every message of every type as it was sent, each of them, and the queues get theirs all the same', async () => {
      const all = [await subscribed(), await subscribed()];
      const sent: Message[] = [];
      for (const type of MESSAGE_TYPES) sent.push(await at.publish(`call_${type}`, type));
      for (const { heard, hears } of all) {
        await hears(sent.length);
        expect(heard).toEqual(sent);
      }
      expect([await at.messaging.depth('transcription'), await at.messaging.depth('cleanup')]).toEqual([1, 2]);
    });

    it('hear the types that they asked for, and no other', async () => {
      const one = await subscribed(['call.removed', 'call.failed']);
      const all = await subscribed();
      for (const type of MESSAGE_TYPES) await at.publish(`call_${type}`, type);
      await at.publish('call_last', 'call.removed');
      await all.hears(MESSAGE_TYPES.length + 1);
      await one.hears(3);
      expect(one.heard.map(({ type }) => type).sort()).toEqual(['call.failed', 'call.removed', 'call.removed']);
    });

    it('hear a message once, however often it is delivered', async () => {
      const { heard, hears } = await subscribed();
      const { handler, saw } = recorder((_, { delivery }) => {
        if (delivery < 3) throw new Error('a bug');
        return DONE;
      });
      await at.consume(handler);
      await at.publish('call_1');
      await saw(3);
      await at.publish('call_2', 'call.uploaded');
      await hears(2);
      expect(heard.map(({ data }) => data.callId)).toEqual(['call_1', 'call_2']);
    });

    it('hear nothing of what was published before them or after their end', async () => {
      await at.publish('call_before');
      const { heard, hears, subscription } = await subscribed();
      await at.publish('call_1');
      await hears(1);
      expect(subscription.ready()).toBeNull();
      await subscription.close();
      expect(subscription.ready()).not.toBeNull();
      await at.publish('call_after');
      const other = await subscribed();
      await at.publish('call_2');
      await other.hears(1);
      expect([heard, other.heard].map((messages) => messages.map(({ data }) => data.callId))).toEqual([
        ['call_1'],
        ['call_2'],
      ]);
    });

    it('that throw trouble neither the publisher nor the others, and hear the next message', async () => {
      let told = 0;
      await at.messaging.subscribe(MESSAGE_TYPES, () => {
        told += 1;
        throw new Error('a bug in the listener');
      });
      const { hears } = await subscribed();
      await at.publish('call_1');
      await at.publish('call_2');
      await hears(2);
      await until(
        () => told,
        (n) => n === 2,
      );
      await otherQueueWorks(at.messaging);
    });

    it('are refused, and hear nothing, once messaging is closed', async () => {
      const { subscription } = await subscribed();
      await at.messaging.close();
      expect(subscription.ready()).not.toBeNull();
      await expect(at.messaging.subscribe(MESSAGE_TYPES, () => {})).rejects.toMatchObject({
        failure: { code: 'broker_unavailable' },
      });
    });
  });
}

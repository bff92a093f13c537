import { CATALOGUE, makeMessage } from '@call-analytics/contracts';
import { makeLogger, makeMetrics } from '@call-analytics/service-kit';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type Faults, inProcessMessaging } from './in-process.ts';
import { type Handler, HandlerTimeout, type Messaging } from './messaging.ts';
import { seededFaults } from './seeded-faults.fixture.ts';

const about = (callId: string) =>
  makeMessage('call.completed', { callId, accountId: 'account_1' }, `message of ${callId}`, '/test', new Date());

describe('messaging in process', () => {
  let messaging: Messaging;
  afterEach(async () => {
    jest.useRealTimers();
    await messaging.close();
  });

  const lines: string[] = [];
  const open = (faults?: Faults) => {
    lines.length = 0;
    const metrics = makeMetrics();
    const log = makeLogger('test', 'warn', { write: (line) => lines.push(line) });
    messaging = inProcessMessaging({ log, metrics, redeliverAfterMs: 1, ...(faults === undefined ? {} : { faults }) });
    return metrics;
  };
  /** Consumes until `count` deliveries were handled. @returns their call ids in order */
  const deliveries = async (count: number, outcome: Handler = async () => ({ kind: 'done' })) => {
    const seen: string[] = [];
    const enough = Promise.withResolvers<void>();
    const consumer = await messaging.consume(
      'cleanup',
      async (message, context) => {
        seen.push(message.data.callId);
        if (seen.length === count) enough.resolve();
        return outcome(message, context);
      },
      { concurrency: 1 },
    );
    await enough.promise;
    await consumer.close();
    return seen;
  };

  it('takes ten thousand messages into a queue, then says broker_unavailable, and takes more when some are handled', async () => {
    open();
    for (let i = 0; i < 10_000; i += 1) await messaging.publish(about(`call_${i}`));
    await expect(messaging.publish(about('call_too_many'))).rejects.toMatchObject({
      failure: { kind: 'transient', code: 'broker_unavailable' },
    });
    await deliveries(1);
    await messaging.publish(about('call_more'));
  });

  it('does not replay into a full queue, and keeps the dead letter', async () => {
    open();
    await messaging.publish(about('call_dead'));
    await deliveries(1, async () => ({ kind: 'failed', reason: 'broken' }));
    for (let i = 0; i < 10_000; i += 1) await messaging.publish(about(`call_${i}`));
    const [letter] = await messaging.deadLetters(10);
    await expect(messaging.replay(letter?.id ?? '')).rejects.toMatchObject({ failure: { code: 'broker_unavailable' } });
    expect(await messaging.deadLetters(10)).toHaveLength(1);
  });

  it('keeps the newest thousand dead letters', async () => {
    open();
    for (let i = 0; i < 1_002; i += 1) await messaging.publish(about(`call_${i}`));
    await deliveries(1_002, async () => ({ kind: 'failed', reason: 'broken' }));
    const letters = await messaging.deadLetters(2_000);
    expect(letters).toHaveLength(1_000);
    expect(letters[0]?.body).toContain('"call_2"');
  });

  it('never handles a message inside publish, and lets sockets be read between messages', async () => {
    open();
    let handled = 0;
    let turns = 0;
    const done = deliveries(100, async () => {
      handled += 1;
      return { kind: 'done' };
    });
    await new Promise(setImmediate);
    for (let i = 0; i < 100; i += 1) await messaging.publish(about(`call_${i}`));
    expect(handled).toBe(0);
    const count = () => {
      turns += 1;
      if (handled < 100) setImmediate(count);
    };
    setImmediate(count);
    await done;
    expect(turns).toBeGreaterThan(50);
  });

  it('counts what it took and what became of it', async () => {
    const metrics = open();
    await messaging.publish(about('call_1'));
    await messaging.publish(about('call_2'));
    await deliveries(3, async (message, { delivery }) => {
      if (message.data.callId === 'call_1' && delivery === 1) throw new Error('a bug');
      return { kind: 'skipped', reason: 'nothing to do' };
    });
    const text = await metrics.registry.metrics();
    expect(text).toContain('messages_published_total{type="call.completed"} 2');
    expect(text).toContain('messages_handled_total{queue="cleanup",outcome="threw"} 1');
    expect(text).toContain('messages_handled_total{queue="cleanup",outcome="skipped"} 2');
  });

  it('tells the operator of a handler that threw and of a dead letter, by the id of the call and without the message', async () => {
    open();
    await messaging.publish(about('call_1'));
    await deliveries(2, async (_, { delivery }) => {
      if (delivery === 1) throw new Error('a bug');
      return { kind: 'failed', reason: 'broken' };
    });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        level: 'error',
        queue: 'cleanup',
        callId: 'call_1',
        delivery: 1,
        err: { message: 'a bug' },
        msg: 'a handler threw',
      },
      { level: 'error', queue: 'cleanup', reason: 'broken', msg: 'a message was dead-lettered' },
    ]);
    expect(lines.join()).not.toContain('account_1');
  });

  it('aborts the signal of a handler when the time of its message is over, and not before', async () => {
    open();
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    const started = Promise.withResolvers<AbortSignal>();
    await messaging.consume(
      'cleanup',
      async (_, { signal }) => {
        started.resolve(signal);
        return new Promise((end) => signal.addEventListener('abort', () => end({ kind: 'done' })));
      },
      { concurrency: 1 },
    );
    await messaging.publish(about('call_1'));
    const signal = await started.promise;
    const { timeoutMs } = CATALOGUE['call.completed'];
    jest.advanceTimersByTime(timeoutMs - 1);
    expect(signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(signal.reason).toBeInstanceOf(HandlerTimeout);
  });

  describe('told to misbehave', () => {
    it('loses messages', async () => {
      open(seededFaults(1, { drop: 1 }));
      await messaging.publish(about('call_1'));
      expect(await messaging.depth('cleanup')).toBe(0);
    });

    it('delivers messages twice', async () => {
      open(seededFaults(1, { duplicate: 1 }));
      await messaging.publish(about('call_1'));
      expect(await deliveries(2)).toEqual(['call_1', 'call_1']);
    });

    it('delivers messages late', async () => {
      open(seededFaults(1, { delay: 1, delayMs: 20 }));
      await messaging.publish(about('call_1'));
      expect(await messaging.depth('cleanup')).toBe(1);
      expect(await deliveries(1)).toEqual(['call_1']);
    });

    it('delivers messages in another order', async () => {
      open(seededFaults(1, { reorder: 0.5 }));
      const ids = Array.from({ length: 50 }, (_, i) => `call_${i}`);
      for (const id of ids) await messaging.publish(about(id));
      const seen = await deliveries(50);
      expect(seen).not.toEqual(ids);
      expect([...seen].sort()).toEqual([...ids].sort());
    });
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { failureOf, makeLogger, makeMetrics } from '@call-analytics/service-kit';
import type { Servers } from '@call-analytics/test/servers/index.ts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterEach, expect } from '@jest/globals';
import type { StartedRabbitMQContainer } from '@testcontainers/rabbitmq';
import type { Handler, Messaging } from '../index.ts';
import { DONE, messageAbout } from '../messaging.fixture.ts';
import { rabbitmqMessaging } from './messaging.ts';

/** Longer than any limit of the adapter: its handshake's, its confirms', its heartbeats'. */
const RECOVERY_MS = 60_000;

/**
 * @returns a function that opens the adapter; what it opened is closed after each test. Jest itself fails a test during
 * which an error is not caught.
 */
export function openings() {
  const opened: Messaging[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((messaging) => messaging.close()));
  });
  return async (
    url: string,
    { lines = [], redeliverAfterMs = 5 }: { lines?: string[]; redeliverAfterMs?: number } = {},
  ): Promise<Messaging> => {
    const log = makeLogger('test', 'debug', { write: (line) => lines.push(line) });
    const messaging = await rabbitmqMessaging({ url, name: 'test', log, metrics: makeMetrics(), redeliverAfterMs });
    opened.push(messaging);
    return messaging;
  };
}

/**
 * Empties queues of a broker in a container of its own, without the broker's own commands: each of them starts a
 * virtual machine, which takes 0.6 s of processor.
 */
export async function purge(broker: StartedRabbitMQContainer, ...queues: string[]): Promise<void> {
  for (const queue of queues) {
    const url = `http://${broker.getHost()}:${broker.getMappedPort(15_672)}/api/queues/%2F/${queue}/contents`;
    const { status } = await fetch(url, {
      method: 'DELETE',
      headers: { authorization: `Basic ${btoa('guest:guest')}` },
    });
    expect([queue, status]).toEqual([queue, 204]);
  }
}

/** A virtual host for each test, and whatever the tests do to it behind the adapter's back. */
export function virtualHosts(servers: Servers) {
  const remove: (() => Promise<void>)[] = [];
  afterEach(async () => {
    await Promise.all(remove.splice(0).map((one) => one()));
  });
  return async () => {
    const host = await servers.virtualHost();
    remove.push(host.remove);
    const management = (method: string, path: string, body?: unknown) =>
      servers.management(method, path.replace('{vhost}', host.name), body);
    return {
      url: host.url,
      management,
      /** Puts bytes of any kind into a queue, as another program would. */
      put: (queue: string, body: Buffer, properties: object = {}) =>
        management('POST', 'exchanges/{vhost}/amq.default/publish', {
          properties: { delivery_mode: 2, ...properties },
          routing_key: queue,
          payload: body.toString('base64'),
          payload_encoding: 'base64',
        }),
    };
  };
}

/**
 * Calls that are published one after the other, in five lines side by side, each until the broker has taken it, and a
 * consumer that sees them: what the adapter must keep up or take up again, whatever happens to the broker.
 */
const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()));
});

export async function traffic(messaging: Messaging, before: Handler = async () => DONE) {
  const accepted = new Set<string>();
  const seen = new Set<string>();
  const refusals: string[] = [];
  let stopped = false;
  const consumer = await messaging.consume(
    'cleanup',
    async (message, context) => {
      const outcome = await before(message, context);
      seen.add(message.data.callId);
      return outcome;
    },
    { concurrency: 10 },
  );
  const lines = Array.from({ length: 5 }, async (_, line) => {
    for (let i = 0; !stopped; i += 1) {
      const callId = `call_${line}_${i}`;
      try {
        await messaging.publish(messageAbout(callId, 'call.completed'));
        accepted.add(callId);
      } catch (error) {
        expect(failureOf(error)).toMatchObject({ kind: 'transient', code: 'broker_unavailable' });
        refusals.push((error as Error).message);
      }
      await sleep(5);
    }
  });
  const sees = (callId: string) =>
    until(
      () => seen.has(callId),
      (yes) => yes,
      RECOVERY_MS,
    );
  const stop = async () => {
    stopped = true;
    await Promise.all(lines);
  };
  running.push({ stop });
  return {
    accepted,
    seen,
    refusals,
    consumer,
    stop,
    /** A message that is published now goes all the way, and everybody is ready. */
    async flows() {
      const before = accepted.size;
      await until(
        () => accepted.size,
        (size) => size > before + 10,
        RECOVERY_MS,
      );
      await sees([...accepted].at(-1) ?? '');
      await until(
        () => [messaging.ready(), consumer.ready()],
        (reasons) => reasons.every((reason) => reason === null),
      );
    },
    /** At least one was refused for this reason. */
    async refused(why: string) {
      await until(
        () => refusals,
        (all) => all.some((reason) => reason.includes(why)),
        RECOVERY_MS,
      );
    },
    /** Ends the traffic. @throws when something that was accepted does not arrive */
    async allArrive() {
      await stop();
      await until(
        () => [...accepted].filter((callId) => !seen.has(callId)),
        (missing) => missing.length === 0,
        RECOVERY_MS,
      );
    },
  };
}

import { MESSAGE_TYPES } from '@call-analytics/contracts';
import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { expect, it } from '@jest/globals';
import type { Messaging } from '../index.ts';
import { messageAbout } from '../messaging.fixture.ts';
import { openings, virtualHosts } from './rabbitmq.fixture.ts';

describeWithServers('a subscription over RabbitMQ', (servers) => {
  const open = openings();
  const virtualHost = virtualHosts(servers);
  type Host = Awaited<ReturnType<typeof virtualHost>>;

  const subscribed = async (messaging: Messaging) => {
    const heard: string[] = [];
    const subscription = await messaging.subscribe(MESSAGE_TYPES, ({ data }) => heard.push(data.callId));
    return { heard, subscription };
  };
  /**
   * Publishes until a message that was published after this began is heard: what was published while it was deaf is
   * not.
   */
  const hearsAgain = async (messaging: Messaging, heard: string[], mark: string) => {
    let n = 0;
    await until(
      async () => {
        n += 1;
        await messaging.publish(messageAbout(`${mark}_${n}`, 'call.uploaded')).catch(() => {});
        return heard.some((callId) => callId.startsWith(mark));
      },
      (yes) => yes,
      60_000,
    );
  };
  const queuesOfItsOwn = async ({ management }: Host) =>
    ((await management('GET', 'queues/{vhost}')) as { name: string; exclusive: boolean }[]).filter(
      ({ exclusive }) => exclusive,
    );

  it.each(['publishing', 'consuming'])('comes back when the broker closes the %s connection', async (which) => {
    const host = await virtualHost();
    const messaging = await open(host.url);
    const { heard, subscription } = await subscribed(messaging);
    await hearsAgain(messaging, heard, 'before');
    const [connection] = await until(
      async () =>
        (
          (await host.management('GET', 'vhosts/{vhost}/connections')) as {
            name: string;
            user_provided_name?: string;
          }[]
        ).filter(({ user_provided_name: given }) => given === `test: ${which}`),
      (all) => all.length > 0,
      30_000,
    );
    await host.management('DELETE', `connections/${encodeURIComponent(connection?.name ?? '')}`);
    await hearsAgain(messaging, heard, 'after');
    expect(subscription.ready()).toBeNull();
    expect(await queuesOfItsOwn(host)).toHaveLength(1);
  });

  it('does not hide that a message reached none of its queues', async () => {
    const host = await virtualHost();
    const messaging = await open(host.url);
    const { heard } = await subscribed(messaging);
    await host.management('DELETE', 'queues/{vhost}/calls.cleanup');
    await expect(messaging.publish(messageAbout('call_1', 'call.completed'))).rejects.toMatchObject({
      failure: { kind: 'transient', code: 'broker_unavailable' },
    });
    await hearsAgain(messaging, heard, 'other');
    expect(heard).not.toContain('call_1');
  });

  it('is a queue with a limit that goes with it, and never with what others wait for', async () => {
    const host = await virtualHost();
    const messaging = await open(host.url);
    const { subscription } = await subscribed(messaging);
    const queues = await until(
      () => queuesOfItsOwn(host),
      (all) => all.length === 1,
      30_000,
    );
    expect(queues).toMatchObject([{ type: 'classic', durable: false, arguments: { 'x-max-length': 10_000 } }]);
    await messaging.publish(messageAbout('call_1', 'call.completed'));
    await subscription.close();
    await until(
      () => queuesOfItsOwn(host),
      (all) => all.length === 0,
      30_000,
    );
    expect(await messaging.depth('cleanup')).toBe(1);
  });

  it('heard by a second process, whose end nobody else notices', async () => {
    const host = await virtualHost();
    const [one, two] = [await open(host.url), await open(host.url)];
    const [first, second] = [await subscribed(one), await subscribed(two)];
    await hearsAgain(one, second.heard, 'both');
    expect(first.heard.length).toBeGreaterThan(0);
    await two.close();
    await hearsAgain(one, first.heard, 'alone');
  });
});

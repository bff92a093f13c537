import { brokerQueue, QUEUE_NAMES, type QueueName } from '@call-analytics/contracts';
import type { Servers } from '../servers/servers.ts';
import { until } from '../until.fixture.ts';
import type { Container, NetworkProxy } from './faulty-servers.fixture.ts';

/** All of it is taken, or what RabbitMQ is delivered with. */
const WATERMARK = { alarm: '0', normal: '0.6' };

/** The policy by which the broker closes channels of slow consumers. */
const IMPATIENT = 'impatient';

/** The broker. */
export class Rabbitmq {
  readonly network: NetworkProxy;
  readonly #container: Container;
  readonly #servers: Servers;
  readonly #virtualHost: string;
  #isAlarmed = false;

  /** @param servers with the address of its management */
  constructor(container: Container, network: NetworkProxy, servers: Servers, virtualHost: string) {
    this.#container = container;
    this.network = network;
    this.#servers = servers;
    this.#virtualHost = virtualHost;
  }

  /** Kills it and starts it again. Resolves when it answers: what is done to it next is to find it there. */
  async restart(): Promise<void> {
    await this.#container.kill();
    await this.#container.start();
    await this.#backAgain();
  }

  /** Empties the queues of all consumers. */
  async purge(): Promise<void> {
    await this.#eachQueue((queue) => this.#manage('DELETE', `queues/{vhost}/${queue}/contents`));
  }

  /** How many messages wait. The broker counts every few seconds. */
  async depth(queue: QueueName): Promise<number> {
    const { messages_ready: waiting = 0 } = (await this.#manage('GET', `queues/{vhost}/${brokerQueue(queue)}`)) as {
      messages_ready?: number;
    };
    return waiting;
  }

  /** The alarm for want of memory: the broker reads nothing from whoever publishes. */
  async alarm(on: boolean): Promise<void> {
    this.#isAlarmed = on;
    await this.#ctl('set_vm_memory_high_watermark', on ? WATERMARK.alarm : WATERMARK.normal);
  }

  async closeConnections(): Promise<void> {
    await this.#ctl('close_all_connections', 'closed by an operator');
  }

  /** Closes the channel of a consumer that has not acknowledged a message for so long. */
  async closeChannelsAfter(ms: number): Promise<void> {
    await this.#manage('PUT', `policies/{vhost}/${IMPATIENT}`, {
      pattern: '^calls\\.',
      definition: { 'consumer-timeout': ms },
      'apply-to': 'queues',
    });
    // Before the services connect again, so that no consumer begins without the timeout.
    await until(() => this.#areImpatient(), 'the queues have the policy');
    // It looks once a minute, and each channel does so from its beginning on.
    await this.#ctl('eval', 'application:set_env(rabbit, channel_tick_interval, 500).');
    await this.closeConnections();
  }

  async #areImpatient(): Promise<boolean> {
    const queues = QUEUE_NAMES.map((name) => this.#manage('GET', `queues/{vhost}/${brokerQueue(name)}`));
    return (await Promise.all(queues)).every((queue) => (queue as { policy?: string }).policy === IMPATIENT);
  }

  /** Deletes the queues of all consumers, with what is in them: the broker cancels the consumers. */
  async cancelConsumers(): Promise<void> {
    await this.#eachQueue((queue) => this.#manage('DELETE', `queues/{vhost}/${queue}`));
  }

  async heal(): Promise<void> {
    await this.network.heal();
    await this.#backAgain();
    if (this.#isAlarmed) await this.alarm(false);
    await this.#manage('DELETE', `policies/{vhost}/${IMPATIENT}`).catch(() => {});
  }

  async #backAgain(): Promise<void> {
    const answers = () =>
      this.#manage('GET', 'aliveness-test/{vhost}').then(
        () => true,
        () => false,
      );
    await until(answers, 'RabbitMQ answers', 90_000);
  }

  async #ctl(...command: string[]): Promise<void> {
    await this.#container.exec('rabbitmqctl', '-q', ...command);
  }

  #manage(method: string, path: string, body?: unknown): Promise<unknown> {
    return this.#servers.management(method, path.replace('{vhost}', this.#virtualHost), body);
  }

  async #eachQueue(work: (queue: string) => Promise<unknown>): Promise<void> {
    await Promise.all(QUEUE_NAMES.map((queue) => work(brokerQueue(queue)).catch(unlessMissing)));
  }
}

/** A queue that is gone already is declared again by whoever notices. */
function unlessMissing(error: unknown): void {
  if (!String(error).includes(' 404 ')) throw error;
}

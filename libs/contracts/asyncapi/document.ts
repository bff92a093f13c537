import { z } from 'zod';
import { CATALOGUE, dataSchemaOf, MESSAGE_TYPES, type MessageType, versionsOf } from '../catalogue.ts';
import { CLOUD_EVENT, messageSchema } from '../messages.ts';
import {
  brokerQueue,
  DEAD_LETTER_QUEUE,
  EXCHANGE,
  LIVE_EXCHANGE,
  QUEUE_NAMES,
  QUEUES,
  queuesFor,
} from '../topology.ts';

const BINDING = { bindingVersion: '0.3.0' };

/**
 * The AsyncAPI document, made of the catalogue and the queues: there is no second description. https://www.asyncapi.com/docs/reference/specification/v3.0.0
 * @param sample gives the golden sample of a version
 */
export function asyncapiDocument(sample: (type: MessageType, version: number) => unknown): object {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Call Analytics messages',
      version: '1.0.0',
      description: [
        'The messages between the services, as CloudEvents 1.0 in structured JSON. A message is a hint, "look at call X": the call store is the truth, so losing every message costs time and no data.',
        "Delivery is at least once and in no order. `event`: a fact, published from the outbox of the change it tells of. `work`: a grant, published when it is a call's turn.",
        `What no handler can take goes to \`${DEAD_LETTER_QUEUE}\` with the reason, and can be replayed (\`npm run ops -- dead-letters list\`).`,
        `Each message that was taken is mentioned once more on the exchange \`${LIVE_EXCHANGE}\`, for those who show what happens: at most once, and kept for nobody.`,
        'The data of a published version never changes. Consumers read every version there ever was and ignore attributes that they do not know.',
      ].join('\n\n'),
    },
    defaultContentType: CLOUD_EVENT,
    servers: {
      broker: {
        host: 'rabbitmq:5672',
        protocol: 'amqp',
        protocolVersion: '0.9.1',
        description: 'RabbitMQ 4; RABBITMQ_URL',
      },
    },
    channels: {
      ...Object.fromEntries(MESSAGE_TYPES.map((type) => [channelId(type), published(type)])),
      ...Object.fromEntries(QUEUE_NAMES.map((queue) => [channelId(brokerQueue(queue)), queueChannel(queue)])),
      [channelId(LIVE_EXCHANGE)]: liveChannel(),
    },
    operations: {
      ...Object.fromEntries(MESSAGE_TYPES.map((type) => [`publish_${channelId(type)}`, publishing(type)])),
      ...Object.fromEntries(QUEUE_NAMES.map((queue) => [`consume_${queue}`, consuming(queue)])),
      hear_everything: hearing(),
    },
    components: {
      messages: Object.fromEntries(
        MESSAGE_TYPES.flatMap((type) =>
          versionsOf(CATALOGUE[type]).map((version) => [messageId(type, version), message(type, version, sample)]),
        ),
      ),
    },
  };
}

/** Ids in the document are made of letters, digits and underscores. */
function channelId(name: string): string {
  return name.replaceAll(/[.-]/g, '_');
}

function messageId(type: MessageType, version: number): string {
  return `${channelId(type)}_v${version}`;
}

const idsOf = (type: MessageType) => versionsOf(CATALOGUE[type]).map((version) => messageId(type, version));
const newest = (type: MessageType) => messageId(type, Math.max(...versionsOf(CATALOGUE[type])));

function published(type: MessageType) {
  const queues = queuesFor(type).map(brokerQueue);
  return {
    address: type,
    description:
      queues.length === 0
        ? 'No queue has to take it.'
        : `Reaches ${queues.join(', ')}; it is an error when it does not.`,
    messages: { [newest(type)]: { $ref: `#/components/messages/${newest(type)}` } },
    bindings: {
      amqp: {
        is: 'routingKey',
        exchange: { name: EXCHANGE, type: 'topic', durable: true, autoDelete: false },
        ...BINDING,
      },
    },
  };
}

function queueChannel(queue: (typeof QUEUE_NAMES)[number]) {
  const ids = QUEUES[queue].flatMap(idsOf);
  return {
    address: brokerQueue(queue),
    description: `A quorum queue, bound to the exchange ${EXCHANGE} by ${QUEUES[queue].join(' and ')}.`,
    messages: Object.fromEntries(ids.map((id) => [id, { $ref: `#/components/messages/${id}` }])),
    bindings: {
      amqp: {
        is: 'queue',
        queue: { name: brokerQueue(queue), durable: true, exclusive: false, autoDelete: false },
        ...BINDING,
      },
    },
  };
}

function liveChannel() {
  const ids = MESSAGE_TYPES.flatMap(idsOf);
  return {
    address: '#',
    description:
      'Every message, once more. A subscriber binds a queue to the types it wants, exclusive to its connection and gone with it.',
    messages: Object.fromEntries(ids.map((id) => [id, { $ref: `#/components/messages/${id}` }])),
    bindings: {
      amqp: {
        is: 'routingKey',
        exchange: { name: LIVE_EXCHANGE, type: 'topic', durable: true, autoDelete: false },
        ...BINDING,
      },
    },
  };
}

function hearing() {
  const channel = channelId(LIVE_EXCHANGE);
  return {
    action: 'receive',
    channel: { $ref: `#/channels/${channel}` },
    summary: 'Whoever shows what happens listens to these',
    messages: MESSAGE_TYPES.flatMap(idsOf).map((id) => ({ $ref: `#/channels/${channel}/messages/${id}` })),
    bindings: { amqp: { ack: false, ...BINDING } },
  };
}

function publishing(type: MessageType) {
  return {
    action: 'send',
    channel: { $ref: `#/channels/${channelId(type)}` },
    summary: CATALOGUE[type].summary,
    messages: [{ $ref: `#/channels/${channelId(type)}/messages/${newest(type)}` }],
    bindings: { amqp: { deliveryMode: 2, mandatory: queuesFor(type).length > 0, ...BINDING } },
  };
}

function consuming(queue: (typeof QUEUE_NAMES)[number]) {
  const channel = channelId(brokerQueue(queue));
  return {
    action: 'receive',
    channel: { $ref: `#/channels/${channel}` },
    summary: `The ${queue} service takes these, in any version`,
    messages: QUEUES[queue].flatMap(idsOf).map((id) => ({ $ref: `#/channels/${channel}/messages/${id}` })),
    bindings: { amqp: { ack: true, ...BINDING } },
  };
}

function message(type: MessageType, version: number, sample: (type: MessageType, version: number) => unknown) {
  const { kind, summary } = CATALOGUE[type];
  const { $schema: _, ...schema } = z.toJSONSchema(messageSchema(type, version), { target: 'draft-7' });
  return {
    name: type,
    title: dataSchemaOf(type, version),
    summary,
    contentType: CLOUD_EVENT,
    tags: [{ name: kind }],
    payload: schema,
    examples: [{ name: `v${version}`, payload: sample(type, version) }],
  };
}

import { createHash } from 'node:crypto';
import {
  CATALOGUE,
  type Catalogue,
  MESSAGE_TYPES,
  makeMessage,
  parseMessage,
  queuesFor,
  versionsOf,
} from '@call-analytics/contracts';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { goldenSamples } from './golden.fixture.ts';

/** What was published stays as it was: a new version adds a line, and no line ever changes or goes. */
const PUBLISHED: Record<string, string> = {
  'call.uploaded/v1': 'c9f772301ea06fc966a7b26f4d8f18aa9be38f9be85dd003bad4be62a32f793b',
  'call.transcribed/v1': 'f6892512006cc3292b5692ca2d23a1b65e43580c32aa2d68d887bdf633241c83',
  'call.completed/v1': 'bc41e8720b88db29d77a09fff7c4ec54ee11875a0d999c8c1fda910cd235bae9',
  'call.failed/v1': '863516b198a6d15406f6dbcd8537d9083c3c3e0e625c10abdcf2b3b494c21240',
  'audio.deleted/v1': 'd1743177dd3cc476b25810612215c9d14b724ae51b45722ba361e7852af418b8',
  'call.removed/v1': '17d27568d980658749716f24cddfd7cf9b2830d0062822016c1dfc351ad82d50',
  'call.restored/v1': '29af8a404be6eaea8014de8818a1c105d205d3f86a2902ec323e9c38ec39fac5',
  'call.retried/v1': 'ef76d27fa6a7b5d4d9333f890393da759d179f210806cc9d4b3ad3841f825c87',
  'transcription.requested/v1': '67ea559967186d8583ad761db72f5413d638786b6c3dcaf2200e109eb8317774',
  'analysis.requested/v1': '60926ae39e9c398cf76359a7844b93c5cb2c5bac2bea67e8d2c984e36acced17',
};

const samples = goldenSamples();
const name = ({ type, version }: { type: string; version: number }) => `${type}/v${version}`;

describe('golden samples of the messages', () => {
  it('are there for every version in the catalogue, and for nothing else', () => {
    const versions = MESSAGE_TYPES.flatMap((type) =>
      versionsOf(CATALOGUE[type]).map((version) => name({ type, version })),
    );
    expect(samples.map(name).sort()).toEqual(versions.sort());
  });

  it('never change once they are published', () => {
    const digest = (text: string) => createHash('sha256').update(text).digest('hex');
    expect(Object.fromEntries(samples.map((sample) => [name(sample), digest(sample.body)]))).toEqual(PUBLISHED);
  });

  it.each(samples)('$type v$version is read, whole', ({ type, version, body }) => {
    const message = parseMessage(body);
    expect(message).toEqual(JSON.parse(body));
    expect(message.type).toBe(type);
    expect(message.dataschema).toMatch(new RegExp(`:v${version}$`));
    expect(message.data.callId).toBe(message.subject);
  });

  it.each(MESSAGE_TYPES)('%s is sent in its newest version', (type) => {
    const newest = Math.max(...versionsOf(CATALOGUE[type]));
    const body = samples.find((sample) => sample.type === type && sample.version === newest)?.body ?? '';
    const { data, id, source, time, traceparent } = parseMessage(body);
    expect(`${JSON.stringify(makeMessage(type, data, id, source, new Date(time), traceparent), null, 2)}\n`).toBe(body);
  });
});

describe('reading a message', () => {
  const [sample] = samples;
  if (sample === undefined) throw new Error('no samples');
  const json = JSON.parse(sample.body);
  /** The catalogue of a release to come, in which each message has a second version that holds more. */
  const next: Catalogue = Object.fromEntries(
    MESSAGE_TYPES.map((type) => {
      const entry = CATALOGUE[type];
      return [
        type,
        { ...entry, versions: { ...entry.versions, 2: entry.versions[1].extend({ priority: z.number() }) } },
      ];
    }),
  );

  it.each(samples)('a release with a second version of everything still reads $type v$version', ({ body }) => {
    expect(parseMessage(body, next)).toEqual(JSON.parse(body));
  });

  it('the version is what dataschema says: what the second one holds is asked of it alone', () => {
    const second = { ...json, dataschema: json.dataschema.replace('v1', 'v2') };
    const whole = { ...second, data: { ...json.data, priority: 1 } };
    expect(parseMessage(JSON.stringify(whole), next)).toEqual(whole);
    expect(() => parseMessage(JSON.stringify(second), next)).toThrow('priority');
    expect(() => parseMessage(JSON.stringify(whole))).toThrow('unknown dataschema');
  });

  it('takes attributes that a newer sender added, and shows them', () => {
    expect(parseMessage(JSON.stringify({ ...json, partitionkey: 'x' }))).toHaveProperty('partitionkey', 'x');
  });

  it.each([
    ['not JSON', 'not JSON', '{"specversion": "1.0"'],
    ['JSON of something else', 'expected object', '42'],
    ['an unknown type', 'unknown type call.sold', JSON.stringify({ ...json, type: 'call.sold' })],
    ['a type that every object has', 'unknown type constructor', JSON.stringify({ ...json, type: 'constructor' })],
    [
      'an unknown version',
      'unknown dataschema urn:call-analytics:x:v9',
      JSON.stringify({ ...json, dataschema: 'urn:call-analytics:x:v9' }),
    ],
    [
      'the version of another type',
      'unknown dataschema',
      JSON.stringify({ ...json, dataschema: 'urn:call-analytics:call.sold:v1' }),
    ],
    ['data that does not fit its version', 'callId', JSON.stringify({ ...json, data: { accountId: 'acc_1' } })],
    ['no data', 'data', JSON.stringify({ ...json, data: undefined })],
    ['another version of CloudEvents', 'specversion', JSON.stringify({ ...json, specversion: '0.3' })],
  ])('refuses %s, and says why', (_, why, body) => {
    expect(() => parseMessage(body)).toThrow(
      expect.objectContaining({ name: 'UnreadableMessage', message: expect.stringContaining(why) }),
    );
  });

  it('does not repeat more than a line of what a stranger wrote', () => {
    const error = (() => {
      try {
        return parseMessage(JSON.stringify({ ...json, type: 'x'.repeat(100_000) }));
      } catch (thrown) {
        return thrown as Error;
      }
    })();
    expect(JSON.stringify((error as Error).message).length).toBeLessThan(300);
  });
});

describe('the queues', () => {
  // A broker that is asked for a sign that nobody took a message (`mandatory`) gives it when no queue at all did. For a
  // message that two queues must get, that sign is too little: publish to each of them by name then, in
  // libs/messaging/rabbitmq.
  it.each(MESSAGE_TYPES)('%s reaches one queue at the most', (type) => {
    expect(queuesFor(type).length).toBeLessThanOrEqual(1);
  });
});

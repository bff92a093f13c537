import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { s3Options } from '@call-analytics/audio-store/minio';
import { type Call, DEFAULT_POLICY } from '@call-analytics/calls';
import {
  brokerQueue,
  EXCHANGE,
  type MessageType,
  makeMessage,
  parseMessage,
  QUEUE_NAMES,
  type QueueName,
} from '@call-analytics/contracts';
import { connect } from 'amqplib';
import { Client as S3 } from 'minio';
import { MongoClient } from 'mongodb';
import { audioOf } from '../../../../libs/audio-store/minio/bucket.ts';
import { DURABLE, PRIMARY_ONLY } from '../../../../libs/calls/mongo/database.ts';
import { afterWrite, primarySuffices, toCall, updateOf, wordsAfter } from '../../../../libs/calls/mongo/documents.ts';
import { type CallDocument, RECORD_FIELDS } from '../../../../libs/calls/mongo/schema.ts';
import * as transitions from '../../../../libs/calls/transitions.ts';
import { declareTopology } from '../../../../libs/messaging/rabbitmq/publisher.ts';
import { obey } from '../../harness/child.ts';
import { SAMPLE_ANALYSIS, SAMPLE_SEGMENT, SAMPLE_TRANSCRIPT } from '../../seed/sample.ts';
import type { Environment } from '../environment/installation.ts';
import { audioSettings } from '../environment/settings.ts';

// The least that any pipeline must read, write, publish, consume and delete to bring the same calls to their end with
// the same promises: the vendors' clients, the same documents with the same durability, the same queues. One process
// that grants every call at once: no dispatcher that decides, no lease to keep alive, no breakers, logs or metrics.

/** Prefetch, as the services have it. */
const IN_HAND: Record<QueueName, number> = { transcription: 2, analysis: 2, cleanup: 4 };

/** @returns milliseconds */
await obey<null, { environment: Environment; calls: number }, number>(async () => drain);

async function drain({ environment, calls: count }: { environment: Environment; calls: number }): Promise<number> {
  const mongo = await MongoClient.connect(environment.MONGODB_URL);
  const calls = mongo.db().collection<CallDocument>('calls');
  const s3 = new S3(s3Options(audioSettings(environment)));
  const bucket = environment.S3_BUCKET;
  const [publishing, consuming] = [await connect(environment.RABBITMQ_URL), await connect(environment.RABBITMQ_URL)];
  const publisher = await publishing.createConfirmChannel();
  await declareTopology(publisher);
  const drained = Promise.withResolvers<void>();
  let deleted = 0;

  const steps: Record<QueueName, (id: string) => Promise<void>> = { transcription, analysis, cleanup };
  for (const queue of QUEUE_NAMES) {
    const channel = await consuming.createChannel();
    await channel.prefetch(IN_HAND[queue]);
    await channel.consume(brokerQueue(queue), (delivery) => {
      if (delivery === null) return;
      const { callId } = parseMessage(delivery.content.toString()).data;
      steps[queue](callId).then(() => channel.ack(delivery), drained.reject);
    });
  }

  const began = performance.now();
  const waiting = await calls
    .find({ stage: 'transcription' }, { projection: { ...RECORD_FIELDS, outbox: 1 } })
    .toArray();
  if (waiting.length !== count) throw new Error(`${waiting.length} calls wait`);
  const relayed = Promise.all(waiting.map(({ _id, accountId, outbox }) => relay(_id, accountId, outbox)));
  await Promise.all(waiting.map((found) => begin(toCall(found), 'transcription.requested')));
  await Promise.all([relayed, drained.promise]);
  const ms = performance.now() - began;
  await Promise.all([publishing.close(), consuming.close(), mongo.close()]);
  return ms;

  async function transcription(id: string): Promise<void> {
    const claimed = await write(await stored(id), (call) =>
      transitions.claim(call, 'transcription', 'bench', new Date(), DEFAULT_POLICY),
    );
    const dir = await mkdtemp(join(environment.WORK_DIR, 'work-'));
    await pipeline(await s3.getObject(bucket, audioOf(claimed.audio.key)), createWriteStream(join(dir, 'recording')));
    await calls.updateOne({ _id: id }, { $push: { segments: SAMPLE_SEGMENT } }, { writeConcern: DURABLE });
    const transcribed = await write(claimed, (call) =>
      transitions.transcribed(call, call.attempt, SAMPLE_TRANSCRIPT, new Date()),
    );
    await rm(dir, { recursive: true, force: true });
    await begin(transcribed, 'analysis.requested');
  }

  async function analysis(id: string): Promise<void> {
    const claimed = await write(await stored(id), (call) =>
      transitions.claim(call, 'analysis', 'bench', new Date(), DEFAULT_POLICY),
    );
    await calls.findOne({ _id: id }, { projection: { transcript: 1 } });
    await write(claimed, (call) => transitions.analyzed(call, call.attempt, SAMPLE_ANALYSIS, new Date()));
  }

  async function cleanup(id: string): Promise<void> {
    const call = await stored(id);
    await s3.removeObject(bucket, audioOf(call.audio.key));
    const gone = await s3.statObject(bucket, audioOf(call.audio.key)).then(
      () => false,
      () => true,
    );
    if (!gone) throw new Error('the recording is still there');
    await write(call, (call) => transitions.audioDeleted(call, new Date()));
    deleted += 1;
    if (deleted === count) drained.resolve();
  }

  async function begin(ready: Call, type: MessageType): Promise<void> {
    const { id, accountId } = await write(ready, (call) => transitions.grant(call, new Date(), DEFAULT_POLICY));
    await publish(type, id, accountId);
  }

  async function stored(id: string): Promise<Call> {
    const found = await calls.findOne({ _id: id }, { projection: RECORD_FIELDS });
    if (found === null) throw new Error(`no call ${id}`);
    return toCall(found);
  }

  /** Decides by what is known and writes, and publishes the events of the write. */
  async function write(call: Call, decide: (call: Call) => transitions.Decision): Promise<Call> {
    const { id } = call;
    const decision = decide(call);
    if ('refused' in decision) throw new Error(decision.refused);
    const update = updateOf(id, call.version, decision.write, new Date(), wordsAfter(decision.write, call.fileName));
    const { matchedCount } = await calls.updateOne({ _id: id, version: call.version }, update, {
      writeConcern: primarySuffices(decision.write) ? PRIMARY_ONLY : DURABLE,
    });
    if (matchedCount === 0) throw new Error('written by someone else');
    if (update.$push !== undefined) await relay(id, call.accountId, update.$push.outbox.$each);
    return afterWrite(call, decision.write);
  }

  async function relay(id: string, accountId: string, events: CallDocument['outbox']): Promise<void> {
    for (const { type } of events) await publish(type, id, accountId);
    await calls.updateOne(
      { _id: id },
      { $pull: { outbox: { id: { $in: events.map((event) => event.id) } } } },
      { writeConcern: DURABLE },
    );
  }

  async function publish(type: MessageType, callId: string, accountId: string): Promise<void> {
    const body = Buffer.from(
      JSON.stringify(makeMessage(type, { callId, accountId }, `${callId}.${type}`, '/bench', new Date())),
    );
    await new Promise<void>((resolve, reject) =>
      publisher.publish(EXCHANGE, type, body, { persistent: true }, (error) =>
        error == null ? resolve() : reject(error),
      ),
    );
  }
}

import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { connect } from 'amqplib';
import { MongoClient } from 'mongodb';
import { describeWithServers } from './index.ts';

describeWithServers('the servers that the tests run against', (servers) => {
  it('are there: a replica set of MongoDB, RabbitMQ with its management, an S3 store; each test has its own database, virtual host and bucket', async () => {
    const [database, host, bucket] = await Promise.all([servers.database(), servers.virtualHost(), servers.bucket()]);
    const client = await MongoClient.connect(database.url);
    await client.withSession((session) =>
      session.withTransaction(() => client.db().collection('things').insertOne({ thing: 1 }, { session })),
    );
    const things = client.db().collection('things');
    expect(await things.countDocuments()).toBe(1);
    await things.createIndex({ thing: 1 }, { name: 'of_thing' });
    await database.empty();
    expect([await things.countDocuments(), await things.indexExists('of_thing')]).toEqual([0, true]);
    await client.close();
    const connection = await connect(host.url);
    const channel = await connection.createConfirmChannel();
    await channel.assertQueue('queue', { arguments: { 'x-queue-type': 'quorum' } });
    expect(await servers.management('GET', `queues/${host.name}/queue`)).toMatchObject({ type: 'quorum' });
    await connection.close();
    await bucket.s3.putObject(bucket.name, randomUUID(), Buffer.from('bytes'));
    await Promise.all([database.remove(), host.remove(), bucket.remove()]);
  });
});

import { randomUUID } from 'node:crypto';
import { Client as S3 } from 'minio';
import { MongoClient } from 'mongodb';
import type { Addresses } from './addresses.ts';

/** Gives each test a database, a virtual host or a bucket of its own. */
export class Servers {
  readonly addresses: Addresses;

  constructor(addresses: Addresses) {
    this.addresses = addresses;
  }

  /**
   * An empty database, which `url` names, as the services' MONGODB_URL does. `empty` keeps its collections and indexes:
   * making them takes longer than most tests.
   */
  async database(): Promise<{ url: string; name: string; empty(): Promise<void>; remove(): Promise<void> }> {
    const name = `test_${randomUUID().slice(0, 8)}`;
    const url = this.addresses.mongodb.replace('/?', `/${name}?`);
    // Connects when it is asked.
    const client = new MongoClient(url);
    const empty = async () => {
      const collections = await client.db().collections();
      await Promise.all(collections.map((collection) => collection.deleteMany({})));
    };
    const remove = async () => {
      await client.db().dropDatabase();
      await client.close();
    };
    return { url, name, empty, remove };
  }

  /** An empty virtual host of the broker. `url` names it, as the services' RABBITMQ_URL does. */
  async virtualHost(): Promise<{ url: string; name: string; remove(): Promise<void> }> {
    const name = `test_${randomUUID().slice(0, 8)}`;
    await this.management('PUT', `vhosts/${name}`);
    return {
      url: `${this.addresses.rabbitmq}/${name}`,
      name,
      remove: async () => void (await this.management('DELETE', `vhosts/${name}`)),
    };
  }

  /** Asks RabbitMQ's management API. @param path behind `/api/` */
  async management(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.addresses.rabbitmqManagement}/api/${path}`, {
      method,
      // Without keep-alive: the broker may close an idle connection just as it is used again.
      headers: {
        authorization: `Basic ${btoa('guest:guest')}`,
        'content-type': 'application/json',
        connection: 'close',
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  }

  /** An empty bucket, with a client of the vendor's to look into it behind the adapter's back. */
  async bucket(): Promise<{ name: string; s3: S3; count(): Promise<number>; remove(): Promise<void> }> {
    const name = `test-${randomUUID().slice(0, 8)}`;
    const s3 = new S3({ ...this.addresses.s3, useSSL: false });
    await s3.makeBucket(name);
    const versions = async () => {
      const page = await s3.listObjectsQuery(name, '', '', { Delimiter: '', MaxKeys: 1_000, IncludeVersion: true });
      return (page.objects as Listed[]).map(({ name, versionId }) => ({ name, versionId }));
    };
    const uploads = async () => {
      const keys: string[] = [];
      for await (const { key } of s3.listIncompleteUploads(name, '', true) as AsyncIterable<{ key: string }>)
        keys.push(key);
      return keys;
    };
    // The first thousand, which is more than any test leaves.
    const count = async () => (await versions()).length + (await uploads()).length;
    const remove = async () => {
      // Page by page: minio's own listing fails at the second page of names with a slash.
      for (let found = await versions(); found.length > 0; found = await versions())
        await s3.removeObjects(name, found);
      for (const key of await uploads()) await s3.removeIncompleteUpload(name, key);
      await s3.removeBucket(name);
    };
    return { name, s3, count, remove };
  }
}

interface Listed {
  name: string;
  versionId: string;
}

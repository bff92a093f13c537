import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { audioStoreContract } from '../audio-store.suite.ts';
import { audioOf } from './bucket.ts';
import { minioAudioStore } from './index.ts';

describeWithServers('audio in an S3 store', (servers) => {
  const open = async (versioned: boolean) => {
    const bucket = await servers.bucket();
    if (versioned) await bucket.s3.setBucketVersioning(bucket.name, { Status: 'Enabled' });
    const store = minioAudioStore({ ...servers.addresses.s3, useSSL: false, bucket: bucket.name });
    // In one request each, where `put` needs several.
    const fill = (keys: readonly string[]) =>
      Promise.all(keys.map((key) => bucket.s3.putObject(bucket.name, audioOf(key), key)));
    return { store, fill, close: () => bucket.remove() };
  };
  // More than a page of versions.
  audioStoreContract('S3', () => open(false), { manyRecordings: 1_100 });
  audioStoreContract('S3, in a bucket that keeps versions', () => open(true), { manyRecordings: 1_100 });
});

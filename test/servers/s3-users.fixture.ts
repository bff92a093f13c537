import { setS3User } from '@call-analytics/audio-store/minio';
import { Client } from 'minio';
import type { Addresses } from './addresses.ts';

/** Makes a user of MinIO who may do everything with recordings, or removes one. */
export class S3Users {
  readonly #s3: Client;
  readonly #secretKey: string;

  constructor(administrator: Addresses['s3']) {
    this.#s3 = new Client({ ...administrator, useSSL: false, region: 'us-east-1' });
    this.#secretKey = administrator.secretKey;
  }

  add(accessKey: string, secretKey: string): Promise<void> {
    return setS3User(this.#s3, this.#secretKey, accessKey, secretKey, 'readwrite');
  }

  /** https://github.com/minio/madmin-go: `remove-user` */
  async remove(accessKey: string): Promise<void> {
    await this.#s3.makeRequestAsyncOmit(
      { method: 'DELETE', bucketName: 'minio', objectName: 'admin/v3/remove-user', query: `accessKey=${accessKey}` },
      '',
      [200, 204],
    );
  }
}

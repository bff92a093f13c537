import { createCipheriv, pbkdf2Sync, randomBytes } from 'node:crypto';
import { Client } from 'minio';
import type { Addresses } from './addresses.ts';

/**
 * Makes a user of MinIO who may do everything with recordings, or removes one.
 * https://github.com/minio/madmin-go: `add-user`, `set-user-or-group-policy`, `remove-user`
 */
export class S3Users {
  readonly #s3: Client;
  readonly #secretKey: string;

  constructor(administrator: Addresses['s3']) {
    this.#s3 = new Client({ ...administrator, useSSL: false, region: 'us-east-1' });
    this.#secretKey = administrator.secretKey;
  }

  async add(accessKey: string, secretKey: string): Promise<void> {
    const user = encrypted(this.#secretKey, JSON.stringify({ secretKey, status: 'enabled' }));
    await this.#ask('PUT', 'add-user', `accessKey=${accessKey}`, user);
    const policy = `policyName=readwrite&userOrGroup=${accessKey}&isGroup=false`;
    await this.#ask('PUT', 'set-user-or-group-policy', policy, '');
  }

  remove(accessKey: string): Promise<void> {
    return this.#ask('DELETE', 'remove-user', `accessKey=${accessKey}`, '');
  }

  async #ask(method: string, operation: string, query: string, body: Buffer | string): Promise<void> {
    await this.#s3.makeRequestAsyncOmit(
      { method, bucketName: 'minio', objectName: `admin/v3/${operation}`, query },
      body,
      [200, 204],
    );
  }
}

/**
 * As MinIO takes it: salt, 2 for PBKDF2 with AES-GCM, nonce, and one fragment of https://github.com/secure-io/sio-go.
 */
function encrypted(password: string, text: string): Buffer {
  const [salt, nonce] = [randomBytes(32), randomBytes(8)];
  const key = pbkdf2Sync(password, salt, 8_192, 32, 'sha256');
  const sealed = (fragment: number, plain: string, additional: Buffer) => {
    const iv = Buffer.alloc(12, nonce);
    iv.writeUInt32LE(fragment, 8);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(additional);
    return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  };
  const additional = Buffer.concat([Buffer.from([0x80]), sealed(0, '', Buffer.alloc(0))]);
  return Buffer.concat([salt, Buffer.from([2]), nonce, sealed(1, text, additional)]);
}

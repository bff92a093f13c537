import { createCipheriv, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { Client } from 'minio';
import { z } from 'zod';
import { audioOf, Bucket, incomingOf, type S3Options } from './bucket.ts';
import { audioStoreSettings } from './store.ts';

/** The services that use the audio store, each as a user of its own. */
export const S3_USERS = ['gateway', 'transcription', 'cleanup', 'ops'] as const;
export type S3User = (typeof S3_USERS)[number];

/** MinIO takes no shorter secret. */
const secret = z.string().min(8, 'must have at least 8 characters');

/** The store as its administrator, and the secrets of the users to make. */
export const s3UserSettings = audioStoreSettings.extend({
  S3_GATEWAY_SECRET_KEY: secret.describe('the secret of the user gateway'),
  S3_TRANSCRIPTION_SECRET_KEY: secret.describe('the secret of the user transcription'),
  S3_CLEANUP_SECRET_KEY: secret.describe('the secret of the user cleanup'),
  S3_OPS_SECRET_KEY: secret.describe('the secret of the user ops'),
});

const AUDIO = audioOf('*');
const INCOMING = incomingOf('*');
/** On the bucket, and on the objects of recordings. */
const RIGHTS = {
  /** It removes its own marker of an upload in parts, and no recording. */
  store: {
    bucket: ['ListBucketVersions', 'ListBucketMultipartUploads'],
    [AUDIO]: ['PutObject', 'AbortMultipartUpload'],
    [INCOMING]: ['PutObject', 'DeleteObject', 'DeleteObjectVersion'],
  },
  read: { [AUDIO]: ['GetObject'] },
  list: { bucket: ['ListBucketVersions', 'ListBucketMultipartUploads'], [AUDIO]: ['ListMultipartUploadParts'] },
  delete: {
    [AUDIO]: ['DeleteObject', 'DeleteObjectVersion', 'AbortMultipartUpload'],
    [INCOMING]: ['DeleteObject', 'DeleteObjectVersion'],
  },
} satisfies Record<string, Rights>;
type Rights = Readonly<Record<string, readonly string[]>>;

const MAY: Record<S3User, readonly Rights[]> = {
  gateway: [RIGHTS.store],
  transcription: [RIGHTS.read],
  cleanup: [RIGHTS.list, RIGHTS.delete],
  // For backup and restore.
  ops: [RIGHTS.list, RIGHTS.read, RIGHTS.store],
};

/**
 * What a service may do, as a policy document of S3. Every user may list the bucket, which shows that it is there.
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html
 */
export function policyOf(user: S3User, bucket: string) {
  const arn = `arn:aws:s3:::${bucket}`;
  const statement = (actions: Iterable<string>, resource: string) => ({
    Effect: 'Allow',
    Action: [...actions].map((action) => `s3:${action}`),
    Resource: [resource],
  });
  const actionsOn = (resource: string) => new Set(MAY[user].flatMap((rights) => rights[resource] ?? []));
  const statements = [statement(['ListBucket', ...actionsOn('bucket')], arn)];
  for (const object of [AUDIO, INCOMING])
    if (actionsOn(object).size > 0) statements.push(statement(actionsOn(object), `${arn}/${object}`));
  return { Version: '2012-10-17', Statement: statements };
}

/**
 * Makes the bucket of recordings if it is missing, and the users in MinIO. An existing one gets this secret and policy.
 * https://github.com/minio/madmin-go: `add-canned-policy`, `add-user`, `set-user-or-group-policy`
 * @param options with the credentials of an administrator
 * @throws WorkError whose cause says what MinIO answered
 */
export async function makeS3Users(options: S3Options, secrets: Readonly<Record<S3User, string>>): Promise<void> {
  const bucket = new Bucket(options);
  await bucket.run(async (s3) => {
    for (const user of S3_USERS) {
      const policy = `call-analytics-${user}`;
      await admin(s3, 'add-canned-policy', `name=${policy}`, JSON.stringify(policyOf(user, bucket.name)));
      await setS3User(s3, options.secretKey, user, secrets[user], policy);
    }
  });
}

/** Makes a user in MinIO with this policy, or gives an existing one this secret and policy. */
export async function setS3User(
  s3: Client,
  administratorsSecret: string,
  user: string,
  secretKey: string,
  policy: string,
): Promise<void> {
  const account = JSON.stringify({ secretKey, status: 'enabled' });
  await admin(s3, 'add-user', `accessKey=${user}`, encrypted(administratorsSecret, account));
  await admin(s3, 'set-user-or-group-policy', `policyName=${policy}&userOrGroup=${user}&isGroup=false`, '');
}

async function admin(s3: Client, operation: string, query: string, body: Buffer | string): Promise<void> {
  const request = { method: 'PUT', bucketName: 'minio', objectName: `admin/v3/${operation}`, query };
  await s3.makeRequestAsyncOmit(request, body, [200, 204]);
}

/** As MinIO takes it: salt, 2 for PBKDF2 with AES-GCM, nonce, one fragment of https://github.com/secure-io/sio-go. */
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

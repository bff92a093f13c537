import { storeUnavailable } from '../failures.ts';
import { checkedKey } from '../keys.ts';
import { type Bucket, statOrNull } from './bucket.ts';
import { isGone } from './failures.ts';
import { audioOf, folderOf, uploadsOf, versionsBelow } from './objects.ts';
import type { S3 } from './s3.ts';

/** Something may come back while it is being deleted: from a part that was on its way, or from a writer that does not know yet. */
const ROUNDS = 3;

/**
 * Deletes every version, delete marker and incomplete upload of a recording, and asks the store again until it has nothing. What the store refuses, because it is
 * locked or not permitted, is an error.
 */
export async function deleteWhole(bucket: Bucket, key: string): Promise<void> {
  checkedKey(key);
  await bucket.run(async (s3) => {
    for (let round = 1; round <= ROUNDS; round++) {
      const removed = await removeAll(s3, bucket.name, key);
      // A recording that came in long ago is one object. More says that somebody is at it, and that it is to be looked at once more.
      const settled = removed.uploads === 0 && removed.objects <= 1;
      if (settled && (await statOrNull(s3, bucket.name, audioOf(key))) === null) return;
    }
    throw storeUnavailable(new Error('the S3 store still has what was deleted'));
  });
}

/** @returns how much there was to remove */
async function removeAll(s3: S3, bucket: string, key: string): Promise<{ uploads: number; objects: number }> {
  const uploads = await uploadsOf(s3, bucket, audioOf(key));
  for (const { uploadId } of uploads) await s3.abortMultipartUpload(bucket, audioOf(key), uploadId).catch(unlessGone);
  const objects = await versionsBelow(s3, bucket, folderOf(key));
  // The sign that a recording comes in sorts last: while anything else is left, the recording can be found by it.
  for (const { name, versionId } of objects) await s3.removeObject(bucket, name, { versionId });
  return { uploads: uploads.length, objects: objects.length };
}

function unlessGone(error: unknown): void {
  if (!isGone(error)) throw error;
}

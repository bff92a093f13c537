import { storeUnavailable } from '../failures.ts';
import { checkedKey } from '../keys.ts';
import type { Bucket } from './bucket.ts';
import { isGone } from './failures.ts';
import { audioOf, folderOf, uploadsOf, versionsBelow } from './objects.ts';
import type { S3 } from './s3.ts';

/** Something may come back while it is being deleted: from a part that was on its way, or from a writer that does not know yet. */
const ROUNDS = 4;

/**
 * Deletes every version, delete marker and incomplete upload of a recording, and asks the store again until it has nothing. What the store refuses, because it is
 * locked or not permitted, is an error.
 */
export async function deleteWhole(bucket: Bucket, key: string): Promise<void> {
  checkedKey(key);
  await bucket.run(async (s3) => {
    // Mostly that is all there is. Where there are versions it would only hide one, which a store that locks it would then keep hidden.
    if (bucket.keepsVersions === false) await s3.removeObject(bucket.name, audioOf(key));
    let came = false;
    for (let round = 1; round <= ROUNDS; round++) {
      const left = await versionsBelow(s3, bucket.name, folderOf(key));
      bucket.learn(left);
      // What comes in has its sign here for as long as it comes.
      if (left.length === 0 && !came) return;
      came = await abortUploads(s3, bucket.name, audioOf(key));
      // The sign sorts last: while anything else is left, the recording can be found by it.
      for (const { name, versionId } of left) await s3.removeObject(bucket.name, name, { versionId });
    }
    throw storeUnavailable(new Error('the S3 store still has what was deleted'));
  });
}

/** @returns whether there were any */
async function abortUploads(s3: S3, bucket: string, name: string): Promise<boolean> {
  const uploads = await uploadsOf(s3, bucket, name);
  for (const { uploadId } of uploads) await s3.abortMultipartUpload(bucket, name, uploadId).catch(unlessGone);
  return uploads.length > 0;
}

function unlessGone(error: unknown): void {
  if (!isGone(error)) throw error;
}

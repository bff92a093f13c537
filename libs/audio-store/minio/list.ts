import type { StoredAudio } from '../port.ts';
import { type Bucket, statOrNull } from './bucket.ts';
import { audioOf, progressOf, readName, uploadsOf, versions } from './objects.ts';
import type { S3 } from './s3.ts';

type Listed = StoredAudio & { incomplete: boolean };

/** Everything there is, in pages of 1,000 versions; what a delete marker hides is there. */
export async function* list(bucket: Bucket): AsyncGenerator<Listed> {
  try {
    yield* listed(await bucket.open(), bucket.name);
  } catch (error) {
    throw bucket.failure(error);
  }
}

async function* listed(s3: S3, bucket: string): AsyncGenerator<Listed> {
  let [lastName, lastWhole] = ['', ''];
  for await (const { name, bytes, lastModified, isDeleteMarker } of versions(s3, bucket)) {
    const read = readName(name);
    // The newest version comes first; the others are deleted with it.
    if (read === null || isDeleteMarker || name === lastName) continue;
    lastName = name;
    const { key, what } = read;
    if (what === 'audio') {
      lastWhole = key;
      yield { key, bytes, storedAt: lastModified, incomplete: false };
    } else {
      yield* incoming(s3, bucket, key, { began: lastModified, known: lastWhole === key });
    }
  }
}

/** @param known whether the recording has been listed as a whole one */
async function* incoming(
  s3: S3,
  bucket: string,
  key: string,
  { began, known }: { began: Date; known: boolean },
): AsyncGenerator<Listed> {
  let found = false;
  for (const upload of await uploadsOf(s3, bucket, audioOf(key))) {
    const progress = await progressOf(s3, bucket, audioOf(key), upload);
    if (progress === null) continue;
    found = true;
    yield { key, bytes: progress.bytes, storedAt: progress.at, incomplete: true };
  }
  if (found || known) return;
  // It has become whole since the page was made, or it died before its first byte or after its last.
  const whole = await statOrNull(s3, bucket, audioOf(key));
  if (whole === null) yield { key, bytes: 0, storedAt: began, incomplete: true };
  else yield { key, bytes: whole.size, storedAt: whole.lastModified, incomplete: false };
}

import { WorkError } from '@call-analytics/service-kit';
import { audioExists, audioMissing, storeFull, storeUnavailable } from '../failures.ts';
import { Silent } from './transport.ts';

/** No room, in the words of MinIO, Ceph and others. */
const FULL = [
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
  'QuotaExceeded',
  'InsufficientCapacity',
  'InsufficientStorage',
];
/** The key is unknown, or its secret is wrong. */
const WRONG_CREDENTIALS = ['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'InvalidToken', 'ExpiredToken'];

/**
 * Whatever a request to the store ended with, as what the store's users know. The cause is for operators and never minio's own error: that carries the access key, the
 * signature and what was signed. https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */
export function s3Failure(error: unknown, bucket: string): WorkError {
  if (error instanceof WorkError) return error;
  const code = s3Code(error);
  if (code === 'PreconditionFailed') return audioExists();
  if (code === 'NoSuchKey') return audioMissing();
  const cause = new Error(inWords(error, code, bucket));
  return isFull(error, code) ? storeFull(cause) : storeUnavailable(cause);
}

/** MinIO looks at the room now and then and says that it is full; between two looks its disk does. */
function isFull(error: unknown, code: string): boolean {
  return (
    FULL.includes(code) || (error instanceof Error && /no space left on device|disk quota exceeded/.test(error.message))
  );
}

/** @returns what the operator reads: what is wrong and where to look */
function inWords(error: unknown, code: string, bucket: string): string {
  if (isFull(error, code)) return `the S3 store has no room (${code})`;
  if (WRONG_CREDENTIALS.includes(code))
    return `the S3 store refuses the credentials (${code}): check S3_ACCESS_KEY and S3_SECRET_KEY`;
  if (code === 'AccessDenied')
    return `the S3 store denies this to the access key (${code}): check what it may do in the bucket ${bucket}`;
  if (code === 'NoSuchBucket') return `the S3 store has no bucket ${bucket}: check S3_BUCKET`;
  if (code === 'AuthorizationHeaderMalformed') return `the S3 store is in another region (${code}): check S3_REGION`;
  // All of it was sent: MinIO says so now and then of a body in whose middle its disk was full.
  if (code === 'IncompleteBody')
    return `the S3 store took only a part of what was sent (${code}): look whether it has room`;
  if (error instanceof Silent) return `the S3 store ${error.message}`;
  if (/^E[A-Z]+$/.test(code)) return `the S3 store cannot be reached (${code}): check S3_URL`;
  if (code !== '') return `the S3 store answered ${code}`;
  return `the S3 store gave an answer that makes no sense (${error instanceof Error ? error.message : typeof error})`;
}

/** @returns e.g. `NoSuchKey`, or that of the network, e.g. `ECONNREFUSED`, or nothing */
export function s3Code(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  // Errors within an answer of 200 are thrown by minio as what the XML held.
  const { code, Code } = error as { code?: unknown; Code?: unknown };
  return String(code ?? Code ?? '');
}

export function isGone(error: unknown): boolean {
  return ['NotFound', 'NoSuchKey', 'NoSuchUpload', 'NoSuchVersion'].includes(s3Code(error));
}

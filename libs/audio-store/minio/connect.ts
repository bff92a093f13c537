import { circuitBreaker, type Logger, type Metrics, withCircuitBreaker } from '@call-analytics/service-kit';
import { z } from 'zod';
import { type AudioStore, DELETION_DENIED, UNAVAILABLE } from '../audio-store.ts';
import type { S3Options } from './bucket.ts';
import { minioAudioStore } from './store.ts';

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const BUCKET_NAME = /^(?!.*\.\.)(?!\d+\.\d+\.\d+\.\d+$)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** For requests that are no stream: looking a recording up, deleting it with its versions and parts. Milliseconds. */
const DEADLINE_MS = 30_000;

/** Where recordings are, for services that keep them in an S3-compatible store. */
export const audioStoreSettings = z.object({
  S3_URL: z
    .url({ protocol: /^https?$/ })
    .refine(hasOnlyHost, 'must be an address without a path, a query or credentials')
    .default('http://localhost:9000')
    .describe('an S3-compatible store, such as http://localhost:9000 or https://s3.eu-central-1.amazonaws.com'),
  S3_ACCESS_KEY: z.string().describe('the access key of the S3 store'),
  S3_SECRET_KEY: z.string().describe('the secret of that access key'),
  S3_BUCKET: z
    .string()
    .regex(BUCKET_NAME, 'must be a name that a bucket can have')
    .default('recordings')
    .describe('3 to 63 lower-case letters, digits, dots and hyphens; the bucket is created if missing'),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be the name of a region')
    .default('us-east-1')
    .describe('the region of the bucket; us-east-1 for MinIO with default settings'),
});
type AudioStoreSettings = z.infer<typeof audioStoreSettings>;

/** The audio store that a service's settings name, behind its circuit breaker. */
export function connectAudioStore(
  settings: AudioStoreSettings,
  { log, metrics }: { log: Logger; metrics: Metrics },
): AudioStore {
  const store = minioAudioStore({ ...s3Options(settings), log });
  const breaker = circuitBreaker('audio store', {
    unavailable: UNAVAILABLE,
    deadlineMs: DEADLINE_MS,
    countsAsFailure: ({ kind, code }) => kind === 'transient' && code !== DELETION_DENIED,
    log,
    metrics,
  });
  // A transfer takes as long as its sender or the network takes. The adapter ends one that makes no progress.
  const transfer = { deadlineMs: null };
  return withCircuitBreaker(store, breaker, { put: transfer, fetch: transfer, list: 'direct', ready: 'direct' });
}

/** @returns the settings as `minioAudioStore` takes them */
export function s3Options(settings: AudioStoreSettings): S3Options {
  const { protocol, hostname, port } = new URL(settings.S3_URL);
  return {
    endPoint: hostname,
    ...(port === '' ? {} : { port: Number(port) }),
    useSSL: protocol === 'https:',
    accessKey: settings.S3_ACCESS_KEY,
    secretKey: settings.S3_SECRET_KEY,
    bucket: settings.S3_BUCKET,
    region: settings.S3_REGION,
  };
}

function hasOnlyHost(address: string): boolean {
  const url = URL.parse(address);
  return url?.pathname === '/' && `${url.search}${url.hash}${url.username}${url.password}` === '';
}

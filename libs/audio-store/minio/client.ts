// What the client of minio-js lacks: timeouts, an abort signal, errors that say what the store answered, and conditions
// on the last request of an upload. It waits forever, and it throws for some statuses without reading the response.
import * as http from 'node:http';
import * as https from 'node:https';
import { text } from 'node:stream/consumers';
import { WorkError } from '@call-analytics/service-kit';
import { Client, type ClientOptions } from 'minio';
import { audioExists, audioMissing, hasCode, storeFull, storeUnavailable } from '../audio-store.ts';

/**
 * How long an idle connection is kept, in ms. Shorter than any store keeps one, so that no request goes out on
 * a connection that the store is closing.
 */
const KEEP_ALIVE_MS = 4_000;
/** minio-js throws for these without reading the response, whose connection is then never free (its request.ts). */
const UNREAD_STATUSES = new Set([408, 429, 499, 500, 502, 503, 504, 520]);
/** Only if there is no object. https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html */
const IF_ABSENT = { 'if-none-match': '*' };

export interface Timeouts {
  /** To connect, with TLS. Milliseconds. */
  connectTimeoutMs: number;
  /**
   * For the next byte, in either direction, in milliseconds. Bytes in network buffers count as sent: at the default of
   * 30 s a connection slower than about 150 kB/s may fail to send a whole part (5 MiB).
   */
  idleTimeoutMs: number;
}

interface S3ClientOptions extends Timeouts, Omit<ClientOptions, 'transport' | 'retryOptions'> {
  useSSL: boolean;
  signal: AbortSignal | undefined;
}

class S3Timeout extends Error {
  override name = 'S3Timeout';
}

/** A response with one of the statuses that minio-js does not read. */
class S3ErrorResponse extends Error {
  override name = 'S3ErrorResponse';
  /** S3's code, or the status. */
  readonly code: string;

  constructor(status: number, body: string) {
    super(/<Message>([^<]*)</.exec(body)?.[1] ?? '');
    this.code = /<Code>(\w+)</.exec(body)?.[1] ?? String(status);
  }
}

/** A signal belongs to a transport, and so to a client. A client is only its settings; connections are shared. */
export class S3Client extends Client {
  readonly #stale: WeakSet<object>;

  constructor({ signal, connectTimeoutMs, idleTimeoutMs, ...options }: S3ClientOptions) {
    const stale = new WeakSet<object>();
    const transport = transportWith({ connectTimeoutMs, idleTimeoutMs }, options.useSSL, signal, stale);
    super({ ...options, transport, retryOptions: { disableRetry: true } });
    this.#stale = stale;
  }

  /**
   * Every request passes here. One that found its kept connection closed is sent once more if it is idempotent.
   * https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2
   */
  override async makeRequestStreamAsync(
    ...request: Parameters<Client['makeRequestStreamAsync']>
  ): ReturnType<Client['makeRequestStreamAsync']> {
    try {
      return await super.makeRequestStreamAsync(...request);
    } catch (error) {
      const [{ method, headers = {} }] = request;
      const stale = typeof error === 'object' && error !== null && this.#stale.has(error);
      if (!stale || method === 'POST' || 'if-none-match' in headers) throw error;
      return super.makeRequestStreamAsync(...request);
    }
  }

  /** Stores an object unless there is one. `putObject` would copy the buffer and compute its MD5. */
  async putIfAbsent(bucketName: string, objectName: string, body: Buffer, headers: Record<string, string>) {
    const request = { method: 'PUT', bucketName, objectName, headers: { ...headers, ...IF_ABSENT } };
    await this.makeRequestAsyncOmit(request, body);
  }

  /** Completes an upload unless there is such an object. `completeMultipartUpload` takes no headers. */
  async completeIfAbsent(bucketName: string, objectName: string, uploadId: string, etags: ReadonlyMap<number, string>) {
    const parts = [...etags]
      .sort(([a], [b]) => a - b)
      .map(([number, etag]) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`);
    const query = `uploadId=${encodeURIComponent(uploadId)}`;
    const response = await this.makeRequestAsync(
      { method: 'POST', bucketName, objectName, query, headers: { ...IF_ABSENT } },
      `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`,
    );
    // S3 sends status 200 first and may report a failure later, in the body.
    const body = await text(response);
    if (!body.includes('<CompleteMultipartUploadResult')) throw new S3ErrorResponse(200, body);
  }

  /** minio-js does not make this method public. */
  async partsOf(bucket: string, name: string, uploadId: string): Promise<{ size: number; lastModified?: Date }[]> {
    return this.listParts(bucket, name, uploadId);
  }
}

export function keepAliveAgent(useSSL: boolean): http.Agent {
  const options = { keepAlive: true, timeout: KEEP_ALIVE_MS };
  return useSSL ? new https.Agent(options) : new http.Agent(options);
}

/** @param stale collects errors of requests whose kept connection was closed already: they say nothing of the store */
function transportWith(
  { connectTimeoutMs, idleTimeoutMs }: Timeouts,
  useSSL: boolean,
  signal: AbortSignal | undefined,
  stale: WeakSet<object>,
): NonNullable<ClientOptions['transport']> {
  const start = (options: https.RequestOptions, onResponse: (response: http.IncomingMessage) => void) => {
    const limits = { timeout: idleTimeoutMs, ...(signal === undefined ? {} : { signal }) };
    const request = (useSSL ? https : http).request({ ...options, ...limits }, (response) => {
      const { statusCode = 0 } = response;
      if (!UNREAD_STATUSES.has(statusCode)) return onResponse(response);
      // `destroy` would emit no error once the response is read.
      text(response).then(
        (body) => request.emit('error', new S3ErrorResponse(statusCode, body)),
        (error) => request.emit('error', error),
      );
    });
    request.once('error', (error) => {
      if (request.reusedSocket && hasCode(error, 'ECONNRESET', 'EPIPE')) stale.add(error);
    });
    request.once('timeout', () => request.destroy(new S3Timeout(`said nothing for ${idleTimeoutMs} ms`)));
    request.once('socket', (socket) => {
      if (!socket.connecting) return;
      const late = () => request.destroy(new S3Timeout(`took no connection for ${connectTimeoutMs} ms`));
      const timer = setTimeout(late, connectTimeoutMs);
      const stop = () => clearTimeout(timer);
      socket.once(useSSL ? 'secureConnect' : 'connect', stop).once('close', stop);
    });
    return request;
  };
  return { request: start as typeof http.request };
}

/** The codes for no space, of MinIO, Ceph and others. */
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
 * Any error of a request as a WorkError. Its cause is for operators and never the error of minio-js, which holds the
 * access key, the signature and what was signed. https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */
export function s3Failure(error: unknown, bucket: string): WorkError {
  if (error instanceof WorkError) return error;
  const code = s3Code(error);
  if (code === 'PreconditionFailed') return audioExists();
  if (code === 'NoSuchKey') return audioMissing();
  const cause = new Error(`the S3 store ${explain(error, code, bucket)}`);
  return isFull(error, code) ? storeFull(cause) : storeUnavailable(cause);
}

/** MinIO checks its space from time to time and then reports a code. Between two checks its disk reports the error. */
function isFull(error: unknown, code: string): boolean {
  const inWords = error instanceof Error && /no space left on device|disk quota exceeded/.test(error.message);
  return FULL.includes(code) || inWords;
}

/** @returns what is wrong and where to look, for the operator */
function explain(error: unknown, code: string, bucket: string): string {
  if (isFull(error, code)) return `has no room (${code})`;
  if (WRONG_CREDENTIALS.includes(code))
    return `refuses the credentials (${code}): check S3_ACCESS_KEY and S3_SECRET_KEY`;
  if (code === 'AccessDenied')
    return `denies this to the access key (${code}): check what it may do in the bucket ${bucket}`;
  if (code === 'NoSuchBucket') return `has no bucket ${bucket}: check S3_BUCKET`;
  if (code === 'AuthorizationHeaderMalformed') return `is in another region (${code}): check S3_REGION`;
  // The whole body was sent: MinIO sometimes reports this when its disk became full in the middle of a body.
  if (code === 'IncompleteBody') return `took only a part of what was sent (${code}): check whether it has room`;
  if (error instanceof S3Timeout) return error.message;
  if (/^E[A-Z]+$/.test(code)) return `cannot be reached (${code}): check S3_URL`;
  if (code !== '') return `answered ${code}`;
  return `gave an unexpected response (${error instanceof Error ? error.message : typeof error})`;
}

/** @returns e.g. `NoSuchKey`, or the code of the network, e.g. `ECONNREFUSED`; empty when there is none */
export function s3Code(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  // Errors in a response with status 200 are thrown by minio-js as the parsed XML.
  const { code, Code } = error as { code?: unknown; Code?: unknown };
  return String(code ?? Code ?? '');
}

export function isGone(error: unknown): boolean {
  return ['NotFound', 'NoSuchKey', 'NoSuchUpload', 'NoSuchVersion'].includes(s3Code(error));
}

/** For `catch`: a request to remove what is gone has done its work. */
export function unlessGone(error: unknown): undefined {
  if (!isGone(error)) throw error;
}

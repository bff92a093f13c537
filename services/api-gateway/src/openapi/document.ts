import type { ProblemCode } from '../http/problem.ts';
import { shownBytes } from '../http/shown.ts';
import { IDEMPOTENCY_KEY } from '../upload-call/idempotency.ts';
import { ACCEPTED, DETAIL, FAILED, IN_QUEUE, LIST, ME, NOT_SCORED, QUEUED, SCORECARD, WAITING } from './examples.ts';
import { guide } from './guide.ts';
import { problemResponses as problems, REQUEST_ID_HEADER, type Response, SHARED_HEADERS } from './problems.ts';
import { componentSchemas, type JsonSchema, queryParameters, type SchemaName, uploadForm } from './schemas.ts';

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: object[];
  requestBody?: object;
  responses: Record<string, Response>;
  security?: object[];
}

export interface ApiDescription {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  security: object[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<SchemaName, JsonSchema>;
    securitySchemes: object;
    headers: Record<string, object>;
    parameters: Record<string, object>;
  };
}

/** What may go wrong with every request that needs a key. */
const ALWAYS: ProblemCode[] = [
  'malformed_request',
  'invalid_parameter',
  'invalid_api_key',
  'expectation_failed',
  'headers_too_large',
  'internal_error',
  'temporarily_unavailable',
];

/** What differs between installations. */
export interface Installation {
  maxUploadBytes: number;
  idleMs: number;
  /** Of an upload, averaged over `idleMs`; 0: no minimum. */
  minBytesPerSecond: number;
  uploadsPerAccount: number;
  /** The origin of this installation, where it is known, e.g. `https://calls.example.com`. */
  publicUrl?: string | undefined;
}

/** The API as OpenAPI 3.1, made from the schemas that validate and the table of errors. */
export function apiDescription(installation: Installation): ApiDescription {
  const { maxUploadBytes, idleMs } = installation;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Call Analytics',
      version: '1.0.0',
      description: guide(installation),
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }, { session: [] }],
    tags: [
      { name: 'Calls', description: 'Recordings and their reports' },
      { name: 'Account', description: 'The account of the API key' },
      { name: 'Operation', description: 'For the operator of the service' },
    ],
    paths: {
      '/api/v1/calls': {
        post: upload(maxUploadBytes, idleMs),
        get: {
          operationId: 'listCalls',
          summary: 'List calls',
          description: "A page of the account's calls, newest first. `total` is the number of all calls that match.",
          tags: ['Calls'],
          parameters: [...queryParameters(), requestId],
          responses: { 200: answer('A page of calls', 'CallList', { page: LIST }), ...problems(ALWAYS) },
        },
      },
      '/api/v1/calls/{id}': {
        get: {
          operationId: 'getCall',
          summary: 'Read a call',
          description: 'One call with its report. Poll it every few seconds until `status` is `completed` or `failed`.',
          tags: ['Calls'],
          parameters: [callId, requestId],
          responses: {
            200: answer('The call', 'CallDetail', { completed: DETAIL, queued: QUEUED, failed: FAILED }),
            ...problems([...ALWAYS, 'call_not_found']),
          },
        },
        delete: {
          operationId: 'deleteCall',
          summary: 'Delete a call',
          description:
            'Hides the call and stops work on it at once. The call can be restored for 30 seconds, unless the operator sets ' +
            'another time. After that, its recording, transcript and report are deleted permanently. Its `Idempotency-Key` ' +
            'can be used again at once. The request can be repeated safely.',
          tags: ['Calls'],
          parameters: [callId, requestId],
          responses: {
            204: { description: 'The call is deleted', headers: REQUEST_ID_HEADER },
            ...problems([...ALWAYS, 'insufficient_scope', 'cross_site_request', 'call_not_found']),
          },
        },
      },
      '/api/v1/calls/{id}/scorecard': {
        get: {
          operationId: 'getScorecard',
          summary: 'Read the scorecard of a call',
          description: 'What the score is the sum of, or why the call has no score. Only sales calls are scored.',
          tags: ['Calls'],
          parameters: [callId, requestId],
          responses: {
            200: answer('The scorecard', 'Scorecard', { scored: SCORECARD, notScored: NOT_SCORED }),
            ...problems([...ALWAYS, 'call_not_found']),
          },
        },
      },
      '/api/v1/calls/{id}/progress': {
        get: {
          operationId: 'getProgress',
          summary: 'Read the progress of a call',
          description:
            'What the call waits for, or which stage it is in. A call that waits for an engine or for storage goes on by ' +
            'itself when that is back.',
          tags: ['Calls'],
          parameters: [callId, requestId],
          responses: {
            200: answer('The progress', 'Progress', { inQueue: IN_QUEUE, waiting: WAITING }),
            ...problems([...ALWAYS, 'call_not_found']),
          },
        },
      },
      '/api/v1/calls/{id}/retry': {
        post: {
          operationId: 'retryCall',
          summary: 'Retry a failed call',
          description:
            'Puts a failed call back into the queue of the stage that failed. Finished pieces and a finished transcript are ' +
            'used again. Possible while `retryable` is true.',
          tags: ['Calls'],
          parameters: [callId, requestId],
          responses: {
            202: {
              ...answer('The call is queued again', 'CallDetail', { queued: QUEUED }),
              headers: {
                ...REQUEST_ID_HEADER,
                'Retry-After': { $ref: '#/components/headers/RetryAfter' },
                Location: { description: 'Path of the call', schema: { type: 'string' } },
              },
            },
            ...problems([
              ...ALWAYS,
              'insufficient_scope',
              'cross_site_request',
              'call_not_found',
              'call_not_retryable',
            ]),
          },
        },
      },
      '/api/v1/calls/{id}/restore': {
        post: {
          operationId: 'restoreCall',
          summary: 'Restore a deleted call',
          description:
            'Restores a deleted call with its result, or returns it to the queue for the stage it was in. Later the answer is ' +
            '`call_not_found`. The request can be repeated safely: a call that is not deleted is returned as it is.',
          tags: ['Calls'],
          parameters: [callId, requestId],
          responses: {
            200: answer('The call', 'CallDetail', { completed: DETAIL, queued: QUEUED, failed: FAILED }),
            ...problems([...ALWAYS, 'insufficient_scope', 'cross_site_request', 'call_not_found']),
          },
        },
      },
      '/api/v1/me': {
        get: {
          operationId: 'getAccount',
          summary: 'Read the account',
          description: 'Returns the account of the API key. Use it to check that a key is valid.',
          tags: ['Account'],
          parameters: [requestId],
          responses: { 200: answer('The account', 'Me', { account: ME }), ...problems(ALWAYS) },
        },
      },
      '/api/v1/openapi.json': {
        get: open(
          'getApiDescription',
          'Read this description',
          'This document.',
          plainAnswer('application/json', { type: 'object' }),
        ),
      },
      '/docs': {
        get: open(
          'getDocs',
          'Read the documentation',
          'This document as a page.',
          plainAnswer('text/html', { type: 'string' }),
        ),
      },
      '/healthz': {
        get: open(
          'getHealth',
          'Check liveness',
          'Answers as long as the process is alive.',
          answer('The process is alive', 'Health', { alive: { status: 'ok' } }),
        ),
      },
      '/readyz': {
        get: {
          ...open(
            'getReadiness',
            'Check readiness',
            'Checks the stores and the services that requests need.',
            answer('The service is ready', 'Readiness', { ready: { status: 'ready' } }),
          ),
          responses: {
            200: answer('The service is ready', 'Readiness', { ready: { status: 'ready' } }),
            503: answer('The service is not ready; `reasons` says why', 'Readiness', {
              notReady: { status: 'not ready', reasons: ['the accounts database does not answer'] },
            }),
          },
        },
      },
    },
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of the account; keys start with `aca_`.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'call_analytics_session',
          description:
            'The session cookie of the web application, for the pages of this service only. It is ignored in requests with an `Authorization` header.',
        },
      },
      headers: SHARED_HEADERS,
      parameters: {
        RequestId: {
          name: 'X-Request-Id',
          in: 'header',
          required: false,
          description:
            'Your own identifier for this request. It is used if it has 1 to 128 letters, digits, dots, hyphens or underscores; ' +
            'otherwise the service makes one. The answer has the identifier that is used.',
          schema: { type: 'string' },
        },
      },
    },
  };
}

const callId = { name: 'id', in: 'path', required: true, description: 'Call identifier', schema: { type: 'string' } };
const requestId = { $ref: '#/components/parameters/RequestId' };

function upload(maxUploadBytes: number, idleMs: number): Operation {
  return {
    operationId: 'uploadCall',
    summary: 'Upload a call',
    description:
      `Stores the recording and queues it. The limit for a recording is ${shownBytes(maxUploadBytes)}. An upload has no time limit, but it is ` +
      `aborted when it stalls for ${idleMs / 1000} seconds or sends too slowly. The recording is deleted after the analysis.`,
    tags: ['Calls'],
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        description:
          'Makes it safe to send the same upload again: there is one call, and the answer has its status now.',
        schema: { type: 'string', pattern: IDEMPOTENCY_KEY.source },
      },
      requestId,
    ],
    requestBody: { required: true, content: { 'multipart/form-data': { schema: uploadForm() } } },
    responses: {
      202: {
        ...answer('The recording is stored and queued', 'UploadAccepted', { accepted: ACCEPTED }),
        headers: {
          ...REQUEST_ID_HEADER,
          'Retry-After': { $ref: '#/components/headers/RetryAfter' },
          Location: { description: 'Path of the call', schema: { type: 'string' } },
          'Idempotency-Replayed': {
            description: '`true` when this is the repeated answer to an earlier upload',
            schema: { type: 'string' },
          },
        },
      },
      ...problems([
        ...ALWAYS,
        'insufficient_scope',
        'cross_site_request',
        'invalid_multipart',
        'unsupported_media_type',
        'missing_file',
        'too_many_files',
        'invalid_field',
        'invalid_idempotency_key',
        'request_timeout',
        'idempotency_conflict',
        'file_too_large',
        'unsupported_format',
        'empty_file',
        'unreadable_file',
        'too_many_uploads',
      ]),
    },
  };
}

function open(operationId: string, summary: string, description: string, response: Response): Operation {
  return { operationId, summary, description, tags: ['Operation'], security: [], responses: { 200: response } };
}

function answer(description: string, schema: SchemaName, examples: Record<string, unknown>): Response {
  return {
    description,
    headers: REQUEST_ID_HEADER,
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${schema}` },
        examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
      },
    },
  };
}

function plainAnswer(mediaType: string, schema: object): Response {
  return { description: 'The document', content: { [mediaType]: { schema } } };
}

import { z } from 'zod';
import { PROBLEMS, type ProblemCode, RETRY_AFTER_SECONDS } from '../http/problem.ts';
import type { Operation, ServedOperation } from '../operations/operation.ts';
import { API_OPERATIONS, APP_OPERATIONS } from '../operations/operations.ts';
import { gatewaySettings, type Installation, installationOf } from '../settings.ts';
import { DETAILS, REQUEST_ID } from './examples.ts';
import { guide } from './guide.ts';

interface DescribedOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security?: object[];
  parameters?: object[];
  requestBody?: object;
  responses: Record<string, object>;
}

export interface Description {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  security?: object[];
  tags?: { name: string; description: string }[];
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: object; headers: object; parameters?: object };
}

const Health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });
const Readiness = z
  .object({
    status: z.enum(['ready', 'not ready']),
    reasons: z.array(z.string()).optional(),
    degraded: z
      .array(z.string())
      .optional()
      .describe('Dependencies that are unavailable while requests can still be served'),
  })
  .meta({ id: 'Readiness', description: 'Whether the service is ready, or why not' });

const COOKIE = { type: 'apiKey', in: 'cookie', name: 'call_analytics_session' };
const REQUEST_ID_HEADER = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };
const HEADERS = {
  RequestId: { description: 'Identifies this request in the log of the service', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds to wait before the next request', schema: { type: 'string' } },
};
const REQUEST_ID_PARAMETER = {
  name: 'X-Request-Id',
  in: 'header',
  required: false,
  description:
    'Your own identifier for this request. It is used if it has 1 to 128 letters, digits, dots, hyphens or ' +
    'underscores; otherwise the service makes one. The answer has the identifier that is used.',
  schema: { type: 'string' },
};

/** `/api/v1` as OpenAPI 3.1, generated from its operations. */
export function apiDescription(installation: Installation): Description {
  const requestId = { $ref: '#/components/parameters/RequestId' };
  return {
    openapi: '3.1.0',
    info: { title: 'Call Analytics', version: '1.0.0', description: guide(installation) },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }, { session: [] }],
    tags: [
      { name: 'Calls', description: 'Recordings and their reports' },
      { name: 'Account', description: 'The account of the API key' },
      { name: 'Operation', description: 'For the operator of the service' },
    ],
    paths: { ...pathsOf(API_OPERATIONS, installation, [requestId]), ...OPEN_PATHS },
    components: {
      schemas: schemasOf(API_OPERATIONS, ['Health', 'Readiness']),
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of the account; keys start with `aca_`.' },
        session: {
          ...COOKIE,
          description:
            'The session cookie of the web application, for the pages of this service only. It is ignored in ' +
            'requests with an `Authorization` header.',
        },
      },
      headers: HEADERS,
      parameters: { RequestId: REQUEST_ID_PARAMETER },
    },
  };
}

/** `/app` as OpenAPI 3.1, generated from its operations. */
export function appDescription(installation: Installation): Description {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Call Analytics web application',
      version: '1.0.0',
      description:
        'The API of the pages beyond `/api/v1`: sessions, API keys, members, overview. It changes with the pages; ' +
        'programs should use `/api/v1`.',
    },
    servers: [{ url: '/' }],
    paths: pathsOf(APP_OPERATIONS, installation, []),
    components: {
      schemas: schemasOf(APP_OPERATIONS, []),
      securitySchemes: {
        session: { ...COOKIE, description: 'With an https PUBLIC_URL its name begins with `__Host-`.' },
      },
      headers: HEADERS,
    },
  };
}

/** Both documents as files, with the limits of the default settings. The client of the pages is generated from them. */
export function descriptionFiles(): { file: URL; text: string }[] {
  const installation = installationOf(gatewaySettings.parse({}));
  const file = (name: string, document: Description) => ({
    file: new URL(`../../../../docs/${name}`, import.meta.url),
    text: `${JSON.stringify(document, null, 2)}\n`,
  });
  return [file('openapi.json', apiDescription(installation)), file('app-openapi.json', appDescription(installation))];
}

type Operations = Readonly<Record<string, ServedOperation>>;

/** @param parameters of every operation */
function pathsOf(operations: Operations, installation: Installation, parameters: readonly object[]) {
  const paths: Description['paths'] = {};
  for (const [id, { operation }] of Object.entries(operations))
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: described(id, operation, installation, parameters),
    };
  return paths;
}

function schemasOf(operations: Operations, more: readonly string[]): Record<string, JsonSchema> {
  const named = Object.values(operations).flatMap(({ operation: { body, answer } }) => [body, answer.schema]);
  const names = named.flatMap((schema) => z.globalRegistry.get(schema ?? z.never())?.id ?? []);
  return namedSchemas(['Problem', ...names, ...more]);
}

/** The errors that every request can get. */
const ALWAYS: readonly ProblemCode[] = [
  'malformed_request',
  'invalid_parameter',
  'expectation_failed',
  'headers_too_large',
  'internal_error',
  'temporarily_unavailable',
];
const WITH_BODY: readonly ProblemCode[] = [
  'invalid_body',
  'body_too_large',
  'unsupported_media_type',
  'request_timeout',
];

function problemsOf({ caller, method, body, problems = [] }: Operation): ProblemCode[] {
  const codes = [...ALWAYS];
  if (caller === 'client') codes.push('invalid_api_key');
  if (caller === 'session') codes.push('not_signed_in');
  if (method !== 'get' && caller === 'client') codes.push('insufficient_scope');
  if (method !== 'get') codes.push('cross_site_request');
  if (body !== undefined) codes.push(...WITH_BODY);
  return [...codes, ...problems];
}

function described(
  operationId: string,
  operation: Operation,
  installation: Installation,
  more: readonly object[],
): DescribedOperation {
  const { summary, description, tag, caller, path, query, pathParameters = {}, headers = [] } = operation;
  const parameters = [
    ...(path.includes('{id}') ? [idParameter(tag)] : []),
    ...Object.entries(pathParameters).map(pathParameter),
    ...(query === undefined ? [] : queryParameters(query)),
    ...headers,
    ...more,
  ];
  return {
    operationId,
    summary,
    description: typeof description === 'string' ? description : description(installation),
    tags: [tag],
    ...(caller === 'client' ? {} : { security: caller === 'session' ? [{ session: [] }] : [] }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBody(operation),
    responses: { [operation.answer.status]: answerOf(operation), ...problemResponses(problemsOf(operation)) },
  };
}

function idParameter(tag: string): object {
  const description = tag === 'Calls' ? 'Call identifier' : 'Identifier';
  return { name: 'id', in: 'path', required: true, description, schema: { type: 'string' } };
}

function pathParameter([name, schema]: [string, z.ZodType]): object {
  const { $schema, description, ...rest } = z.toJSONSchema(schema);
  return { name, in: 'path', required: true, description, schema: rest };
}

function requestBody({ body, form }: Operation): { requestBody?: object } {
  if (body) return { requestBody: { required: true, content: { 'application/json': { schema: refTo(body) } } } };
  if (form)
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema: formSchema(form) } } } };
  return {};
}

function answerOf({ answer: { description, schema, stream, text, examples, headers } }: Operation): object {
  const response = { description, headers: { ...REQUEST_ID_HEADER, ...headers } };
  if (text !== undefined) return { ...response, content: { [text]: { schema: { type: 'string' } } } };
  if (schema === undefined) return response;
  // OpenAPI 3.1 cannot describe the events of a stream.
  const content = stream
    ? { 'text/event-stream': { schema: { type: 'string' }, 'x-event-data': refTo(schema) } }
    : { 'application/json': { schema: refTo(schema), ...(examples && { examples: valuesOf(examples) }) } };
  return { ...response, content };
}

function valuesOf(examples: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
}

/** One response for each status, with an example for each code. */
function problemResponses(codes: readonly ProblemCode[]): Record<string, object> {
  const byStatus = Map.groupBy(codes, (code) => PROBLEMS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, those]) => [
      status,
      {
        description: those.map((code) => `\`${code}\`: ${PROBLEMS[code].meaning}`).join('\n\n'),
        headers: {
          ...REQUEST_ID_HEADER,
          ...(those.includes('invalid_api_key') && {
            'WWW-Authenticate': { description: '`Bearer`', schema: { type: 'string' } },
          }),
          ...((status === 503 || status === 429) && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
        },
        content: {
          'application/problem+json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: Object.fromEntries(those.map((code) => [code, { value: problemExample(code) }])),
          },
        },
      },
    ]),
  );
}

function problemExample(code: ProblemCode): object {
  const { status, title, meaning } = PROBLEMS[code];
  const detail = DETAILS[code] ?? meaning.replace('Retry-After', `Retry-After, ${RETRY_AFTER_SECONDS} seconds`);
  return { type: `/docs#${code}`, title, status, code, detail, requestId: REQUEST_ID };
}

/** Addresses without a credential, which are no operations: `gateway.ts` serves them. */
const OPEN_PATHS: Description['paths'] = {
  '/api/v1/openapi.json': open('getApiDescription', 'Read this description', 'This document.', {
    200: documentResponse('application/json', 'object'),
  }),
  '/docs': open('getDocs', 'Read the documentation', 'A guide, this document as a reference, and samples.', {
    200: documentResponse('text/html', 'string'),
  }),
  '/healthz': open('getHealth', 'Check liveness', 'Answers as long as the process is alive.', {
    200: jsonResponse('The process is alive', Health, { alive: { status: 'ok' } }),
  }),
  '/readyz': open('getReadiness', 'Check readiness', 'Checks the stores and the services that requests need.', {
    200: jsonResponse('The service is ready', Readiness, { ready: { status: 'ready' } }),
    503: jsonResponse('The service is not ready; `reasons` says why', Readiness, {
      notReady: { status: 'not ready', reasons: ['the accounts database does not answer'] },
    }),
  }),
};

function open(operationId: string, summary: string, description: string, responses: Record<string, object>) {
  return { get: { operationId, summary, description, tags: ['Operation'], security: [], responses } };
}

function documentResponse(mediaType: string, type: string): object {
  return { description: 'The document', content: { [mediaType]: { schema: { type } } } };
}

function jsonResponse(description: string, schema: z.ZodType, examples: Record<string, unknown>): object {
  return {
    description,
    headers: REQUEST_ID_HEADER,
    content: { 'application/json': { schema: refTo(schema), examples: valuesOf(examples) } },
  };
}

type JsonSchema = Record<string, unknown>;

/** The schemas with these names, and those that they refer to, as `components.schemas`. */
function namedSchemas(names: readonly string[]): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { uri: (id) => `#/components/schemas/${id}`, io: 'input' });
  const found = new Map<string, JsonSchema>();
  const add = (name: string) => {
    if (found.has(name)) return;
    const schema = plain(schemas[name] as JsonSchema);
    found.set(name, schema);
    for (const [, inner] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) add(String(inner));
  };
  for (const name of names) add(name);
  return Object.fromEntries(found);
}

/** @throws Error for a schema without a name, which is a bug */
function refTo(schema: z.ZodType): { $ref: string } {
  const name = z.globalRegistry.get(schema)?.id;
  if (name === undefined) throw new Error('a schema without a name');
  return { $ref: `#/components/schemas/${name}` };
}

function queryParameters(query: z.ZodObject): object[] {
  return Object.entries(query.shape).map(([name, field]) => {
    const { description, ...schema } = plain(z.toJSONSchema(field as z.ZodType, { io: 'output' }) as JsonSchema);
    const required = !(field as z.ZodType).safeParse(undefined).success;
    return { name, in: 'query', required, ...(description === undefined ? {} : { description }), schema };
  });
}

/** A multipart form with a recording in the part `file`. */
function formSchema(fields: z.ZodObject): JsonSchema {
  const file = {
    type: 'string',
    format: 'binary',
    description: 'The recording: MP3, WAV, M4A, OGG, FLAC, AAC or WMA. The content decides, not the file name',
  };
  const { properties } = z.toJSONSchema(fields, { io: 'output' }) as { properties: Record<string, JsonSchema> };
  return { type: 'object', required: ['file'], additionalProperties: false, properties: { file, ...properties } };
}

/** Inside the document a schema needs no name and no dialect of its own. */
function plain({ $schema: _dialect, $id: _id, id: _name, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

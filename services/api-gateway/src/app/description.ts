import { z } from 'zod';
import type { ProblemCode } from '../http/problem.ts';
import { problemResponses, REQUEST_ID_HEADER, SHARED_HEADERS } from '../openapi/problems.ts';
import { type JsonSchema, namedSchemas } from '../openapi/schemas.ts';
import type { Operation } from './operation.ts';
import { OPERATIONS, type OperationId } from './operations.ts';

interface Described {
  operationId: OperationId;
  summary: string;
  description: string;
  tags: string[];
  security: object[];
  parameters?: object[];
  requestBody?: object;
  responses: Record<string, object>;
}

export interface AppDescription {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: object; headers: Record<string, object> };
}

/** What may go wrong with every request. */
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

/** The API of the web application as OpenAPI 3.1, made of the operations by which it is served. It may change with the pages: programs use `/api/v1`. */
export function appDescription(): AppDescription {
  const entries = Object.entries(OPERATIONS) as [OperationId, Operation][];
  const byPath = Map.groupBy(entries, ([, { path }]) => path);
  const paths = [...byPath].map(([path, those]) => [
    path,
    Object.fromEntries(those.map(([id, operation]) => [operation.method, described(id, operation)])),
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Call Analytics web application',
      version: '1.0.0',
      description:
        'The API of the pages beyond `/api/v1`: sessions, API keys, members, overview. It changes with the pages; programs should use `/api/v1`.',
    },
    servers: [{ url: '/' }],
    paths: Object.fromEntries(paths),
    components: {
      schemas: namedSchemas(['Problem', ...entries.flatMap(([, operation]) => namesIn(operation))]),
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'call_analytics_session',
          description: 'With an https PUBLIC_URL its name begins with `__Host-`.',
        },
      },
      headers: SHARED_HEADERS,
    },
  };
}

function described(operationId: OperationId, operation: Operation): Described {
  const { summary, description, tag, signedIn, body, query, method, path, problems } = operation;
  const parameters = [...(path.includes('{id}') ? [PATH_ID] : []), ...(query === undefined ? [] : parametersOf(query))];
  const codes = [
    ...ALWAYS,
    ...(signedIn ? (['not_signed_in'] as const) : []),
    ...(method === 'get' ? [] : (['cross_site_request'] as const)),
    ...(body === undefined ? [] : WITH_BODY),
    ...problems,
  ];
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    security: signedIn ? [{ session: [] }] : [],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: refTo(body) } } } }),
    responses: { [operation.answer.status]: answerOf(operation), ...problemResponses(codes) },
  };
}

function answerOf({ answer: { description, schema, stream } }: Operation): object {
  const headers = REQUEST_ID_HEADER;
  if (schema === undefined) return { description, headers };
  // OpenAPI 3.1 has no word for the events of a stream: the schema is that of the data of each.
  if (stream)
    return {
      description,
      headers,
      content: { 'text/event-stream': { schema: { type: 'string' }, 'x-event-data': refTo(schema) } },
    };
  return { description, headers, content: { 'application/json': { schema: refTo(schema) } } };
}

const PATH_ID = { name: 'id', in: 'path', required: true, description: 'Identifier', schema: { type: 'string' } };

/** As they are sent: what has a default may be left out. */
function parametersOf(query: z.ZodObject): object[] {
  return Object.entries(query.shape).map(([name, field]) => {
    const {
      $schema: _dialect,
      description,
      ...schema
    } = z.toJSONSchema(field as z.ZodType, { io: 'output' }) as JsonSchema;
    const required = !(field as z.ZodType).safeParse(undefined).success;
    return { name, in: 'query', required, ...(description === undefined ? {} : { description }), schema };
  });
}

function namesIn({ body, answer }: Operation): string[] {
  return [body, answer.schema].filter((schema) => schema !== undefined).map(nameOf);
}

function refTo(schema: z.ZodType): object {
  return { $ref: `#/components/schemas/${nameOf(schema)}` };
}

function nameOf(schema: z.ZodType): string {
  const name = z.globalRegistry.get(schema)?.id;
  if (name === undefined) throw new Error('a schema without a name');
  return name;
}

import { PROBLEMS, type ProblemCode, RETRY_AFTER_SECONDS } from '../http/problem.ts';
import { DETAILS, REQUEST_ID } from './examples.ts';

export interface Response {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: object; examples?: Record<string, { value: unknown }> }>;
}

export const REQUEST_ID_HEADER = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };
export const SHARED_HEADERS: Record<string, object> = {
  RequestId: { description: 'Identifies this request in the log of the service', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds to wait before the next request', schema: { type: 'string' } },
};

/** One response for each status, with an example for each code. */
export function problemResponses(codes: readonly ProblemCode[]): Record<string, Response> {
  const byStatus = Map.groupBy(codes, (code) => PROBLEMS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, those]) => [
      String(status),
      {
        description: those.map((code) => `\`${code}\`: ${PROBLEMS[code].meaning}`).join('\n\n'),
        headers: headersOf(status, those),
        content: {
          'application/problem+json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: Object.fromEntries(those.map((code) => [code, { value: exampleOf(code) }])),
          },
        },
      },
    ]),
  );
}

function headersOf(status: number, codes: readonly ProblemCode[]): Record<string, unknown> {
  return {
    ...REQUEST_ID_HEADER,
    ...(codes.includes('invalid_api_key')
      ? { 'WWW-Authenticate': { description: '`Bearer`', schema: { type: 'string' } } }
      : {}),
    ...(status === 503 || status === 429 ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {}),
  };
}

function exampleOf(code: ProblemCode) {
  const { status, title, meaning } = PROBLEMS[code];
  const detail = DETAILS[code] ?? meaning.replace('Retry-After', `Retry-After, ${RETRY_AFTER_SECONDS} seconds`);
  return { type: `/docs#${code}`, title, status, code, detail, requestId: REQUEST_ID };
}

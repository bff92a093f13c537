import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { HttpProblem } from './problem.ts';

/**
 * Reads the query of a request.
 * @param url as in the request line
 * @throws HttpProblem naming the parameter, its value and the rule
 */
export function readParameters<S extends z.ZodObject>(url: string, schema: S): z.output<S> {
  const given = new Map<string, string>();
  const start = url.indexOf('?');
  for (const [name, value] of new URLSearchParams(start === -1 ? '' : url.slice(start))) {
    if (!Object.hasOwn(schema.shape, name)) throw unknownParameter(name, Object.keys(schema.shape));
    if (given.has(name))
      throw invalidParameter(`The parameter "${name}" is repeated (${quoted(value)}). Send it once.`);
    given.set(name, value);
  }
  const values = Object.fromEntries(given);
  const read = schema.safeParse(values);
  if (read.success) return read.data;
  const name = String(read.error.issues[0]?.path[0]);
  // For a missing value zod says only "expected string"; an empty one breaks the rule that the answer should name.
  const [issue] = given.has(name)
    ? read.error.issues
    : (schema.safeParse({ ...values, [name]: '' }).error?.issues ?? []);
  const rule = issue === undefined ? 'must be given' : ruleOf(issue);
  throw invalidParameter(`"${name}" is ${given.has(name) ? quoted(given.get(name)) : 'missing'}; it ${rule}.`);
}

/** @throws HttpProblem when a request without parameters has one: a misspelled filter must not be ignored */
export function refuseParameters(url: string): void {
  const start = url.indexOf('?');
  if (start === -1) return;
  const [name] = new URLSearchParams(url.slice(start)).keys();
  if (name !== undefined) throw unknownParameter(name, []);
}

function unknownParameter(name: string, allowed: readonly string[]): HttpProblem {
  const rule = allowed.length === 0 ? 'This request takes none.' : `Allowed: ${allowed.join(', ')}.`;
  return invalidParameter(`Unknown parameter ${quoted(name)}. ${rule}`);
}

function invalidParameter(detail: string): HttpProblem {
  return new HttpProblem('invalid_parameter', detail);
}

const MAX_BODY_BYTES = 16_000;
/** For a list that is edited as a whole, also when each character is escaped. */
export const LIST_BODY_BYTES = 2_000_000;
/** For the whole body, so that slow clients do not hold connections. */
const BODY_TIMEOUT_MS = 10_000;

/**
 * Reads the JSON body of a request.
 * @throws HttpProblem naming the field and the rule, but never a value: it may be a password
 */
export async function readBody<T>(
  req: IncomingMessage,
  res: ServerResponse,
  schema: z.ZodType<T>,
  maxBytes = MAX_BODY_BYTES,
): Promise<T> {
  // The forms of other sites cannot send this type.
  if (!/^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? ''))
    throw new HttpProblem(
      'unsupported_media_type',
      'Send the body as JSON, with the header "Content-Type: application/json".',
    );
  refuseContentCoding(req.headers);
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (req.headers.expect !== undefined) res.writeContinue();
  const read = schema.safeParse(parsed(await bytesOf(req, maxBytes)));
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  if (issue?.code === 'unrecognized_keys')
    throw invalidBody(`Unknown field ${quoted(issue.keys[0])}. See "/docs" for the fields.`);
  const field = issue?.path.join('.') ?? '';
  throw invalidBody(
    field === ''
      ? 'The body must be a JSON object.'
      : `"${field}" ${issue === undefined ? 'is wrong' : ruleOf(issue)}.`,
  );
}

/** @throws HttpProblem `invalid_parameter` for a part of the path that is none of what it may be */
export function readPath(
  given: Readonly<Record<string, unknown>>,
  schemas: Readonly<Record<string, z.ZodType<string>>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const read = schema.safeParse(given[name]);
      if (read.success) return [name, read.data];
      const rule = ruleOf(read.error.issues[0] as z.core.$ZodIssue);
      throw invalidParameter(`"${name}" is ${quoted(String(given[name]))}; it ${rule}.`);
    }),
  );
}

/** @throws HttpProblem for a compressed body, because its size does not bound its content (RFC 9110, 15.5.16) */
export function refuseContentCoding({ 'content-encoding': coding = 'identity' }: IncomingHttpHeaders): void {
  if (coding.toLowerCase() === 'identity') return;
  throw new HttpProblem(
    'unsupported_media_type',
    `The Content-Encoding is ${quoted(coding)}. Send the body uncompressed, without this header.`,
    { 'Accept-Encoding': 'identity' },
  );
}

function bytesOf(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const incomplete = () => invalidBody('The body is incomplete. Send the request again.');
    // `close` does not come again, so the body would be waited for until the time limit.
    if (req.destroyed) return reject(incomplete());
    const chunks: Buffer[] = [];
    let bytes = 0;
    const timer = setTimeout(() => end(() => reject(tooSlow())), BODY_TIMEOUT_MS);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      req.off('data', onData).off('end', onEnd).off('close', onClose).pause();
      settle();
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > maxBytes) end(() => reject(tooLarge(maxBytes)));
    };
    const onEnd = () => end(() => resolve(Buffer.concat(chunks)));
    const onClose = () => end(() => reject(incomplete()));
    // Without a listener a connection reset would end the process. `close` follows it.
    req.on('error', () => {});
    req.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw invalidBody('The body is not valid JSON. Send a JSON object in UTF-8.');
  }
}

function invalidBody(detail: string): HttpProblem {
  return new HttpProblem('invalid_body', detail);
}

function tooLarge(maxBytes: number): HttpProblem {
  return new HttpProblem('body_too_large', `The body exceeds the limit of ${maxBytes / 1000} kB. Send a shorter one.`);
}

function tooSlow(): HttpProblem {
  const detail = `The body did not arrive within ${BODY_TIMEOUT_MS / 1000} seconds. Send the request again.`;
  return new HttpProblem('request_timeout', detail);
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  object: 'an object',
  array: 'a list',
  boolean: 'true or false',
};
const COUNTED: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };
const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'must be a time in UTC such as 2026-05-04T10:00:00.000Z',
  date: 'must be a day such as 2026-05-04',
};

/** The rule that a value breaks, in words that follow its name: `must be text`, `must have at most 200 characters`. */
function ruleOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type': {
      const rule = `must be ${KINDS[issue.expected] ?? 'a number'}`;
      // Only the message of zod tells a missing value from a wrong one.
      return issue.message.endsWith('received undefined') ? `is missing; it ${rule}` : rule;
    }
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'too_big':
      return COUNTED[issue.origin] === undefined
        ? `must be at most ${issue.maximum}`
        : `must have at most ${issue.maximum}${COUNTED[issue.origin]}`;
    case 'too_small':
      if (issue.origin === 'array') return `must have at least ${issue.minimum} entries`;
      return issue.origin === 'string'
        ? `must have at least ${issue.minimum} characters`
        : `must be at least ${issue.minimum}`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'has an invalid format';
    case 'custom':
      return issue.message;
    default:
      return 'is not allowed';
  }
}

/** A value from a request, short and in quotes, for an error message. */
export function quoted(value: unknown): string {
  const text = String(value);
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text);
}

const UNITS = ['GiB', 'MiB', 'KiB'];

/** A number of bytes for people, e.g. `2 GiB`; in bytes when no larger unit is exact. */
export function quotedBytes(bytes: number): string {
  const power = [3, 2, 1].find((each) => bytes >= 1024 ** each && bytes % 1024 ** each === 0);
  return power === undefined ? `${bytes} bytes` : `${bytes / 1024 ** power} ${UNITS[3 - power]}`;
}

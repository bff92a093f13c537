import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { HttpProblem } from './problem.ts';
import { ruleOf } from './rule.ts';
import { shown } from './shown.ts';

const MAX_BYTES = 16_000;
/** For the whole body: a client that needs longer for so little only holds the connection. */
const TIME_LIMIT_MS = 10_000;

/**
 * Reads the JSON of a request.
 * @throws HttpProblem for what is wrong with it, naming the field and the rule, and never repeating a value: it may be a password
 */
export async function readBody<T>(req: IncomingMessage, res: ServerResponse, schema: z.ZodType<T>): Promise<T> {
  // Other sites' forms cannot send this type.
  if (!/^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? ''))
    throw new HttpProblem(
      'unsupported_media_type',
      'Send the body as JSON, with the header "Content-Type: application/json".',
    );
  refuseContentCoding(req.headers);
  if (Number(req.headers['content-length'] ?? 0) > MAX_BYTES) throw tooLarge();
  if (req.headers.expect !== undefined) res.writeContinue();
  const read = schema.safeParse(parsed(await bytesOf(req)));
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  if (issue?.code === 'unrecognized_keys') throw invalid(`Unknown field ${shown(issue.keys[0])}.`);
  const field = issue?.path.join('.') ?? '';
  throw invalid(
    field === ''
      ? 'The body must be a JSON object.'
      : `"${field}" ${issue === undefined ? 'is wrong' : ruleOf(issue)}.`,
  );
}

/** @throws HttpProblem for a compressed body: what it unpacks to cannot be bounded by its size (RFC 9110, 15.5.16) */
export function refuseContentCoding({ 'content-encoding': coding = 'identity' }: IncomingHttpHeaders): void {
  if (coding.toLowerCase() === 'identity') return;
  throw new HttpProblem(
    'unsupported_media_type',
    `The Content-Encoding is ${shown(coding)}. Send the body uncompressed, without this header.`,
    {
      'Accept-Encoding': 'identity',
    },
  );
}

function bytesOf(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const timer = setTimeout(() => end(() => reject(tooSlow())), TIME_LIMIT_MS);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      req.off('data', onData).off('end', onEnd).off('close', onClose).pause();
      settle();
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > MAX_BYTES) end(() => reject(tooLarge()));
    };
    const onEnd = () => end(() => resolve(Buffer.concat(chunks)));
    const onClose = () => end(() => reject(invalid('The body is incomplete.')));
    // Without a listener the reset of a connection would end the process; `close` follows it.
    req.on('error', () => {});
    req.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw invalid('The body is not valid JSON.');
  }
}

function invalid(detail: string): HttpProblem {
  return new HttpProblem('invalid_body', detail);
}

function tooLarge(): HttpProblem {
  return new HttpProblem('body_too_large', 'The body exceeds the limit of 16 kB.');
}

function tooSlow(): HttpProblem {
  return new HttpProblem(
    'request_timeout',
    `The body did not arrive within ${TIME_LIMIT_MS / 1000} seconds. Send the request again.`,
  );
}

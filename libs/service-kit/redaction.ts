import { types } from 'node:util';
import { stdSerializers } from 'pino';

/** Credentials by the end of their name (`apiKey`, `OPENAI_API_KEY`, `set-cookie`), and what was said on a call. */
const HIDDEN =
  /(authorization|api[_-]?key|token|secret|password|cookies?)$|^(text|transcript|summary|utterances|lines|quote|prompt)$/i;
/** Deeper than anything worth logging; also where circles end. */
const DEEPEST = 8;

/**
 * A copy of what is to be logged without what must never be, at any depth. By name and not by path, because errors of vendors carry requests, requests carry headers, and
 * nobody knows all the paths.
 */
export function redacted(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (types.isNativeError(value)) return redacted({ ...stdSerializers.err(value) }, depth);
  if ('toJSON' in value) return value;
  if (depth === DEEPEST) return '[deeper]';
  if (Array.isArray(value)) return value.map((item) => redacted(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, of]) => [name, HIDDEN.test(name) ? '[redacted]' : redacted(of, depth + 1)]),
  );
}

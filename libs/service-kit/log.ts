import { types } from 'node:util';
import { type Logger, pino, stdSerializers } from 'pino';
import { traceOfLine } from './tracing/tracing.ts';

export type { Logger } from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/**
 * @param service the name in each line
 * @param destination where lines go; standard output by default
 * @returns a JSON logger. Bind `callId` and `requestId` where they are known. Credentials and what was said on a call
 *   are never logged, whatever an object contains.
 */
export function makeLogger(
  service: string,
  level: (typeof LOG_LEVELS)[number] = 'info',
  destination?: { write(line: string): void },
): Logger {
  const mixin = traceOfLine();
  const redact = (fields: object) => redacted(fields) as Record<string, unknown>;
  const options = {
    level,
    base: { service },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }), log: redact },
    // `redacted` has already turned errors into plain objects.
    serializers: { err: (error: unknown) => error },
    ...(mixin === undefined ? {} : { mixin }),
  };
  standardOutput ??= openStandardOutput();
  const log = pino(options, destination ?? standardOutput);
  // Bindings of a child bypass the formatter. Children inherit this method, so it covers theirs too.
  const child = log.child;
  log.child = function (this: Logger, bindings, childOptions) {
    return child.call(this, redact(bindings), childOptions);
  } as typeof child;
  return log;
}

const METADATA = Symbol.for('pino.metadata');
/** One for all loggers of the process, so that their lines keep their order. */
let standardOutput: ReturnType<typeof openStandardOutput> | undefined;
const WARN = pino.levels.values.warn as number;

/**
 * Writes what is logged in one turn of the event loop at its end, and a warning or an error at once: synchronously, as
 * there is no writer thread. A killed process loses at most lines below these of its last turn.
 */
function openStandardOutput() {
  const output = pino.destination({ fd: 1, sync: true });
  let lines = '';
  const flush = () => {
    if (lines !== '') output.write(lines);
    lines = '';
  };
  process.once('exit', flush);
  return {
    // Pino then sets `lastLevel` before it writes.
    [METADATA]: true,
    lastLevel: 0,
    write(line: string) {
      if (lines === '') setImmediate(flush);
      lines += line;
      if (this.lastLevel >= WARN) flush();
    },
  };
}

/** Credentials by the end of their name (`apiKey`, `OPENAI_API_KEY`, `set-cookie`), and what was said on a call. */
const HIDDEN =
  /(authorization|api[_-]?key|token|secret|password|cookies?)$|^(text|transcript|summary|utterances|lines|quote|prompt)$/i;
/** Also ends cycles. */
const MAX_DEPTH = 8;

/**
 * A copy without secrets, at any depth. They are found by name and not by path: errors of vendors contain requests,
 * requests contain headers, and not all paths are known.
 */
function redacted(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (types.isNativeError(value)) return redacted({ ...stdSerializers.err(value) }, depth);
  if ('toJSON' in value) return value;
  if (depth === MAX_DEPTH) return '[deeper]';
  if (Array.isArray(value)) return value.map((item) => redacted(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, of]) => [name, HIDDEN.test(name) ? '[redacted]' : redacted(of, depth + 1)]),
  );
}

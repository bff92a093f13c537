import { type Logger, pino } from 'pino';
import { redacted } from './redaction.ts';
import { traceOfLine } from './tracing/tracing.ts';

export type { Logger } from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/**
 * @param service the name that each line carries
 * @param destination where lines go; standard output by default
 * @returns a JSON logger. Bind `callId` and `requestId` where they are known. Credentials and what was said on a call are never logged, whatever an object that reaches the
 * log holds.
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
    // `redacted` has made plain objects of errors already.
    serializers: { err: (error: unknown) => error },
    ...(mixin === undefined ? {} : { mixin }),
  };
  // Written as it is said, so that a process that is killed has said it, and without a thread that writes for it.
  const log = pino(options, destination ?? pino.destination({ fd: 1, sync: true }));
  // What a child binds does not pass the formatter. Children inherit this method, so it holds for theirs too.
  const child = log.child;
  log.child = function (this: Logger, bindings, childOptions) {
    return child.call(this, redact(bindings), childOptions);
  } as typeof child;
  return log;
}

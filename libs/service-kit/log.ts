import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Never logged, whatever an object that reaches the log holds: credentials, and what was said on a call. */
const REDACTED = ['authorization', 'apiKey', 'api_key', 'token', 'secret', 'password', 'cookie', 'text', 'transcript', 'summary'];

/**
 * @param service the name that each line carries
 * @param destination where lines go; standard output by default
 * @returns a JSON logger. Bind `callId` and `requestId` where they are known.
 */
export function makeLogger(
  service: string,
  level: (typeof LOG_LEVELS)[number] = 'info',
  destination?: { write(line: string): void },
): Logger {
  const paths = REDACTED.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  const options = {
    level,
    base: { service },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: [...paths, 'req.headers.authorization', 'headers.authorization'], censor: '[redacted]' },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

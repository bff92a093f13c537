import { analysisEngines } from '@call-analytics/calls';
import { byteSize, duration, isLoopback, wholeNumber } from '@call-analytics/service-kit';
import { z } from 'zod';

export const gatewaySettings = z.object({
  ANALYSIS_ENGINE: analysisEngines,
  PORT: wholeNumber({ min: 0, max: 65_535 }).prefault('8080').describe('0 to 65535; 0 takes any free port'),
  // API keys are readable in plain HTTP, so other machines can connect only when the operator says so and adds TLS.
  HOST: z.string().default('127.0.0.1').describe('the address to listen on; 0.0.0.0 for all'),
  PUBLIC_URL: z
    .string()
    .refine(isOrigin, 'must be an address without a path, such as https://calls.example.com')
    .transform((url) => new URL(url).origin)
    .optional()
    .describe(
      'the address of the pages in a browser, such as https://calls.example.com; links begin with it, and with https, ' +
        'cookies are sent over TLS only; required unless HOST is a loopback address',
    ),
  TRUSTED_PROXIES: wholeNumber({ min: 0, max: 10 })
    .prefault('0')
    .describe(
      'the number of reverse proxies in front of the service, each of which adds to X-Forwarded-For; needed to find ' +
        "the client's address for rate limits",
    ),
  MAX_UPLOAD_BYTES: byteSize()
    .prefault('2GiB')
    .describe('the largest recording that is accepted, such as 500MB or 2GiB'),
  UPLOAD_IDLE_TIMEOUT: duration({ min: '100ms', max: '24h' })
    .prefault('60s')
    .describe('how long an upload may stall before it is aborted'),
  UPLOAD_MIN_RATE: byteSize()
    .prefault('4KiB')
    .describe(
      'bytes a second that an upload must send, averaged over UPLOAD_IDLE_TIMEOUT, such as 4KiB; 0: no minimum',
    ),
  UPLOADS_PER_ACCOUNT: wholeNumber({ min: 1, max: 10_000 })
    .prefault('64')
    .describe('how many uploads of one account each gateway accepts at the same time, 1 to 10000'),
});

/**
 * Links in emails must not take their host from a request, which anyone can send. So a public service must know its
 * own.
 */
export function requirePublicUrl(
  settings: { HOST: string; PUBLIC_URL?: string | undefined },
  context: z.core.$RefinementCtx,
): void {
  if (settings.PUBLIC_URL !== undefined || isLoopback(settings.HOST)) return;
  const message = `HOST is ${settings.HOST}, so it must be set to the address that people open in their browsers`;
  context.issues.push({ code: 'custom', path: ['PUBLIC_URL'], message, input: settings.PUBLIC_URL });
}

/** For a gateway whose pages come from the web service. */
export const webAddress = z.object({
  WEB_URL: z
    .url({ protocol: /^http$/ })
    .refine((url) => new URL(url).pathname === '/', 'must be an address without a path')
    .default('http://127.0.0.1:8081')
    .describe('the address of the web service'),
});

export type GatewaySettings = z.infer<typeof gatewaySettings>;

function isOrigin(url: string): boolean {
  const { protocol, pathname, search, hash } = URL.canParse(url)
    ? new URL(url)
    : { protocol: '', pathname: '', search: '', hash: '' };
  return /^https?:$/.test(protocol) && pathname === '/' && search === '' && hash === '';
}

/** What the API documents say about an installation. */
export interface Installation {
  maxUploadBytes: number;
  idleMs: number;
  /** Of an upload, averaged over `idleMs`; 0: no minimum. */
  minBytesPerSecond: number;
  uploadsPerAccount: number;
  /** Undefined when it is not set. */
  publicUrl?: string | undefined;
}

export function installationOf(settings: GatewaySettings): Installation {
  return {
    maxUploadBytes: settings.MAX_UPLOAD_BYTES,
    idleMs: settings.UPLOAD_IDLE_TIMEOUT,
    minBytesPerSecond: settings.UPLOAD_MIN_RATE,
    uploadsPerAccount: settings.UPLOADS_PER_ACCOUNT,
    publicUrl: settings.PUBLIC_URL,
  };
}

import { byteSize, duration, wholeNumber } from '@call-analytics/service-kit';
import { z } from 'zod';

export const gatewaySettings = z.object({
  PORT: wholeNumber({ min: 0, max: 65_535 }).prefault('8080').describe('0 to 65535; 0 takes any free port'),
  // API keys travel in the clear over plain HTTP: who wants to be reached from elsewhere says so, and puts TLS in front.
  HOST: z.string().default('127.0.0.1').describe('the address to listen on; 0.0.0.0 for all'),
  PUBLIC_URL: z
    .string()
    .refine(isOrigin, 'must be an address without a path, such as https://calls.example.com')
    .transform((url) => new URL(url).origin)
    .optional()
    .describe('where people reach this service in their browsers; with https the cookie of a session goes over TLS alone'),
  TRUSTED_PROXIES: wholeNumber({ min: 0, max: 10 })
    .prefault('0')
    .describe(
      'how many proxies are in front, each adding to X-Forwarded-For: where requests come from counts for the limits on attempts to sign in',
    ),
  MAX_UPLOAD_BYTES: byteSize().prefault('2GiB').describe('the largest recording that is accepted, such as 500MB or 2GiB'),
  UPLOAD_IDLE_TIMEOUT: duration({ min: '100ms', max: '24h' }).prefault('60s').describe('how long an upload may stall before it is aborted'),
  UPLOAD_MIN_RATE: byteSize()
    .prefault('4KiB')
    .describe('bytes a second that an upload must send, averaged over UPLOAD_IDLE_TIMEOUT, such as 4KiB; 0: no minimum'),
  UPLOADS_PER_ACCOUNT: wholeNumber({ min: 1, max: 10_000 })
    .prefault('64')
    .describe('uploads of one account at the same time, 1 to 10000, for each gateway'),
});

/** Where the pages are another service. */
export const webAddress = z.object({
  WEB_URL: z
    .url({ protocol: /^http$/ })
    .refine((url) => new URL(url).pathname === '/', 'must be an address without a path')
    .default('http://127.0.0.1:8081')
    .describe('where the web service is'),
});

export type GatewaySettings = z.infer<typeof gatewaySettings>;

function isOrigin(url: string): boolean {
  const { protocol, pathname, search, hash } = URL.canParse(url) ? new URL(url) : { protocol: '', pathname: '', search: '', hash: '' };
  return /^https?:$/.test(protocol) && pathname === '/' && search === '' && hash === '';
}

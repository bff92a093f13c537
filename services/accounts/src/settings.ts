import { duration, isLoopback, SettingsError, wholeNumber } from '@call-analytics/service-kit';
import { z } from 'zod';

const DEFAULT_PORT = '50051';
const ADDRESS_FORMS = 'host:port, grpc://host:port or grpcs://host:port';
const ADDRESS_RULE = `must be ${ADDRESS_FORMS}, such as grpc://accounts:${DEFAULT_PORT}`;

/**
 * @param url `host`, `host:port`, `grpc://host:port` or `grpcs://host:port`; IPv6 addresses in brackets
 * @returns null when it is none of these
 */
export function parseAddress(url: string): { target: string; isTls: boolean } | null {
  const parsed = URL.parse(url.includes('://') ? url : `grpc://${url}`);
  if (parsed === null || !/^grpcs?:$/.test(parsed.protocol) || parsed.hostname === '' || !/^\/?$/.test(parsed.pathname))
    return null;
  if (parsed.username !== '' || parsed.password !== '' || parsed.search !== '' || parsed.hash !== '') return null;
  return { target: `dns:///${parsed.hostname}:${parsed.port || DEFAULT_PORT}`, isTls: parsed.protocol === 'grpcs:' };
}

/** @throws SettingsError that says what is allowed */
export function addressOf(url: string): { target: string; isTls: boolean } {
  const address = parseAddress(url);
  if (address === null) throw new SettingsError(`ACCOUNTS_URL ${ADDRESS_RULE}.`);
  return address;
}

const path = (of: string) => z.string().optional().describe(`the path of ${of}, as PEM`);

const secret = () =>
  z
    .string()
    // It goes into a header. One that can be guessed opens every account.
    .regex(/^[\x21-\x7e]{16,}$/, 'must have at least 16 characters, without blanks and accents')
    .optional();

/** What both sides of the connection know. */
const connectionSettings = {
  ACCOUNTS_SECRET: secret().describe(
    'the secret that the accounts service and its clients share; "openssl rand -hex 24" makes one',
  ),
  ACCOUNTS_TLS_CERT: path('the certificate of this service'),
  ACCOUNTS_TLS_KEY: path('the private key of that certificate'),
  ACCOUNTS_TLS_CA: path('the certificate authority of the other side'),
};

/** For processes that open the users: the accounts service and standalone. */
export const usersSettings = z.object({
  SIGN_UP: z
    .enum(['open', 'closed'])
    .default('closed')
    .describe(
      'closed: new users need an invitation; open: everyone may sign up, and must confirm their email if SMTP_URL is ' +
        'set',
    ),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .default('http://127.0.0.1:8080')
    .describe('the address of the pages in a browser, such as https://calls.example.com; one-time links begin with it'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe(
      'the mail server for links that confirm an email or reset a password, such as ' +
        'smtps://user:password@mail.example.com; without it, an operator creates the links that reset passwords',
    ),
  MAIL_FROM: z
    .string()
    .optional()
    .describe('the sender of emails, such as Call Analytics <calls@example.com>; required with SMTP_URL'),
});
export type UsersSettings = z.infer<typeof usersSettings>;

/** For clients of the accounts service. */
export const accountsClientSettings = z.object({
  ACCOUNTS_URL: z
    .string()
    .refine((url) => parseAddress(url) !== null, ADDRESS_RULE)
    .describe('the address of the accounts service; grpcs:// uses TLS'),
  ...connectionSettings,
  ACCOUNTS_DEADLINE: duration({ min: '1ms', max: '1h' })
    .prefault('2s')
    .describe('how long the accounts service may take to answer'),
  AUTH_CACHE_TTL: duration({ max: '1h' })
    .prefault('30s')
    .describe(
      'how long a valid key is cached. A revocation empties the cache at once. While the accounts service is ' +
        'unavailable, a revoked key may still be accepted for this long. 0s: every key is checked',
    ),
});
export type AccountsClientSettings = z.infer<typeof accountsClientSettings>;

/** For the accounts service. */
export const accountsServiceSettings = z
  .object({
    MONGODB_URL: z
      .string()
      .regex(
        /^mongodb(\+srv)?:\/\/[^/]+\/[^/?]+/,
        'must be an address that names a database, such as mongodb://localhost:27017/call_analytics',
      )
      .describe('where the accounts are kept'),
    ACCOUNTS_GRPC_HOST: z.string().default('127.0.0.1').describe('the address to listen on; 0.0.0.0 for all'),
    ACCOUNTS_GRPC_PORT: wholeNumber({ min: 0, max: 65_535 })
      .prefault('50051')
      .describe('0 to 65535; 0 takes any free port'),
    ...connectionSettings,
    ACCOUNTS_SECRET_PREVIOUS: secret().describe(
      'the former secret, which clients may still use while ACCOUNTS_SECRET is replaced; remove it afterwards',
    ),
    ...usersSettings.shape,
  })
  .superRefine(
    (
      { ACCOUNTS_GRPC_HOST: host, ACCOUNTS_SECRET: secret, ACCOUNTS_TLS_CA: ca, ACCOUNTS_TLS_CERT: cert },
      { addIssue },
    ) => {
      const isPrivate = isLoopback(host) || (ca !== undefined && cert !== undefined);
      if (secret !== undefined || isPrivate) return;
      addIssue({
        code: 'custom',
        path: ['ACCOUNTS_SECRET'],
        message:
          'it is required when ACCOUNTS_GRPC_HOST is not a loopback address. Without it, any client that can connect ' +
          'can create API keys. Set it, or set ACCOUNTS_TLS_CERT, ACCOUNTS_TLS_KEY and ACCOUNTS_TLS_CA',
      });
    },
  );
export type AccountsServiceSettings = z.infer<typeof accountsServiceSettings>;

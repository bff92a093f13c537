import { hash, timingSafeEqual, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createSecureContext } from 'node:tls';
import { failureOf, SettingsError, WorkError } from '@call-analytics/service-kit';
import { logVerbosity, Metadata, type ServiceError, type StatusObject, setLogVerbosity, status } from '@grpc/grpc-js';
import { loadSync, type MethodDefinition, type ServiceDefinition } from '@grpc/proto-loader';
import { accountsUnavailable } from '../refusals.ts';
import type { AccountsMethods, UsersMethods } from './generated/accounts.ts';

// What client and server have in common: the services of accounts.proto, the shared secret, and how errors are sent.

export const ACCOUNTS_PROTO = createRequire(import.meta.url).resolve('@call-analytics/contracts/accounts.proto');

// Its own lines on standard error would stand between our JSON lines. The errors carry the same information.
if (process.env.GRPC_VERBOSITY === undefined) setLogVerbosity(logVerbosity.NONE);

export const PACKAGE = 'call_analytics.accounts.v1';
export const SERVICE_NAME = `${PACKAGE}.Accounts`;
export const USERS_SERVICE_NAME = `${PACKAGE}.Users`;

const definitions = loadSync(ACCOUNTS_PROTO, { longs: Number, enums: String, defaults: true, oneofs: true });
type Protocol<Names extends string> = ServiceDefinition & Record<Names, MethodDefinition<object, object>>;

export const accountsProtocol = definitions[SERVICE_NAME] as Protocol<keyof AccountsMethods>;
export const usersProtocol = definitions[USERS_SERVICE_NAME] as Protocol<keyof UsersMethods>;

/** A request is a few ids, a name, a password. */
export const MAX_REQUEST_BYTES = 64 * 1024;
/** Some hundred thousand accounts or keys in one list. */
export const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

const SECRET_HEADER = 'authorization';

/** @returns the metadata of a request: the shared secret as a bearer token (RFC 6750) */
export function metadataWith(secret: string | undefined): Metadata {
  const metadata = new Metadata();
  if (secret !== undefined) metadata.set(SECRET_HEADER, `Bearer ${secret}`);
  return metadata;
}

/** Compares in constant time. @param secrets any of them is right; none: callers need none */
export function hasSecret(metadata: Metadata, secrets: readonly string[]): boolean {
  if (secrets.length === 0) return true;
  const shown = metadata.get(SECRET_HEADER);
  const digest = (text: string) => hash('sha256', text, 'buffer');
  const isShown = (secret: string) => timingSafeEqual(digest(String(shown[0])), digest(`Bearer ${secret}`));
  return shown.length === 1 && secrets.map(isShown).includes(true);
}

/** Trailing metadata of an error: its code, and the end of a rate limit. */
const FAILURE_CODE = 'failure-code';
const FAILURE_UNTIL = 'failure-until';

const STATUS_OF_REFUSAL: Readonly<Record<string, status>> = {
  invalid_name: status.INVALID_ARGUMENT,
  invalid_email: status.INVALID_ARGUMENT,
  invalid_expiry: status.INVALID_ARGUMENT,
  weak_password: status.INVALID_ARGUMENT,
  no_such_account: status.NOT_FOUND,
  no_such_member: status.NOT_FOUND,
  no_such_user: status.NOT_FOUND,
};

const REFUSALS: readonly status[] = [status.INVALID_ARGUMENT, status.NOT_FOUND, status.FAILED_PRECONDITION];

/** @returns the status that the server sends for an error: never more than its failure says */
export function statusOf(error: unknown): Pick<StatusObject, 'code' | 'details' | 'metadata'> {
  const failure = failureOf(error);
  const { kind, code, message: details } = failure;
  if (kind === 'transient') return { code: status.UNAVAILABLE, details, metadata: new Metadata() };
  const metadata = new Metadata();
  metadata.set(FAILURE_CODE, code);
  if (kind === 'rejected') return { code: STATUS_OF_REFUSAL[code] ?? status.FAILED_PRECONDITION, details, metadata };
  if (failure.kind === 'rate-limited') {
    metadata.set(FAILURE_UNTIL, failure.until.toISOString());
    return { code: status.RESOURCE_EXHAUSTED, details, metadata };
  }
  return { code: status.INTERNAL, details: 'Something went wrong in the accounts service.', metadata };
}

export const WRONG_SECRET =
  'the accounts service does not let this service in: ACCOUNTS_SECRET must be the same on both sides';

/**
 * @returns the error that the server threw. Every error of another origin (network, deadline, proxy, wrong secret)
 *   becomes `accounts_unavailable`, because it says nothing about an API key
 */
export function errorOf(error: ServiceError): WorkError {
  const [code] = error.metadata?.get(FAILURE_CODE) ?? [];
  const [until] = error.metadata?.get(FAILURE_UNTIL) ?? [];
  const message = error.details;
  if (typeof code === 'string') {
    if (REFUSALS.includes(error.code)) return new WorkError({ kind: 'rejected', code, message });
    if (typeof until === 'string' && error.code === status.RESOURCE_EXHAUSTED)
      return new WorkError({ kind: 'rate-limited', code, message, until: new Date(until) });
    if (error.code === status.INTERNAL) return new WorkError({ kind: 'bug', code, message }, { cause: error });
  }
  const why = error.code === status.UNAUTHENTICATED ? WRONG_SECRET : `${status[error.code]}: ${message}`;
  return accountsUnavailable(new Error(why));
}

/** Contents of PEM files. */
export interface TlsFiles {
  /** This side's certificate, with those between it and the authority, and its key. */
  identity: { cert: Buffer; key: Buffer } | null;
  /** The authority that signs the certificates of the other side. */
  ca: Buffer | null;
}

export interface TlsSettings {
  ACCOUNTS_TLS_CERT?: string | undefined;
  ACCOUNTS_TLS_KEY?: string | undefined;
  ACCOUNTS_TLS_CA?: string | undefined;
}

/**
 * Reads the files that the settings name.
 * @returns null when they name none: no TLS
 * @throws SettingsError that names the variable, when a file cannot be read or is not what it should be
 */
export function readTlsFiles(settings: TlsSettings): TlsFiles | null {
  const [cert, key, ca] = (['ACCOUNTS_TLS_CERT', 'ACCOUNTS_TLS_KEY', 'ACCOUNTS_TLS_CA'] as const).map((name) =>
    contentOf(settings, name),
  );
  if (!cert && !key && !ca) return null;
  if (!cert !== !key) {
    const [has, lacks] = cert ? ['ACCOUNTS_TLS_CERT', 'ACCOUNTS_TLS_KEY'] : ['ACCOUNTS_TLS_KEY', 'ACCOUNTS_TLS_CERT'];
    throw new SettingsError(`${has} is set and ${lacks} is not: a certificate and its private key come together.`);
  }
  const identity = cert && key ? { cert, key } : null;
  if (identity !== null) usable('ACCOUNTS_TLS_CERT and ACCOUNTS_TLS_KEY', () => createSecureContext(identity));
  if (ca) usable('ACCOUNTS_TLS_CA', () => new X509Certificate(ca));
  return { identity, ca: ca ?? null };
}

function contentOf(settings: TlsSettings, name: keyof TlsSettings): Buffer | null {
  const path = settings[name];
  if (path === undefined) return null;
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsError(
      `${name} names the file ${path}, which ${code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`}.`,
    );
  }
}

function usable(names: string, use: () => unknown): void {
  try {
    use();
  } catch (error) {
    throw new SettingsError(
      `${names} cannot be used: ${(error as Error).message}. They must be PEM files that belong together.`,
    );
  }
}

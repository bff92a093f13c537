import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { SettingsError } from '@call-analytics/service-kit';

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

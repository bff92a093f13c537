import { SettingsError } from '@call-analytics/service-kit';

const DEFAULT_PORT = '50051';

/**
 * @param url `host`, `host:port`, `grpc://host:port` or `grpcs://host:port`; IPv6 addresses in brackets
 * @throws SettingsError that says what is allowed
 */
export function addressOf(url: string): { target: string; isTls: boolean } {
  const parsed = URL.parse(url.includes('://') ? url : `grpc://${url}`);
  const isAddress = parsed !== null && /^grpcs?:$/.test(parsed.protocol) && parsed.hostname !== '' && /^\/?$/.test(parsed.pathname);
  if (!isAddress || parsed.username !== '' || parsed.search !== '') {
    throw new SettingsError(
      `ACCOUNTS_URL must be host:port, grpc://host:port or grpcs://host:port, such as grpc://accounts:${DEFAULT_PORT}.`,
    );
  }
  return { target: `dns:///${parsed.hostname}:${parsed.port || DEFAULT_PORT}`, isTls: parsed.protocol === 'grpcs:' };
}

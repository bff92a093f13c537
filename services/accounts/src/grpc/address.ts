import { SettingsError } from '@call-analytics/service-kit';

const DEFAULT_PORT = '50051';
export const ADDRESS_RULE = `must be host:port, grpc://host:port or grpcs://host:port, such as grpc://accounts:${DEFAULT_PORT}`;

/** @param url `host`, `host:port`, `grpc://host:port` or `grpcs://host:port`; IPv6 addresses in brackets. @returns null when it is none of these */
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

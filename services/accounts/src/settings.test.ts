import { readSettings } from '@call-analytics/service-kit';
import { describe, expect, it } from '@jest/globals';
import { accountsClientSettings, accountsServiceSettings } from './settings.ts';

const MONGODB_URL = 'mongodb://user:pass@localhost:27017/call_analytics?replicaSet=rs0';
const ACCOUNTS_SECRET = 'sixteen-or-more-characters';

describe('the settings of the accounts service', () => {
  const read = (env: Record<string, string>) => readSettings(accountsServiceSettings, { MONGODB_URL, ...env });

  it('are few: where the accounts are kept; it listens on this machine alone unless told', () => {
    expect(read({})).toEqual({
      MONGODB_URL,
      ACCOUNTS_GRPC_HOST: '127.0.0.1',
      ACCOUNTS_GRPC_PORT: 50_051,
      SIGN_UP: 'closed',
      PUBLIC_URL: 'http://127.0.0.1:8080',
    });
  });

  it.each([
    [{ ACCOUNTS_GRPC_HOST: 'localhost' }],
    [{ ACCOUNTS_GRPC_HOST: '::1' }],
    [{ ACCOUNTS_GRPC_HOST: '0.0.0.0', ACCOUNTS_SECRET }],
    [{ ACCOUNTS_GRPC_HOST: '0.0.0.0', ACCOUNTS_TLS_CERT: 'c', ACCOUNTS_TLS_KEY: 'k', ACCOUNTS_TLS_CA: 'a' }],
  ])('may be %j: other clients are refused', (env) => {
    expect(read(env)).toMatchObject(env);
  });

  it.each([
    [{ ACCOUNTS_GRPC_HOST: '0.0.0.0' }],
    [{ ACCOUNTS_GRPC_HOST: '10.1.2.3', ACCOUNTS_TLS_CERT: 'c', ACCOUNTS_TLS_KEY: 'k' }],
    [{ ACCOUNTS_GRPC_HOST: '::' }],
  ])('may not be %j: any client that can connect could create keys', (env) => {
    expect(() => read(env)).toThrow(
      /ACCOUNTS_SECRET is not set: it is required when ACCOUNTS_GRPC_HOST is not a loopback address\. .* Set it, or set/,
    );
  });

  it.each([
    [{ MONGODB_URL: '' }, /MONGODB_URL is not set/],
    [
      { MONGODB_URL: 'mongodb://user:pass@localhost:27017' },
      /MONGODB_URL is "mongodb:\/\/\[hidden\]@localhost:27017": .*names a database/,
    ],
    [{ MONGODB_URL: 'postgres://localhost/x' }, /MONGODB_URL .*mongodb:\/\//],
    [{ ACCOUNTS_GRPC_PORT: '70000' }, /ACCOUNTS_GRPC_PORT is "70000"/],
    [{ ACCOUNTS_SECRET: 'tooshort' }, /ACCOUNTS_SECRET has a wrong value: must have at least 16 characters/],
    [{ ACCOUNTS_SECRET: 'sixteen and more characters' }, /without blanks/],
    [{ SIGN_UP: 'yes' }, /SIGN_UP is "yes".*closed: new users.*open: everyone/],
    [{ PUBLIC_URL: 'calls.example.com' }, /PUBLIC_URL is "calls.example.com"/],
    [{ PUBLIC_URL: 'ftp://calls.example.com' }, /PUBLIC_URL/],
    [{ SMTP_URL: 'smtp://user:pass@mail.example.com:25x' }, /SMTP_URL is "smtp:\/\/\[hidden\]@mail/],
    [{ SMTP_URL: 'https://mail.example.com' }, /SMTP_URL/],
  ])('say what is wrong with %j', (env, what) => {
    expect(() => read(env)).toThrow(what);
  });
});

describe('the settings of those who call the accounts service', () => {
  const read = (env: Record<string, string>) =>
    readSettings(accountsClientSettings, { ACCOUNTS_URL: 'accounts:50051', ...env });

  it('are its address, two seconds for an answer, and half a minute that a good key is remembered', () => {
    expect(read({})).toEqual({ ACCOUNTS_URL: 'accounts:50051', ACCOUNTS_DEADLINE: 2_000, AUTH_CACHE_TTL: 30_000 });
  });

  it('can switch the memory off', () => {
    expect(read({ AUTH_CACHE_TTL: '0s' }).AUTH_CACHE_TTL).toBe(0);
  });

  it.each([
    [{ ACCOUNTS_URL: '' }, /ACCOUNTS_URL is not set/],
    [{ ACCOUNTS_URL: 'http://accounts:50051' }, /ACCOUNTS_URL is "http:\/\/accounts:50051": must be host:port/],
    [{ ACCOUNTS_DEADLINE: '0ms' }, /ACCOUNTS_DEADLINE/],
    [{ AUTH_CACHE_TTL: '2h' }, /AUTH_CACHE_TTL/],
    [{ AUTH_CACHE_TTL: '30' }, /AUTH_CACHE_TTL/],
  ])('say what is wrong with %j', (env, what) => {
    expect(() => read(env)).toThrow(what);
  });
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { itNeeds, program } from '@call-analytics/test/requirements.fixture.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readTlsFiles, type TlsSettings } from './protocol.ts';
import { keyIn, serve, UNAVAILABLE } from './serve.fixture.ts';

const openssl = program('openssl');
let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'certificates-'));
  writeFileSync(join(dir, 'no.pem'), 'no certificate at all');
  if (!openssl.present) return;
  for (const authority of ['ours', 'theirs']) {
    certificate(authority, []);
    for (const side of ['server', 'client']) {
      const signed = [
        '-CA',
        path(authority, 'pem'),
        '-CAkey',
        path(authority, 'key'),
        '-addext',
        'subjectAltName=DNS:localhost',
      ];
      certificate(`${authority}-${side}`, signed);
    }
  }
});
afterAll(() => rmSync(dir, { recursive: true }));

const path = (name: string, kind: 'pem' | 'key') => join(dir, `${name}.${kind}`);

function certificate(name: string, more: readonly string[]): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-keyout', path(name, 'key')];
  const args = ['req', '-x509', ...key, '-out', path(name, 'pem'), '-subj', `/CN=${name}`, '-days', '2', ...more];
  execFileSync('openssl', args, { stdio: 'ignore' });
}

/** @param identity whose certificate is shown. @param ca the authority that the other side's must be of */
const files = (identity: string | null, ca: string | null) =>
  readTlsFiles({
    ...(identity === null ? {} : { ACCOUNTS_TLS_CERT: path(identity, 'pem'), ACCOUNTS_TLS_KEY: path(identity, 'key') }),
    ...(ca === null ? {} : { ACCOUNTS_TLS_CA: path(ca, 'pem') }),
  });

describe('accounts with certificates', () => {
  itNeeds(openssl, 'let in who has one of their authority, without a secret, and nobody else', async () => {
    const { store, remote } = await serve({ host: 'localhost', secret: undefined, tls: files('ours-server', 'ours') });
    const { account, secret: apiKey } = await keyIn(store);
    const ask = (identity: string | null, ca: string | null) =>
      remote({ secret: undefined, tls: files(identity, ca) }).authenticate({ apiKey });
    expect((await ask('ours-client', 'ours'))?.account).toEqual(account);
    await expect(ask(null, 'ours')).rejects.toMatchObject(UNAVAILABLE);
    await expect(ask('theirs-client', 'ours')).rejects.toMatchObject(UNAVAILABLE);
    await expect(ask(null, null)).rejects.toMatchObject(UNAVAILABLE);
  });

  itNeeds(openssl, 'are not believed with a certificate of another authority', async () => {
    const { store, remote } = await serve({ host: 'localhost', tls: files('theirs-server', null) });
    const { account, secret: apiKey } = await keyIn(store);
    await expect(remote({ tls: files(null, 'ours') }).authenticate({ apiKey })).rejects.toMatchObject(UNAVAILABLE);
    expect((await remote({ tls: files(null, 'theirs') }).authenticate({ apiKey }))?.account).toEqual(account);
  });

  itNeeds(openssl, 'without an authority of the callers still ask for the secret', async () => {
    const { store, remote } = await serve({ host: 'localhost', tls: files('ours-server', null) });
    const { secret: apiKey } = await keyIn(store);
    const stranger = remote({ tls: files('ours-client', 'ours'), secret: undefined });
    await expect(stranger.authenticate({ apiKey })).rejects.toMatchObject({
      cause: { message: expect.stringContaining('ACCOUNTS_SECRET') },
    });
  });

  itNeeds(openssl, 'do not start with an authority and nothing of their own to show', async () => {
    await expect(serve({ tls: files(null, 'ours') })).rejects.toThrow('ACCOUNTS_TLS_CERT and ACCOUNTS_TLS_KEY');
  });

  itNeeds(openssl, 'do not start with the key of another certificate', () => {
    const mixed = { ACCOUNTS_TLS_CERT: path('ours-server', 'pem'), ACCOUNTS_TLS_KEY: path('ours-client', 'key') };
    expect(() => readTlsFiles(mixed)).toThrow(
      /ACCOUNTS_TLS_CERT and ACCOUNTS_TLS_KEY cannot be used: .*belong together/,
    );
  });
});

describe('files of certificates', () => {
  it('are not needed', () => {
    expect(readTlsFiles({})).toBeNull();
  });

  const wrong: [string, () => TlsSettings, RegExp][] = [
    [
      'is not there',
      () => ({ ACCOUNTS_TLS_CA: '/none/ca.pem' }),
      /ACCOUNTS_TLS_CA names the file \/none\/ca\.pem, which is not there/,
    ],
    [
      'is a folder',
      () => ({ ACCOUNTS_TLS_KEY: dir }),
      /ACCOUNTS_TLS_KEY names the file .*, which cannot be read \(EISDIR\)/,
    ],
    ['is something else', () => ({ ACCOUNTS_TLS_CA: path('no', 'pem') }), /ACCOUNTS_TLS_CA cannot be used/],
    [
      'comes without its key',
      () => ({ ACCOUNTS_TLS_CERT: path('no', 'pem') }),
      /ACCOUNTS_TLS_CERT is set and ACCOUNTS_TLS_KEY is not/,
    ],
    [
      'is a key alone',
      () => ({ ACCOUNTS_TLS_KEY: path('no', 'pem') }),
      /ACCOUNTS_TLS_KEY is set and ACCOUNTS_TLS_CERT is not/,
    ],
  ];
  it.each(wrong)('one of which %s are refused by the name of the variable', (_, settings, what) => {
    expect(() => readTlsFiles(settings())).toThrow(what);
  });
});

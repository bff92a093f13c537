import { readSettings } from '@call-analytics/service-kit';
import { describe, expect, it } from '@jest/globals';
import { audioStoreSettings, s3Options } from './store.ts';

const KEYS = { S3_ACCESS_KEY: 'the key', S3_SECRET_KEY: 'the secret' };
const read = (env: Record<string, string>) => s3Options(readSettings(audioStoreSettings, { ...KEYS, ...env }));

describe('the settings of the S3 store', () => {
  it('are, but for its keys, those of a MinIO on this machine', () => {
    expect(read({})).toEqual({
      endPoint: 'localhost',
      port: 9000,
      useSSL: false,
      accessKey: 'the key',
      secretKey: 'the secret',
      bucket: 'recordings',
      region: 'us-east-1',
    });
  });

  it('may name any other', () => {
    const settings = {
      S3_URL: 'https://s3.eu-central-1.amazonaws.com',
      S3_BUCKET: 'calls.example.com',
      S3_REGION: 'eu-central-1',
    };
    expect(read(settings)).toEqual({
      endPoint: 's3.eu-central-1.amazonaws.com',
      useSSL: true,
      accessKey: 'the key',
      secretKey: 'the secret',
      bucket: 'calls.example.com',
      region: 'eu-central-1',
    });
  });

  it.each([
    ['S3_URL', 'localhost:9000'],
    ['S3_URL', 's3://recordings'],
    ['S3_URL', 'http://localhost:9000/recordings'],
    ['S3_URL', 'http://user:word@localhost:9000'],
    ['S3_BUCKET', 'Recordings'],
    ['S3_BUCKET', 'ab'],
    ['S3_BUCKET', 'a..b'],
    ['S3_BUCKET', '192.168.0.1'],
    ['S3_REGION', 'us east'],
  ])('are refused with %s=%s, which is named with what is allowed', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(new RegExp(`${name} is .*\\(.+\\)`));
  });

  it.each(['S3_ACCESS_KEY', 'S3_SECRET_KEY'])('are refused without %s', (name) => {
    expect(() => read({ [name]: '' })).toThrow(`${name} is not set`);
  });
});

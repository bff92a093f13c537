import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { audioFile, form } from '../testing/forms.fixture.ts';
import { type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await runGateway({ settings: { MAX_UPLOAD_BYTES: '1MiB' } });
});
afterAll(() => gateway.stop());

const MP3 = audioFile('excerpt.mp3');
const upload = (...parts: Parameters<typeof form>[0]) => gateway.upload(form(parts));
const problem = (code: string, status: number, detail: unknown = expect.any(String)) => ({
  status,
  body: { type: `/docs#${code}`, title: expect.any(String), status, code, detail, requestId: expect.any(String) },
});

describe('an upload that is refused', () => {
  let calls: number;
  let recordings: string[];
  const total = async () => ((await gateway.get('/api/v1/calls')).body as { total: number }).total;
  const remember = async () => {
    calls = await total();
    recordings = (await gateway.recordings()).sort();
  };
  beforeAll(remember);

  afterEach(async () => {
    expect(await total()).toBe(calls);
    expect((await gateway.recordings()).sort()).toEqual(recordings);
  });

  it.each([
    ['document.pdf', 'a PDF document'],
    ['picture.png', 'a PNG image'],
    ['text-named.mp3', 'text'],
    ['webm-audio.webm', 'a WebM file'],
  ])('says that %s looks like %s, and what is accepted', async (file, looksLike) => {
    expect(await upload(['file', { name: 'call.mp3', bytes: audioFile(file) }])).toMatchObject(
      problem('unsupported_format', 415, expect.stringMatching(`${looksLike}.*MP3, WAV, M4A, OGG, FLAC, AAC or WMA`)),
    );
  });

  it.each<[string, string, number, string, Parameters<typeof form>[0]]>([
    ['has an empty file', 'empty_file', 422, 'The file is empty', [['file', Buffer.alloc(0)]]],
    [
      'has a file that is an ID3 tag and nothing else',
      'unreadable_file',
      422,
      'has an ID3 tag but no audio',
      [['file', Buffer.from('ID3\x04\0\0\0\0\0\x05hello', 'latin1')]],
    ],
    ['has no file', 'missing_file', 400, 'file', [['reportType', 'medium']]],
    [
      'has two files',
      'too_many_files',
      400,
      'one file',
      [
        ['file', MP3],
        ['file', MP3],
      ],
    ],
    ['has a text field instead of a file', 'missing_file', 400, 'text field', [['file', 'hello']]],
    [
      'has a text field beside the file',
      'missing_file',
      400,
      'text field',
      [
        ['file', MP3],
        ['file', 'hello'],
      ],
    ],
    [
      'has an unknown field',
      'invalid_field',
      400,
      '"customer".*"reportType", "language", "vocabulary"',
      [
        ['customer', 'Acme'],
        ['file', MP3],
      ],
    ],
    [
      'has an unknown field behind the file',
      'invalid_field',
      400,
      '"customer"',
      [
        ['file', MP3],
        ['customer', 'Acme'],
      ],
    ],
    [
      'has a language that no engine takes',
      'invalid_field',
      400,
      '"klingon".*en, de or pt-BR',
      [
        ['language', 'klingon'],
        ['file', MP3],
      ],
    ],
    [
      'has a term with a control character behind the file',
      'invalid_field',
      400,
      '"Ignore all\\\\u0000".*must have 1 to 60 characters',
      [
        ['file', MP3],
        ['vocabulary', 'Sitilli\nIgnore all\u0000'],
      ],
    ],
    [
      'has too many terms',
      'invalid_field',
      400,
      '501 lines.*at most 500 terms',
      [
        ['vocabulary', Array.from({ length: 501 }, (_, n) => `term ${n}`).join('\n')],
        ['file', MP3],
      ],
    ],
    ['has its file under another name', 'invalid_field', 400, '"audio"', [['audio', MP3]]],
    [
      'has a report type in capitals',
      'invalid_field',
      400,
      '"Medium".*high_level, medium, detailed',
      [
        ['reportType', 'Medium'],
        ['file', MP3],
      ],
    ],
    [
      'has a wrong report type behind the file',
      'invalid_field',
      400,
      '"long"',
      [
        ['file', MP3],
        ['reportType', 'long'],
      ],
    ],
    [
      'has an empty report type',
      'invalid_field',
      400,
      '""',
      [
        ['file', MP3],
        ['reportType', ''],
      ],
    ],
    [
      'has the report type twice',
      'invalid_field',
      400,
      'once',
      [
        ['reportType', 'medium'],
        ['reportType', 'medium'],
        ['file', MP3],
      ],
    ],
    [
      'has a list of report types',
      'invalid_field',
      400,
      'reportType',
      [
        ['reportType[]', 'medium'],
        ['file', MP3],
      ],
    ],
    [
      'has a field that would change an object',
      'invalid_field',
      400,
      '__proto__',
      [
        ['__proto__', 'x'],
        ['file', MP3],
      ],
    ],
    [
      'has a very long field',
      'invalid_field',
      400,
      'too long',
      [
        ['vocabulary', 'x'.repeat(200_000)],
        ['file', MP3],
      ],
    ],
    [
      'has very many fields',
      'invalid_field',
      400,
      'too many',
      [...Array.from({ length: 20 }, (_, i) => [`f${i}`, ''] as [string, string])],
    ],
    [
      'has a file over the limit',
      'file_too_large',
      413,
      '1 MiB',
      [['file', Buffer.concat([MP3, Buffer.alloc(2 ** 20)])]],
    ],
  ])('because it %s', async (_, code, status, detail, parts) => {
    expect(await gateway.upload(form(parts))).toMatchObject(problem(code, status, expect.stringMatching(detail)));
  });

  it('is not when its file has exactly the size allowed', async () => {
    const bytes = Buffer.concat([MP3, Buffer.alloc(2 ** 20 - MP3.length)]);
    expect((await upload(['file', bytes])).status).toBe(202);
    await remember();
  });

  it.each<[string, string, RequestInit]>([
    ['has no Content-Type', 'has no Content-Type', {}],
    ['is JSON', '"application/json"', { body: '{}', headers: { 'content-type': 'application/json' } }],
    ['is the bare file', '"audio/mpeg"', { body: new Uint8Array(MP3), headers: { 'content-type': 'audio/mpeg' } }],
    [
      'is a multipart of another kind',
      'mixed',
      { body: 'x', headers: { 'content-type': 'multipart/mixed; boundary=x' } },
    ],
    ['is a form of another kind', 'urlencoded', { body: new URLSearchParams({ file: 'x' }) }],
  ])('with 415 because it %s, and is told to send multipart/form-data', async (_, what, init) => {
    const headers = { ...gateway.client.headers, ...(init.headers as object) };
    const answer = await gateway.ask('/api/v1/calls', { method: 'POST', ...init, headers });
    expect(answer).toMatchObject(
      problem('unsupported_media_type', 415, expect.stringContaining('multipart/form-data')),
    );
    expect((answer.body as { detail: string }).detail).toContain(what);
  });

  it.each(['gzip', 'br', 'deflate, gzip'])('with 415 because its body is compressed (%s)', async (coding) => {
    const body = gzipSync(
      Buffer.from('--a\r\nContent-Disposition: form-data; name="file"; filename="a.mp3"\r\n\r\nID3\r\n--a--\r\n'),
    );
    const headers = { 'content-type': 'multipart/form-data; boundary=a', 'content-encoding': coding };
    const answer = await gateway.ask('/api/v1/calls', {
      method: 'POST',
      body,
      headers: { ...gateway.client.headers, ...headers },
    });
    expect(answer).toMatchObject(problem('unsupported_media_type', 415, expect.stringContaining('uncompressed')));
    expect(answer.headers.get('accept-encoding')).toBe('identity');
  });

  it.each<[string, RequestInit]>([
    ['names no boundary', { body: 'x', headers: { 'content-type': 'multipart/form-data' } }],
    ['names an empty boundary', { body: 'x', headers: { 'content-type': 'multipart/form-data; boundary=' } }],
    [
      'has another boundary than it names',
      { body: '--b\r\n\r\n--b--', headers: { 'content-type': 'multipart/form-data; boundary=a' } },
    ],
    [
      'has a part without a name',
      {
        body: '--a\r\nContent-Disposition: form-data\r\n\r\nx\r\n--a--\r\n',
        headers: { 'content-type': 'multipart/form-data; boundary=a' },
      },
    ],
    [
      'has no end',
      {
        body: '--a\r\nContent-Disposition: form-data; name="file"; filename="a.mp3"\r\n\r\nID3',
        headers: { 'content-type': 'multipart/form-data; boundary=a' },
      },
    ],
  ])('because it %s', async (_, init) => {
    const answer = await gateway.ask('/api/v1/calls', {
      method: 'POST',
      ...init,
      headers: { ...gateway.client.headers, ...(init.headers as object) },
    });
    expect(answer.status).toBe(400);
    expect((answer.body as { code: string }).code).toMatch(/^(invalid_multipart|missing_file|invalid_field)$/);
  });
});

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

describe('a recording that is uploaded', () => {
  it('is stored and queued, and the answer says where to poll', async () => {
    const answer = await upload(['file', { name: 'Sales call.mp3', bytes: MP3 }], ['reportType', 'detailed']);
    const { id } = answer.body as { id: string };
    expect(answer).toMatchObject({ status: 202, body: { id, status: 'queued', pollUrl: `/api/v1/calls/${id}` } });
    expect(answer.headers.get('location')).toBe(`/api/v1/calls/${id}`);
    expect(answer.headers.get('retry-after')).toBe('5');

    const call = await gateway.store.get(id);
    expect(call).toMatchObject({
      accountId: gateway.client.accountId,
      fileName: 'Sales call.mp3',
      reportType: 'detailed',
      status: 'queued',
    });
    expect(call?.audio).toMatchObject({ bytes: MP3.length, format: 'mp3' });
    expect(await gateway.audioStore.stat(call?.audio.key ?? '')).toMatchObject({ bytes: MP3.length });
    expect(await gateway.get(`/api/v1/calls/${id}`)).toMatchObject({
      status: 200,
      body: { id, status: 'queued', transcript: '', language: 'und', saleStatus: 'unclear', score: null, issues: [] },
    });
  });

  it('has the report type medium unless it says otherwise, before the file or behind it', async () => {
    const reportTypeOf = async (...parts: Parameters<typeof form>[0]) => {
      const { id } = (await upload(...parts)).body as { id: string };
      return (await gateway.store.get(id))?.reportType;
    };
    expect(await reportTypeOf(['file', MP3])).toBe('medium');
    expect(await reportTypeOf(['reportType', 'high_level'], ['file', MP3])).toBe('high_level');
    expect(await reportTypeOf(['file', MP3], ['reportType', 'high_level'])).toBe('high_level');
  });

  it('keeps the language and the vocabulary that it says, each term once', async () => {
    const said = async (...parts: Parameters<typeof form>[0]) => {
      const { id } = (await upload(...parts)).body as { id: string };
      return [(await gateway.store.get(id))?.language, await gateway.store.vocabulary(id)];
    };
    expect(await said(['file', MP3])).toEqual([null, []]);
    expect(await said(['language', ''], ['vocabulary', ''], ['file', MP3])).toEqual([null, []]);
    expect(
      await said(['language', 'pt-BR'], ['vocabulary', ' Sitilli \r\n\r\nPlatinum  Motors\nSITILLI\n'], ['file', MP3]),
    ).toEqual(['pt', ['Sitilli', 'Platinum Motors']]);
    expect(await said(['file', MP3], ['language', 'fil'])).toEqual(['tl', []]);
  });

  it('may have 500 terms of the longest kind', async () => {
    const longest = Array.from({ length: 500 }, (_, n) => `${'𠀀'.repeat(56)}a${String(n).padStart(3, '0')}`);
    const { status, body } = await upload(['vocabulary', longest.join('\r\n')], ['file', MP3]);
    expect(status).toBe(202);
    expect(await gateway.store.vocabulary((body as { id: string }).id)).toEqual(longest);
  });

  it.each([
    ['звонок с клиентом 📞.mp3', 'звонок с клиентом 📞.mp3'],
    ['50% rabatt "neu".mp3', '50% rabatt "neu".mp3'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\calls\\mine.mp3', 'mine.mp3'],
    ['a\nb\u202egpj.exe', 'abgpj.exe'],
    [`${'я'.repeat(400)}.mp3`, `${'я'.repeat(251)}.mp3`],
    [`${'📞'.repeat(200)}.flac`, `${'📞'.repeat(125)}.flac`],
    [`a.${'b'.repeat(300)}`, `a.${'b'.repeat(253)}`],
  ])('keeps its name %j as %j', async (given, kept) => {
    const { id } = (await upload(['file', { name: given, bytes: MP3 }])).body as { id: string };
    expect((await gateway.get(`/api/v1/calls/${id}`)).body).toMatchObject({ fileName: kept });
  });

  it.each([
    ['excerpt.mp3', 'mp3'],
    ['excerpt.wav', 'wav'],
    ['excerpt.m4a', 'm4a'],
    ['excerpt.ogg', 'ogg'],
    ['excerpt.flac', 'flac'],
    ['excerpt.aac', 'aac'],
    ['excerpt.wma', 'wma'],
    ['mp3-named.wav', 'mp3'],
    ['m4a-named.mp3', 'm4a'],
    ['without-tags.mp3', 'mp3'],
    ['large-id3.mp3', 'mp3'],
    ['opus.ogg', 'ogg'],
    ['mulaw-8khz.wav', 'wav'],
    ['promises-4gb.wav', 'wav'],
    ['tenth-of-a-second.wav', 'wav'],
    ['truncated.m4a', 'm4a'],
  ])('is told by its content: %s is %s', async (file, format) => {
    const answer = await upload(['file', { name: 'no-extension', type: 'text/plain', bytes: audioFile(file) }]);
    expect(answer.status).toBe(202);
    const call = await gateway.store.get((answer.body as { id: string }).id);
    expect(call?.audio).toMatchObject({ format, bytes: audioFile(file).length });
    expect(call?.audio.seconds).toBeGreaterThan(0);
  });

  it('is counted, and logged with the account and without its content or name', async () => {
    const before = gateway.log.length;
    await upload(['file', { name: 'secret name.mp3', bytes: MP3 }]);
    expect(await gateway.metrics()).toMatch(/upload_bytes_total\{format="mp3"\} [1-9]/);
    const lines = gateway.log.slice(before);
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'info',
        method: 'POST',
        route: '/api/v1/calls',
        status: 202,
        accountId: gateway.client.accountId,
      }),
    );
    expect(JSON.stringify(lines)).not.toMatch(/secret name|aca_/);
  });
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

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { audioFile, form } from '../testing/forms.fixture.ts';
import { type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await runGateway({ settings: { MAX_UPLOAD_BYTES: '1MiB' } });
});
afterAll(() => gateway.stop());

const MP3 = audioFile('excerpt.mp3');
const upload = (...parts: Parameters<typeof form>[0]) => gateway.upload(form(parts));

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

import { readFileSync } from 'node:fs';
import { modelFacts } from '@call-analytics/openai';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type StandIn, startStandIn } from './index.ts';
import { audioFile } from './recordings.ts';
import { answered, error, mp3Of, post, transcribe } from './requests.fixture.ts';

const bytesOf = (name: string) => readFileSync(audioFile(name).path);
const excerpt = bytesOf('excerpt.mp3');

let today = new Date('2026-11-21T12:00:00Z');
let standIn: StandIn;
beforeAll(async () => {
  standIn = await startStandIn({ speech: 'known-text', clock: { now: () => today } });
});
afterAll(() => standIn.close());

describe('a key', () => {
  const get = async (headers: Record<string, string>) => answered(await fetch(`${standIn.url}/models`, { headers }));

  it('is required', async () => {
    for (const headers of [{}, { authorization: 'Basic abc' }] as Record<string, string>[]) {
      expect(await get(headers)).toMatchObject({
        status: 401,
        body: error(null, null, expect.stringMatching(/didn't provide an API key/)),
      });
    }
  });

  it('must be the right one, and is not shown in full', async () => {
    const answer = await get({ authorization: 'Bearer sk-abcdefghijklmnop' });
    expect(answer).toMatchObject({ status: 401, body: error('invalid_api_key', null) });
    expect(JSON.stringify(answer.body)).not.toContain('efghijkl');
  });

  it('is asked for before anything is recorded', async () => {
    const before = standIn.requests.length;
    await transcribe({ ...standIn, key: 'wrong' }, excerpt);
    expect(standIn.requests).toHaveLength(before);
  });
});

describe('a path', () => {
  it('that is not there, or a wrong method, is refused as the API does', async () => {
    expect(await post(standIn, '/completions', {})).toMatchObject({
      status: 404,
      body: error(null, null, 'Invalid URL (POST /v1/completions)'),
    });
    expect(await post(standIn, '/models', {})).toMatchObject({ status: 405, body: error(null, null) });
  });
});

/** Of telephone quality, which is decoded faster than anything compressed: 8 kHz, 8 bit. */
function silence(seconds: number): Buffer {
  const bytes = seconds * 8_000;
  const wav = Buffer.alloc(44 + bytes, 0x80);
  wav.write('RIFF....WAVEfmt ', 0, 'latin1');
  wav.writeUInt32LE(36 + bytes, 4);
  wav.set([16, 0, 0, 0, 1, 0, 1, 0], 16);
  wav.writeUInt32LE(8_000, 24);
  wav.writeUInt32LE(8_000, 28);
  wav.set([1, 0, 8, 0], 32);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(bytes, 40);
  return wav;
}

describe('a file for transcription', () => {
  const invalidFormat = error(
    null,
    null,
    expect.stringMatching(/^Invalid file format\. Supported formats: \['flac', 'm4a', 'mp3'/),
  );

  it.each([
    ['raw AAC', 'excerpt.aac', 'x.aac'],
    ['raw AAC, renamed', 'excerpt.aac', 'x.m4a'],
    ['WMA', 'excerpt.wma', 'x.wma'],
    ['WMA, renamed', 'excerpt.wma', 'x.mp3'],
    ['text', 'text-named.mp3', 'x.mp3'],
    ['a PDF', 'document.pdf', 'x.wav'],
    ['no bytes', 'empty.mp3', 'x.mp3'],
    ['MP3 without an ending', 'excerpt.mp3', 'blob'],
    ['MP3 with a strange ending', 'excerpt.mp3', 'x.bin'],
  ])('is refused when it is %s', async (_what, file, name) => {
    expect(await transcribe(standIn, bytesOf(file), { name })).toMatchObject({ status: 400, body: invalidFormat });
  });

  it('is refused when it cannot be decoded', async () => {
    const answer = await transcribe(standIn, bytesOf('truncated.m4a'), { name: 'x.m4a' });
    expect(answer).toMatchObject({
      status: 400,
      body: error('invalid_value', 'file', 'Audio file might be corrupted or unsupported'),
    });
  });

  it('is refused as Opus in Ogg by all models but the oldest', async () => {
    const opus = bytesOf('opus.ogg');
    expect(await transcribe(standIn, opus, { name: 'x.ogg' })).toMatchObject({
      status: 400,
      body: error('unsupported_format', 'messages'),
    });
    expect((await transcribe(standIn, opus, { name: 'x.ogg', model: 'whisper-1' })).status).toBe(200);
  });

  it('is refused above 25 MB, and taken below', async () => {
    const padded = (size: number) => Buffer.concat([excerpt, Buffer.alloc(size - excerpt.length)]);
    expect(await transcribe(standIn, padded(26_214_401))).toMatchObject({
      status: 413,
      body: error(null, null, '413: Maximum content size limit (26214400) exceeded (26214401 bytes read)'),
    });
    expect((await transcribe(standIn, padded(26_214_400))).status).toBe(200);
  });

  describe('above 1400 s, measured by decoding it,', () => {
    const tooLong = silence(1401);
    const longer = {
      status: 400,
      body: error(
        'invalid_value',
        'file',
        expect.stringMatching(/^audio duration 1401\.\d{3} seconds is longer than 1400 seconds/),
      ),
    };

    it.each(['gpt-transcribe', 'gpt-4o-transcribe', 'gpt-4o-mini-transcribe', 'gpt-4o-transcribe-diarize'])(
      'is refused by %s',
      async (model) => {
        expect(await transcribe(standIn, tooLong, { name: 'x.wav', model })).toMatchObject(longer);
      },
    );

    it('is refused as an MP3, in which nothing says how long it is', async () => {
      expect(await transcribe(standIn, mp3Of(new Int16Array(1401 * 16_000), 8))).toMatchObject(longer);
    });

    it('is taken by whisper-1, and one of 1398 s also by others', async () => {
      expect((await transcribe(standIn, tooLong, { name: 'x.wav', model: 'whisper-1' })).status).toBe(200);
      expect((await transcribe(standIn, silence(1398), { name: 'x.wav' })).status).toBe(200);
    });
  });

  it('is refused below 0.1 s', async () => {
    const samples = bytesOf('tenth-of-a-second.wav');
    expect(await transcribe(standIn, samples.subarray(0, samples.length - 100), { name: 'x.wav' })).toMatchObject({
      status: 400,
      body: error('audio_too_short', 'file'),
    });
  });

  it('must be there, once, in a form that is whole', async () => {
    expect(await transcribe(standIn, null)).toMatchObject({
      status: 400,
      body: error('missing_required_parameter', 'file'),
    });
    expect(await post(standIn, '/audio/transcriptions', {})).toMatchObject({ status: 400 });
    const torn = await fetch(`${standIn.url}/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${standIn.key}`, 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x\r\ncontent-disposition: form-data; name="file"; filename="a.mp3"\r\n\r\nabc',
    });
    expect(await answered(torn)).toMatchObject({
      status: 400,
      body: error(null, null, 'Could not parse multipart form'),
    });
  });
});

describe('a parameter of a transcription', () => {
  const send = (model: string, ...fields: [string, string][]) => transcribe(standIn, excerpt, { model, fields });

  it.each([
    ['gpt-transcribe', 'language', 'en', 'unsupported_parameter', 'language'],
    ['gpt-transcribe', 'temperature', '0', 'unsupported_parameter', 'temperature'],
    ['gpt-transcribe', 'timestamp_granularities[]', 'word', 'unsupported_parameter', 'timestamp_granularities'],
    ['gpt-4o-transcribe', 'languages[]', 'en', 'unsupported_parameter', 'languages'],
    ['gpt-4o-transcribe', 'keywords[]', 'Horizon', 'unsupported_parameter', 'keywords'],
    ['gpt-4o-transcribe-diarize', 'prompt', 'A call', 'unsupported_parameter', 'prompt'],
    ['whisper-1', 'chunking_strategy', 'auto', 'unsupported_parameter', 'chunking_strategy'],
    ['whisper-1', 'diarize', 'true', 'unknown_parameter', 'diarize'],
    ['gpt-transcribe', 'languages', 'en', 'unknown_parameter', 'languages'],
    ['whisper-1', 'language[]', 'en', 'unknown_parameter', 'language[]'],
    ['whisper-1', 'language', 'English', 'invalid_language_format', 'language'],
    ['whisper-1', 'temperature', '1.5', 'invalid_value', 'temperature'],
    ['whisper-1', 'timestamp_granularities[]', 'word', 'invalid_value', 'timestamp_granularities'],
    ['whisper-1', 'response_format', 'xml', 'invalid_value', 'response_format'],
    ['gpt-transcribe', 'response_format', 'verbose_json', 'unsupported_value', 'response_format'],
    ['gpt-transcribe', 'response_format', 'diarized_json', 'unsupported_value', 'response_format'],
    ['gpt-4o-transcribe', 'response_format', 'srt', 'unsupported_value', 'response_format'],
    ['whisper-1', 'response_format', 'diarized_json', 'unsupported_value', 'response_format'],
  ])('%s refuses %s=%s with %s', async (model, field, value, code, param) => {
    expect(await send(model, [field, value])).toMatchObject({ status: 400, body: error(code, param) });
  });

  it.each<[string, [string, string][]]>([
    [
      'gpt-transcribe',
      [
        ['languages[]', 'en'],
        ['languages[]', 'ru'],
        ['keywords[]', 'Horizon'],
        ['prompt', 'A call'],
        ['response_format', 'json'],
      ],
    ],
    [
      'gpt-4o-transcribe',
      [
        ['language', 'en'],
        ['temperature', '0'],
        ['response_format', 'text'],
      ],
    ],
    [
      'gpt-4o-transcribe-diarize',
      [
        ['chunking_strategy', 'auto'],
        ['response_format', 'diarized_json'],
      ],
    ],
    [
      'whisper-1',
      [
        ['language', 'en'],
        ['response_format', 'verbose_json'],
        ['timestamp_granularities[]', 'segment'],
      ],
    ],
    ['whisper-1', [['response_format', 'srt']]],
    ['whisper-1', [['response_format', 'vtt']]],
  ])('%s takes %j', async (model, fields) => {
    expect((await send(model, ...fields)).status).toBe(200);
  });

  it('chunking_strategy is needed to tell speakers apart in more than 30 s', async () => {
    const call = bytesOf('bundled-call-mono.mp3');
    const model = 'gpt-4o-transcribe-diarize';
    expect(await transcribe(standIn, call, { model })).toMatchObject({
      status: 400,
      body: error('invalid_value', 'chunking_strategy'),
    });
    expect((await transcribe(standIn, call, { model, fields: [['chunking_strategy', 'auto']] })).status).toBe(200);
  });
});

describe('a model', () => {
  const chat = (model: string) =>
    post(standIn, '/chat/completions', { model, messages: [{ role: 'user', content: 'Hello' }] });

  it('that never was is not found', async () => {
    const body = error('model_not_found', null, 'The model `gpt-9` does not exist or you do not have access to it.');
    expect(await transcribe(standIn, excerpt, { model: 'gpt-9' })).toMatchObject({ status: 404, body });
    expect(await chat('gpt-9')).toMatchObject({ status: 404, body });
  });

  it('is not found from the day it is shut down, and no longer listed', async () => {
    const names = async () => {
      const { body } = await answered(
        await fetch(`${standIn.url}/models`, { headers: { authorization: `Bearer ${standIn.key}` } }),
      );
      return (body as { data: { id: string }[] }).data.map(({ id }) => id);
    };
    const asked = {
      'whisper-1': () => transcribe(standIn, excerpt, { model: 'whisper-1' }),
      'gpt-4o': () => chat('gpt-4o'),
      'gpt-5-mini': () => chat('gpt-5-mini'),
    };
    for (const [model, ask] of Object.entries(asked)) {
      const last = new Date(`${modelFacts(model)?.shutdown}T00:00:00Z`);
      today = new Date(last.getTime() - 1);
      expect([model, (await ask()).status, (await names()).includes(model)]).toEqual([model, 200, true]);
      today = last;
      expect([model, (await ask()).status, (await names()).includes(model)]).toEqual([model, 404, false]);
    }
    today = new Date('2026-11-21T12:00:00Z');
  });

  it('does what it is for, and nothing else', async () => {
    expect((await transcribe(standIn, excerpt, { model: 'gpt-5.6-luna' })).status).toBe(400);
    expect(await chat('gpt-transcribe')).toMatchObject({ status: 404, body: error(null, 'model') });
  });
});

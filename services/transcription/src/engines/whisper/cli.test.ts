import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { inspectVoiceModel, VOICE_MODEL } from '../../voices/voice-model.ts';
import { runWhisperCli, USAGE } from './cli.ts';
import type { WhisperModel } from './models.ts';

const CONTENT = randomBytes(3_000_000);
const BASE: WhisperModel = {
  name: 'base',
  file: 'ggml-base.bin',
  bytes: CONTENT.length,
  sha256: createHash('sha256').update(CONTENT).digest('hex'),
};
const TINY: WhisperModel = { ...BASE, name: 'tiny.en', file: 'ggml-tiny.en.bin' };

let dir: string;
let server: Server;
let baseUrl: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'data-'));
  server = createServer((request, response) => {
    if (['/ggml-base.bin', `/voices/${VOICE_MODEL.file}`].includes(request.url ?? '')) response.end(CONTENT);
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(dir, { recursive: true, force: true });
});

async function run(args: string[], { env = { DATA_DIR: dir } as Record<string, string>, isTTY = false } = {}) {
  const written = { out: '', err: '' };
  const terminal = (name: 'out' | 'err') => ({
    isTTY,
    write: (text: string) => {
      written[name] += text;
    },
  });
  const code = await runWhisperCli(args, env, terminal('out'), terminal('err'), { baseUrl, models: [BASE, TINY] });
  return { code, ...written };
}

describe('npm run whisper', () => {
  it('fetches base into DATA_DIR/models, and says how to use it', async () => {
    const { code, out } = await run(['fetch']);
    expect(code).toBe(0);
    await expectContent(join(dir, 'models', 'ggml-base.bin'));
    expect(out).toContain('TRANSCRIPTION_ENGINE=whisper TRANSCRIPTION_MODEL=base');
    expect((await run(['fetch'])).out).toContain('is already downloaded');
  });

  it('fetches into WHISPER_MODELS_DIR when that is set', async () => {
    expect(
      await run(['fetch', 'base'], { env: { DATA_DIR: dir, WHISPER_MODELS_DIR: join(dir, 'mine') } }),
    ).toMatchObject({ code: 0 });
    await expectContent(join(dir, 'mine', 'ggml-base.bin'));
  });

  it('fetches the speaker embedding from its own host, and the service finds it', async () => {
    const models = [{ ...VOICE_MODEL, bytes: BASE.bytes, sha256: BASE.sha256, address: `${baseUrl}/voices` }];
    const written: string[] = [];
    const out = { write: (text: string) => written.push(text) };
    expect(await runWhisperCli(['fetch', 'campplus'], { DATA_DIR: dir }, out, out, { models })).toBe(0);
    expect(written.join('')).toContain('The transcription service uses it from its next start on.');
    await expectContent(join(dir, 'models', VOICE_MODEL.file));
    const file = join(dir, 'models', VOICE_MODEL.file);
    const found = { WHISPER_MODELS_DIR: join(dir, 'models') };
    expect(await inspectVoiceModel(found, models[0])).toEqual({ file, state: 'published' });
    expect(await inspectVoiceModel({ ...found, VOICE_MODEL: file }, models[0])).toEqual({ file, state: 'published' });
    // As long as the published one, which only its hash tells.
    await writeFile(file, CONTENT.toReversed());
    expect(await inspectVoiceModel(found, models[0])).toEqual({ file, state: 'damaged' });
    expect(await inspectVoiceModel({ ...found, VOICE_MODEL: file }, models[0])).toEqual({ file, state: 'other' });
    expect(await inspectVoiceModel({ WHISPER_MODELS_DIR: dir })).toMatchObject({ state: 'absent' });
  });

  it('draws one bar at a terminal, and writes few whole lines elsewhere', async () => {
    const { out: bar } = await run(['fetch'], { isTTY: true });
    expect(bar).toMatch(/\r█{30} 100 % {2}3 of 3 MB\n/);
    expect(bar.split('\n')).toHaveLength(4);
    const { out: lines } = await run(['fetch'], { env: { DATA_DIR: join(dir, 'elsewhere') } });
    expect(lines).not.toContain('\r');
    expect(lines).toContain('100 %\n');
    expect(lines.split('\n').length).toBeLessThan(15);
  });

  it('lists the models and which are here', async () => {
    await run(['fetch']);
    expect((await run(['list'])).out).toMatch(/^base +3 MB +many languages +downloaded\ntiny\.en +3 MB +English\s*\n$/);
  });

  it('says in words why a model could not be fetched', async () => {
    expect(await run(['fetch', 'tiny.en'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The model "tiny\.en" could not be downloaded: .*\n$/),
    });
    expect(await run(['fetch', 'huge'])).toEqual({
      code: 1,
      out: '',
      err: 'There is no model "huge". There are: base, tiny.en.\n',
    });
  });

  it('explains itself', async () => {
    expect(await run(['--help'])).toEqual({ code: 0, out: `${USAGE}\n`, err: '' });
    for (const wrong of [[], ['fetsh'], ['fetch', 'base', 'small'], ['list', 'x']]) {
      expect(await run(wrong)).toEqual({ code: 2, out: '', err: `${USAGE}\n` });
    }
    const { code, err } = await run(['fetch', '--base']);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("Unknown option '--base'") });
    expect(err).toContain(USAGE);
  });
});

/** Compared as a whole: jest goes through it byte by byte. */
async function expectContent(file: string): Promise<void> {
  expect((await readFile(file)).equals(CONTENT)).toBe(true);
}

import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SettingsError, WorkError } from '@call-analytics/service-kit';
import { itNeeds } from '@call-analytics/test/requirements.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type FetchOptions,
  fetchWhisperModel,
  findWhisperModel,
  WHISPER_MODELS,
  type WhisperModel,
  whisperModelOffer,
} from './models.ts';

const CONTENT = randomBytes(600_000);
const MODEL: WhisperModel = {
  name: 'test',
  file: 'ggml-test.bin',
  bytes: CONTENT.length,
  sha256: createHash('sha256').update(CONTENT).digest('hex'),
};

let dir: string;
let server: Server;
let address: string;
let answer: RequestListener;
let asked: (string | undefined)[];
let received: EventEmitter;

beforeEach(async () => {
  dir = join(await mkdtemp(join(tmpdir(), 'models-')), 'models');
  asked = [];
  received = new EventEmitter();
  server = createServer((request, response) => {
    asked.push(request.headers.range);
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(join(dir, '..'), { recursive: true, force: true });
});

const whole: RequestListener = (_, response) => response.end(CONTENT);
/** Hangs up when the other side has so many bytes of the file: what is still on its way is lost in a cut. */
function cutAt(response: ServerResponse, bytes: number): void {
  const look = (has: number) => {
    if (has < bytes) return;
    received.off('bytes', look);
    response.destroy();
  };
  received.on('bytes', look);
}
/** Serves ranges, and so many bytes at a time. */
const cutAfter =
  (bytes: number): RequestListener =>
  (request, response) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const length = CONTENT.length - from;
    response.writeHead(from > 0 ? 206 : 200, {
      'content-length': length,
      ...(from > 0 ? { 'content-range': `bytes ${from}-${CONTENT.length - 1}/${CONTENT.length}` } : {}),
    });
    response.write(CONTENT.subarray(from, from + bytes));
    if (bytes < length) cutAt(response, from + bytes);
    else response.end();
  };

const fetchIt = (options: Partial<FetchOptions> = {}) =>
  fetchWhisperModel({
    dir,
    model: 'test',
    models: [MODEL],
    baseUrl: address,
    onProgress: ({ bytes }) => received.emit('bytes', bytes),
    ...options,
  });
const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof WorkError ? error.failure : error),
  );

describe('fetching a model', () => {
  it('brings it whole, tells how far it is, and does not bring it twice', async () => {
    answer = whole;
    const progress: number[] = [];
    const file = await fetchIt({ onProgress: ({ bytes, totalBytes }) => progress.push(bytes / totalBytes) });
    await expectContent(file);
    expect(progress.at(-1)).toBe(1);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    expect(await fetchIt()).toBe(file);
    expect(asked).toStrictEqual([undefined]);
    expect(await readdir(dir)).toEqual(['ggml-test.bin']);
    expect(await findWhisperModel(dir, 'test', [MODEL])).toBe(file);
  });

  it('follows the host to where the file is', async () => {
    answer = (request, response) => {
      if (request.url === '/elsewhere') whole(request, response);
      else response.writeHead(302, { location: '/elsewhere' }).end();
    };
    await expectContent(await fetchIt());
  });

  it('refuses another file under its name, and keeps nothing of it', async () => {
    const other = Buffer.from(CONTENT);
    other.writeUInt8(other.readUInt8(300_000) ^ 1, 300_000);
    answer = (_, response) => response.end(other);
    expect(await failure(fetchIt())).toMatchObject({
      code: 'model_damaged',
      message: expect.stringContaining('not the published file'),
    });
    expect(await readdir(dir)).toEqual([]);
    expect(await findWhisperModel(dir, 'test', [MODEL])).toBeNull();
  });

  it('stops at a file that goes on after its end', async () => {
    answer = (_, response) => {
      response.write(CONTENT);
      response.write('more');
    };
    expect(await failure(fetchIt())).toMatchObject({ code: 'model_damaged' });
    expect(await readdir(dir)).toEqual([]);
  });

  it('goes on where the connection was cut, as long as that helps', async () => {
    answer = cutAfter(250_000);
    await expectContent(await fetchIt());
    expect(asked).toStrictEqual([undefined, 'bytes=250000-', 'bytes=500000-']);
  });

  it('goes on where an earlier call came to', async () => {
    await mkdir(dir);
    await writeFile(join(dir, 'ggml-test.bin.part'), CONTENT.subarray(0, 599_000));
    answer = cutAfter(600_000);
    await expectContent(await fetchIt());
    expect(asked).toStrictEqual(['bytes=599000-']);
  });

  it('begins again where the host cannot go on in the middle', async () => {
    await mkdir(dir);
    await writeFile(join(dir, 'ggml-test.bin.part'), 'the beginning of something');
    answer = whole;
    await expectContent(await fetchIt());
  });

  it('gives up where each attempt is cut at the same place, and keeps what has come', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': CONTENT.length });
      response.write(CONTENT.subarray(0, 100_000));
      cutAt(response, 100_000);
    };
    expect(await failure(fetchIt())).toMatchObject({
      code: 'model_host_unreachable',
      message: expect.stringContaining('the download resumes where it stopped'),
    });
    expect(asked).toHaveLength(2);
    expect(await readdir(dir)).toEqual(['ggml-test.bin.part']);
  });

  it('refuses a segment from another place in the file', async () => {
    await mkdir(dir);
    await writeFile(join(dir, 'ggml-test.bin.part'), CONTENT.subarray(0, 1_000));
    answer = (_, response) =>
      response
        .writeHead(206, { 'content-range': `bytes 2000-${CONTENT.length - 1}/${CONTENT.length}` })
        .end(CONTENT.subarray(2_000));
    expect(await failure(fetchIt())).toMatchObject({ code: 'model_damaged' });
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['does not answer', () => {}],
    [
      'stops in the middle',
      (_: unknown, response: Parameters<RequestListener>[1]) => void response.write(CONTENT.subarray(0, 1_000)),
    ],
  ] as const)('does not wait for ever for a host that %s', async (_, listener) => {
    answer = listener;
    expect(await failure(fetchIt({ stallMs: 200 }))).toMatchObject({ code: 'model_host_unreachable' });
  });

  it('closes the connection of an answer that it does not read', async () => {
    const closed = new Promise((resolve) => {
      answer = (_, response) => {
        response.once('close', () => resolve('closed')).writeHead(404, { 'content-length': CONTENT.length });
        response.write(CONTENT.subarray(0, 1_000));
      };
    });
    expect(await failure(fetchIt())).toMatchObject({ code: 'model_not_found' });
    expect(await closed).toBe('closed');
  });

  it('says so where there is no network', async () => {
    server.close();
    expect(await failure(fetchIt())).toMatchObject({
      code: 'model_host_unreachable',
      message: expect.stringContaining('Check the network'),
    });
  });

  it('says so where the host does not have it', async () => {
    answer = (_, response) => response.writeHead(404).end();
    expect(await failure(fetchIt())).toMatchObject({ code: 'model_not_found' });
  });

  it('can be called off', async () => {
    answer = (_, response) => void response.write(CONTENT.subarray(0, 1_000));
    const abort = new AbortController();
    const reason = new Error('not needed');
    expect(await failure(fetchIt({ signal: abort.signal, onProgress: () => abort.abort(reason) }))).toBe(reason);
  });

  it('says which models there are when asked for another', async () => {
    await expect(fetchIt({ model: 'huge' })).rejects.toThrow(
      new SettingsError('There is no model "huge". There are: test.'),
    );
  });

  it('says so where the folder is a file', async () => {
    await writeFile(dir, '');
    answer = whole;
    expect(await failure(fetchIt())).toMatchObject({
      code: 'models_dir_unusable',
      message: expect.stringContaining('WHISPER_MODELS_DIR'),
    });
  });
});

describe('fetching a model to a disk', () => {
  const mounting = { what: 'the right to mount a tmpfs', present: canMount() };

  itNeeds(mounting, 'that has no room for it says so before it begins', async () => {
    await onSmallDisk('512k', async () => {
      answer = whole;
      expect(await failure(fetchIt())).toMatchObject({
        code: 'disk_full',
        message: expect.stringContaining('Free some'),
      });
      expect(asked).toHaveLength(0);
    });
  });

  itNeeds(mounting, 'that others fill meanwhile says so, and gives back what it took', async () => {
    await onSmallDisk('1m', async () => {
      answer = async (_, response) => {
        response.write(CONTENT.subarray(0, 100_000));
        await writeFile(join(dir, 'others'), Buffer.alloc(700_000));
        response.end(CONTENT.subarray(100_000));
      };
      expect(await failure(fetchIt())).toMatchObject({ code: 'disk_full' });
      expect(await readdir(dir)).toEqual(['others']);
    });
  });

  async function onSmallDisk(size: string, work: () => Promise<void>): Promise<void> {
    await mkdir(dir);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', dir]);
    try {
      await work();
    } finally {
      execFileSync('umount', [dir]);
    }
  }

  function canMount(): boolean {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
    try {
      execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  }
});

describe('the offer of a model', () => {
  it('is its size, when its host answers', async () => {
    answer = (request, response) =>
      response.writeHead(request.method === 'HEAD' && request.url === '/ggml-base.bin' ? 200 : 500).end();
    expect(await whisperModelOffer('base', address)).toEqual({ bytes: 147_951_465 });
  });

  it('is not made for an unknown model, one that the host lacks, or without a network', async () => {
    answer = (_, response) => response.writeHead(404).end();
    expect(await whisperModelOffer('huge', address)).toBeNull();
    expect(await whisperModelOffer('base', address)).toBeNull();
    server.close();
    expect(await whisperModelOffer('base', address)).toBeNull();
  });

  it('is not made when the host does not answer in three seconds', async () => {
    answer = () => {};
    expect(await whisperModelOffer('base', address)).toBeNull();
  });
});

describe('the table of models', () => {
  it('has a size, a SHA-256 and a file for each name', () => {
    for (const { name, file, bytes, sha256 } of WHISPER_MODELS) {
      expect(file).toBe(`ggml-${name}.bin`);
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(bytes).toBeGreaterThan(70e6);
    }
    expect(new Set(WHISPER_MODELS.flatMap(({ name, sha256 }) => [name, sha256])).size).toBe(2 * WHISPER_MODELS.length);
  });

  it('finds only what is there in full', async () => {
    await mkdir(dir);
    await writeFile(join(dir, MODEL.file), CONTENT.subarray(1));
    expect(await findWhisperModel(dir, 'test', [MODEL])).toBeNull();
    expect(await findWhisperModel(dir, 'huge', [MODEL])).toBeNull();
  });
});

/** Compared as a whole: jest goes through it byte by byte. */
async function expectContent(file: string): Promise<void> {
  expect((await readFile(file)).equals(CONTENT)).toBe(true);
}

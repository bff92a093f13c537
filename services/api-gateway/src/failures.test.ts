import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AudioStore, folderAudioStore } from '@call-analytics/audio-store';
import type { CallStore } from '@call-analytics/calls';
import { execute, lockWrites } from '@call-analytics/calls/sqlite/other-process.fixture.ts';
import { WorkError, watchPoints } from '@call-analytics/service-kit';
import { itNeeds } from '@call-analytics/test/requirements.fixture.ts';
import { afterEach, describe, expect, it } from '@jest/globals';
import { audioFile, form } from './testing/forms.fixture.ts';
import { type GatewayOptions, type RunningGateway, runGateway } from './testing/gateway.fixture.ts';
import { RawClient } from './testing/socket.fixture.ts';

let gateway: RunningGateway;
const run = async (options?: GatewayOptions) => {
  gateway = await runGateway(options);
  return gateway;
};
afterEach(() => gateway.stop());

const MP3 = audioFile('excerpt.mp3');
const database = () => join(gateway.dir, 'calls.sqlite');
const upload = () => gateway.upload(form([['file', MP3]]));
const total = async () => ((await gateway.get('/api/v1/calls')).body as { total: number }).total;
const UNAVAILABLE = {
  status: 503,
  body: { code: 'temporarily_unavailable', detail: expect.stringContaining('Nothing was stored') },
};

/** A store with one method in another's place. */
const over = <T extends object>(real: T, methods: Partial<T>): T =>
  new Proxy(real, {
    get: (target, name) => {
      const value = name in methods ? methods[name as keyof T] : target[name as keyof T];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

function mountSmallDisk(): { dir: string; unmount(): void } | null {
  const dir = mkdtempSync(join(tmpdir(), 'small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', dir], { stdio: 'ignore' });
  } catch {
    rmSync(dir, { recursive: true });
    return null;
  }
  return {
    dir,
    unmount() {
      execFileSync('umount', [dir]);
      rmSync(dir, { recursive: true });
    },
  };
}
const smallDisk = mountSmallDisk();
smallDisk?.unmount();

describe('when the disk is full', () => {
  itNeeds(
    { what: 'the right to mount a small disk', present: smallDisk !== null },
    'an upload is 503, leaves nothing, and works again when there is room',
    async () => {
      const disk = mountSmallDisk();
      if (disk === null) throw new Error('could be mounted a moment ago');
      try {
        await run({ audioDir: join(disk.dir, 'audio') });
        const large = Buffer.concat([MP3, Buffer.alloc(4 * 2 ** 20)]);
        const answer = await gateway.upload(form([['file', large]]));
        expect(answer).toMatchObject(UNAVAILABLE);
        expect(answer.headers.get('retry-after')).toBe('5');
        expect(await gateway.recordings()).toEqual([]);
        expect(await total()).toBe(0);
        expect((await upload()).status).toBe(202);
        await gateway.stop();
      } finally {
        disk.unmount();
      }
    },
  );

  it('in the call store, an upload is 503 and its recording is gone', async () => {
    const full = new WorkError({ kind: 'transient', code: 'store_full', message: 'There is no room.' });
    let isFull = true;
    await run({
      store: (real) => over(real, { insert: (...args) => (isFull ? Promise.reject(full) : real.insert(...args)) }),
    });
    expect(await upload()).toMatchObject(UNAVAILABLE);
    expect(await gateway.recordings()).toEqual([]);
    isFull = false;
    expect((await upload()).status).toBe(202);
  });
});

describe('when the call store is locked by another process', () => {
  it('an upload is 503 and leaves nothing; reading goes on; and uploads work again afterwards', async () => {
    await run();
    expect((await upload()).status).toBe(202);
    const before = await gateway.recordings();
    const unlock = lockWrites(database());
    const answer = await upload();
    expect(answer).toMatchObject(UNAVAILABLE);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(await gateway.recordings()).toEqual(before);
    expect(await total()).toBe(1);
    unlock();
    expect((await upload()).status).toBe(202);
    expect(await total()).toBe(2);
  });
});

describe('when it is not known whether the call was written', () => {
  const gone = new WorkError({ kind: 'transient', code: 'store_unavailable', message: 'The connection broke.' });

  it('the recording of a call that was written stays, so that the call is not lost', async () => {
    await run({
      store: (real) =>
        over(real, {
          async insert(...args: Parameters<CallStore['insert']>) {
            await real.insert(...args);
            throw gone;
          },
        }),
    });
    expect(await upload()).toMatchObject(UNAVAILABLE);
    expect(await gateway.recordings()).toHaveLength(1);
    expect(await total()).toBe(1);
  });

  it('and the store cannot be asked, the recording stays for the sweep', async () => {
    await run({
      store: (real) => over(real, { insert: () => Promise.reject(gone), audioKeysInUse: () => Promise.reject(gone) }),
    });
    expect(await upload()).toMatchObject(UNAVAILABLE);
    expect(await gateway.recordings()).toHaveLength(1);
    expect(gateway.log).toContainEqual(
      expect.objectContaining({ level: 'warn', msg: expect.stringContaining('sweep') }),
    );
  });
});

describe('when something else fails', () => {
  it('a request that meets a bug is 500, and says nothing of it to the client and all of it to the log', async () => {
    await run();
    execute(database(), 'ALTER TABLE calls RENAME COLUMN attempt TO attempts');
    const answer = await gateway.get('/api/v1/calls/call_x');
    expect(answer).toMatchObject({ status: 500, body: { code: 'internal_error' } });
    expect(JSON.stringify(answer.body)).not.toMatch(/column|attempt|\.ts/);
    expect(gateway.log).toContainEqual(
      expect.objectContaining({
        level: 'error',
        requestId: (answer.body as { requestId: string }).requestId,
        err: expect.objectContaining({ message: expect.stringContaining('no such column') }),
      }),
    );
  });

  it('the audio store being away is 503 for an upload, and nothing to a reader', async () => {
    await run();
    writeFileSync(join(gateway.dir, 'audio'), 'a file where the folder of recordings belongs');
    expect(await upload()).toMatchObject(UNAVAILABLE);
    expect(await total()).toBe(0);
  });

  it('a bug in the audio store is 500, and no call is made', async () => {
    await run({ audioStore: (real) => over(real, { put: () => Promise.reject(new TypeError('oops')) }) });
    expect(await upload()).toMatchObject({ status: 500, body: { code: 'internal_error' } });
    expect(await total()).toBe(0);
  });

  it('accounts that do not answer are 503, not 401', async () => {
    await run();
    await gateway.accounts.close();
    expect(await gateway.get('/api/v1/me')).toMatchObject({ status: 503, body: { code: 'temporarily_unavailable' } });
  });

  it('a recording that cannot be deleted is left to the sweep, and the client hears of the refusal all the same', async () => {
    await run({
      audioStore: (real: AudioStore) =>
        over(real, {
          delete: () =>
            Promise.reject(new WorkError({ kind: 'transient', code: 'audio_store_unavailable', message: 'No.' })),
        }),
    });
    const answer = await gateway.upload(
      form([
        ['file', MP3],
        ['reportType', 'wrong'],
      ]),
    );
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_field' } });
    expect(gateway.log).toContainEqual(
      expect.objectContaining({ level: 'warn', msg: expect.stringContaining('sweep') }),
    );
  });
});

describe('the moment between the recording and the call', () => {
  it('has the recording stored and no call yet', async () => {
    await run();
    const seen: unknown[] = [];
    const stopWatching = watchPoints(async (name, about) => {
      if (name === 'upload.stored') seen.push((await gateway.audioStore.stat(about))?.bytes, await total());
    });
    await upload();
    stopWatching();
    expect(seen).toEqual([MP3.length, 0]);
    expect(await total()).toBe(1);
  });
});

describe('a gateway that stops', () => {
  it('finishes the requests in flight, takes no more, and closes idle connections', async () => {
    await run();
    const silent = await RawClient.connect(gateway.port);
    expect((await gateway.get('/api/v1/me')).status).toBe(200);
    let open = () => {};
    const held = new Promise<void>((resolve) => {
      open = resolve;
    });
    let arrived = () => {};
    const inFlight = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const stopWatching = watchPoints(async (name) => {
      if (name !== 'upload.stored') return;
      arrived();
      await held;
    });
    const uploading = upload();
    await inFlight;
    const deadline = AbortSignal.timeout(5_000);
    const stopped = gateway.gateway.stop(deadline);
    await expect(fetch(`${gateway.url}/healthz`)).rejects.toThrow();
    open();
    expect((await uploading).status).toBe(202);
    await stopped;
    expect(deadline.aborted).toBe(false);
    await silent.closed();
    stopWatching();
    expect(gateway.gateway.ready?.()).toBe('not listening');
  });

  it('does not wait for a connection on which nothing was ever asked', async () => {
    await run();
    const silent = await RawClient.connect(gateway.port);
    const deadline = AbortSignal.timeout(5_000);
    await gateway.gateway.stop(deadline);
    expect(deadline.aborted).toBe(false);
    await silent.closed();
  });

  it('cuts what is still there at the deadline, and leaves nothing half done', async () => {
    await run();
    const body = new ReadableStream({
      start: (controller) =>
        controller.enqueue(
          new Uint8Array(Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a.mp3"\r\n\r\n')),
        ),
    });
    const uploading = fetch(`${gateway.url}/api/v1/calls`, {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { ...gateway.client.headers, 'content-type': 'multipart/form-data; boundary=b' },
    } as RequestInit);
    uploading.catch(() => {});
    while (!gateway.log.some((line) => line.status === 200))
      await gateway.ask('/api/v1/me', { headers: gateway.client.headers });
    await gateway.gateway.stop(AbortSignal.timeout(50));
    await expect(uploading).rejects.toThrow();
    expect(
      await folderAudioStore({ dir: join(gateway.dir, 'audio') })
        .list()
        [Symbol.asyncIterator]()
        .next(),
    ).toMatchObject({ done: true });
  });

  it('says what to do when its address is taken', async () => {
    await run();
    await expect(runGateway({ settings: { PORT: String(gateway.port) } })).rejects.toMatchObject({
      name: 'SettingsError',
      message: expect.stringMatching(/port \d+: it is in use.*PORT/),
    });
  });
});

import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { openAccounts } from '@call-analytics/accounts';
import { type AudioStore, folderAudioStore } from '@call-analytics/audio-store';
import { type CallStore, Calls, openSqliteCallStore } from '@call-analytics/calls';
import { ranHere } from '@call-analytics/test/terminal.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { backup, restore } from './backup.ts';
import { runCli } from './cli.ts';

const REJECTED = { kind: 'rejected', code: 'unreadable', message: 'The recording cannot be read.' } as const;

describe('a backup of a standalone installation', () => {
  let dir: string;
  let dataDir: string;
  let store: CallStore;
  let calls: Calls;
  let audioStore: AudioStore;
  let accountId: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'backup-'));
    dataDir = join(dir, 'data');
    store = openSqliteCallStore({ file: join(dataDir, 'calls.sqlite') });
    calls = new Calls(store);
    audioStore = folderAudioStore({ dir: join(dataDir, 'audio') });
    const accounts = openAccounts({ file: join(dataDir, 'accounts.sqlite') });
    accountId = (await accounts.createAccount({ name: 'Acme' })).account.id;
    await accounts.close();
  });
  afterEach(async () => {
    await store.close();
    await rm(dir, { recursive: true });
  });

  const upload = async () => {
    const key = randomUUID();
    const { bytes } = await audioStore.put(key, Readable.from([Buffer.from(`the recording ${key}`)]));
    const audio = { key, bytes, format: 'mp3', seconds: 60 } as const;
    return (await calls.accept({ accountId, fileName: 'call.mp3', reportType: 'medium', audio })).call;
  };
  /** Ends a call and deletes its recording, as cleanup does. */
  const end = async ({ id, audio }: Awaited<ReturnType<typeof upload>>) => {
    const claim = await calls.claim(id, 'transcription', 'the test');
    if ('refused' in claim) throw new Error(claim.refused);
    await calls.failAttempt(claim.lease, REJECTED);
    await audioStore.delete(audio.key);
    await calls.audioDeleted(id);
  };
  const to = (name = 'copy') => join(dir, name);
  const openCopy = (folder: string) => openSqliteCallStore({ file: join(folder, 'calls.sqlite') });

  it('that is made while calls come and go has each call, and exactly the recordings that its calls need', async () => {
    for (let n = 0; n < 20; n += 1) await upload();
    // Copying these takes so long that calls begin and end meanwhile.
    const orphans = Array.from({ length: 1_000 }, () => join(dataDir, 'audio', 'recordings', randomUUID()));
    await Promise.all(orphans.map((file) => writeFile(file, 'no call')));
    const done = new AbortController();
    let ended = 0;
    const traffic = (async () => {
      while (!done.signal.aborted) {
        const [one] = [await upload(), await upload()];
        await end(one);
        ended += 1;
        await new Promise(setImmediate);
      }
    })();
    for (const name of ['first', 'second', 'third']) await backup(dataDir, to(name));
    done.abort();
    await traffic;
    expect(ended).toBeGreaterThan(5);
    for (const name of ['first', 'second', 'third']) {
      const copy = openCopy(to(name));
      const keys = await readdir(join(to(name), 'recordings'));
      expect(await copy.audioKeysInUse(keys)).toEqual(new Set(keys));
      const { calls: found, total } = await copy.list(accountId, { limit: 10_000, offset: 0 });
      expect(found).toHaveLength(total);
      const kept = (await Promise.all(found.map(({ id }) => copy.get(id)))).filter((c) => c?.audio.deletedAt === null);
      expect(kept.map((call) => call?.audio.key).sort()).toEqual(keys.sort());
      for (const key of keys)
        expect(await readFile(join(to(name), 'recordings', key), 'utf8')).toBe(`the recording ${key}`);
      await copy.close();
    }
  });

  it('can be read by its owner alone', async () => {
    await upload();
    await backup(dataDir, to());
    for (const name of await readdir(to(), { recursive: true }))
      expect([name, (await stat(join(to(), name))).mode & 0o077]).toEqual([name, 0]);
  });

  it('leaves out the recording of a completed call and what belongs to no call', async () => {
    await audioStore.put('no-call', Readable.from([Buffer.from('a recording')]));
    const call = await upload();
    expect(await backup(dataDir, to())).toMatchObject({ calls: 1, recordings: 1 });
    expect(await readdir(join(to(), 'recordings'))).toEqual([call.audio.key]);
  });

  it('is refused when the recording of an unfinished call is missing', async () => {
    const { audio } = await upload();
    await rm(join(dataDir, 'audio', 'recordings', audio.key));
    await expect(backup(dataDir, to())).rejects.toThrow('recordings of 1 unfinished call,');
    await expect(restore(to(), to('new'))).rejects.toThrow('was not finished');
  });

  it('is refused where there is no installation, and to a folder that is in use', async () => {
    await expect(backup(to('none'), to())).rejects.toThrow('Set DATA_DIR');
    await mkdir(to());
    await writeFile(join(to(), 'a file'), '');
    await expect(backup(dataDir, to())).rejects.toThrow('is not empty');
  });

  it.each([
    [
      'a recording',
      async (folder: string) => {
        const [key = ''] = await readdir(join(folder, 'recordings'));
        await rm(join(folder, 'recordings', key));
      },
    ],
    [
      'a byte of a database',
      async (folder: string) => {
        const bytes = await readFile(join(folder, 'calls.sqlite'));
        bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
        await writeFile(join(folder, 'calls.sqlite'), bytes);
      },
    ],
  ])('that has lost %s is not restored, and nothing is written', async (_, damage) => {
    await upload();
    await backup(dataDir, to());
    await damage(to());
    await expect(restore(to(), to('new'))).rejects.toThrow('The backup is damaged');
    await expect(readdir(to('new'))).rejects.toThrow('ENOENT');
  });

  it('never overwrites data, and is not changed by a log that an earlier database left', async () => {
    const call = await upload();
    await backup(dataDir, to());
    await expect(restore(to(), dataDir)).rejects.toThrow('move the folder');
    await upload();
    await mkdir(to('new'));
    await cp(join(dataDir, 'calls.sqlite-wal'), join(to('new'), 'calls.sqlite-wal'));
    await restore(to(), to('new'));
    const restored = openCopy(to('new'));
    expect((await restored.list(accountId, { limit: 10, offset: 0 })).calls.map(({ id }) => id)).toEqual([call.id]);
    await restored.close();
  });

  it('is one command, and so is its way back', async () => {
    const { audio } = await upload();
    const ops = (args: string[], folder: string) => ranHere((terminal) => runCli(args, { DATA_DIR: folder }, terminal));
    expect(await ops(['backup', to()], dataDir)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^1 call and 1 recording are in /),
    });
    expect(await ops(['restore', to(), '--json'], to('new'))).toMatchObject({ code: 0 });
    expect(await readFile(join(to('new'), 'audio', 'recordings', audio.key), 'utf8')).toContain(audio.key);
    expect(await ops(['restore', to()], to('new'))).toMatchObject({ code: 1, err: expect.stringContaining('exists') });
  });
});

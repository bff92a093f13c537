import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { inPrivateDir, removeLeftovers } from './work-dir.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'work-dir-'));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

const host = hostname().replaceAll(/[^a-z0-9-]/gi, '-');
const NO_PROCESS = 2 ** 22 + 1;

async function leave(name: string): Promise<string> {
  const dir = join(parent, name);
  await mkdir(dir);
  await writeFile(join(dir, 'recording'), 'a recording');
  return name;
}

describe('a private folder', () => {
  it('is there for the work alone, and readable for this user alone', async () => {
    const mode = await inPrivateDir(join(parent, 'not/yet/there'), async (dir) => {
      await writeFile(join(dir, 'recording'), 'x');
      return (await stat(dir)).mode & 0o777;
    });
    if (process.platform !== 'win32') expect(mode).toBe(0o700);
    expect(await readdir(join(parent, 'not/yet/there'))).toEqual([]);
  });

  it('is removed also when the work fails', async () => {
    await expect(inPrivateDir(parent, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await readdir(parent)).toEqual([]);
  });

  it('tells a full disk from a bug', async () => {
    const noSpace = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    await expect(inPrivateDir(parent, () => Promise.reject(noSpace))).rejects.toMatchObject({
      failure: { kind: 'transient', code: 'work_dir_full' },
    });
  });

  it('tells a folder that cannot be used', async () => {
    await writeFile(join(parent, 'file'), '');
    await expect(inPrivateDir(join(parent, 'file'), async () => {})).rejects.toMatchObject({
      failure: { kind: 'transient', code: 'work_dir_unusable' },
    });
  });
});

describe('what killed processes leave behind', () => {
  it('is removed at the next start, and the folders of living processes stay', async () => {
    await leave(`call-analytics-transcription.${host}.${NO_PROCESS}.abc`);
    await leave(`call-analytics-transcription.${host}.${process.pid}.abc`);
    const living = await leave(`call-analytics-transcription.${host}.${process.ppid}.abc`);
    const other = await leave('something-else');
    expect(await removeLeftovers(parent, new Date())).toBe(2);
    expect((await readdir(parent)).sort()).toEqual([living, other].sort());
  });

  it('of another machine is removed only when nobody can be working in it any more', async () => {
    const fresh = await leave(`call-analytics-transcription.another.${NO_PROCESS}.abc`);
    const old = await leave(`call-analytics-transcription.another.${NO_PROCESS}.def`);
    const longAgo = new Date(Date.now() - 48 * 3_600_000);
    await utimes(join(parent, old), longAgo, longAgo);
    expect(await removeLeftovers(parent, new Date())).toBe(1);
    expect(await readdir(parent)).toEqual([fresh]);
  });

  it('is no matter where there is no such folder yet', async () => {
    expect(await removeLeftovers(join(parent, 'none'), new Date())).toBe(0);
  });
});

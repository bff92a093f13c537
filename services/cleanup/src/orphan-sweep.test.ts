import { statSync } from 'node:fs';
import { mkdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openScene, type Scene } from './cleanup.fixture.ts';
import { sweepOrphans } from './recordings.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const NEVER = new AbortController().signal;

describe('the sweep for recordings that belong to no call', () => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene();
  });
  afterEach(() => scene.close());

  const put = async (key: string) => {
    await scene.audioStore.put(key, Readable.from([Buffer.from('a recording')]));
    return key;
  };
  const sweep = (stop = NEVER) => sweepOrphans(scene, HOUR_MS, stop);
  const listed = async () => {
    const keys: string[] = [];
    for await (const { key } of scene.audioStore.list()) keys.push(key);
    return keys;
  };

  it('deletes one whose call was never written, once it is old enough', async () => {
    await put('key_1');
    scene.step(HOUR_MS - MINUTE_MS);
    await sweep();
    expect(await listed()).toEqual(['key_1']);
    scene.step(2 * MINUTE_MS);
    await sweep();
    expect(await listed()).toEqual([]);
    expect(await scene.metric('audio_orphans_total')).toMatch(/ 1$/);
    expect(scene.lines).toContainEqual(expect.objectContaining({ level: 'warn', key: 'key_1', bytes: 11 }));
  });

  it('never touches the recording of a call that is not done with it, however old it is', async () => {
    const calls = [await scene.queued(), await scene.transcribing(), await scene.failed(), await scene.completed()];
    scene.step(365 * 24 * HOUR_MS);
    await sweep();
    expect((await listed()).sort()).toEqual(calls.map(({ audio }) => audio.key).sort());
    expect(await scene.metric('audio_orphans_total')).toMatch(/ 0$/);
  });

  it('deletes a recording that came back after its deletion was recorded', async () => {
    const call = await scene.completed();
    await scene.audioStore.delete(call.audio.key);
    await scene.calls.audioDeleted(call.id);
    await put(call.audio.key);
    scene.step(2 * HOUR_MS);
    await sweep();
    expect(await listed()).toEqual([]);
  });

  it('deletes an incomplete one that nobody has written to for a quarter of an hour, and no other', async () => {
    const alive = new PassThrough();
    const storing = scene.audioStore.put('key_alive', alive);
    const dead = new PassThrough();
    const dying = scene.audioStore.put('key_dead', dead);
    for (const source of [alive, dead])
      await new Promise<void>((resolve) => source.write('some of it', () => resolve()));
    const longAgo = new Date(Date.now() - 16 * MINUTE_MS);
    await untilWritten(join(scene.audioDir, 'incoming', 'key_dead'));
    await utimes(join(scene.audioDir, 'incoming', 'key_dead'), longAgo, longAgo);
    await sweep();
    expect(await listed()).toEqual(['key_alive']);
    dead.end();
    await expect(dying).rejects.toMatchObject({ failure: { kind: 'transient' } });
    alive.end();
    await storing;
    expect(await listed()).toEqual(['key_alive']);
  });

  it('gets to all of many, past one that cannot be deleted, and counts that', async () => {
    await Promise.all(Array.from({ length: 1_100 }, (_, i) => put(`key_${i}`)));
    const call = await scene.queued();
    await mkdir(join(scene.audioDir, 'recordings', 'stuck'));
    scene.step(2 * HOUR_MS);
    await sweep();
    expect((await listed()).sort()).toEqual([call.audio.key, 'stuck'].sort());
    expect(await scene.metric('audio_orphans_total')).toMatch(/ 1100$/);
    expect(await scene.metric('audio_deletions_total{outcome="failed"}')).toMatch(/ 1$/);
  });

  it('deletes nothing when it cannot ask which recordings are in use', async () => {
    await put('key_1');
    scene.step(2 * HOUR_MS);
    await scene.store.close();
    await expect(sweep()).rejects.toMatchObject({ failure: { code: 'store_unavailable' } });
    expect(await listed()).toEqual(['key_1']);
  });

  it('deletes nothing more when it is told to stop', async () => {
    await put('key_1');
    scene.step(2 * HOUR_MS);
    await sweep(AbortSignal.abort());
    expect(await listed()).toEqual(['key_1']);
  });
});

/** The bytes of an upload are in its file soon after the stream has taken them. */
async function untilWritten(path: string): Promise<void> {
  while ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) await new Promise(setImmediate);
}

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Call } from '@call-analytics/calls';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openScene, RETENTION_MS, type Scene } from './cleanup.fixture.ts';
import { sweepDueAudio } from './recordings.ts';

const NEVER = new AbortController().signal;

describe('the sweep for recordings that should be gone', () => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene();
  });
  afterEach(() => scene.close());

  const isGone = async (call: Call) =>
    (await scene.now(call)).audio.deletedAt !== null && !(await scene.stored(call.audio.key));
  const makeUndeletable = async ({ audio }: Call) => {
    const path = join(scene.audioDir, 'recordings', audio.key);
    await rm(path);
    await mkdir(path);
  };

  it('deletes what no message told of', async () => {
    const call = await scene.completed();
    await sweepDueAudio(scene, NEVER);
    expect(await isGone(call)).toBe(true);
  });

  it('deletes the recording of a failed call when its retention ends, not before', async () => {
    const call = await scene.failed();
    scene.step(RETENTION_MS - 60_000);
    await sweepDueAudio(scene, NEVER);
    expect(await scene.stored(call.audio.key)).toBe(true);
    scene.step(60_000);
    await sweepDueAudio(scene, NEVER);
    expect(await isGone(call)).toBe(true);
  });

  it('never touches the recording of an unfinished call, however old it is', async () => {
    const calls = [await scene.queued(), await scene.transcribing()];
    scene.step(365 * 86_400_000);
    await sweepDueAudio(scene, NEVER);
    for (const call of calls) expect(await scene.stored(call.audio.key)).toBe(true);
  });

  it('records that a recording is gone which somebody else deleted', async () => {
    const call = await scene.completed();
    await scene.audioStore.delete(call.audio.key);
    await sweepDueAudio(scene, NEVER);
    expect((await scene.now(call)).audio.deletedAt).not.toBeNull();
  });

  it('gets to all of many, past those that cannot be deleted, and shows how many those are', async () => {
    const calls: Call[] = [];
    for (let i = 0; i < 250; i += 1) calls.push(await scene.completed());
    // More than a page, and the first in line.
    const stuck = calls.slice(0, 120);
    for (const call of stuck) await makeUndeletable(call);
    await sweepDueAudio(scene, NEVER);
    for (const call of calls.slice(120)) expect(await isGone(call)).toBe(true);
    for (const call of stuck) expect((await scene.now(call)).audio.deletedAt).toBeNull();
    expect(await scene.metric('audio_deletions_total{outcome="failed"}')).toMatch(/ 120$/);
    expect(await scene.metric('audio_awaiting_deletion')).toMatch(/ 120$/);
  });

  it('tries one and not all when the audio store cannot be used, and does them all once it can be', async () => {
    const calls = [await scene.completed(), await scene.completed(), await scene.completed()];
    await rm(scene.audioDir, { recursive: true });
    await writeFile(scene.audioDir, 'not a folder');
    await sweepDueAudio(scene, NEVER);
    expect(await scene.metric('audio_deletions_total{outcome="failed"}')).toMatch(/ 1$/);
    expect(await scene.metric('audio_awaiting_deletion')).toMatch(/ 3$/);
    await rm(scene.audioDir);
    await sweepDueAudio(scene, NEVER);
    for (const call of calls) expect((await scene.now(call)).audio.deletedAt).not.toBeNull();
    expect(await scene.metric('audio_awaiting_deletion')).toMatch(/ 0$/);
  });

  it('ends between two recordings when it is told to stop', async () => {
    const calls = [await scene.completed(), await scene.completed()];
    const stop = new AbortController();
    const { audioDeleted } = scene.calls;
    scene.calls.audioDeleted = async (callId) => {
      stop.abort();
      return audioDeleted.call(scene.calls, callId);
    };
    await sweepDueAudio(scene, stop.signal);
    expect([await isGone(calls[0] as Call), await isGone(calls[1] as Call)].sort()).toEqual([false, true]);
  });
});

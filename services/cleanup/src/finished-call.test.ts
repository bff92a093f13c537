import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Call } from '@call-analytics/calls';
import { makeMessage } from '@call-analytics/contracts';
import { watchPoints } from '@call-analytics/service-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openScene, RETENTION_MS, type Scene } from './cleanup.fixture.ts';
import { onFinishedCall } from './recordings.ts';

describe('when a call has finished', () => {
  let scene: Scene;
  let unwatch = () => {};
  beforeEach(async () => {
    scene = await openScene();
  });
  afterEach(() => {
    unwatch();
    return scene.close();
  });

  const told = ({ id, accountId }: Pick<Call, 'id' | 'accountId'>) =>
    onFinishedCall(makeMessage('call.completed', { callId: id, accountId }, 'message_1', '/test', new Date()), scene);
  /** Puts something in the place of a recording that cannot be deleted as one. */
  const makeUndeletable = async ({ audio }: Call) => {
    const path = join(scene.audioDir, 'recordings', audio.key);
    await rm(path);
    await mkdir(path);
    return () => rm(path, { recursive: true });
  };

  it('the recording of a completed call goes at once, and the call says when', async () => {
    const call = await scene.completed();
    expect(await told(call)).toEqual({ kind: 'done' });
    expect(await scene.stored(call.audio.key)).toBe(false);
    expect((await scene.now(call)).audio.deletedAt).toEqual(expect.any(Date));
    expect(await scene.events()).toContain('audio.deleted');
    expect(await scene.metric('audio_deletions_total{outcome="deleted"}')).toMatch(/ 1$/);
  });

  it('the recording of a completed call goes at once, also when the clock was set back since', async () => {
    const call = await scene.completed();
    scene.step(-86_400_000);
    expect(await told(call)).toEqual({ kind: 'done' });
    expect(await scene.stored(call.audio.key)).toBe(false);
  });

  it('the recording of a failed call stays until its time has come', async () => {
    const call = await scene.failed();
    expect(await told(call)).toMatchObject({ kind: 'skipped' });
    expect(await scene.stored(call.audio.key)).toBe(true);
    scene.step(RETENTION_MS);
    expect(await told(call)).toEqual({ kind: 'done' });
    expect(await scene.stored(call.audio.key)).toBe(false);
  });

  it('a second message about it changes and counts nothing', async () => {
    const call = await scene.completed();
    await told(call);
    const { audio, version } = await scene.now(call);
    expect(await told(call)).toMatchObject({ kind: 'skipped' });
    expect(await scene.now(call)).toMatchObject({ audio, version });
    expect(await scene.metric('audio_deletions_total{outcome="deleted"}')).toMatch(/ 1$/);
  });

  it('two messages at once delete it once', async () => {
    const call = await scene.completed();
    await Promise.all([told(call), told(call), told(call)]);
    expect(await scene.stored(call.audio.key)).toBe(false);
    expect((await scene.events()).filter((type) => type === 'audio.deleted')).toHaveLength(1);
    expect(await scene.metric('audio_deletions_total{outcome="deleted"}')).toMatch(/ 1$/);
    expect(await scene.metric('audio_deletions_total{outcome="failed"}')).toBeUndefined();
  });

  it.each(['queued', 'transcribing'] as const)(
    'although it has not (it is %s), its recording is not touched',
    async (state) => {
      const call = await scene[state]();
      expect(await told(call)).toEqual({ kind: 'skipped', reason: `the call is ${state}` });
      expect(await scene.stored(call.audio.key)).toBe(true);
    },
  );

  it('and is removed meanwhile, its recording is left to the end of its removal, and there is nothing to do when it is gone', async () => {
    const call = await scene.completed();
    const queued = await scene.queued();
    for (const { accountId, id } of [call, queued]) await scene.calls.remove(accountId, id);
    for (const each of [call, queued]) {
      expect(await told(each)).toMatchObject({ kind: 'skipped', reason: expect.stringContaining('removed') });
      expect(await scene.stored(each.audio.key)).toBe(true);
    }
    expect(await told({ id: 'call_gone', accountId: 'account_1' })).toEqual({
      kind: 'skipped',
      reason: 'no such call',
    });
  });

  it('and its recording cannot be deleted, that is counted and logged, never reported as done, and done when it can be', async () => {
    const call = await scene.completed();
    const repair = await makeUndeletable(call);
    expect(await told(call)).toMatchObject({ kind: 'retry' });
    expect((await scene.now(call)).audio.deletedAt).toBeNull();
    expect(await scene.events()).not.toContain('audio.deleted');
    expect(await scene.metric('audio_deletions_total{outcome="failed"}')).toMatch(/ 1$/);
    expect(await scene.metric('audio_deletions_total{outcome="deleted"}')).toBeUndefined();
    expect(scene.lines).toContainEqual(
      expect.objectContaining({ level: 'error', callId: call.id, code: 'audio_store_unavailable' }),
    );

    await repair();
    expect(await told(call)).toEqual({ kind: 'done' });
    expect((await scene.now(call)).audio.deletedAt).toEqual(expect.any(Date));
  });

  it('and the service dies before the deletion, nothing has happened and a second message does it', async () => {
    const call = await scene.completed();
    unwatch = watchPoints((name) => {
      if (name === 'audio.deleting') throw new Error('died here');
    });
    expect(await told(call)).toMatchObject({ kind: 'retry' });
    expect(await scene.stored(call.audio.key)).toBe(true);
    unwatch();
    expect(await told(call)).toEqual({ kind: 'done' });
  });

  it('and the deletion cannot be recorded, a second message records it', async () => {
    const call = await scene.completed();
    const unlock = scene.lockWrites();
    expect(await told(call)).toMatchObject({ kind: 'retry' });
    expect(await scene.stored(call.audio.key)).toBe(false);
    unlock();
    expect(await told(call)).toEqual({ kind: 'done' });
    expect((await scene.now(call)).audio.deletedAt).toEqual(expect.any(Date));
  });
});

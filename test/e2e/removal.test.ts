import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallDetail } from '@call-analytics/contracts';
import { FILES } from '@call-analytics/stand-in/recordings';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../until.fixture.ts';
import type { Client } from './client.fixture.ts';
import { Installation } from './installation.fixture.ts';

const CALL = join(FILES, 'excerpt.mp3');

describe('a call that its owner deletes', () => {
  let installation: Installation;
  let client: Client;

  const start = async (grace: string) => {
    installation = await Installation.withStandIn({
      LEASE_DURATION: '3s',
      REMOVAL_GRACE: grace,
      REMOVAL_SWEEP_INTERVAL: '1s',
    });
    await installation.start();
  };
  beforeEach(async () => {
    client = await installation.client();
  });
  afterEach(() => {
    installation.standIn.faults.length = 0;
    installation.standIn.requests.length = 0;
  });

  const remove = async (id: string) => (await client.fetch(`/calls/${id}`, { method: 'DELETE' })).status;
  const restore = (id: string) => client.fetch(`/calls/${id}/restore`, { method: 'POST' });
  const status = async (id: string) => (await client.fetch(`/calls/${id}`)).status;
  const recordings = async () =>
    (await readdir(join(installation.dataDir, 'audio'), { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    ).length;
  const logged = (msg: string, about: object) =>
    until(
      () =>
        installation.log.some(
          (line) => line.msg === msg && Object.entries(about).every(([key, value]) => line[key] === value),
        ),
      msg,
    );

  /** A call whose engine does not answer. */
  const beingTranscribed = async () => {
    installation.standIn.faults.push({ endpoint: 'transcriptions', do: { kind: 'hang' } });
    const id = await client.uploaded(CALL);
    await until(() => installation.standIn.requests.length > 0, 'the engine is asked');
    return id;
  };

  describe('while there is no time to restore it', () => {
    beforeAll(() => start('1s'));
    afterAll(() => installation.remove());

    it('in the middle of its transcription: the work ends, its recording goes, then its record', async () => {
      const id = await beingTranscribed();
      expect(await remove(id)).toBe(204);
      expect(await status(id)).toBe(404);
      await logged('ended', { callId: id, outcome: 'skipped' });
      await logged('a deleted call was purged', { callId: id });
      expect(await recordings()).toBe(0);
      expect([await status(id), await remove(id), (await restore(id)).status]).toEqual([404, 404, 404]);
      expect(await client.calls()).toMatchObject({ calls: [], total: 0 });
    });

    it('when it is completed: nothing of it is left', async () => {
      const id = await client.uploaded(CALL);
      await client.finished(id);
      expect(await remove(id)).toBe(204);
      await logged('a deleted call was purged', { callId: id });
      expect(await recordings()).toBe(0);
      expect(await status(id)).toBe(404);
      expect((await client.calls()).total).toBe(0);
    });
  });

  describe('and restores in time', () => {
    beforeAll(() => start('30s'));
    afterAll(() => installation.remove());

    it('in the middle of its transcription: it goes on, and completes once', async () => {
      const id = await beingTranscribed();
      await remove(id);
      await logged('ended', { callId: id, outcome: 'skipped' });
      installation.standIn.faults.length = 0;
      expect(await restore(id)).toMatchObject({ status: 200 });
      expect((await client.finished(id)).status).toBe('completed');
      await until(async () => (await recordings()) === 0, 'the recording of the completed call is deleted');
    });

    it('when it is completed: it has its result again', async () => {
      const id = await client.uploaded(CALL);
      const before = await client.finished(id);
      await remove(id);
      expect(await status(id)).toBe(404);
      const restored = await restore(id);
      expect((await restored.json()) as CallDetail).toEqual(before);
      expect(await client.call(id)).toEqual(before);
    });
  });
});

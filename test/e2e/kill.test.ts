import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { openSqliteCallStore } from '@call-analytics/calls';
import { FILES } from '@call-analytics/stand-in/recordings';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../until.fixture.ts';
import type { Client } from './client.fixture.ts';
import { Installation } from './installation.fixture.ts';

// Short, and still several pieces: two people in turn.
const CALL = join(FILES, 'excerpt.mp3');

/** In US dollars: 9.8 s of speech at the price of gpt-transcribe. */
const PRICE_OF_CALL = (9.8 / 60) * 0.0045;

// A fresh start finds everything: what was accepted goes on where it was, what was paid for is not paid for again, and
// no recording stays behind.
describe('a service killed at a named point', () => {
  let installation: Installation;
  let client: Client;

  // One for all: the process that goes on after a death is the one that dies next.
  beforeAll(async () => {
    installation = await Installation.withStandIn({
      // So that a dead worker's lease ends soon, and a deletion that was not proven is looked at soon.
      LEASE_DURATION: '1s',
      GRANT_DURATION: '1s',
      DUE_AUDIO_SWEEP_INTERVAL: '1s',
      REMOVAL_GRACE: '1s',
      REMOVAL_SWEEP_INTERVAL: '1s',
    });
  });
  afterAll(() => installation.remove());

  beforeEach(async () => {
    if (!installation.running) await installation.start();
    client = await installation.client();
  });
  afterEach(() => {
    installation.standIn.faults.length = 0;
    installation.standIn.requests.length = 0;
  });

  const uploadUntilDeath = async (point: string) => {
    await installation.dieAt(point);
    // The answer is lost when the process dies before it: that is the point.
    await client.upload(CALL).catch(() => null);
    expect(await installation.ended()).toBe('SIGKILL');
  };

  const expectOneFinishedCall = async () => {
    const { calls, total } = await client.calls();
    expect(total).toBe(1);
    const call = await client.finished(calls[0]?.id ?? '');
    expect(call.status).toBe('completed');
    expect(call.transcript).toMatch(/^Manager: .*\nCustomer: /);
    expect(call.detailedReport).not.toEqual([]);
    expect(call.summary).not.toBe('');
    await expectNoAudio();
  };

  const expectNoAudio = () =>
    until(async () => (await audioFiles(installation)).length === 0, 'no recording is left in the audio store');

  /** @returns what the call has cost, in parts of what its pieces cost when each is paid for once */
  const costOfCall = async () => {
    const { calls } = await client.calls();
    const read = async (path: string) => (await (await client.fetch(path)).json()) as { dollars: number };
    const { dollars } = await read(`/calls/${calls[0]?.id}/costs`);
    expect((await read('/spending')).dollars).toBe(dollars);
    return dollars / PRICE_OF_CALL;
  };

  const paidPerPiece = () => {
    const counts = new Map<string, number>();
    for (const { hash, answered } of installation.standIn.requests)
      if (answered === 200) counts.set(hash, (counts.get(hash) ?? 0) + 1);
    return [...counts.values()];
  };

  it('at upload.stored leaves no call and, after the sweep, no bytes', async () => {
    await uploadUntilDeath('upload.stored');
    const left = await audioFiles(installation);
    expect(left).toHaveLength(1);
    // The sweep leaves young recordings alone: they may be on their way to becoming a call.
    for (const file of left) await utimes(file, 0, 0);
    await installation.start();
    expect((await client.calls()).total).toBe(0);
    await expectNoAudio();
    expect(installation.standIn.requests).toHaveLength(0);
  });

  for (const point of [
    'call.written',
    'event.published',
    'work.granted',
    'stage.claimed',
    'segment.saved',
    'segment.saved:2',
    'transcript.ready',
    'transcript.committed',
    'stage.claimed:2',
    'analysis.ready',
    'analysis.committed',
    'audio.deleting',
    'audio.deleted',
  ]) {
    it(`at ${point} goes on from there: one result, each finished segment paid for once, the recording gone`, async () => {
      await uploadUntilDeath(point);
      const savedBefore = point.startsWith('segment.saved') ? Number(point.split(':')[1] ?? '1') : 0;
      const inFlight = installation.standIn.requests.length - savedBefore;
      await installation.start();
      await expectOneFinishedCall();
      const paid = paidPerPiece();
      expect(paid).toHaveLength(2);
      // Pieces on their way when the process died may be paid for again; those that were saved never are.
      const paidTwice = paid.filter((times) => times > 1).length;
      expect(paidTwice).toBeLessThanOrEqual(point.startsWith('segment.saved') ? inFlight : 0);
      expect(Math.max(...paid)).toBeLessThanOrEqual(2);
      // A piece is kept after its cost is recorded. Only an answer on its way to that may be missing.
      const cost = await costOfCall();
      expect(cost).toBeGreaterThan(0.98);
      expect(cost).toBeLessThan(paidTwice === 0 ? 1.02 : 2.02);
    });
  }

  it('at segment.transcribed pays again for the pieces on their way at most, and completes', async () => {
    await uploadUntilDeath('segment.transcribed');
    const onTheirWay = installation.standIn.requests.length;
    await installation.start();
    await expectOneFinishedCall();
    const paid = paidPerPiece();
    expect(paid).toHaveLength(2);
    expect(Math.max(...paid)).toBe(2);
    expect(paid.reduce((sum, times) => sum + times)).toBeLessThanOrEqual(2 + onTheirWay);
    // The answer that was recorded and not kept is paid for again, and counted both times.
    expect(await costOfCall()).toBeGreaterThan(1.2);
  });

  for (const point of ['call.removed', 'audio.deleting', 'call.purged']) {
    it(`at ${point} of a call that its owner deletes leaves nothing of it after the next start`, async () => {
      // Not finished, so that its recording is deleted for one reason alone.
      installation.standIn.faults.push({ endpoint: 'transcriptions', do: { kind: 'hang' } });
      await installation.dieAt(point);
      const id = await client.uploaded(CALL);
      // The answer is lost when the process dies before it.
      await client.fetch(`/calls/${id}`, { method: 'DELETE' }).catch(() => null);
      expect(await installation.ended()).toBe('SIGKILL');
      await installation.start();
      expect((await client.fetch(`/calls/${id}`)).status).toBe(404);
      await expectNoAudio();
      await until(async () => !(await isKept(installation, id)), 'nothing is kept of the call');
      expect(await client.calls()).toMatchObject({ calls: [], total: 0 });
    });
  }
});

/** Whether the database has a record of the call. */
async function isKept({ dataDir }: Installation, callId: string): Promise<boolean> {
  const store = openSqliteCallStore({ file: join(dataDir, 'calls.sqlite') });
  const call = await store.get(callId);
  await store.close();
  return call !== null;
}

async function audioFiles(installation: Installation): Promise<string[]> {
  const entries = await readdir(join(installation.dataDir, 'audio'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

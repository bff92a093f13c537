import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import type { CallStore } from '../calls.ts';
import { Calls } from '../calls.ts';
import { copyCalls, copyRemovedAccounts, documentsIn, refuseUnlessEmpty, restoreCalls } from './copy.ts';
import { openMongoCallStore } from './store.ts';

describeWithServers('a copy of the calls in MongoDB', (servers) => {
  const removal = new AsyncDisposableStack();
  let [from, to, folder] = ['', '', ''];
  let store: CallStore;
  let calls: Calls;
  beforeEach(async () => {
    const [one, other] = await Promise.all([servers.database(), servers.database()]);
    for (const { remove } of [one, other]) removal.defer(remove);
    [from, to] = [one.url, other.url];
    folder = await mkdtemp(join(tmpdir(), 'copy-'));
    store = openMongoCallStore({ url: from });
    calls = new Calls(store);
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });
  afterAll(() => removal.disposeAsync());

  const upload = async (key: string) => {
    const audio = { key, bytes: 1, format: 'mp3', seconds: 60.5 } as const;
    return (await calls.accept({ accountId: 'acc_1', fileName: 'call.mp3', reportType: 'medium', audio })).call;
  };
  const end = async ({ id }: { id: string }) => {
    const claim = await calls.claim(id, 'transcription', 'the test');
    if ('refused' in claim) throw new Error(claim.refused);
    await calls.failAttempt(claim.lease, { kind: 'rejected', code: 'unreadable', message: 'It cannot be read.' });
    await calls.audioDeleted(id);
  };
  const copy = async (copyRecording: (key: string) => Promise<boolean> = async () => true) => {
    const copied = await copyCalls(from, folder, copyRecording);
    await copyRemovedAccounts(from, folder);
    return copied;
  };
  /** The documents as they are stored, with the types of their numbers. */
  const documents = async (url: string, name: string) => {
    const connection = await mongoose.createConnection(url).asPromise();
    const found = await connection
      .collection(name)
      .find({}, { promoteValues: false, sort: { _id: 1 } })
      .toArray();
    await connection.close();
    return found.map((each) => mongoose.mongo.BSON.EJSON.stringify(each, { relaxed: false }));
  };

  it('has every call as it is stored, and totals that are counted', async () => {
    for (let n = 0; n < 300; n += 1) await upload(`key_${n}`);
    await until(
      async () => {
        await store.list('acc_1', { limit: 1, offset: 0 });
        return documents(from, 'call_counts');
      },
      (counts) => counts.length === 1,
    );
    const connection = await mongoose.createConnection(from).asPromise();
    const seconds = { 'audio.secondsDone': new mongoose.mongo.Double(60) };
    await connection.collection('calls').updateOne({}, { $set: seconds });
    await connection.close();
    const { calls: copied, recordings, accountIds } = await copy();
    expect({ copied, recordings: recordings.length, accountIds }).toEqual({
      copied: 300,
      recordings: 300,
      accountIds: ['acc_1'],
    });
    expect(await restoreCalls(to, documentsIn(folder))).toBe(300);
    expect(await documents(to, 'calls')).toEqual(await documents(from, 'calls'));
    expect(await documents(to, 'call_counts')).toHaveLength(1);
    const restored = openMongoCallStore({ url: to });
    expect((await restored.list('acc_1', { limit: 1, offset: 0 })).total).toBe(300);
    await restored.close();
    await expect(refuseUnlessEmpty(to)).rejects.toThrow('empty database');
  });

  it('has a call that ends meanwhile as it has ended, without its recording', async () => {
    const [first, second] = [await upload('first'), await upload('second')];
    const { recordings } = await copy(async (key) => {
      if (key !== 'first') return true;
      await end(first);
      return false;
    });
    expect(recordings).toEqual(['second']);
    await restoreCalls(to, documentsIn(folder));
    const restored = openMongoCallStore({ url: to });
    expect((await restored.get(first.id))?.status).toBe('failed');
    expect((await restored.get(second.id))?.status).toBe('queued');
    await restored.close();
  });

  it('is refused when the recording of an unfinished call is missing', async () => {
    const { id } = await upload('missing');
    await expect(copy(async () => false)).rejects.toThrow(`The recording of the unfinished call ${id} is missing`);
  });

  it('has the settings and spending of accounts; a copy of a release without them is restored too', async () => {
    const claim = await calls.claim((await upload('key')).id, 'transcription', 'the test');
    if ('refused' in claim) throw new Error(claim.refused);
    await calls.spending.record(claim.lease, { name: 'openai', model: 'gpt-transcribe' }, 0.25);
    await calls.saveSettings('acc_1', 'vocabulary', 0, ['Sitilli']);
    await copy();
    await restoreCalls(to, documentsIn(folder));
    const restored = openMongoCallStore({ url: to });
    expect(await restored.settings('acc_1', 'vocabulary')).toEqual({ revision: 1, value: ['Sitilli'] });
    expect(await new Calls(restored).spending.accountsToday()).toMatchObject([{ accountId: 'acc_1', dollars: 0.25 }]);
    for (const name of ['account_settings', 'spending']) await rm(join(folder, `${name}.bson`));
    expect(await restoreCalls(to, documentsIn(folder))).toBe(1);
    await restored.close();
  });

  it('has the calls of a removed account deleted after it is restored', async () => {
    await upload('key');
    await store.removeAccount('acc_1', new Date());
    await store.accountEmptied('acc_1');
    await copy();
    await restoreCalls(to, documentsIn(folder));
    const restored = openMongoCallStore({ url: to });
    expect((await restored.removedAccounts(10)).map(({ accountId }) => accountId)).toEqual(['acc_1']);
    await restored.close();
  });
});

import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HOUR, transcript } from '../contract/call-store.fixture.ts';
import { MIGRATIONS, SchemaVersions } from './migrations.ts';
import { mongoCallStore } from './store.ts';
import { type Watched, watchedStore } from './watched.fixture.ts';

const { current } = new SchemaVersions();

describeWithServers('documents of another release', (servers) => {
  let watched: Watched;
  afterEach(() => watched.close());
  const page = () => watched.fixture.store.list('a', { limit: 10, offset: 0 });

  describe('that is two versions newer', () => {
    beforeEach(async () => {
      watched = await watchedStore(servers);
    });

    it('are not misread: every reader is told which release to start', async () => {
      const { fixture, database } = watched;
      const { id } = await fixture.accept('a');
      await database.calls.updateOne({ _id: id }, { $set: { schemaVersion: current + 2 } });
      const newer = `The call ${id} has schema version ${current + 2}, and this release reads versions up to ${current + 1}: it was written by a newer release.`;
      const reads = [
        () => fixture.store.get(id),
        () => fixture.store.detail('a', id),
        () => fixture.store.transcript(id),
        () => fixture.claim(id),
        page,
      ];
      for (const read of reads) await expect(read()).rejects.toThrow(newer);
    });

    it('are not overwritten either', async () => {
      const { fixture, database } = watched;
      const { id, version } = await fixture.accept('a');
      await database.calls.updateOne({ _id: id }, { $set: { schemaVersion: current + 2 } });
      expect(
        await fixture.store.update(id, version, { change: { product: 'x' }, events: [], durable: true }),
      ).toBeNull();
    });
  });

  describe('that is the next', () => {
    beforeEach(async () => {
      watched = await watchedStore(servers);
    });

    it('are read and changed, and the next release migrates them again', async () => {
      const { fixture, database } = watched;
      const next = mongoCallStore(
        { connection: async () => watched.connection, close: async () => {} },
        { migrations: [...MIGRATIONS, (document) => ({ ...document, retries: document.failures + 7 })] },
      );
      const { id } = await fixture.accept('a');
      expect(await next.get(id)).toMatchObject({ retries: 7 });
      expect(await database.calls.findOne({ _id: id })).toMatchObject({ schemaVersion: current + 1, retries: 7 });
      expect((await page()).calls).toHaveLength(1);

      await fixture.calls.failAttempt(await fixture.claim(id), { kind: 'transient', code: 'x', message: 'Not now.' });
      expect(await database.calls.findOne({ _id: id })).toMatchObject({ schemaVersion: current, failures: 1 });
      expect(await next.get(id)).toMatchObject({ failures: 1, retries: 8 });
    });
  });

  describe('that is older', () => {
    beforeEach(async () => {
      watched = await watchedStore(servers, {
        migrations: [(document) => ({ ...document, product: `${document.product}, migrated` })],
      });
    });

    it('are read as this release writes them, and rewritten when they are to be changed', async () => {
      const { fixture, database } = watched;
      const { id } = await fixture.accept('a');
      await database.calls.updateOne({ _id: id }, { $set: { schemaVersion: 1, product: 'roof', transcript } });
      const stored = () => database.calls.findOne({ _id: id });
      expect((await page()).calls).toMatchObject([{ product: 'roof, migrated' }]);
      expect(await fixture.store.detail('a', id)).toMatchObject({ call: { product: 'roof, migrated' } });
      expect(await fixture.store.transcript(id)).toMatchObject(transcript);
      expect(await stored()).toMatchObject({ schemaVersion: 1, product: 'roof' });

      await fixture.claim(id);
      expect(await stored()).toMatchObject({ schemaVersion: 2, product: 'roof, migrated', version: 2, transcript });
      expect(await fixture.read(id)).toMatchObject({ product: 'roof, migrated', attempt: 1 });
    });

    it('are granted, and their waits end', async () => {
      const { fixture, database } = watched;
      const older = (id: string) => database.calls.updateOne({ _id: id }, { $set: { schemaVersion: 1 } });
      const { id } = await fixture.accept('a');
      await older(id);
      const [
        {
          next: [told],
        } = { next: [] },
      ] = (await fixture.queue()).backlog;
      expect(await fixture.calls.grant(id, told?.version)).toMatchObject({ id });
      await older(id);
      fixture.clock.step(HOUR);
      expect(await fixture.calls.endWaits()).toBe(1);
    });
  });
});

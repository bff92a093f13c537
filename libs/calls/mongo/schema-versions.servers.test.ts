import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HOUR, transcript } from '../contract/call-store.fixture.ts';
import { MIGRATIONS, SchemaVersions } from './parts.ts';
import { mongoCallStore } from './store.ts';
import { type Watched, watchedStore } from './watched.fixture.ts';

const { current } = new SchemaVersions();

describeWithServers('documents of another release', (servers) => {
  let watched: Watched;
  afterEach(() => watched.close());
  const page = () => watched.bench.store.list('a', { limit: 10, offset: 0 });

  describe('that is two versions newer', () => {
    beforeEach(async () => {
      watched = await watchedStore(servers);
    });

    it('are not misread: every reader is told which release to start', async () => {
      const { bench, database } = watched;
      const { id } = await bench.accept('a');
      await database.calls.updateOne({ _id: id }, { $set: { schemaVersion: current + 2 } });
      const newer = `The call ${id} has schema version ${current + 2}, and this release reads versions up to ${current + 1}: it was written by a newer release.`;
      const reads = [
        () => bench.store.get(id),
        () => bench.store.detail('a', id),
        () => bench.store.transcript(id),
        () => bench.claim(id),
        page,
      ];
      for (const read of reads) await expect(read()).rejects.toThrow(newer);
    });

    it('are not overwritten either', async () => {
      const { bench, database } = watched;
      const { id, version } = await bench.accept('a');
      await database.calls.updateOne({ _id: id }, { $set: { schemaVersion: current + 2 } });
      expect(await bench.store.update(id, version, { change: { product: 'x' }, events: [], durable: true })).toBeNull();
    });
  });

  describe('that is the next', () => {
    beforeEach(async () => {
      watched = await watchedStore(servers);
    });

    it('are read and changed, and the next release migrates them again', async () => {
      const { bench, database } = watched;
      const next = mongoCallStore(
        { connection: async () => watched.connection, close: async () => {} },
        { migrations: [...MIGRATIONS, (document) => ({ ...document, retries: document.failures + 7 })] },
      );
      const { id } = await bench.accept('a');
      expect(await next.get(id)).toMatchObject({ retries: 7 });
      expect(await database.calls.findOne({ _id: id })).toMatchObject({ schemaVersion: current + 1, retries: 7 });
      expect((await page()).calls).toHaveLength(1);

      await bench.calls.failAttempt(await bench.claim(id), { kind: 'transient', code: 'x', message: 'Not now.' });
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
      const { bench, database } = watched;
      const { id } = await bench.accept('a');
      await database.calls.updateOne({ _id: id }, { $set: { schemaVersion: 1, product: 'roof', transcript } });
      const stored = () => database.calls.findOne({ _id: id });
      expect((await page()).calls).toMatchObject([{ product: 'roof, migrated' }]);
      expect(await bench.store.detail('a', id)).toMatchObject({ call: { product: 'roof, migrated' }, transcript });
      expect(await stored()).toMatchObject({ schemaVersion: 1, product: 'roof' });

      await bench.claim(id);
      expect(await stored()).toMatchObject({ schemaVersion: 2, product: 'roof, migrated', version: 2, transcript });
      expect(await bench.read(id)).toMatchObject({ product: 'roof, migrated', attempt: 1 });
    });

    it('are granted, and their waits end', async () => {
      const { bench, database } = watched;
      const older = (id: string) => database.calls.updateOne({ _id: id }, { $set: { schemaVersion: 1 } });
      const { id } = await bench.accept('a');
      await older(id);
      const [
        {
          next: [told],
        } = { next: [] },
      ] = (await bench.queue()).backlog;
      expect(await bench.calls.grant(id, told?.version)).toMatchObject({ id });
      await older(id);
      bench.clock.step(HOUR);
      expect(await bench.calls.endWaits()).toBe(1);
    });
  });
});

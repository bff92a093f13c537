import { join } from 'node:path';
import { startStandIn } from '@call-analytics/stand-in';
import { FILES } from '@call-analytics/stand-in/recordings';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { describeWithServers } from '../servers/index.ts';
import { until } from '../until.fixture.ts';
import type { Client } from './client.fixture.ts';
import { type Cluster, type ClusterInstallation, clusterOn } from './cluster.fixture.ts';

const CALL = join(FILES, 'excerpt.mp3');

describeWithServers('the services, each in processes of its own', (servers) => {
  let standIn: Awaited<ReturnType<typeof startStandIn>>;
  let installation: ClusterInstallation;
  let cluster: Cluster;
  let client: Client;

  /** Everything but the services. */
  const prepare = async () => {
    standIn = await startStandIn({ speech: 'known-text' });
    installation = await clusterOn(servers, {
      OPENAI_BASE_URL: standIn.url,
      OPENAI_API_KEY: standIn.key,
      ANALYSIS_ENGINE: 'rules',
    });
    cluster = installation.cluster;
  };
  const start = async () => {
    await prepare();
    await cluster.start();
  };
  const stop = async () => {
    await installation.remove();
    await standIn.close();
  };
  const nextClient = async () => {
    client = await cluster.client();
  };

  describe('while all of them run', () => {
    beforeAll(start);
    beforeEach(nextClient);
    afterEach(() => {
      standIn.faults.length = 0;
      standIn.requests.length = 0;
    });
    afterAll(stop);

    it('bring a call from its upload to its report, and its recording is gone', async () => {
      const id = await client.uploaded(join(FILES, 'bundled-call.mp3'), { reportType: 'detailed' });
      const call = await client.finished(id);
      expect({ status: call.status, why: call.errorMessage }).toEqual({ status: 'completed', why: undefined });
      expect(call.transcript).toMatch(/^Manager: .*\nCustomer: /);
      expect(call.detailedReport).toHaveLength(10);
      await until(async () => (await installation.servers.recordings()) === 0, 'the recording is gone');
      expect((await client.calls()).total).toBe(1);
    });

    it('let a call be deleted in the middle of its work, restored, and deleted for good', async () => {
      standIn.faults.push({ endpoint: 'transcriptions', do: { kind: 'hang' } });
      const id = await client.uploaded(CALL);
      const remove = async () => (await client.fetch(`/calls/${id}`, { method: 'DELETE' })).status;
      await until(() => standIn.requests.length > 0, 'the engine is asked');
      expect(await remove()).toBe(204);
      expect((await client.fetch(`/calls/${id}`)).status).toBe(404);
      const gaveUp = () =>
        cluster.log('transcription').some(({ msg, outcome }) => msg === 'ended' && outcome === 'skipped');
      // Told, and not at the next renewal, which comes after ten seconds.
      await until(gaveUp, 'the worker has stopped', 5_000);
      standIn.faults.length = 0;
      expect((await client.fetch(`/calls/${id}/restore`, { method: 'POST' })).status).toBe(200);
      expect((await client.finished(id)).status).toBe('completed');

      expect(await remove()).toBe(204);
      const gone = () => cluster.log('cleanup').some(({ msg }) => msg === 'a deleted call was purged');
      await until(gone, 'nothing of it is left', 60_000);
      expect((await client.fetch(`/calls/${id}/restore`, { method: 'POST' })).status).toBe(404);
      expect(await installation.servers.recordings()).toBe(0);
      expect((await client.calls()).total).toBe(0);
    });

    it('show an account nothing of another one', async () => {
      const id = await client.uploaded(CALL);
      const other = await cluster.client('Other');
      expect((await other.fetch(`/calls/${id}`)).status).toBe(404);
      expect((await other.calls()).total).toBe(0);
    });

    it('stay ready and name the engine that does not answer, also while a request tries whether it is back', async () => {
      const worker = cluster.member('transcription');
      const degraded = () => worker.degraded();
      standIn.faults.push({ endpoint: 'transcriptions', do: { kind: 'server-error', status: 503 } });
      const id = await client.uploaded(CALL);
      await until(async () => (await degraded()).length > 0, 'the circuit opens', 60_000);
      expect(await degraded()).toEqual(['the speech engine does not answer: calls wait for it']);
      expect(await worker.readiness()).toBeNull();

      const before = standIn.requests.length;
      standIn.faults.splice(0, 1, { endpoint: 'transcriptions', do: { kind: 'delay', ms: 2_000 } });
      await until(() => standIn.requests.length > before, 'a request tries whether the engine is back');
      expect(await degraded()).toHaveLength(1);
      expect((await client.finished(id)).status).toBe('completed');
      expect(await degraded()).toEqual([]);
    });

    it('have queues with sensible names, all of them quorum queues but those by which a process hears what happens', async () => {
      const queues = (await installation.servers.queues()) as { name: string; type: string; exclusive: boolean }[];
      const names = queues.map(
        ({ name, type, exclusive }) => `${name.replace(/[0-9a-f-]{36}$/, '…')} ${type}${exclusive ? ' exclusive' : ''}`,
      );
      expect([...new Set(names)].sort()).toEqual([
        'calls.analysis quorum',
        'calls.cleanup quorum',
        'calls.dead-letters quorum',
        'calls.live.… classic exclusive',
        'calls.transcription quorum',
      ]);
    });
  });

  describe('while copies come and go', () => {
    beforeEach(start);
    beforeEach(nextClient);
    afterEach(stop);

    it('share the work when there are more of them, and nothing is done twice', async () => {
      await Promise.all([
        cluster.add('transcription'),
        cluster.add('analysis'),
        cluster.add('dispatcher'),
        cluster.add('cleanup'),
      ]);
      const ids = await Promise.all(Array.from({ length: 12 }, () => client.uploaded(CALL)));
      for (const id of ids) expect((await client.finished(id)).status).toBe('completed');
      const workers = cluster.members.filter(({ service }) => service === 'transcription');
      for (const { process } of workers) expect(process.log.some(({ msg }) => msg === 'started')).toBe(true);
      expect(cluster.log('transcription').filter(({ msg }) => msg === 'started')).toHaveLength(12);
      expect(cluster.log('analysis').filter(({ msg }) => msg === 'started')).toHaveLength(12);
    });

    it('on SIGTERM end cleanly and give back what they have in flight: another copy goes on at once, nothing counted', async () => {
      standIn.faults.push({ endpoint: 'transcriptions', nth: 3, do: { kind: 'hang' } });
      const id = await client.uploaded(join(FILES, 'bundled-call.mp3'));
      await until(() => standIn.requests.length >= 3, 'the engine is asked');
      const worker = cluster.member('transcription');
      const another = cluster.add('transcription');
      expect(await worker.kill('SIGTERM')).toBe(0);
      standIn.faults.length = 0;
      await another;
      // A lease that was not given back would hold the call for 30 s; this waits less than that.
      expect((await client.finished(id, 20_000)).status).toBe('completed');
      expect(cluster.log().filter(({ msg }) => msg === 'this attempt failed')).toEqual([]);
      for (const member of cluster.members.filter(({ process }) => process.running))
        expect(await member.kill('SIGTERM')).toBe(0);
      expect(cluster.members.map(({ process }) => process.errors).join('')).toBe('');
    });
  });

  describe('when none of them runs yet', () => {
    beforeEach(prepare);
    afterEach(stop);

    it('start in any order: each says what it waits for, and goes on when it is there', async () => {
      const gateway = await cluster.prepare('api-gateway');
      await gateway.launch();
      await until(
        async () => (await gateway.readiness())?.includes('accounts') ?? false,
        'the gateway misses the accounts',
      );
      await cluster.add('accounts');
      await until(async () => (await gateway.readiness()) === null, 'the gateway is ready');
      for (const service of ['cleanup', 'analysis', 'transcription', 'dispatcher'] as const) await cluster.add(service);
      await nextClient();
      expect((await client.finished(await client.uploaded(CALL))).status).toBe('completed');
    });
  });
});

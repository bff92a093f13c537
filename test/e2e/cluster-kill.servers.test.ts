import { expect, it } from '@jest/globals';
import { deploymentOn } from '../faults/deployment-tests.fixture.ts';
import { describeWithServers } from '../servers/index.ts';
import type { Member, ServiceName } from './cluster.fixture.ts';

/** Where each service dies, as `name:nth`. */
const DEATHS: [ServiceName, string][] = [
  ['api-gateway', 'call.written'],
  ['dispatcher', 'event.published'],
  ['dispatcher', 'work.granted'],
  ['transcription', 'stage.claimed'],
  ['transcription', 'segment.transcribed'],
  ['transcription', 'segment.saved'],
  ['transcription', 'segment.saved:2'],
  ['transcription', 'transcript.ready'],
  ['transcription', 'transcript.committed'],
  ['analysis', 'stage.claimed'],
  ['analysis', 'analysis.ready'],
  ['analysis', 'analysis.committed'],
  ['cleanup', 'audio.deleting'],
  ['cleanup', 'audio.deleted'],
];

// Another copy goes on: what was accepted goes on where it was, what was paid for is not paid for again, and no
// recording stays behind.
describeWithServers('a service killed at a named point', (servers) => {
  const the = deploymentOn(servers, { LEASE_DURATION: '1s' });

  /** The only copy of a service dies at a point. @returns when it has died, after an upload */
  const uploadUntilDeath = async (service: ServiceName, point: string) => {
    const account = await the.account();
    const isTheOne = (each: Member) => each.service === service && each.process.running;
    const victim = the.cluster.members.find(isTheOne) ?? (await the.cluster.add(service));
    await victim.process.dieAt(point);
    await account.upload();
    expect(await victim.process.ended()).toBe('SIGKILL');
    return account;
  };

  it('api-gateway at upload.stored leaves no call and, after the sweep, no bytes', async () => {
    await uploadUntilDeath('api-gateway', 'upload.stored');
    expect(await the.servers.recordings()).toBe(1);
    await the.cluster.add('api-gateway');
    await the.expectNothingLost(0);
    expect(the.deployment.standIn.requests).toHaveLength(0);
  });

  it.each(DEATHS)(
    '%s at %s: one result, each finished segment paid for once, the recording gone',
    async (service, point) => {
      const account = await uploadUntilDeath(service, point);
      const { requests } = the.deployment.standIn;
      // Pieces on their way when the process died may be paid for again; those that were saved never are.
      const saved = point.startsWith('segment.saved') ? Number(point.split(':')[1] ?? '1') : 0;
      const onTheirWay = point.startsWith('segment.') ? requests.length - saved : 0;
      await the.cluster.add(service);
      await the.expectNothingLost(account.accepted.size, { completed: 1, paidTwiceAtMost: onTheirWay });
    },
  );
});

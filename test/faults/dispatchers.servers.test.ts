import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Member } from '../e2e/cluster.fixture.ts';
import { describeWithServers } from '../servers/index.ts';
import { until } from '../until.fixture.ts';
import { deploymentOn } from './deployment-tests.fixture.ts';

const TAKES_OVER_WITHIN_MS = 10_000;

describeWithServers('of two dispatchers', (servers) => {
  const the = deploymentOn(servers);
  let works: Member;
  let waits: Member;

  const leads = ({ process }: Member) =>
    process.log.findLast(({ msg }) => String(msg).startsWith('this dispatcher '))?.msg ===
    'this dispatcher has the role';
  const starts = (stage: string) =>
    the.cluster.log().filter(({ msg, stage: of }) => msg === 'started' && of === stage).length;

  beforeEach(async () => {
    const [first, second] = [the.cluster.member('dispatcher'), await the.cluster.add('dispatcher')];
    await until(() => leads(first) || leads(second), 'one of them works');
    [works, waits] = leads(first) ? [first, second] : [second, first];
  });

  // One is left for the next test.
  afterEach(async () => {
    if (works.process.running) await waits.kill();
    the.cluster.members.splice(
      0,
      Number.POSITIVE_INFINITY,
      ...the.cluster.members.filter(({ process }) => process.running),
    );
  });

  it.each([
    ['is killed', 'SIGKILL'],
    ['stands still, and goes on later', 'SIGSTOP'],
  ] as const)(
    'the one that works %s: the other takes over within 10 s, and no call is worked on twice',
    async (_, signal) => {
      const account = await the.account();
      const before = { transcription: starts('transcription'), analysis: starts('analysis') };
      the.deployment.slowEngine(300);
      await account.uploads(4);
      process.kill(works.process.pid, signal);
      await account.uploads(4);
      await until(() => leads(waits), 'the other one works', TAKES_OVER_WITHIN_MS);
      await account.uploads(4);
      if (signal === 'SIGSTOP') process.kill(works.process.pid, 'SIGCONT');
      await account.uploads(4);
      await the.expectNothingLost(16);
      expect({
        transcription: starts('transcription') - before.transcription,
        analysis: starts('analysis') - before.analysis,
      }).toEqual({
        transcription: 16,
        analysis: 16,
      });
    },
  );
});

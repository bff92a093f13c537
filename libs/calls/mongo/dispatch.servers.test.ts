import { STAGES } from '@call-analytics/contracts';
import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Call } from '../record.ts';
import { CLOCK_TOLERANCE_MS, endWait, hasEnded } from '../transitions.ts';
import { QueueReader } from './queues.ts';
import { type Watched, watchedStore } from './watched.fixture.ts';

const NOW = new Date(Date.UTC(2026, 10, 21, 9));
const HOUR = 3_600_000;
/** Long ago, a moment ago, now, soon, and further ahead than any delay: with the edges. */
const OFFSETS = [-5 * HOUR, -1, 0, 1, CLOCK_TOLERANCE_MS, CLOCK_TOLERANCE_MS + 1, HOUR, HOUR + 1, 5 * HOUR];
const time = fc.constantFrom(...OFFSETS).map((ms) => new Date(NOW.getTime() + ms));
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null });
const situations = fc.record({
  accountId: fc.constantFrom('a', 'b', 'c'),
  stage: maybe(fc.constantFrom(...STAGES)),
  lease: fc.option(fc.record({ worker: fc.constant('w'), since: time, until: time }), { nil: null, freq: 2 }),
  grantedUntil: maybe(time),
  nextAttemptAt: maybe(time),
});

/**
 * Every situation that a call can be in, also those that the domain does not bring about, against what the domain says
 * of it.
 */
describeWithServers('what the dispatcher is told', (servers) => {
  let watched: Watched;
  const calls: Call[] = [];
  beforeAll(async () => {
    watched = await watchedStore(servers);
    const { fixture } = watched;
    const like = await fixture.accept('other');
    for (const [n, situation] of fc.sample(situations, { numRuns: 400, seed: 4 }).entries()) {
      const readySince = new Date(NOW.getTime() - n);
      const call: Call = {
        ...like,
        ...situation,
        id: `call_${n}`,
        readySince,
        audio: { ...like.audio, key: `key ${n}`, seconds: n },
      };
      calls.push(call);
      await fixture.store.insert(call, [], null);
    }
    calls.push(like);
  });
  afterAll(() => watched.close());

  const waitEnded = (call: Call) => 'write' in endWait(call, NOW);
  const ready = ({ stage, lease, grantedUntil, nextAttemptAt }: Call) =>
    stage !== null && lease === null && grantedUntil === null && nextAttemptAt === null;
  const leased = ({ lease }: Call) => lease !== null && !hasEnded(lease, NOW);
  const granted = ({ lease, grantedUntil }: Call) =>
    lease === null && grantedUntil !== null && grantedUntil > NOW && grantedUntil.getTime() <= NOW.getTime() + HOUR;
  const shown = ({ id, version, audio, readySince }: Call) => ({
    callId: id,
    version,
    seconds: audio.seconds,
    readySince,
  });

  describe.each(STAGES.flatMap((stage) => [500, 0].map((few) => [stage, few] as const)))(
    'about %s, up to %i calls looked at one by one,',
    (stage, few) => {
      const queue = async (perAccount: number) => {
        const { inFlight, backlog } = await new QueueReader(watched.database, few).queues(NOW);
        return { inFlight: inFlight[stage], backlog: await backlog(stage, perAccount) };
      };
      const ofStage = () => calls.filter((call) => call.stage === stage);
      const readyOf = (accountId: string) =>
        ofStage()
          .filter((call) => call.accountId === accountId && ready(call))
          .sort((a, b) => a.readySince.getTime() - b.readySince.getTime())
          .map(shown);

      it('is every call that may be granted, and no other, with what is in flight', async () => {
        const { backlog, inFlight } = await queue(1_000);
        expect(backlog.length).toBeGreaterThanOrEqual(3);
        for (const { accountId, next } of backlog) {
          expect(next).toEqual(readyOf(accountId));
          const taken = ofStage().filter((call) => call.accountId === accountId && (leased(call) || granted(call)));
          expect(inFlight.ofAccount.get(accountId) ?? 0).toBe(taken.length);
        }
        expect(backlog.map(({ accountId }) => accountId).sort()).toEqual(
          [
            ...new Set(
              ofStage()
                .filter(ready)
                .map((call) => call.accountId),
            ),
          ].sort(),
        );
      });

      it.each([1, 2, 5])(
        'is as many of each account as were asked for, the longest waiting first (%i)',
        async (perAccount) => {
          const { backlog } = await queue(perAccount);
          expect(backlog.length).toBeGreaterThanOrEqual(3);
          for (const { accountId, next } of backlog) expect(next).toEqual(readyOf(accountId).slice(0, perAccount));
        },
      );

      it('is how many are leased, granted and ready', async () => {
        const { store } = watched.fixture;
        const count = (of: (call: Call) => boolean) => ofStage().filter(of).length;
        expect((await queue(0)).inFlight).toMatchObject({ granted: count(granted), leased: count(leased) });
        const figures = await store.figures(NOW);
        expect([figures.ready[stage], figures.leased[stage]]).toEqual([count(ready) + count(waitEnded), count(leased)]);
      });
    },
  );

  it('is each wait that has ended', async () => {
    const found = await watched.fixture.store.endedWaits(NOW, 1_000);
    const ended = calls.filter(waitEnded);
    expect(found.map(({ id }) => id).sort()).toEqual(ended.map(({ id }) => id).sort());
    expect(ended.length).toBeGreaterThan(10);
  });

  it('is each lease that has ended', async () => {
    const found = await watched.fixture.store.expiredLeases(NOW, 1_000);
    const ended = calls.filter(({ stage, lease }) => stage !== null && lease !== null && hasEnded(lease, NOW));
    expect(found.map(({ id }) => id).sort()).toEqual(ended.map(({ id }) => id).sort());
    expect(ended.length).toBeGreaterThan(10);
  });
});

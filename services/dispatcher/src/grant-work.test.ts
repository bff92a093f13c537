import { Calls } from '@call-analytics/calls';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { atLeast, DispatchFixture, HOUR, OFTEN, RARELY, transcript } from './dispatcher.fixture.ts';

describe('granting work', () => {
  let fixture: DispatchFixture;
  beforeEach(async () => {
    fixture = await DispatchFixture.open();
  });
  afterEach(() => fixture.close());

  it("starts another account's call within one job's time, with 10,000 calls of one account queued", async () => {
    await fixture.inMemory();
    for (let n = 0; n < 10_000; n += 1) await fixture.accept('many');
    await fixture.dispatch();
    const { started, endOne } = await fixture.workers(2);
    await atLeast(2, started);
    // One of them waits in the queue already, granted.
    await until(
      () => fixture.messaging.depth('transcription'),
      (depth) => depth === 1,
    );
    // A job that takes no time at all would be one of those before which calls may queue.
    fixture.pass(300);
    await fixture.accept('one', 36_000);
    // At once, so that it is there when two jobs end at the same time; not when the grant of the first ends, after 30 s.
    await until(
      () => fixture.messaging.depth('transcription'),
      (depth) => depth === 2,
      10_000,
    );
    await Promise.all([endOne(), endOne()]);
    await atLeast(4, started);
    expect(started).toEqual(['many', 'many', 'many', 'one']);
    expect((await fixture.store.queues(fixture.clock.now())).inFlight.transcription.granted).toBeLessThanOrEqual(1);
  });

  it('keeps the last free worker for another account, whose call then starts although no job has ended', async () => {
    for (let n = 0; n < 10; n += 1) await fixture.accept('many', 36_000);
    await fixture.calls.announceWorker('transcription', 'test', 3);
    await fixture.dispatch(OFTEN);
    const { started, endOne } = await fixture.workers(3);
    await atLeast(2, started);
    fixture.pass(300);
    await fixture.anotherRound();
    expect(started).toEqual(['many', 'many']);
    await fixture.accept('one', 36_000);
    await atLeast(3, started);
    expect(started).toEqual(['many', 'many', 'one']);
    await endOne();
    await endOne();
    await atLeast(4, started);
    expect(started[3]).toBe('many');
  });

  it('gives the only worker to whose turn it is', async () => {
    for (let n = 0; n < 3; n += 1) await fixture.accept('many', 36_000);
    await fixture.calls.announceWorker('transcription', 'test', 1);
    await fixture.dispatch();
    const { started, endOne } = await fixture.workers(1);
    await atLeast(1, started);
    await endOne();
    await atLeast(2, started);
    expect(started).toEqual(['many', 'many']);
  });

  it('lets newcomers in early, one call of each, until as many calls wait in the queue as are worked on', async () => {
    await fixture.inMemory();
    for (let n = 0; n < 20; n += 1) await fixture.accept('many');
    await fixture.dispatch({ ...OFTEN, IN_FLIGHT_PER_ACCOUNT: 20 });
    const { started } = await fixture.workers(4);
    await atLeast(4, started);
    const waiting = (calls: number) =>
      until(
        () => fixture.messaging.depth('transcription'),
        (depth) => depth === calls,
      );
    await waiting(2);
    // While jobs are new, they might be short.
    fixture.pass(300);
    for (const [account, calls] of [
      ['one', 3],
      ['one', 3],
      ['two', 4],
      ['three', 4],
    ] as const) {
      await fixture.accept(account);
      await waiting(calls);
      await fixture.anotherRound();
      expect(await fixture.messaging.depth('transcription')).toBe(calls);
    }
  });

  it('gives accounts with work equal seconds, however long their calls are', async () => {
    await fixture.inMemory();
    for (let n = 0; n < 60; n += 1) await fixture.accept('short', 60);
    for (let n = 0; n < 60; n += 1) await fixture.accept('long', 300);
    await fixture.dispatch();
    const { started, endOne } = await fixture.workers(1);
    for (let n = 1; n <= 36; n += 1) {
      await atLeast(n, started);
      await endOne();
    }
    const shortCalls = started.slice(0, 36).filter((account) => account === 'short').length;
    expect(Math.abs(shortCalls * 60 - (36 - shortCalls) * 300)).toBeLessThanOrEqual(360);
  });

  it('does not look anew for each call while jobs take no time', async () => {
    await fixture.inMemory();
    for (let n = 0; n < 400; n += 1) await fixture.accept(`account_${n % 10}`);
    let looked = 0;
    const { queues } = fixture.store;
    fixture.store.queues = (...given) => {
      looked += 1;
      return queues(...given);
    };
    const ended: string[] = [];
    await fixture.messaging.consume(
      'transcription',
      async ({ data }) => {
        await fixture.calls.commitTranscript(await fixture.claim(data.callId), transcript);
        ended.push(data.callId);
        return { kind: 'done' };
      },
      { concurrency: 2 },
    );
    await fixture.dispatch();
    await atLeast(400, ended);
    expect(looked).toBeLessThan(200);
  });

  it('has no more calls of an account in flight than it may', async () => {
    await fixture.dispatch({ ...RARELY, IN_FLIGHT_PER_ACCOUNT: 2 });
    for (let n = 0; n < 4; n += 1) await fixture.accept('many');
    const { started, endOne } = await fixture.workers(10);
    await atLeast(2, started);
    await fixture.accept('one');
    await atLeast(3, started);
    expect(started).toEqual(['many', 'many', 'one']);
    await endOne();
    await atLeast(4, started);
    expect(started[3]).toBe('many');
  });

  it('grants nothing to an account at its spending limit, its share to others, and wakes by itself at 00:00 UTC', async () => {
    const DAY = 24 * HOUR;
    fixture.offset = (Math.floor(Date.now() / DAY) + 1) * DAY - HOUR - Date.now();
    const calls = new Calls(fixture.store, { clock: fixture.clock, policy: { spendingLimit: 1 } });
    const paid = await fixture.accept('spent');
    await calls.spending.record(await fixture.claim(paid), { name: 'openai', model: 'gpt' }, 1);
    const held = await fixture.accept('spent');
    await fixture.dispatch(OFTEN, { calls });
    const { started } = await fixture.workers(4);
    await fixture.accept('other');
    await fixture.accept('third');
    await atLeast(2, started);
    const of = '{stage="transcription"}';
    const shown = [`calls_ready${of} 0`, `calls_held_by_spending_limit${of} 1`];
    await until(
      async () => (await fixture.metrics.registry.metrics()).split('\n'),
      (lines) => shown.every((line) => lines.includes(line)),
    );
    expect([...started].sort()).toEqual(['other', 'third']);
    expect(await fixture.store.get(held)).toMatchObject({ status: 'queued', grantedUntil: null, attempt: 0 });
    fixture.offset += HOUR;
    await until(
      () => started,
      (found) => found.includes('spent'),
    );
    expect(await fixture.store.get(held)).toMatchObject({ attempt: 1, failures: 0 });
  });

  it('grants nothing to a drained stage and all to the other, calls for no workers, and goes on when it is resumed', async () => {
    const transcribed = await fixture.accept('transcribed');
    const lease = await fixture.claim(transcribed);
    await fixture.store.setDrained('transcription', new Date());
    const waiting = [await fixture.accept('a'), await fixture.accept('b')];
    const { started } = await fixture.workers(2);
    const analyzing = await fixture.listen('analysis');
    await fixture.dispatch(OFTEN);
    const shown = (...lines: string[]) =>
      until(
        async () => (await fixture.metrics.registry.metrics()).split('\n'),
        (found) => lines.every((line) => found.includes(line)),
      );
    const of = '{stage="transcription"}';
    await shown(`stage_drained${of} 1`, `calls_ready${of} 2`, `calls_workload${of} 1`);
    await shown('stage_drained{stage="analysis"} 0');
    // What was begun before the drain is finished, and goes on in the other stage.
    await fixture.calls.commitTranscript(lease, transcript);
    await atLeast(1, analyzing);
    expect(analyzing).toEqual([transcribed]);
    expect(started).toEqual([]);
    for (const id of waiting)
      expect(await fixture.store.get(id)).toMatchObject({ attempt: 0, grantedUntil: null, nextAttemptAt: null });
    await fixture.store.setDrained('transcription', null);
    await atLeast(2, started);
    expect(started.sort()).toEqual(['a', 'b']);
    await shown(`stage_drained${of} 0`);
  });
});

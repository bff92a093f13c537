import { Calls } from '@call-analytics/calls';
import { HandlerTimeout, inProcessMessaging } from '@call-analytics/messaging';
import { until } from '@call-analytics/test/until.fixture.ts';
import { describe, expect, it } from '@jest/globals';
import {
  aborted,
  callId,
  calls,
  clock,
  HOUR,
  leaseFor,
  log,
  metrics,
  read,
  run,
  stop,
  store,
  transcript,
} from './stage-worker.fixture.ts';
import { assertLeaseHeld, LeaseLost, watchRemovals } from './stage-worker.ts';

describe('working on a stage', () => {
  it('is done when the work has committed its result', async () => {
    const outcome = await run(async ({ call, lease }) => {
      expect(call).toMatchObject({ status: 'transcribing', attempt: 1 });
      assertLeaseHeld(await calls.commitTranscript(lease, transcript));
    });
    expect(outcome).toEqual({ kind: 'done' });
    expect(await read()).toMatchObject({ status: 'analyzing', lease: null });
  });

  it('records what its requests have cost, also when the price of some or all is not known', async () => {
    for (const prices of [[0], [null, null], [null, 0.5, null, 0.25]])
      await run(async ({ paid, lease }) => {
        for (const dollars of prices) await paid({ name: 'openai', model: 'x' }, dollars);
        await calls.release(lease);
      });
    const costs = await calls.spending.costs(callId);
    expect(costs.map(({ attempt, dollars }) => [attempt, dollars])).toEqual([
      [2, null],
      [3, 0.75],
    ]);
  });

  it('is counted as an attempt when it begins, and as one in flight until it ends, however it ends', async () => {
    const attempts = async () => (await metrics.stageAttempts.get()).values[0]?.value ?? 0;
    const inFlight = async () => (await metrics.leasesInFlight.get()).values[0]?.value;
    const before = await attempts();
    await run(async () => {
      expect([await attempts(), await inFlight()]).toEqual([before + 1, 1]);
      throw new Error('no');
    });
    expect([await attempts(), await inFlight()]).toEqual([before + 1, 0]);
  });

  it('is skipped when there is nothing to do, without starting', async () => {
    await calls.claim(callId, 'transcription', 'other');
    let worked = false;
    const outcome = await run(async () => {
      worked = true;
    });
    expect(outcome).toEqual({ kind: 'skipped', reason: 'someone works on it' });
    expect(worked).toBe(false);
  });

  it('keeps the lease alive for as long as the work takes', async () => {
    await run(async ({ call, lease }) => {
      const first = call.lease?.until.getTime() ?? 0;
      const leaseEnd = async () => {
        expect(await calls.reclaimExpired()).toBe(0);
        return (await read())?.lease?.until.getTime() ?? 0;
      };
      await until(leaseEnd, (end) => end >= first + 200);
      assertLeaseHeld(await calls.commitTranscript(lease, transcript));
    });
    expect(await read()).toMatchObject({ status: 'analyzing', attempt: 1, failures: 0 });
  });

  it('aborts the work when its lease is lost, and writes nothing more', async () => {
    const outcome = await run(async ({ signal }) => {
      clock.offsetMs = HOUR;
      expect(await calls.reclaimExpired()).toBe(1);
      await aborted(signal);
    });
    expect(outcome).toEqual({ kind: 'skipped', reason: 'the lease is lost' });
    expect(await read()).toMatchObject({ failures: 1, lastFailure: { code: 'worker_lost' } });
  });

  describe('aborts the work when its call is removed', () => {
    const elsewhere = () => new Calls(store, { clock });
    const neverRenewed = () => leaseFor(HOUR);
    const endsWhen = async (remove: () => Promise<unknown>) => {
      const outcome = await run(async ({ signal }) => {
        await remove();
        await aborted(signal);
      });
      expect(outcome).toEqual({ kind: 'skipped', reason: 'the lease is lost' });
    };

    it('at once in this process', async () => {
      neverRenewed();
      await endsWhen(() => calls.remove('account_1', callId));
    });

    it('as soon as another process tells of it', async () => {
      neverRenewed();
      const messaging = inProcessMessaging({ log, metrics });
      const hearing = await watchRemovals(calls, messaging);
      await endsWhen(async () => {
        await elsewhere().remove('account_1', callId);
        for (const { message } of await store.outbox(10)) await messaging.publish(message);
      });
      await hearing.close();
      await messaging.close();
    });

    it('at the next renewal of its lease, when nobody tells of it', () =>
      endsWhen(() => elsewhere().remove('account_1', callId)));

    it('and not because somebody says so: the record tells', async () => {
      const outcome = await run(async ({ lease, signal }) => {
        const before = (await read())?.lease?.until;
        calls.notifyRemoval(callId);
        // It makes the worker renew its lease, which it finds held.
        await until(read, (call) => call?.lease?.until.getTime() !== before?.getTime());
        expect(signal.aborted).toBe(false);
        assertLeaseHeld(await calls.commitTranscript(lease, transcript));
      });
      expect(outcome).toEqual({ kind: 'done' });
    });
  });

  it('touches nothing of a call that is removed meanwhile', async () => {
    const outcome = await run(async ({ signal }) => {
      expect(await calls.remove('account_1', callId)).toBe(true);
      await aborted(signal);
    });
    expect(outcome).toEqual({ kind: 'skipped', reason: 'the lease is lost' });
    expect(await read()).toMatchObject({ failures: 0, lastFailure: null, stage: null });
    await calls.restore('account_1', callId);
    expect(await read()).toMatchObject({ failures: 0, stage: 'transcription', lease: null });
  });

  it('counts an attempt that took longer than its message allows, and the call is tried again', async () => {
    const stopping = stop();
    const outcome = await run(async ({ signal }) => {
      setImmediate(() => stopping.abort(new HandlerTimeout(60_000)));
      await aborted(signal);
    }, stopping);
    expect(outcome).toEqual({ kind: 'retry', reason: 'handler_timeout' });
    expect(await read()).toMatchObject({
      lease: null,
      failures: 1,
      lastFailure: { kind: 'transient', message: 'The work on this call was not done within 1 minute.' },
    });
  });

  it('is skipped when a write of the work is refused because another has the call', async () => {
    const outcome = await run(async ({ lease }) => {
      clock.offsetMs = HOUR;
      await calls.reclaimExpired();
      clock.offsetMs = 2 * HOUR;
      await calls.claim(callId, 'transcription', 'other');
      assertLeaseHeld(await calls.commitTranscript(lease, transcript));
    });
    expect(outcome).toEqual({ kind: 'skipped', reason: 'the lease is lost' });
    expect(await read()).toMatchObject({ attempt: 2, status: 'transcribing', lease: { worker: 'other' } });
  });

  it('gives the call back when the service stops, and counts nothing', async () => {
    const stopping = stop();
    const outcome = await run(async ({ signal }) => {
      setImmediate(() => stopping.abort());
      await aborted(signal);
    }, stopping);
    expect(outcome).toEqual({ kind: 'retry', reason: 'the service stops' });
    expect(await read()).toMatchObject({ lease: null, failures: 0, lastFailure: null, nextAttemptAt: null });
    expect(await calls.grant(callId)).not.toBeNull();
  });

  it('assertLeaseHeld throws for a write that was refused', () => {
    expect(() => assertLeaseHeld(false)).toThrow(LeaseLost);
    expect(() => assertLeaseHeld(true)).not.toThrow();
  });
});

import { DEFAULT_POLICY } from '@call-analytics/calls';
import type { Messaging } from '@call-analytics/messaging';
import { WorkError } from '@call-analytics/service-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../../../test/contract/until.ts';
import { atLeast, DispatchBench, OFTEN } from './bench.fixture.ts';

const brokerDown = () =>
  new WorkError({ kind: 'transient', code: 'broker_unavailable', message: 'The broker is away.' });

describe('the dispatcher, when something fails,', () => {
  let bench: DispatchBench;
  beforeEach(async () => {
    bench = await DispatchBench.open();
  });
  afterEach(() => bench.close());

  it('grants a call again when the message of its grant was lost', async () => {
    let lost = 0;
    await bench.withFaults(() => {
      lost += 1;
      return lost === 1 ? [] : [{ afterMs: 0, place: 1 }];
    });
    await bench.dispatch(OFTEN);
    const heard = await bench.listen('transcription');
    const id = await bench.accept();
    await until(
      () => bench.store.get(id),
      (call) => call?.grantedUntil !== null,
    );
    expect(heard).toEqual([]);
    bench.offset = DEFAULT_POLICY.grantMs;
    await atLeast(1, heard);
    expect(heard).toEqual([id]);
  });

  it('keeps an event that could not be published, and publishes it when the broker is back; it says so once', async () => {
    let down = true;
    const publish: Messaging['publish'] = async (message) => {
      if (down) throw brokerDown();
      return bench.messaging.publish(message);
    };
    const heard = await bench.listen('cleanup');
    const part = await bench.dispatch(OFTEN, { messaging: { ...bench.messaging, publish } });
    const id = await bench.accept();
    await bench.calls.failAttempt(await bench.claim(id), { kind: 'rejected', code: 'unreadable', message: 'No.' });
    const warnings = () => bench.lines.filter((line) => line.includes('could not relay events'));
    await until(warnings, (found) => found.length > 0);
    expect(part.ready?.()).toBe('could not relay events: broker_unavailable');
    await bench.accept();
    expect((await bench.store.outbox(10)).length).toBeGreaterThanOrEqual(2);
    down = false;
    await atLeast(1, heard);
    expect(heard).toEqual([id]);
    await until(
      () => bench.lines.filter((line) => line.includes('can relay events again')),
      (found) => found.length === 1,
    );
    expect(warnings()).toHaveLength(1);
    expect(part.ready?.()).toBeNull();
  });

  it('grants nothing while the broker is away', async () => {
    let away: string | null = 'no connection';
    await bench.dispatch(OFTEN, { messaging: { ...bench.messaging, ready: () => away } });
    const heard = await bench.listen('transcription');
    const id = await bench.accept();
    await until(
      () => bench.lines,
      (found) => found.some((line) => line.includes('could not grant work')),
    );
    expect(await bench.store.get(id)).toMatchObject({ grantedUntil: null });
    away = null;
    await atLeast(1, heard);
    expect(heard).toEqual([id]);
  });

  it('one event that no broker takes does not hold up the others, nor the granting of work', async () => {
    const poison = await bench.accept('poison');
    const publish: Messaging['publish'] = async (message) => {
      if (message.data.callId === poison && message.type === 'call.uploaded') throw brokerDown();
      return bench.messaging.publish(message);
    };
    const [granted, failed] = [await bench.listen('transcription'), await bench.listen('cleanup')];
    await bench.dispatch(OFTEN, { messaging: { ...bench.messaging, publish } });
    await atLeast(1, granted);
    await bench.calls.failAttempt(await bench.claim(await bench.accept()), {
      kind: 'rejected',
      code: 'unreadable',
      message: 'No.',
    });
    await atLeast(1, failed);
    expect((await bench.store.outbox(10)).map(({ message }) => message.data.callId)).toContain(poison);
  });

  it('goes on when a store that failed answers again; it says so once', async () => {
    const working = bench.store.queues;
    bench.store.queues = async () => {
      throw new WorkError({ kind: 'transient', code: 'store_unavailable', message: 'The call store does not answer.' });
    };
    await bench.dispatch(OFTEN);
    const heard = await bench.listen('transcription');
    const id = await bench.accept();
    const warnings = () => bench.lines.filter((line) => line.includes('could not grant work'));
    await until(warnings, (found) => found.length > 0);
    await bench.accept();
    bench.store.queues = working;
    await atLeast(1, heard);
    expect(heard[0]).toBe(id);
    expect(warnings()).toHaveLength(1);
  });

  it('does not take back a call whose lease ended while the store was away: its worker lives, and finds the store again', async () => {
    const [asks, now] = [bench.store.queues, performance.now];
    let later = 0;
    performance.now = () => now.call(performance) + later;
    try {
      bench.store.queues = async () => {
        throw new WorkError({
          kind: 'transient',
          code: 'store_unavailable',
          message: 'The call store does not answer.',
        });
      };
      const id = await bench.accept();
      const lease = await bench.claim(id);
      await bench.dispatch(OFTEN);
      const said = (what: string) =>
        until(
          () => bench.lines.some((line) => line.includes(what)),
          (yes) => yes,
        );
      await said('could not grant work');
      bench.offset = DEFAULT_POLICY.leaseMs + 1;
      bench.store.queues = asks;
      await said('can grant work again');
      expect(await bench.store.get(id)).toMatchObject({ attempt: lease.attempt, failures: 0, lease: {} });
      // A worker that is really gone has not come back by then.
      later = DEFAULT_POLICY.leaseMs + 1;
      await until(
        () => bench.store.get(id),
        (call) => call?.lease === null,
      );
      expect(await bench.store.get(id)).toMatchObject({ failures: 1, lastFailure: { code: 'worker_lost' } });
    } finally {
      performance.now = now;
    }
  });

  it('announces the calls that were granted beside one that could not be', async () => {
    // Six are worked on, so three may wait in the queue.
    for (let n = 0; n < 6; n += 1) await bench.claim(await bench.accept(`busy_${n}`));
    const [unlucky, ...others] = [await bench.accept('a'), await bench.accept('b'), await bench.accept('c')];
    const grant = bench.calls.grant.bind(bench.calls);
    bench.calls.grant = async (callId, version) => {
      if (callId !== unlucky) return grant(callId, version);
      throw new WorkError({ kind: 'transient', code: 'store_unavailable', message: 'The call store does not answer.' });
    };
    const heard = await bench.listen('transcription');
    await bench.dispatch();
    await atLeast(2, heard);
    expect(heard.sort()).toEqual(others.sort());
    bench.calls.grant = grant;
    await atLeast(3, heard);
    expect(heard).toContain(unlucky);
  });
});

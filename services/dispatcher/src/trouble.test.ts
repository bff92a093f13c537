import { DEFAULT_POLICY } from '@call-analytics/calls';
import type { Messaging } from '@call-analytics/messaging';
import { WorkError } from '@call-analytics/service-kit';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { atLeast, DispatchFixture, OFTEN } from './dispatcher.fixture.ts';

const brokerDown = () =>
  new WorkError({ kind: 'transient', code: 'broker_unavailable', message: 'The broker is away.' });

describe('the dispatcher, when something fails,', () => {
  let fixture: DispatchFixture;
  beforeEach(async () => {
    fixture = await DispatchFixture.open();
  });
  afterEach(() => fixture.close());

  it('grants a call again when the message of its grant was lost', async () => {
    let lost = 0;
    await fixture.withFaults(() => {
      lost += 1;
      return lost === 1 ? [] : [{ afterMs: 0, place: 1 }];
    });
    await fixture.dispatch(OFTEN);
    const heard = await fixture.listen('transcription');
    const id = await fixture.accept();
    await until(
      () => fixture.store.get(id),
      (call) => call?.grantedUntil !== null,
    );
    expect(heard).toEqual([]);
    fixture.offset = DEFAULT_POLICY.grantMs;
    await atLeast(1, heard);
    expect(heard).toEqual([id]);
  });

  it('keeps an event that could not be published, and publishes it when the broker is back; it says so once', async () => {
    let down = true;
    const publish: Messaging['publish'] = async (message) => {
      if (down) throw brokerDown();
      return fixture.messaging.publish(message);
    };
    const heard = await fixture.listen('cleanup');
    const part = await fixture.dispatch(OFTEN, { messaging: { ...fixture.messaging, publish } });
    const id = await fixture.accept();
    await fixture.calls.failAttempt(await fixture.claim(id), { kind: 'rejected', code: 'unreadable', message: 'No.' });
    const warnings = () => fixture.lines.filter((line) => line.includes('could not relay events'));
    await until(warnings, (found) => found.length > 0);
    expect(part.ready?.()).toBe('could not relay events: broker_unavailable');
    await fixture.accept();
    expect((await fixture.store.outbox(10)).length).toBeGreaterThanOrEqual(2);
    down = false;
    await atLeast(1, heard);
    expect(heard).toEqual([id]);
    await until(
      () => fixture.lines.filter((line) => line.includes('can relay events again')),
      (found) => found.length === 1,
    );
    expect(warnings()).toHaveLength(1);
    expect(part.ready?.()).toBeNull();
  });

  it('grants nothing while the broker is away', async () => {
    let away: string | null = 'no connection';
    await fixture.dispatch(OFTEN, { messaging: { ...fixture.messaging, ready: () => away } });
    const heard = await fixture.listen('transcription');
    const id = await fixture.accept();
    await until(
      () => fixture.lines,
      (found) => found.some((line) => line.includes('could not grant work')),
    );
    expect(await fixture.store.get(id)).toMatchObject({ grantedUntil: null });
    away = null;
    await atLeast(1, heard);
    expect(heard).toEqual([id]);
  });

  it('one event that no broker takes does not hold up the others, nor the granting of work', async () => {
    const poison = await fixture.accept('poison');
    const publish: Messaging['publish'] = async (message) => {
      if (message.data.callId === poison && message.type === 'call.uploaded') throw brokerDown();
      return fixture.messaging.publish(message);
    };
    const [granted, failed] = [await fixture.listen('transcription'), await fixture.listen('cleanup')];
    await fixture.dispatch(OFTEN, { messaging: { ...fixture.messaging, publish } });
    await atLeast(1, granted);
    await fixture.calls.failAttempt(await fixture.claim(await fixture.accept()), {
      kind: 'rejected',
      code: 'unreadable',
      message: 'No.',
    });
    await atLeast(1, failed);
    expect((await fixture.store.outbox(10)).map(({ message }) => message.data.callId)).toContain(poison);
  });

  it('goes on when a store that failed answers again; it says so once', async () => {
    const working = fixture.store.queues;
    fixture.store.queues = async () => {
      throw new WorkError({ kind: 'transient', code: 'store_unavailable', message: 'The call store does not answer.' });
    };
    await fixture.dispatch(OFTEN);
    const heard = await fixture.listen('transcription');
    const id = await fixture.accept();
    const warnings = () => fixture.lines.filter((line) => line.includes('could not grant work'));
    await until(warnings, (found) => found.length > 0);
    await fixture.accept();
    fixture.store.queues = working;
    await atLeast(1, heard);
    expect(heard[0]).toBe(id);
    expect(warnings()).toHaveLength(1);
  });

  it('does not take back a call whose lease ended while the store was away: its worker lives, and finds the store again', async () => {
    const [asks, now] = [fixture.store.queues, performance.now];
    let later = 0;
    performance.now = () => now.call(performance) + later;
    try {
      fixture.store.queues = async () => {
        throw new WorkError({
          kind: 'transient',
          code: 'store_unavailable',
          message: 'The call store does not answer.',
        });
      };
      const id = await fixture.accept();
      const lease = await fixture.claim(id);
      await fixture.dispatch(OFTEN);
      const said = (what: string) =>
        until(
          () => fixture.lines.some((line) => line.includes(what)),
          (yes) => yes,
        );
      await said('could not grant work');
      fixture.offset = DEFAULT_POLICY.leaseMs + 1;
      fixture.store.queues = asks;
      await said('can grant work again');
      expect(await fixture.store.get(id)).toMatchObject({ attempt: lease.attempt, failures: 0, lease: {} });
      // A worker that is really gone has not come back by then.
      later = DEFAULT_POLICY.leaseMs + 1;
      await until(
        () => fixture.store.get(id),
        (call) => call?.lease === null,
      );
      expect(await fixture.store.get(id)).toMatchObject({ failures: 1, lastFailure: { code: 'worker_lost' } });
    } finally {
      performance.now = now;
    }
  });

  it('announces the calls that were granted beside one that could not be', async () => {
    // Six are worked on, so three may wait in the queue.
    for (let n = 0; n < 6; n += 1) await fixture.claim(await fixture.accept(`busy_${n}`));
    const [unlucky, ...others] = [await fixture.accept('a'), await fixture.accept('b'), await fixture.accept('c')];
    const grant = fixture.calls.grant.bind(fixture.calls);
    fixture.calls.grant = async (callId, version) => {
      if (callId !== unlucky) return grant(callId, version);
      throw new WorkError({ kind: 'transient', code: 'store_unavailable', message: 'The call store does not answer.' });
    };
    const heard = await fixture.listen('transcription');
    await fixture.dispatch();
    await atLeast(2, heard);
    expect(heard.sort()).toEqual(others.sort());
    fixture.calls.grant = grant;
    await atLeast(3, heard);
    expect(heard).toContain(unlucky);
  });
});

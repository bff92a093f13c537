import { DEFAULT_POLICY } from '@call-analytics/calls';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DispatchFixture, HOUR, OFTEN } from './dispatcher.fixture.ts';

describe('of several dispatchers', () => {
  let fixture: DispatchFixture;
  beforeEach(async () => {
    fixture = await DispatchFixture.open();
  });
  afterEach(() => fixture.close());

  const takeovers = () => fixture.lines.filter((line) => line.includes('this dispatcher has the role')).length;
  const tookOver = (times: number) =>
    until(
      () => takeovers(),
      (seen) => seen >= times,
    );
  const relayed = () =>
    until(
      () => fixture.store.outbox(1),
      (events) => events.length === 0,
    );

  it('one works, and when it stops another works at once', async () => {
    const first = await fixture.dispatch(OFTEN, { oneOfSeveral: true });
    await tookOver(1);
    await fixture.dispatch(OFTEN, { oneOfSeveral: true });
    await fixture.accept('a');
    await relayed();
    await first.stop(new AbortController().signal);
    await fixture.accept('b');
    await relayed();
    expect(takeovers()).toBe(2);
  });

  it('another works when the one that worked is gone without a word, and not before', async () => {
    const now = fixture.clock.now();
    await fixture.store.lead('dispatcher', 'a process that was killed', now, new Date(now.getTime() + HOUR));
    const tries = jest.spyOn(fixture.store, 'lead');
    await fixture.dispatch(OFTEN, { oneOfSeveral: true });
    await fixture.accept('a');
    await until(
      () => tries.mock.calls.length,
      (times) => times >= 2,
    );
    expect({ takeovers: takeovers(), waiting: await fixture.store.outbox(10) }).toMatchObject({
      takeovers: 0,
      waiting: [{}],
    });
    fixture.offset = HOUR;
    await relayed();
  });

  it('one that fails and loses the role is ready again: what it could not do is the work of another now', async () => {
    await fixture.messaging.close();
    const part = await fixture.dispatch(OFTEN, { oneOfSeveral: true });
    await fixture.accept('a');
    const readiness = () => part.ready?.();
    await until(readiness, (reason) => String(reason).endsWith(': broker_unavailable'));
    const later = fixture.clock.now().getTime() + HOUR;
    await fixture.store.lead('dispatcher', 'another process', new Date(later), new Date(later + HOUR));
    await until(readiness, (reason) => reason === null);
  });

  it('one that waits for the role is not ready while it cannot ask for it', async () => {
    const now = fixture.clock.now();
    await fixture.store.lead('dispatcher', 'another process', now, new Date(now.getTime() + HOUR));
    const part = await fixture.dispatch(OFTEN, { oneOfSeveral: true });
    expect(part.ready?.()).toBeNull();
    await fixture.store.close();
    await until(
      () => part.ready?.(),
      (reason) => String(reason).startsWith('could not ask for the role of the dispatcher: '),
    );
  });

  it('the one that cannot reach the store works no longer, and says so once', async () => {
    const part = await fixture.dispatch(OFTEN, { oneOfSeveral: true });
    await tookOver(1);
    fixture.metrics.outboxAgeSeconds.set(60);
    await fixture.store.close();
    await until(
      () => fixture.lines.filter((line) => line.includes('this dispatcher lost the role')).length,
      (times) => times === 1,
    );
    expect(fixture.lines.filter((line) => line.includes('could not ask for the role'))).toHaveLength(1);
    expect(part.ready?.()).toEqual(expect.any(String));
    // What it saw last must not stay in the metrics for ever.
    await until(
      async () => (await fixture.metrics.outboxAgeSeconds.get()).values[0]?.value,
      (age) => age === 0,
    );
  });

  describe('one that starts after an outage of the store, which it did not see,', () => {
    const staysWithItsWorker = async (id: string) => {
      await fixture.dispatch(OFTEN, { oneOfSeveral: true });
      await fixture.anotherRound();
      expect(await fixture.store.get(id)).toMatchObject({ attempt: 1, failures: 0, lease: {} });
    };
    /** @returns a call whose lease has ended, after a dispatcher last held the role so long ago */
    const leaseEndedWhileFree = async (freeForMs: number) => {
      const id = await fixture.accept();
      await fixture.claim(id);
      fixture.offset = DEFAULT_POLICY.leaseMs + 1;
      const until = new Date(fixture.clock.now().getTime() - freeForMs);
      await fixture.store.lead('dispatcher', 'a process that was killed', new Date(0), until);
      return id;
    };

    it('does not take back a call whose lease ended meanwhile: its worker may live', async () => {
      await staysWithItsWorker(await leaseEndedWhileFree(20_000));
    });

    it('nor when the last dispatcher stopped cleanly before the outage', async () => {
      const last = await fixture.dispatch(OFTEN, { oneOfSeveral: true });
      await tookOver(1);
      const id = await fixture.accept();
      await fixture.claim(id);
      await last.stop(new AbortController().signal);
      fixture.offset = DEFAULT_POLICY.leaseMs + 1;
      await staysWithItsWorker(id);
    });

    it('takes it back at once when another dispatcher has written to the store until then', async () => {
      const id = await leaseEndedWhileFree(1_000);
      await fixture.dispatch(OFTEN, { oneOfSeveral: true });
      await until(
        () => fixture.store.get(id),
        (call) => call?.lease === null,
      );
      expect(await fixture.store.get(id)).toMatchObject({ failures: 1, lastFailure: { code: 'worker_lost' } });
    });
  });
});

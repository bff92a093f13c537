import { DEFAULT_POLICY } from '@call-analytics/calls';
import { execute, lockWrites } from '@call-analytics/calls/sqlite/other-process.fixture.ts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { atLeast, DispatchFixture, OFTEN } from './dispatcher.fixture.ts';

describe('the dispatcher, when something fails,', () => {
  let fixture: DispatchFixture;
  beforeEach(async () => {
    fixture = await DispatchFixture.open(20);
  });
  afterEach(() => fixture.close());

  const said = (what: string) => fixture.lines.filter((line) => line.includes(what));
  const triedTwice = async () => {
    const tries = jest.spyOn(fixture.store, 'outbox');
    await until(
      () => tries.mock.calls.length,
      (times) => times >= 2,
    );
  };
  const failed = async (accountId?: string) => {
    const id = await fixture.accept(accountId);
    await fixture.calls.failAttempt(await fixture.claim(id), { kind: 'rejected', code: 'unreadable', message: 'No.' });
    return id;
  };

  it('grants a call again when the message of its grant was lost', async () => {
    let lost = 0;
    await fixture.restartMessaging({
      faults: () => {
        lost += 1;
        return lost === 1 ? [] : [{ afterMs: 0, place: 1 }];
      },
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
    await fixture.fillCleanupQueue();
    const part = await fixture.dispatch(OFTEN);
    const id = await failed();
    await until(() => said('could not relay events').length > 0, 'it has failed');
    expect(part.ready?.()).toBe('could not relay events: broker_unavailable');
    await triedTwice();
    const heard = await fixture.listen('cleanup');
    await until(() => heard.includes(id), 'the event is published');
    await until(() => said('can relay events again').length === 1, 'it says so');
    expect(said('could not relay events')).toHaveLength(1);
    expect(part.ready?.()).toBeNull();
  });

  it('grants nothing while the broker is away', async () => {
    await fixture.messaging.close();
    await fixture.dispatch(OFTEN);
    const id = await fixture.accept();
    await until(() => said('could not grant work').length > 0, 'it has failed');
    expect(await fixture.store.get(id)).toMatchObject({ grantedUntil: null });
  });

  it('one event that no broker takes does not hold up the others, nor the granting of work', async () => {
    await fixture.fillCleanupQueue();
    const [poison, waiting] = [await failed('poison'), await fixture.accept()];
    const granted = await fixture.listen('transcription');
    await fixture.dispatch(OFTEN);
    await atLeast(1, granted);
    expect(granted).toEqual([waiting]);
    const left = async () => (await fixture.store.outbox(10)).map(({ message }) => [message.type, message.data.callId]);
    expect(await until(left, ({ length }) => length === 1)).toEqual([['call.failed', poison]]);
  });

  it('goes on when a store that failed answers again; it says so once', async () => {
    const id = await fixture.accept();
    const unlock = lockWrites(fixture.file);
    await fixture.dispatch(OFTEN);
    const heard = await fixture.listen('transcription');
    await until(() => said('could not relay events').length > 0, 'it has failed');
    await triedTwice();
    unlock();
    await atLeast(1, heard);
    expect(heard).toEqual([id]);
    expect(said('could not')).toHaveLength(1);
  });

  it('does not take back a call whose lease ended while the store was away: its worker lives, and finds the store again', async () => {
    const id = await fixture.accept();
    const lease = await fixture.claim(id);
    const unlock = lockWrites(fixture.file);
    await fixture.dispatch(OFTEN);
    await until(() => said('could not relay events').length > 0, 'it has failed');
    fixture.offset = DEFAULT_POLICY.leaseMs + 1;
    unlock();
    await until(() => said('can relay events again').length > 0, 'it goes on');
    await fixture.anotherRound();
    expect(await fixture.store.get(id)).toMatchObject({ attempt: lease.attempt, failures: 0, lease: {} });
    // A worker that is really gone has not come back by then.
    fixture.pass(DEFAULT_POLICY.leaseMs + 1);
    await until(
      () => fixture.store.get(id),
      (call) => call?.lease === null,
    );
    expect(await fixture.store.get(id)).toMatchObject({ failures: 1, lastFailure: { code: 'worker_lost' } });
  });

  it('announces the calls that were granted beside one that could not be', async () => {
    // Six are worked on, so three may wait in the queue.
    for (let n = 0; n < 6; n += 1) await fixture.claim(await fixture.accept(`busy_${n}`));
    const [unlucky, ...others] = [await fixture.accept('a'), await fixture.accept('b'), await fixture.accept('c')];
    execute(
      fixture.file,
      `CREATE TRIGGER refuse BEFORE UPDATE ON calls WHEN old.id = '${unlucky}'
       BEGIN SELECT RAISE(ABORT, 'refused'); END`,
    );
    const heard = await fixture.listen('transcription');
    await fixture.dispatch();
    await atLeast(2, heard);
    expect(heard.sort()).toEqual(others.sort());
    execute(fixture.file, 'DROP TRIGGER refuse');
    await atLeast(3, heard);
    expect(heard).toContain(unlucky);
  });
});

import { getEventListeners } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type CircuitBreakerOptions, CircuitOpen, circuitBreaker } from './circuit-breaker.ts';
import { type Failure, WorkError } from './failures.ts';
import { makeLogger } from './log.ts';
import { makeMetrics } from './metrics.ts';

const UNAVAILABLE = { code: 'accounts_unavailable', message: 'The accounts service does not answer.' };
const down = new WorkError({ kind: 'transient', code: 'connection_refused', message: 'No connection.' });
const failsWith = (error: unknown) => Promise.reject(error);
const fails = () => failsWith(down);
const answers = async () => 'an answer';
const never = () => new Promise<never>(() => {});

function scene(options: Partial<CircuitBreakerOptions> = {}) {
  const lines: Record<string, unknown>[] = [];
  const metrics = makeMetrics();
  const log = makeLogger('test', 'info', { write: (line) => lines.push(JSON.parse(line)) });
  const breaker = circuitBreaker('accounts', {
    unavailable: UNAVAILABLE,
    deadlineMs: 5_000,
    openMs: 60_000,
    log,
    metrics,
    ...options,
  });
  const outcome = (call: (signal: AbortSignal) => Promise<unknown>, callOptions = {}): Promise<unknown> =>
    breaker.run(call, callOptions).catch((error) => error);
  const repeat = async (times: number, call: () => Promise<unknown>) => {
    for (let done = 0; done < times; done += 1) await outcome(call);
  };
  const becomes = (state: string) =>
    until(
      () => breaker.state,
      (now) => now === state,
    );
  const halfOpen = async () => {
    await repeat(5, fails);
    await becomes('half-open');
  };
  const metric = async () => (await metrics.circuitBreakerState.get()).values;
  const said = () => lines.map(({ msg }) => msg);
  return { breaker, outcome, repeat, becomes, halfOpen, metric, said, lines };
}

const failure = (kind: 'transient' | 'rejected' | 'out-of-quota' | 'bug') =>
  new WorkError({ kind, code: 'of_the_vendor', message: 'No.' });
const rateLimited = (until: Date) =>
  new WorkError({ kind: 'rate-limited', code: 'rate_limited', message: 'Later.', until } satisfies Failure);

describe('a circuit', () => {
  it('is closed at first, and gives answers and errors through as they are', async () => {
    const { breaker, outcome } = scene();
    expect(await breaker.run(answers)).toBe('an answer');
    expect(await outcome(() => fails())).toBe(down);
    expect(
      await outcome(() => {
        throw down;
      }),
    ).toBe(down);
    expect(breaker.state).toBe('closed');
    expect(breaker.openUntil).toBeNull();
  });

  it('opens at the fifth failure, not at the first', async () => {
    const { breaker, repeat } = scene();
    await repeat(4, fails);
    expect(breaker.state).toBe('closed');
    await repeat(1, fails);
    expect(breaker.state).toBe('open');
  });

  it('stays closed while half of the calls are answered', async () => {
    const { breaker, repeat } = scene();
    for (let turn = 0; turn < 50; turn += 1) {
      await repeat(1, answers);
      await repeat(1, fails);
    }
    expect(breaker.state).toBe('closed');
  });

  it('opens soon when the dependency dies, however many calls it has answered before', async () => {
    const { breaker, repeat } = scene();
    await repeat(1_000, answers);
    await repeat(12, fails);
    expect(breaker.state).toBe('open');
  });

  it('that is open refuses without asking, says when to come again, and is transient for the caller', async () => {
    const { breaker, outcome, repeat } = scene({ openMs: 60_000 });
    await repeat(5, fails);
    const refusal = await outcome(() => {
      throw new Error('it was asked');
    });
    expect(refusal).toBeInstanceOf(CircuitOpen);
    expect((refusal as CircuitOpen).failure).toEqual({ kind: 'transient', ...UNAVAILABLE });
    expect((refusal as CircuitOpen).retryAt).toEqual(breaker.openUntil);
    expect(breaker.openUntil?.getTime()).toBeGreaterThan(Date.now());
  });

  it('tells its state as a metric and each change as a line, with what made it open', async () => {
    const { becomes, halfOpen, metric, outcome, said, lines } = scene({ openMs: 20 });
    const value = (state: number) => [{ labels: { dependency: 'accounts' }, value: state }];
    expect(await metric()).toEqual(value(0));
    await halfOpen();
    expect(await metric()).toEqual(value(1));
    await outcome(fails);
    expect(await metric()).toEqual(value(2));
    await becomes('half-open');
    await outcome(answers);
    expect(await metric()).toEqual(value(0));
    const [open, tries, closed] = [
      'circuit open: requests are refused',
      'circuit half-open: the next request is a trial',
      'circuit closed',
    ];
    expect(said()).toEqual([open, tries, open, tries, closed]);
    expect(lines[0]).toMatchObject({ level: 'warn', dependency: 'accounts', err: { message: 'No connection.' } });
  });
});

describe('what counts against a dependency', () => {
  it('is that it asks to wait, and it is left alone for as long as it asked', async () => {
    const { breaker, outcome, repeat, becomes } = scene({ openMs: 10 });
    const later = new Date(Date.now() + 3_600_000);
    await repeat(5, () => failsWith(rateLimited(later)));
    await becomes('half-open');
    expect(breaker.openUntil).toEqual(later);
    expect(await outcome(answers)).toMatchObject({ name: 'CircuitOpen', retryAt: later });
  });

  it.each(['rejected', 'out-of-quota', 'bug'] as const)('is not a failure that is %s', async (kind) => {
    const { breaker, repeat } = scene();
    await repeat(30, () => failsWith(failure(kind)));
    expect(breaker.state).toBe('closed');
    await repeat(5, fails);
    expect(breaker.state).toBe('open');
  });

  it('is not a failure that its options do not count', async () => {
    const { breaker, repeat } = scene({ countsAsFailure: ({ kind }) => kind === 'transient' });
    await repeat(30, () => failsWith(rateLimited(new Date(Date.now() + 3_600_000))));
    expect(breaker.state).toBe('closed');
    expect(breaker.openUntil).toBeNull();
    await repeat(5, fails);
    expect(breaker.state).toBe('open');
  });

  it('is not what nobody classified, nor the open circuit of another', async () => {
    const { breaker, repeat } = scene();
    await repeat(30, () => failsWith(new TypeError('x is undefined')));
    await repeat(30, () => failsWith(new CircuitOpen(UNAVAILABLE, new Date())));
    expect(breaker.state).toBe('closed');
  });

  it('is not a call that its caller gave up, whatever the call makes of that', async () => {
    const { breaker, outcome } = scene();
    for (let turn = 0; turn < 30; turn += 1) {
      const caller = new AbortController();
      const given = outcome(
        (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(down))),
        { signal: caller.signal },
      );
      caller.abort(new Error('the service stops'));
      expect(await given).toEqual(new Error('the service stops'));
    }
    expect(breaker.state).toBe('closed');
  });

  it('is not a call that its caller gave up because something else failed', async () => {
    const { breaker, outcome } = scene();
    for (let turn = 0; turn < 30; turn += 1) {
      const caller = new AbortController();
      const given = outcome(never, { signal: caller.signal });
      caller.abort(down);
      expect(await given).toBe(down);
    }
    expect(breaker.state).toBe('closed');
  });

  it('is not asked for by a caller who has given up already', async () => {
    const { outcome } = scene();
    let asked = false;
    const gone = AbortSignal.abort(new Error('gone'));
    const ask = async () => {
      asked = true;
    };
    expect(await outcome(ask, { signal: gone })).toEqual(new Error('gone'));
    expect(asked).toBe(false);
  });
});

describe('a dependency that is too slow', () => {
  const stops: (() => void)[] = [];
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
  });
  /** An HTTP server that takes every request and answers none. */
  const silentServer = async () => {
    let given = 0;
    const server = createServer((_req, res) => res.on('close', () => (given += 1)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stops.push(() => server.close().closeAllConnections());
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, givenUp: () => given };
  };

  it('is transient for the caller at the deadline, and opens the circuit', async () => {
    const { breaker, outcome, repeat } = scene({ deadlineMs: 5 });
    const late = await outcome(never);
    expect(late).toMatchObject({ name: 'WorkError', failure: { kind: 'transient', ...UNAVAILABLE } });
    expect((late as Error).cause).toEqual(new Error('accounts did not answer within 5 ms'));
    await repeat(4, never);
    expect(breaker.state).toBe('open');
  });

  it('opens the circuit also when each call takes longer than the window of the count', async () => {
    // The default window of opossum ends after ten seconds. Here time is not waited for: it passes between the calls.
    const { breaker, outcome } = scene({ deadlineMs: 30_000 });
    const { now } = performance;
    let hours = 0;
    try {
      performance.now = () => now.call(performance) + hours * 3_600_000;
      for (let turn = 0; turn < 5; turn += 1) {
        await outcome(async () => {
          hours += 20 / 3_600;
          throw down;
        });
      }
    } finally {
      performance.now = now;
    }
    expect(breaker.state).toBe('open');
  });

  it('has its requests canceled, each by its own deadline and no other', async () => {
    const { breaker, outcome } = scene();
    const { url, givenUp } = await silentServer();
    let isPatientWaiting = true;
    void outcome((signal) => fetch(url, { signal })).then(() => {
      isPatientWaiting = false;
    });
    const hasty = outcome((signal) => fetch(url, { signal }), { deadlineMs: 20 });
    expect(await hasty).toMatchObject({ failure: UNAVAILABLE });
    await until(givenUp, (count) => count > 0);
    expect([isPatientWaiting, givenUp()]).toEqual([true, 1]);
    expect(breaker.state).toBe('closed');
  });

  it('leaves nothing behind of a call that has ended, however it ended', async () => {
    const { outcome } = scene({ deadlineMs: 20 });
    const caller = new AbortController();
    const signals: AbortSignal[] = [];
    const keep = (call: () => Promise<unknown>) => (signal: AbortSignal) => {
      signals.push(signal);
      return call();
    };
    for (const call of [answers, fails, never]) await outcome(keep(call), { signal: caller.signal });
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
    // The last of the three was late. By now the deadlines of the others are over too, and tell them nothing.
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, true]);
  });

  it('may take as long as it likes where the caller sets the pace', async () => {
    const { outcome } = scene({ deadlineMs: 5 });
    const answer = Promise.withResolvers<string>();
    const patient = outcome(() => answer.promise, { deadlineMs: null });
    expect(await outcome(never)).toMatchObject({ failure: UNAVAILABLE });
    answer.resolve('done');
    expect(await patient).toBe('done');
  });
});

describe('a circuit that is half-open', () => {
  it('lets one call through and refuses the others until it has ended', async () => {
    const { outcome, halfOpen, breaker } = scene({ openMs: 20 });
    await halfOpen();
    const gate = Promise.withResolvers<string>();
    const tries = outcome(() => gate.promise);
    expect(await outcome(answers)).toBeInstanceOf(CircuitOpen);
    expect(breaker.state).toBe('half-open');
    gate.resolve('back');
    expect(await tries).toBe('back');
    expect(await outcome(answers)).toBe('an answer');
  });

  it('closes after a success, and what failed before is forgotten', async () => {
    const { breaker, repeat, halfOpen } = scene({ openMs: 20 });
    await halfOpen();
    await repeat(1, answers);
    expect(breaker.state).toBe('closed');
    await repeat(3, fails);
    expect(breaker.state).toBe('closed');
    await repeat(2, fails);
    expect(breaker.state).toBe('open');
  });

  it('opens again after a failure, which tells of the dependency and not of what was asked', async () => {
    const { breaker, outcome, halfOpen } = scene({ openMs: 20 });
    await halfOpen();
    const refused = await outcome(fails);
    expect(breaker.state).toBe('open');
    expect(refused).toBeInstanceOf(CircuitOpen);
    expect((refused as CircuitOpen).cause).toBe(down);
  });

  it.each([
    ['the file was rejected', () => failsWith(failure('rejected'))],
    ['the account is empty', () => failsWith(failure('out-of-quota'))],
    ['the call met a bug', () => failsWith(new TypeError('x is undefined'))],
  ])('stays so when %s, and the next call tries', async (_, call) => {
    const { breaker, outcome, repeat, halfOpen } = scene({ openMs: 20 });
    await halfOpen();
    await repeat(3, call);
    expect(breaker.state).toBe('half-open');
    expect(await outcome(answers)).toBe('an answer');
    expect(breaker.state).toBe('closed');
  });

  it('stays so when the caller gives its try up, and the next call tries', async () => {
    const { breaker, outcome, halfOpen } = scene({ openMs: 20 });
    await halfOpen();
    const caller = new AbortController();
    const given = outcome(never, { signal: caller.signal });
    caller.abort(new Error('the client is gone'));
    await given;
    expect(breaker.state).toBe('half-open');
    expect(await outcome(answers)).toBe('an answer');
  });

  it.each([
    ['an answer', async (end: PromiseWithResolvers<string>) => end.resolve('late')],
    ['a failure', async (end: PromiseWithResolvers<string>) => end.reject(down)],
  ])('takes no notice of %s to a call from before it opened', async (_, end) => {
    const { breaker, outcome, halfOpen } = scene({ openMs: 20 });
    const gate = Promise.withResolvers<string>();
    const before = outcome(() => gate.promise);
    await halfOpen();
    await end(gate);
    await before;
    expect(breaker.state).toBe('half-open');
  });

  it('does not wait for ever for a try without a deadline', async () => {
    const { outcome, halfOpen } = scene({ openMs: 20, deadlineMs: 20 });
    await halfOpen();
    void outcome(never, { deadlineMs: null });
    await until(
      () => outcome(answers),
      (answer) => answer === 'an answer',
    );
  });
});

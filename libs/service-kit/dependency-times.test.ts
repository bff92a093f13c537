import { expect, it } from '@jest/globals';
import { circuitBreaker } from './circuit-breaker.ts';
import { WorkError } from './failures.ts';
import { makeLogger } from './log.ts';
import { makeMetrics } from './metrics.ts';

const unavailable = { code: 'store_unavailable', message: 'The store does not answer.' };
const failing = (kind: 'transient' | 'rejected') => async () => {
  throw new WorkError({ kind, code: 'of_the_store', message: 'No.' });
};

it('measures each request to a dependency, but none that the circuit refused or its caller gave up', async () => {
  const metrics = makeMetrics();
  const breaker = circuitBreaker('store', { unavailable, deadlineMs: 5, log: makeLogger('test', 'silent'), metrics });
  const measured = async () => {
    const { values } = await metrics.dependencySeconds.get();
    const counts = values.filter(({ metricName }) => metricName?.endsWith('_count'));
    return Object.fromEntries(counts.map(({ labels, value }) => [`${labels.dependency} ${labels.outcome}`, value]));
  };
  const ask = (call: () => Promise<unknown>, signal?: AbortSignal) => breaker.run(call, { signal }).catch(() => {});
  const forever = () => new Promise<never>(() => {});

  await ask(async () => 'an answer');
  await ask(failing('rejected'));
  expect(await measured()).toEqual({ 'store answered': 2 });

  const caller = new AbortController();
  const givenUp = ask(forever, caller.signal);
  caller.abort();
  await givenUp;
  expect(await measured()).toEqual({ 'store answered': 2 });

  await ask(forever);
  for (let failures = 0; failures < 3; failures += 1) await ask(failing('transient'));
  expect(breaker.state).toBe('open');
  await ask(async () => 'refused');
  expect(await measured()).toEqual({ 'store answered': 2, 'store failed': 4 });
  const { values } = await metrics.dependencySeconds.get();
  const sum = values.find(({ metricName, labels }) => metricName?.endsWith('_sum') && labels.outcome === 'failed');
  // The one that ended at the deadline of 5 ms.
  expect(sum?.value).toBeGreaterThanOrEqual(0.004);
});

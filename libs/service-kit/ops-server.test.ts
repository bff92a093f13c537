import { performance } from 'node:perf_hooks';
import { describe, expect, it } from '@jest/globals';
import { makeMetrics } from './metrics.ts';
import { startOpsServer } from './ops-server.ts';

describe('the port for operators', () => {
  it('makes the text of the metrics once a second at most, however often it is asked', async () => {
    const metrics = makeMetrics();
    let made = 0;
    const { metrics: real } = metrics.registry;
    metrics.registry.metrics = () => {
      made += 1;
      return real.call(metrics.registry);
    };
    const ops = await startOpsServer({ host: '127.0.0.1', port: 0 }, { metrics, whyNotReady: async () => [] });
    const began = performance.now();
    const texts = await Promise.all(Array.from({ length: 50 }, async () => (await fetch(`${ops.url}/metrics`)).text()));
    const seconds = (performance.now() - began) / 1_000;
    ops.close();
    expect(made).toBeLessThanOrEqual(1 + Math.floor(seconds));
    expect(texts.filter((text) => !text.includes('audio_orphans_total'))).toEqual([]);
  });
});

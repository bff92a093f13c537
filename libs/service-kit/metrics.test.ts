import { describe, expect, it } from '@jest/globals';
import { makeMetrics } from './metrics.ts';

describe('metrics', () => {
  it('belong to their process alone: two sets side by side do not meet', async () => {
    const [one, other] = [makeMetrics(), makeMetrics()];
    one.audioOrphans.inc();
    expect(await one.registry.metrics()).toContain('audio_orphans_total 1');
    expect(await other.registry.metrics()).toContain('audio_orphans_total 0');
  });

  it('carry no label that could name a call, an account or a file', async () => {
    const metrics = await makeMetrics().registry.getMetricsAsArray();
    const labels = metrics.flatMap((metric) => ('labelNames' in metric ? (metric.labelNames as string[]) : []));
    expect(new Set(labels)).toEqual(
      new Set([
        'method',
        'route',
        'status',
        'format',
        'stage',
        'outcome',
        'kind',
        'code',
        'engine',
        'model',
        'direction',
        'type',
        'queue',
        'dependency',
        'reason',
      ]),
    );
  });

  it('tell of the process itself when asked to', async () => {
    expect(await makeMetrics({ processMetrics: true }).registry.metrics()).toContain('process_resident_memory_bytes');
    expect(await makeMetrics().registry.metrics()).not.toContain('process_resident_memory_bytes');
  });
});

import { describe, expect, it } from '@jest/globals';
import { circuitBreaker, withCircuitBreaker } from './circuit-breaker.ts';
import { WorkError } from './failures.ts';
import { makeLogger } from './log.ts';
import { makeMetrics } from './metrics.ts';

/** A shelf of books behind a network, with private state as the adapters have it. */
class Shelf {
  #asked = 0;
  #down = false;
  breakDown(): void {
    this.#down = true;
  }
  async take(book: string): Promise<string> {
    this.#asked += 1;
    if (this.#down)
      throw new WorkError({ kind: 'transient', code: 'shelf_unavailable', message: 'The shelf does not answer.' });
    return `${book} ${this.#asked}`;
  }
  asked(): number {
    return this.#asked;
  }
}

describe('a port behind a circuit breaker', () => {
  const make = () => {
    const shelf = new Shelf();
    const unavailable = { code: 'shelf_unavailable', message: 'The shelf does not answer.' };
    const breaker = circuitBreaker('shelf', {
      unavailable,
      deadlineMs: 1_000,
      log: makeLogger('test', 'silent'),
      metrics: makeMetrics(),
    });
    return { shelf, breaker, port: withCircuitBreaker(shelf, breaker, { asked: 'direct', breakDown: 'direct' }) };
  };

  it('gives and throws what the port gives and throws', async () => {
    const { shelf, port } = make();
    expect(await port.take('atlas')).toBe('atlas 1');
    shelf.breakDown();
    await expect(port.take('atlas')).rejects.toMatchObject({ failure: { code: 'shelf_unavailable' } });
  });

  it('is not asked while the circuit is open, except directly', async () => {
    const { shelf, breaker, port } = make();
    shelf.breakDown();
    while (breaker.state === 'closed') await port.take('atlas').catch(() => {});
    const asked = shelf.asked();
    await expect(port.take('atlas')).rejects.toMatchObject({ name: 'CircuitOpen' });
    expect(port.asked()).toBe(asked);
  });
});

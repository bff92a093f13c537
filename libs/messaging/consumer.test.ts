import { readFileSync } from 'node:fs';
import { CATALOGUE, QUEUE_NAMES, QUEUES } from '@call-analytics/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DELIVERY_LIMIT, settle } from './consumer.ts';

it('each message may take less time than the broker waits for an acknowledgement', () => {
  const definitions = readFileSync(`${import.meta.dirname}/../../deploy/rabbitmq/definitions.json`, 'utf8');
  const brokerMs = JSON.parse(definitions).policies[0].definition['consumer-timeout'];
  for (const type of QUEUE_NAMES.flatMap((queue) => QUEUES[queue]))
    expect(CATALOGUE[type].timeoutMs).toBeLessThan(brokerMs);
});

describe('what becomes of a delivery', () => {
  it.each([
    { kind: 'done' },
    { kind: 'skipped', reason: 'already completed' },
    { kind: 'retry', reason: 'later' },
  ] as const)('$kind is acknowledged, however often it was delivered', (outcome) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), (delivery) =>
        expect(settle(outcome, delivery)).toEqual({ act: 'ack' }),
      ),
    );
  });

  it('a retry with a time pauses the consumer until then', () => {
    const pauseUntil = new Date('2026-11-21T10:00:00Z');
    expect(settle({ kind: 'retry', reason: 'rate limit', pauseUntil }, 1)).toEqual({ act: 'ack', pauseUntil });
  });

  it('failed and unreadable are dead at once, with the reason', () => {
    expect(settle({ kind: 'failed', reason: 'no such call' }, 1)).toEqual({
      act: 'dead-letter',
      reason: 'no such call',
    });
    expect(settle({ kind: 'unreadable', reason: 'not JSON' }, 1)).toEqual({ act: 'dead-letter', reason: 'not JSON' });
  });

  it('a throw is delivered again until the limit, each time later, and never at once', () => {
    const delays = Array.from({ length: DELIVERY_LIMIT - 1 }, (_, i) =>
      settle({ kind: 'threw', error: new Error('bug') }, i + 1, 100),
    );
    // Doubling outgrows the spread of a fifth to each side, so the order holds for every random choice.
    let longestBefore = 0;
    for (const settlement of delays) {
      if (settlement.act !== 'redeliver') throw new Error(`not delivered again: ${settlement.act}`);
      expect(settlement.afterMs).toBeGreaterThan(longestBefore);
      longestBefore = settlement.afterMs;
    }
  });

  it('a throw at the limit, or beyond it, is dead and names the error', () => {
    fc.assert(
      fc.property(fc.integer({ min: DELIVERY_LIMIT, max: 1_000 }), (delivery) => {
        const settlement = settle({ kind: 'threw', error: new TypeError('x is not a function') }, delivery);
        expect(settlement).toEqual({
          act: 'dead-letter',
          reason: `threw at delivery ${delivery}: TypeError: x is not a function`,
        });
      }),
    );
  });
});

import { seeded } from '@call-analytics/test/audio/wave.ts';
import type { Arrival, Faults } from './in-process.ts';

/**
 * Faults that are the same for the same seed and the same order of publishing.
 * @param seed a whole number
 * @param options `drop`, `duplicate`, `delay` and `reorder` are chances from 0 to 1 (by default 0); a delayed copy
 *   arrives within `delayMs`
 */
export function seededFaults(
  seed: number,
  {
    drop = 0,
    duplicate = 0,
    delay = 0,
    reorder = 0,
    delayMs = 50,
  }: { drop?: number; duplicate?: number; delay?: number; reorder?: number; delayMs?: number },
): Faults {
  const random = seeded(seed);
  const arrival = (): Arrival => ({
    afterMs: random() < delay ? Math.ceil(random() * delayMs) : 0,
    place: random() < reorder ? random() : 1,
  });
  return () => {
    if (random() < drop) return [];
    return random() < duplicate ? [arrival(), arrival()] : [arrival()];
  };
}

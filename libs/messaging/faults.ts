// What a broker and its network may do to messages on their way, for tests. Given in code alone: no setting leads here.

/** One copy of a message on its way into a queue. */
export interface Arrival {
  afterMs: number;
  /** Where among the waiting messages it lands: 0 is the front, 1 the back. */
  place: number;
}

/**
 * Asked once per queue that a published message goes to.
 * @returns the copies that arrive: none when the message is lost, two when it is duplicated
 */
export type Faults = () => Arrival[];

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
  const random = mulberry32(seed);
  const arrival = (): Arrival => ({
    afterMs: random() < delay ? Math.ceil(random() * delayMs) : 0,
    place: random() < reorder ? random() : 1,
  });
  return () => {
    if (random() < drop) return [];
    return random() < duplicate ? [arrival(), arrival()] : [arrival()];
  };
}

/** A small generator with a seed, which Math.random does not take. Tommy Ettinger's mulberry32, public domain. */
function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

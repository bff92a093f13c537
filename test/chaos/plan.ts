import { seeded } from '../audio/wave.ts';

/** A fault that is to come. */
export interface Planned {
  kind: string;
  /** After the one before is over, in ms. */
  afterMs: number;
  /** For those that last, in ms. */
  forMs: number;
  /** 0 to 1: to which copy of a service, where there are several. */
  choice: number;
}

const PAUSE_MS = { least: 500, most: 4_000 };
const LASTS_MS = { least: 500, most: 8_000 };

/**
 * Faults without end, one after the other, all that is to be known of them decided by the seed. Each kind comes once
 * before one comes again.
 * @param lane of several that go on side by side, each with a sequence of its own
 */
export function* planFaults(kinds: readonly string[], seed: number, lane: number): Generator<Planned, never> {
  const random = seeded(seed * 1_000 + lane);
  const between = ({ least, most }: typeof PAUSE_MS) => Math.round(least + random() * (most - least));
  for (;;) {
    for (const kind of shuffled(kinds, random))
      yield { kind, afterMs: between(PAUSE_MS), forMs: between(LASTS_MS), choice: random() };
  }
}

function shuffled<T>(all: readonly T[], random: () => number): T[] {
  return all
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

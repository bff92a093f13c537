import type { Activity } from './activity.ts';
import { framesIn, type Levels, SILENCE_DB } from './frames.ts';
import { Marks } from './growing.ts';

// Two channels are two people only where they say different things. Where both sound at once and one's level goes up and down with the other's, it is the same voice:
// a recording copied to both channels, a stereo microphone in a room, or the other side's bleed. Levels are compared, not waveforms: a gain, a codec, an echo path
// or a phase changes the waveform and leaves the levels in step.

/** Each cell is judged by itself and its neighbours. */
const CELL = framesIn(500);
/** Both channels must sound for this long within the three cells to be compared. */
const LEAST_TOGETHER = framesIn(200);
/** Two voices at once differ by 8 dB and more around their mean difference; one voice heard twice by 1 to 3. */
const IN_STEP_DB = 3.5;
/** Levels that hardly move (two hums) are in step by chance: they must move more than they part. */
const LEAST_MOVEMENT = 1.5;
/** Only what is this near to the loudest is compared: a copy of the rest may lie under the noise. */
const COMPARED_DB = 15;
/** A copy this much quieter is the other side's bleed; nearer, both channels hold the same on equal terms. */
const BLEED_DB = 6;
/** An echo comes back this late at most. */
const LONGEST_ECHO = framesIn(320);
/** A line bleeds by the same amount all along: once so many cells agree on it, whatever is no louder than the bleed would be is bleed, also where noise or a word in between keeps the
 * levels from being in step. Looked for up to half a minute ahead, so that the beginning profits too. */
const AGREEING_CELLS = 8;
const AGREE_DB = 3;
const AHEAD = 60;
const CLEAR_BLEED_DB = 10;
const EXPLAINED_DB = 5;
const EXPLAINED_SHARE = 0.7;
const EXPLAINED_AROUND = framesIn(300);

/** At its ends a copy is followed into the next cells, for this long and while its difference stays this near to the mean. */
const FOLLOW = 2 * CELL;
const FOLLOW_DB = 8;
/** What remains of a sound beside a copy belongs to it when it is no longer than this. */
const REMNANT = framesIn(300);

/** Finds the speech of each of two channels that is only a copy of the other's. In a stream, like Activity. */
export class Copies {
  readonly #levels: Levels;
  readonly #activity: readonly [Activity, Activity];
  readonly #copied = [new Marks(), new Marks()] as const;
  readonly #equal = new Marks();
  /** Cells judged so far. */
  #cells = 0;
  /** Cells since when the bleed that was found has been applied. */
  #applied = 0;
  /** How often each whole number of dB was found to be the bleed into a channel. */
  readonly #bleeds = [new Uint32Array(100), new Uint32Array(100)] as const;
  #settled = 0;

  constructor(levels: Levels, activity: readonly [Activity, Activity]) {
    this.#levels = levels;
    this.#activity = activity;
  }

  get settled(): number {
    return this.#settled;
  }

  /** @returns whether the channel's speech in this frame is only a copy of the other channel's */
  at(channel: 0 | 1, frame: number): boolean {
    return this.#copied[channel].at(frame) === 1;
  }

  /** @returns whether both channels hold the same here, neither of them much louder */
  equalAt(frame: number): boolean {
    return this.#equal.at(frame) === 1;
  }

  /** Judges as much as the settled activity allows. @param ended no more of it will come */
  advance(ended: boolean): void {
    const known = Math.min(this.#activity[0].settled, this.#activity[1].settled);
    const needed = () => (this.#cells + 1) * CELL + FOLLOW + LONGEST_ECHO;
    while (this.#cells * CELL < known && (ended || known >= needed())) {
      const verdict = this.#judge(this.#cells, known);
      if (verdict !== null) this.#mark(this.#cells, verdict, known);
      this.#cells += 1;
      if (this.#cells > AHEAD) this.#apply(known);
    }
    while (ended && this.#applied < this.#cells) this.#apply(known);
    this.#settled = ended ? known : this.#applied * CELL;
  }

  /** Marks what the bleed found so far explains in the next cell. */
  #apply(known: number): void {
    const from = this.#applied * CELL;
    for (const channel of [0, 1] as const) {
      const bleedDb = agreed(this.#bleeds[channel]);
      if (bleedDb !== null) this.#explain(channel, bleedDb, from, Math.min(known, from + CELL), known);
    }
    this.#applied += 1;
  }

  #explain(channel: 0 | 1, bleedDb: number, from: number, to: number, known: number): void {
    const other = this.#levels.channels[1 - channel];
    const own = this.#activity[channel];
    if (other === undefined) return;
    const explained = (frame: number) => {
      let loudest = SILENCE_DB;
      for (let i = Math.max(0, frame - LONGEST_ECHO); i <= Math.min(known - 1, frame + 1); i += 1)
        loudest = Math.max(loudest, other.at(i));
      return this.#level(channel, frame) <= loudest - bleedDb + EXPLAINED_DB;
    };
    let sounding = 0;
    let quiet = 0;
    const count = (frame: number, by: 1 | -1) => {
      if (frame < 0 || frame >= known || !own.at(frame)) return;
      sounding += by;
      if (explained(frame)) quiet += by;
    };
    for (let i = from - EXPLAINED_AROUND; i < from + EXPLAINED_AROUND; i += 1) count(i, 1);
    for (let i = from; i < to; i += 1) {
      count(i + EXPLAINED_AROUND, 1);
      if (own.at(i) && quiet >= EXPLAINED_SHARE * sounding) this.#copied[channel].set(i, i + 1, 1);
      count(i - EXPLAINED_AROUND, -1);
    }
  }

  /** @returns null where the channels differ, or where there is too little to tell */
  #judge(cell: number, known: number): Same | null {
    const from = Math.max(0, (cell - 1) * CELL);
    const to = Math.min(known, (cell + 2) * CELL);
    let best = this.#compare(from, to, 0);
    if (best === null) return null;
    // Only the quieter channel can be the echo, and it is the later one.
    const later = best.differenceDb > 0 ? 1 : -1;
    for (let lag = 1; lag <= LONGEST_ECHO && best.spreadDb > IN_STEP_DB; lag += 1) {
      const late = this.#compare(from, to, later * lag);
      if (late !== null && late.spreadDb < best.spreadDb && later * late.differenceDb > BLEED_DB) best = late;
    }
    return best.spreadDb <= IN_STEP_DB && best.movementDb >= LEAST_MOVEMENT * best.spreadDb ? best : null;
  }

  /** Compares channel 0 with what channel 1 holds `shift` frames later, where both sound. @returns null when that is too short to tell */
  #compare(from: number, to: number, shift: number): Same | null {
    const [first, second] = this.#activity;
    let loudest = SILENCE_DB;
    for (let i = from; i < to; i += 1) loudest = Math.max(loudest, this.#level(0, i), this.#level(1, i));
    let n = 0;
    let difference = 0;
    let differenceSquares = 0;
    let level = 0;
    let levelSquares = 0;
    for (let i = Math.max(from, -shift); i < to; i += 1) {
      if (!first.at(i) || !second.at(i + shift)) continue;
      const here = this.#level(0, i);
      const there = this.#level(1, i + shift);
      if (Math.max(here, there) < loudest - COMPARED_DB) continue;
      const apart = here - there;
      n += 1;
      difference += apart;
      differenceSquares += apart * apart;
      level += here;
      levelSquares += here * here;
    }
    if (n < LEAST_TOGETHER) return null;
    const deviation = (squares: number, sum: number) => Math.sqrt(Math.max(0, squares / n - (sum / n) ** 2));
    return {
      differenceDb: difference / n,
      spreadDb: deviation(differenceSquares, difference),
      movementDb: deviation(levelSquares, level),
      shift,
    };
  }

  /** The level over three frames, so that an echo that is late by half a frame stays in step. */
  #level(channel: 0 | 1, frame: number): number {
    const levels = this.#levels.channels[channel];
    if (levels === undefined) return SILENCE_DB;
    const last = levels.length - 1;
    if (frame < 1 || frame >= last) return levels.at(frame < 0 ? 0 : Math.min(frame, last));
    return (levels.at(frame - 1) + levels.at(frame) + levels.at(frame + 1)) / 3;
  }

  #mark(cell: number, same: Same, known: number): void {
    const from = cell * CELL;
    const to = Math.min(known, from + CELL);
    const equal = Math.abs(same.differenceDb) < BLEED_DB;
    if (equal) this.#equal.set(from, to, 1);
    // Where both are about as loud, which one is the quieter changes from word to word: the copy is then always the second.
    const copy = equal || same.differenceDb > 0 ? 1 : 0;
    if (!equal)
      this.#bleeds[copy][Math.min(99, Math.round(Math.abs(same.differenceDb)))] =
        (this.#bleeds[copy][Math.min(99, Math.round(Math.abs(same.differenceDb)))] ?? 0) + 1;
    this.#copied[copy].set(
      this.#follow(copy, same, from, -1, known),
      this.#follow(copy, same, to - 1, 1, known) + 1,
      1,
    );
  }

  /** @returns the last frame, from `edge` on in the direction of `step`, that still belongs to the copy */
  #follow(copy: 0 | 1, same: Same, edge: number, step: 1 | -1, known: number): number {
    const sounds = (frame: number) => frame >= 0 && frame < known && this.#activity[copy].at(frame);
    let end = edge;
    while (Math.abs(end - edge) <= REMNANT && sounds(end + step)) end += step;
    if (Math.abs(end - edge) <= REMNANT) return end;
    const back = copy === 1 ? 0 : same.shift;
    const inStep = (frame: number) => {
      const apart = this.#level(0, frame - (copy === 1 ? same.shift : 0)) - this.#level(1, frame + back);
      return Math.abs(apart - same.differenceDb) <= FOLLOW_DB;
    };
    for (end = edge; Math.abs(end - edge) < FOLLOW && sounds(end + step) && inStep(end + step); ) end += step;
    return end;
  }
}

/** @returns the bleed in dB that most of the cells agree on, or null */
function agreed(found: Uint32Array): number | null {
  let all = 0;
  for (const count of found) all += count;
  let median = 0;
  for (let seen = found[0] ?? 0; seen < all / 2; seen += found[median] ?? 0) median += 1;
  let near = 0;
  for (let db = median - AGREE_DB; db <= median + AGREE_DB; db += 1) near += found[db] ?? 0;
  return near >= AGREEING_CELLS && near >= all / 2 && median >= CLEAR_BLEED_DB ? median : null;
}

interface Same {
  /** Mean of channel 0 minus channel 1. */
  differenceDb: number;
  spreadDb: number;
  movementDb: number;
  /** Frames by which channel 1 is later. */
  shift: number;
}

import { FrameFlags, framesIn, type Levels, SILENCE_DB } from './frames.ts';
import type { VoiceActivity } from './voice-activity.ts';

// Finds out whether two channels are two people. Where their levels rise and fall together, they hold the same voice (a
// copied channel, a stereo microphone in a room, crosstalk); waveforms also differ by a gain, a codec, an echo or a
// phase shift.

/** Each cell is judged together with its neighbors. */
const CELL = framesIn(500);
/** The shortest time that both channels must sound within the three cells. */
const MIN_TOGETHER = framesIn(200);
/** The difference of two voices varies by 8 dB and more, that of one voice on two channels by 1 to 3 dB. */
const IN_STEP_DB = 3.5;
/** Levels that hardly move, such as two hums, match by chance: they must move more than they differ. */
const MIN_MOVEMENT = 1.5;
/** Only levels this near to the loudest are compared: copies of softer ones may lie under the noise. */
const COMPARED_DB = 15;
/** A copy that is quieter than this is bleed; otherwise both channels hold the same voice equally. */
const BLEED_DB = 6;
/** The longest delay of an echo. */
const MAX_ECHO = framesIn(320);
/**
 * A line bleeds by a constant amount. Once this many cells, up to half a minute ahead, agree on it, every sound that is
 * not louder than the bleed counts as bleed, also where noise hides the match.
 */
const AGREEING_CELLS = 8;
const AGREE_DB = 3;
const AHEAD = 60;
const CLEAR_BLEED_DB = 10;
const EXPLAINED_DB = 5;
const EXPLAINED_SHARE = 0.7;
const EXPLAINED_AROUND = framesIn(300);

/** A copy extends into the next cells for at most this long, while its difference stays this near to the mean. */
const FOLLOW = 2 * CELL;
const FOLLOW_DB = 8;
/** The rest of a sound beside a copy belongs to the copy when it is not longer than this. */
const REMNANT = framesIn(300);

/** Finds the speech of one channel that is only a copy of the other, as a stream like VoiceActivity. */
export class CrosstalkDetector {
  readonly #levels: Levels;
  readonly #activity: readonly [VoiceActivity, VoiceActivity];
  readonly #copied = [new FrameFlags(), new FrameFlags()] as const;
  readonly #equal = new FrameFlags();
  /** Cells judged so far. */
  #cells = 0;
  /** Cells to which the bleed was applied so far. */
  #applied = 0;
  /** Histogram of the bleed into each channel, in whole dB. */
  readonly #bleeds = [new Uint32Array(100), new Uint32Array(100)] as const;
  #settled = 0;

  constructor(levels: Levels, activity: readonly [VoiceActivity, VoiceActivity]) {
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

  /** @returns whether both channels hold the same voice here at a similar level */
  equalAt(frame: number): boolean {
    return this.#equal.at(frame) === 1;
  }

  /** Judges as far as the settled activity allows. @param ended no more activity will come */
  advance(ended: boolean): void {
    const known = Math.min(this.#activity[0].settled, this.#activity[1].settled);
    const needed = () => (this.#cells + 1) * CELL + FOLLOW + MAX_ECHO;
    while (this.#cells * CELL < known && (ended || known >= needed())) {
      const verdict = this.#judge(this.#cells, known);
      if (verdict !== null) this.#mark(this.#cells, verdict, known);
      this.#cells += 1;
      if (this.#cells > AHEAD) this.#apply(known);
    }
    while (ended && this.#applied < this.#cells) this.#apply(known);
    this.#settled = ended ? known : this.#applied * CELL;
  }

  /** Marks the sounds of the next cell that the bleed found so far explains. */
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
      for (let i = Math.max(0, frame - MAX_ECHO); i <= Math.min(known - 1, frame + 1); i += 1)
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

  /** @returns null where the channels differ, or where there is too little sound to compare */
  #judge(cell: number, known: number): Same | null {
    const from = Math.max(0, (cell - 1) * CELL);
    const to = Math.min(known, (cell + 2) * CELL);
    let best = this.#compare(from, to, 0);
    if (best === null) return null;
    // Only the quieter channel can be the echo, and it is later.
    const later = best.differenceDb > 0 ? 1 : -1;
    for (let lag = 1; lag <= MAX_ECHO && best.spreadDb > IN_STEP_DB; lag += 1) {
      const late = this.#compare(from, to, later * lag);
      if (late !== null && late.spreadDb < best.spreadDb && later * late.differenceDb > BLEED_DB) best = late;
    }
    return best.spreadDb <= IN_STEP_DB && best.movementDb >= MIN_MOVEMENT * best.spreadDb ? best : null;
  }

  /** Compares channel 0 with channel 1 `shift` frames later, where both sound. @returns null when that is too short */
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
    if (n < MIN_TOGETHER) return null;
    const deviation = (squares: number, sum: number) => Math.sqrt(Math.max(0, squares / n - (sum / n) ** 2));
    return {
      differenceDb: difference / n,
      spreadDb: deviation(differenceSquares, difference),
      movementDb: deviation(levelSquares, level),
      shift,
    };
  }

  /** The mean of three frames, so that an echo that is half a frame late still matches. */
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
    // At equal levels the quieter channel changes from word to word, so the second always counts as the copy.
    const copy = equal || same.differenceDb > 0 ? 1 : 0;
    if (!equal) {
      const db = Math.min(99, Math.round(Math.abs(same.differenceDb)));
      this.#bleeds[copy][db] = (this.#bleeds[copy][db] ?? 0) + 1;
    }
    this.#copied[copy].set(
      this.#follow(copy, same, from, -1, known),
      this.#follow(copy, same, to - 1, 1, known) + 1,
      1,
    );
  }

  /** @returns the last frame that belongs to the copy, from `edge` in the direction of `step` */
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

/** @returns the bleed in dB that most cells agree on, or null */
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

// The layout is decided along the whole recording, because one decision at the start can be wrong later: after an
// announcement on both channels, when a second person comes late, or when a conference joins.

/** Each block is decided from the sound around it. */
const BLOCK = framesIn(5_000);
const AROUND = framesIn(30_000);
/** The shares of equal sound above which channels are mixed and below which they are kept apart. */
const MIX_ABOVE = 0.7;
const PART_BELOW = 0.4;
/** With less sound around a block the layout does not change. */
const MIN_SOUND = framesIn(1_000);

export type Layout = 'apart' | 'mixed';

/** Decides for each block of a stereo recording whether its channels are two people (apart) or the same (mixed). */
export class LayoutDetector {
  readonly #activity: readonly [VoiceActivity, VoiceActivity];
  readonly #crosstalk: CrosstalkDetector;
  readonly #blocks: Layout[] = [];

  constructor(activity: readonly [VoiceActivity, VoiceActivity], crosstalk: CrosstalkDetector) {
    this.#activity = activity;
    this.#crosstalk = crosstalk;
  }

  get settled(): number {
    return Math.min(this.#crosstalk.settled, this.#blocks.length * BLOCK);
  }

  at(frame: number): Layout {
    return this.#blocks[Math.floor(frame / BLOCK)] ?? 'apart';
  }

  advance(ended: boolean): void {
    const known = this.#crosstalk.settled;
    while (this.#blocks.length * BLOCK < known && (ended || known >= (this.#blocks.length + 1) * BLOCK + AROUND)) {
      this.#blocks.push(this.#decide(this.#blocks.length * BLOCK, known));
    }
  }

  #decide(block: number, known: number): Layout {
    let sound = 0;
    let equal = 0;
    for (let i = Math.max(0, block - AROUND); i < Math.min(known, block + BLOCK + AROUND); i += 1) {
      if (!this.#activity[0].at(i) && !this.#activity[1].at(i)) continue;
      sound += 1;
      if (this.#crosstalk.equalAt(i)) equal += 1;
    }
    const before = this.#blocks.at(-1) ?? 'apart';
    if (sound < MIN_SOUND) return before;
    const share = equal / sound;
    if (share >= MIX_ABOVE) return 'mixed';
    return share <= PART_BELOW ? 'apart' : before;
  }
}

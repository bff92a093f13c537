import { framesIn } from './frames.ts';

/** How long segments get and where they end. */
export interface SegmentShape {
  /** The longest segment. */
  maxMs: number;
  /** From a length of `fromMs` on, a pause of `pauseMs` ends the segment: the longer it is, the shorter. By length. */
  pauses: readonly { fromMs: number; pauseMs: number }[];
  /**
   * When the other person spoke for `spokenMs` in the pause, the shorter `pauseMs` ends the segment, so that turns stay
   * in order although a segment is one block of text. The longest `spokenMs` is first; an engine that gives times has
   * none.
   */
  turns: readonly { spokenMs: number; pauseMs: number }[];
}

/** What an engine accepts and returns. */
export interface SegmentLimits {
  /** The longest segment it should get. */
  maxSeconds: number;
  /** Whether it gives times; otherwise a segment is one utterance. */
  timestamps: boolean;
}

/**
 * Without times a segment is one utterance: it ends at a turn (not a word of assent, less than 0.2 s), or at a pause
 * that is long for what was said so far. Real phone calls give 350 to 550 segments an hour: enough context for the
 * engine in each, and far from its rate limits.
 */
const WITHOUT_TIMES: SegmentShape = {
  maxMs: 60_000,
  pauses: [
    { fromMs: 0, pauseMs: 2_000 },
    { fromMs: 3_000, pauseMs: 1_200 },
    { fromMs: 8_000, pauseMs: 700 },
    { fromMs: 15_000, pauseMs: 400 },
    { fromMs: 20_000, pauseMs: 240 },
    { fromMs: 40_000, pauseMs: 160 },
  ],
  turns: [
    { spokenMs: 1_000, pauseMs: 300 },
    { spokenMs: 200, pauseMs: 700 },
  ],
};

export function segmentShape({ maxSeconds, timestamps }: SegmentLimits): SegmentShape {
  const maxMs = maxSeconds * 1000;
  if (!timestamps) return { ...WITHOUT_TIMES, maxMs: Math.min(maxMs, WITHOUT_TIMES.maxMs) };
  return {
    maxMs,
    // Long silence is not sent. Within a segment the engine gives the times.
    pauses: [
      { fromMs: 0, pauseMs: 3_000 },
      { fromMs: maxMs * 0.5, pauseMs: 700 },
      { fromMs: maxMs * 0.75, pauseMs: 300 },
      { fromMs: maxMs * 0.9, pauseMs: 160 },
    ],
    turns: [],
  };
}

/** A part of one track from its first frame with speech to the one after its last. */
export interface Cut {
  from: number;
  to: number;
  /** Frames without speech that are known to follow. */
  pauseAfter: number;
}

/** Without a pause, the cut is at the quietest moment of this last share of the segment. */
const SEARCH_SHARE = 0.4;

/** Cuts one track (a channel, or the mix) into segments, frame by frame. */
export class SegmentCutter {
  readonly #shape: SegmentShape;
  readonly #maxFrames: number;
  readonly #levelAt: (frame: number) => number;
  #from: number | null = null;
  #lastSpeech = 0;
  #otherSpoke = 0;

  /** @param levelAt the level of a frame of this track, in dBFS */
  constructor(shape: SegmentShape, levelAt: (frame: number) => number) {
    this.#shape = shape;
    this.#maxFrames = framesIn(shape.maxMs);
    this.#levelAt = levelAt;
  }

  /** The first frame of the open segment; null between segments. */
  get openSince(): number | null {
    return this.#from;
  }

  /**
   * @param speaks whether this track holds speech in the frame
   * @param otherSpeaks whether the other person does
   * @returns the segment that ends here, if one does
   */
  step(frame: number, speaks: boolean, otherSpeaks: boolean): Cut | null {
    if (this.#from === null) {
      if (!speaks) return null;
      this.#from = frame;
    }
    if (speaks) {
      this.#lastSpeech = frame;
      this.#otherSpoke = 0;
      return frame - this.#from + 1 >= this.#maxFrames ? this.#cutAtQuietest(this.#from, frame) : null;
    }
    if (otherSpeaks) this.#otherSpoke += 1;
    return frame - this.#lastSpeech >= this.#neededPause(this.#from) ? this.close(frame + 1) : null;
  }

  /** Ends the open segment, if there is one. @param at the frame up to which the track is known */
  close(at: number): Cut | null {
    if (this.#from === null) return null;
    const cut = { from: this.#from, to: this.#lastSpeech + 1, pauseAfter: at - this.#lastSpeech - 1 };
    this.#from = null;
    this.#otherSpoke = 0;
    return cut;
  }

  #neededPause(from: number): number {
    const length = this.#lastSpeech - from + 1;
    const byLength = this.#shape.pauses.findLast(({ fromMs }) => length >= framesIn(fromMs));
    const byTurn = this.#shape.turns.find(({ spokenMs }) => this.#otherSpoke >= framesIn(spokenMs));
    return framesIn(
      Math.min(byLength?.pauseMs ?? Number.POSITIVE_INFINITY, byTurn?.pauseMs ?? Number.POSITIVE_INFINITY),
    );
  }

  #cutAtQuietest(from: number, frame: number): Cut {
    let quietest = frame;
    let least = Number.POSITIVE_INFINITY;
    for (let i = from + Math.round(this.#maxFrames * (1 - SEARCH_SHARE)); i < frame; i += 1) {
      const level = this.#levelAt(i - 1) + this.#levelAt(i) + this.#levelAt(i + 1);
      if (level > least) continue;
      least = level;
      quietest = i;
    }
    this.#from = quietest;
    return { from, to: quietest, pauseAfter: 0 };
  }
}

import { framesIn } from './frames.ts';
import type { PieceShape } from './shape.ts';

/** A stretch of one track from the first to the last frame with speech, in frames; `to` is the first frame after it. */
export interface Cut {
  from: number;
  to: number;
  /** Frames without speech that are known to follow. */
  pauseAfter: number;
}

/** When no pause was found, the cut goes into the quietest moment of this last share of the piece. */
const SEARCH_SHARE = 0.4;

/** Cuts one track (a channel, or the mix) into pieces, frame by frame. */
export class Cutter {
  readonly #shape: PieceShape;
  readonly #maxFrames: number;
  readonly #levelAt: (frame: number) => number;
  #from: number | null = null;
  #lastSpeech = 0;
  #otherSpoke = 0;

  /** @param levelAt the level of a frame of this track in dB, to find the quietest moment */
  constructor(shape: PieceShape, levelAt: (frame: number) => number) {
    this.#shape = shape;
    this.#maxFrames = framesIn(shape.maxMs);
    this.#levelAt = levelAt;
  }

  /** The first frame of the open piece; null between pieces. */
  get openSince(): number | null {
    return this.#from;
  }

  /**
   * @param speaks whether this track holds speech in the frame
   * @param otherSpeaks whether the other person does
   * @returns the piece that ends here, if one does
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

  /** Ends the open piece, if there is one. @param at the frame up to which the track is known */
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

/** How long pieces get and where they end. */
export interface PieceShape {
  /** No piece is longer. */
  maxMs: number;
  /** The longer a piece already is, the shorter the pause that ends it: from a length of `fromMs` on, a pause of `pauseMs`. In order of length. */
  pauses: readonly { fromMs: number; pauseMs: number }[];
  /**
   * When the other person has spoken for `spokenMs` in the pause, this shorter pause ends the piece: turns stay in order although a piece is one block of text.
   * In order of `spokenMs`, longest first. Empty where the engine itself says what was said when.
   */
  turns: readonly { spokenMs: number; pauseMs: number }[];
}

/** What an engine can take and give. */
export interface PieceLimits {
  /** The longest piece it should be given. */
  maxSeconds: number;
  /** Whether it says when things were said; otherwise a piece is one utterance. */
  timestamps: boolean;
}

/**
 * A piece of text without times is one utterance, so it ends where a listener would end the line: at a turn, or at a pause that is long for what was said so far.
 * Real phone calls give 6 to 9 pieces a minute, 350 to 550 for an hour: enough context for an engine to understand each, and far from its limits of requests.
 * A word of assent while the other goes on (less than 0.2 s of it in the pause) does not end a piece.
 */
const TEXT_ALONE: PieceShape = {
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

export function shapeFor({ maxSeconds, timestamps }: PieceLimits): PieceShape {
  const maxMs = maxSeconds * 1000;
  if (!timestamps) return { ...TEXT_ALONE, maxMs: Math.min(maxMs, TEXT_ALONE.maxMs) };
  return {
    maxMs,
    // Long silence is not sent; within a piece the engine's own times do the rest.
    pauses: [
      { fromMs: 0, pauseMs: 3_000 },
      { fromMs: maxMs * 0.5, pauseMs: 700 },
      { fromMs: maxMs * 0.75, pauseMs: 300 },
      { fromMs: maxMs * 0.9, pauseMs: 160 },
    ],
    turns: [],
  };
}

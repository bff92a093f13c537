import { describe, expect, it } from '@jest/globals';
import { FRAME_MS, framesIn } from './frames.ts';
import { type Cut, SegmentCutter, type SegmentShape, segmentShape } from './segment-cutter.ts';

const WITHOUT_TIMES = segmentShape({ maxSeconds: 480, timestamps: false });

/** Seconds with speech, on this track and on the other person's. */
type SpeechTimer = [from: number, to: number][];

function cut(
  own: SpeechTimer,
  other: SpeechTimer,
  shape: SegmentShape = WITHOUT_TIMES,
  levelAt: (frame: number) => number = () => -20,
): [number, number][] {
  const cutter = new SegmentCutter(shape, levelAt);
  const speaks = (talk: SpeechTimer, frame: number) =>
    talk.some(([from, to]) => frame >= framesIn(from * 1000) && frame < framesIn(to * 1000));
  const end = Math.max(...[...own, ...other].map(([, to]) => to)) + 5;
  const cuts: (Cut | null)[] = [];
  for (let frame = 0; frame < framesIn(end * 1000); frame += 1)
    cuts.push(cutter.step(frame, speaks(own, frame), speaks(other, frame)));
  cuts.push(cutter.close(framesIn(end * 1000)));
  return cuts
    .filter((segment) => segment !== null)
    .map(({ from, to }) => [(from * FRAME_MS) / 1000, (to * FRAME_MS) / 1000]);
}

describe('cutting at turns, for an engine that gives text alone', () => {
  it("keeps a person's words together across short pauses", () => {
    expect(
      cut(
        [
          [0, 2],
          [2.5, 4],
          [5, 7],
        ],
        [],
      ),
    ).toEqual([[0, 7]]);
  });

  it('ends a segment when the other person takes the turn, so that question and answer stay in order', () => {
    const talk: SpeechTimer = [
      [0, 2],
      [3.6, 6],
    ];
    expect(cut(talk, [[2.2, 3.4]])).toEqual(talk);
    expect(cut(talk, [])).toEqual([[0, 6]]);
  });

  it('keeps a yes to each question apart from the next one', () => {
    const talk: SpeechTimer = [
      [0, 0.4],
      [2.2, 2.6],
    ];
    expect(cut(talk, [[0.6, 2]])).toEqual(talk);
  });

  it('is not cut by a word of assent in a breath', () => {
    expect(
      cut(
        [
          [0, 3],
          [3.5, 6],
        ],
        [[3.1, 3.4]],
      ),
    ).toEqual([[0, 6]]);
  });

  it('ends at a shorter pause the longer a segment already is', () => {
    expect(
      cut(
        [
          [0, 5],
          [6, 9],
        ],
        [],
      ),
    ).toEqual([[0, 9]]);
    expect(
      cut(
        [
          [0, 10],
          [11, 14],
        ],
        [],
      ),
    ).toEqual([
      [0, 10],
      [11, 14],
    ]);
    expect(
      cut(
        [
          [0, 40],
          [40.3, 44],
        ],
        [],
      ),
    ).toEqual([
      [0, 40],
      [40.3, 44],
    ]);
  });
});

describe('cutting what never pauses', () => {
  it('goes into the quietest moment, and nothing is lost or doubled', () => {
    const levelAt = (frame: number) => (Math.abs(frame - framesIn(52_000)) <= 2 ? -40 : -20);
    const segments = cut([[0, 100]], [], WITHOUT_TIMES, levelAt);
    expect(segments[0]?.[0]).toBe(0);
    expect(segments[0]?.[1]).toBeCloseTo(52, 0);
    expect(segments[1]?.[0]).toBe(segments[0]?.[1]);
    expect(segments.at(-1)?.[1]).toBe(100);
  });

  it('never makes a segment longer than the engine takes', () => {
    for (const maxSeconds of [28, 300]) {
      const shape = segmentShape({ maxSeconds, timestamps: true });
      expect(Math.max(...cut([[0, 1_000]], [], shape).map(([from, to]) => to - from))).toBeLessThanOrEqual(maxSeconds);
    }
  });
});

describe('cutting for an engine that says when things were said', () => {
  const shape = segmentShape({ maxSeconds: 28, timestamps: true });

  it('goes on across turns, but not across long silence', () => {
    expect(
      cut(
        [
          [0, 2],
          [4, 6],
        ],
        [[2.2, 3.8]],
        shape,
      ),
    ).toEqual([[0, 6]]);
    expect(
      cut(
        [
          [0, 2],
          [6, 8],
        ],
        [],
        shape,
      ),
    ).toEqual([
      [0, 2],
      [6, 8],
    ]);
  });
});

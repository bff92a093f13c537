import { Activity } from './activity.ts';
import { Copies } from './copies.ts';
import { type Cut, Cutter } from './cutter.ts';
import { FRAME_MS, FRAME_SAMPLES, framesIn, Levels, SILENCE_DB } from './frames.ts';
import { type Layout, Layouts } from './layout.ts';
import type { PieceShape } from './shape.ts';
import { Talk } from './talk.ts';
import { Tape } from './tape.ts';

/** Part of the names under which results are kept: raise it when the same recording may be cut differently than before. */
export const PLAN_VERSION = 'plan1';

/** What one request of an engine gets to hear. Times are milliseconds from the start of the recording. */
export interface Piece {
  /** 0-based when the channel is one person; null when the piece holds everyone. */
  channel: number | null;
  startMs: number;
  endMs: number;
  /** From the first to the last sound of speech: a little less than the audio. */
  speechStartMs: number;
  speechEndMs: number;
  /** How long somebody speaks in it, and how loud at the loudest, in dBFS. */
  speechMs: number;
  loudestDb: number;
  /** Mono, 16 kHz. */
  samples: Int16Array;
}

/** What is known of a recording when all of it has been heard. */
export interface Heard {
  seconds: number;
  channels: number;
  /** Seconds with speech per channel while channels are kept apart, and in all, whoever speaks. A pause of less than half a second belongs to what is said. */
  speechSeconds: { channels: number[]; all: number };
}

/** Some sound around the speech, so that soft beginnings and ends of words are not lost. */
const BEFORE = framesIn(200);
const AFTER = framesIn(200);
/** A change of layout waits for a moment when nobody speaks, this long at most. */
const LAYOUT_WAIT = framesIn(3_000);

/**
 * Cuts a recording into pieces while it is being decoded. The pieces depend on the samples and the shape alone, never on how the samples were handed over, so that a second
 * try finds the same pieces. Up to 90 s of audio are looked at ahead; memory is bounded by that and the longest piece.
 */
export class Planner {
  readonly #channels: number;
  readonly #levels: Levels;
  readonly #tape: Tape;
  readonly #activity: readonly Activity[];
  readonly #pair: { copies: Copies; layouts: Layouts } | null = null;
  readonly #tracks: readonly Track[];
  readonly #talk: { channels: Talk[]; all: Talk };
  #layout: Layout = 'apart';
  #layoutWaits = 0;
  #next = 0;
  #samples = 0;
  #rest = new Int16Array(0);

  /** @param channels 1 or 2 */
  constructor(channels: number, shape: PieceShape) {
    this.#channels = channels;
    this.#levels = new Levels(channels);
    this.#tape = new Tape(channels);
    this.#activity = this.#levels.channels.map((levels) => new Activity(levels));
    const [first, second] = this.#activity;
    if (first !== undefined && second !== undefined) {
      const copies = new Copies(this.#levels, [first, second]);
      this.#pair = { copies, layouts: new Layouts([first, second], copies) };
    }
    const track = (channel: number | null) => ({
      channel,
      audioEnd: 0,
      cutter: new Cutter(shape, (frame) => this.#levelOf(channel, frame)),
    });
    this.#tracks = this.#pair === null ? [track(null)] : [track(0), track(1), track(null)];
    this.#talk = { channels: this.#activity.map(() => new Talk()), all: new Talk() };
  }

  /** @param samples interleaved, of any length that is a multiple of the channels @returns the pieces that are ready now, by the order of their ends */
  push(samples: Int16Array): Piece[] {
    this.#samples += samples.length;
    const joined = new Int16Array(this.#rest.length + samples.length);
    joined.set(this.#rest);
    joined.set(samples, this.#rest.length);
    const whole = joined.length - (joined.length % (FRAME_SAMPLES * this.#channels));
    this.#rest = joined.slice(whole);
    return this.#take(joined.subarray(0, whole), false);
  }

  /** The recording has ended. @returns the last pieces, and what was heard */
  end(): { pieces: Piece[]; heard: Heard } {
    const last = new Int16Array(this.#rest.length === 0 ? 0 : FRAME_SAMPLES * this.#channels);
    last.set(this.#rest);
    const pieces = this.#take(last, true);
    const { channels, all } = this.#talk;
    const seconds = this.#samples / this.#channels / (FRAME_SAMPLES * (1000 / FRAME_MS));
    return {
      pieces,
      heard: {
        seconds,
        channels: this.#channels,
        speechSeconds: { channels: channels.map((talk) => talk.seconds), all: all.seconds },
      },
    };
  }

  #take(samples: Int16Array, ended: boolean): Piece[] {
    this.#tape.push(samples);
    this.#levels.push(samples);
    for (const activity of this.#activity) activity.advance(ended);
    this.#pair?.copies.advance(ended);
    this.#pair?.layouts.advance(ended);
    const settled = this.#pair === null ? (this.#activity[0]?.settled ?? 0) : this.#pair.layouts.settled;
    const known = ended ? this.#levels.frames : settled;
    const pieces: Piece[] = [];
    for (; this.#next < known; this.#next += 1) pieces.push(...this.#step(this.#next));
    if (ended) pieces.push(...this.#closeAll(known));
    this.#tape.forget(
      Math.min(this.#next, ...this.#tracks.map(({ cutter }) => cutter.openSince ?? this.#next)) - BEFORE,
    );
    return pieces;
  }

  #step(frame: number): Piece[] {
    const sounds = this.#activity.map((activity) => activity.at(frame));
    const anyone = sounds.includes(true);
    const pieces = this.#followLayout(frame, anyone);
    if (anyone) this.#talk.all.at(frame);
    const speaks = this.#tracks.map(({ channel }) => this.#speaks(channel, frame, sounds));
    this.#tracks.forEach((track, index) => {
      if (track.channel !== null && speaks[index] === true) this.#talk.channels[track.channel]?.at(frame);
      const other = track.channel === null ? false : speaks[1 - track.channel] === true;
      const cut = track.cutter.step(frame, speaks[index] === true, other);
      if (cut !== null) pieces.push(this.#piece(track, cut));
    });
    return pieces;
  }

  /** Moves between apart and mixed at a moment when nobody speaks. */
  #followLayout(frame: number, anyone: boolean): Piece[] {
    const wanted = this.#pair?.layouts.at(frame) ?? 'mixed';
    if (wanted === this.#layout) {
      this.#layoutWaits = 0;
      return [];
    }
    this.#layoutWaits += 1;
    // At the very start nothing has to be finished first.
    if (anyone && frame > 0 && this.#layoutWaits < LAYOUT_WAIT) return [];
    this.#layout = wanted;
    this.#layoutWaits = 0;
    return this.#closeAll(frame);
  }

  #speaks(channel: number | null, frame: number, sounds: readonly boolean[]): boolean {
    if (channel === null) return this.#layout === 'mixed' && sounds.includes(true);
    return this.#layout === 'apart' && sounds[channel] === true && !this.#pair?.copies.at(channel === 0 ? 0 : 1, frame);
  }

  #closeAll(frame: number): Piece[] {
    return this.#tracks.flatMap((track) => {
      const cut = track.cutter.close(frame);
      return cut === null ? [] : [this.#piece(track, cut)];
    });
  }

  #piece(track: Track, { from, to, pauseAfter }: Cut): Piece {
    const start = Math.max(track.audioEnd, from - BEFORE, 0);
    // Half of a short pause stays for the piece that follows.
    const end = to + Math.min(AFTER, pauseAfter === 0 ? 0 : Math.ceil(pauseAfter / 2));
    track.audioEnd = end;
    let speech = 0;
    let loudestDb = SILENCE_DB;
    for (let frame = from; frame < to; frame += 1) {
      if (!this.#soundsOn(track.channel, frame)) continue;
      speech += 1;
      loudestDb = Math.max(loudestDb, this.#levelOf(track.channel, frame));
    }
    return {
      channel: track.channel,
      startMs: start * FRAME_MS,
      endMs: end * FRAME_MS,
      speechStartMs: from * FRAME_MS,
      speechEndMs: to * FRAME_MS,
      speechMs: speech * FRAME_MS,
      loudestDb,
      samples: this.#tape.read(track.channel, start, end),
    };
  }

  #soundsOn(channel: number | null, frame: number): boolean {
    return channel === null
      ? this.#activity.some((activity) => activity.at(frame))
      : this.#activity[channel]?.at(frame) === true;
  }

  #levelOf(channel: number | null, frame: number): number {
    const of = (index: number) => {
      const levels = this.#levels.channels[index];
      return levels === undefined || frame < 0 || frame >= levels.length ? SILENCE_DB : levels.at(frame);
    };
    return channel === null ? Math.max(of(0), of(1)) : of(channel);
  }
}

interface Track {
  channel: number | null;
  cutter: Cutter;
  /** The frame up to which the track's audio has been given to pieces. */
  audioEnd: number;
}

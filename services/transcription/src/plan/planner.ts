import { CrosstalkDetector, type Layout, LayoutDetector } from './channels.ts';
import { FRAME_MS, FRAME_SAMPLES, framesIn, Levels, SampleBuffer, SILENCE_DB, type Stretch } from './frames.ts';
import { type Cut, SegmentCutter, type SegmentShape } from './segment-cutter.ts';
import { SpeechTimer, VoiceActivity } from './voice-activity.ts';

/** Who speaks when, where people share a channel. */
export interface Voices {
  /** 0 to 1: how sure it is that so many people speak and that they were told apart. */
  confidence: number;
  /** In order, without gaps. `voice` is 0-based; `confidence` is that of this part, if the voices were told apart. */
  stretches: readonly { startMs: number; endMs: number; voice: number; confidence: number }[];
}

/** Audio in which people share one channel, by its place in the recording. Mono, 16 kHz. */
export interface SharedAudio {
  startMs: number;
  samples: Int16Array;
}

/**
 * What a pass over the recording cuts: all of it without voices; only the channels that are one person, giving the rest
 * as shared audio; nothing, giving that audio again; or only the rest, with the voices that were told apart in it.
 */
export type Pass = 'all' | 'apart' | 'shared' | { voices: Voices | null };

/** Part of the keys of saved results. Raise it when a recording may be cut differently than before. */
export const PLAN_VERSION = 'plan1';

/** The audio of one request to the engine. Times are in ms from the start of the recording. */
export interface AudioSegment {
  /** 0-based when the channel is one person; null for the mix of all. */
  channel: number | null;
  startMs: number;
  endMs: number;
  /** From the first to the last speech: a little less than the audio. */
  speechStartMs: number;
  speechEndMs: number;
  /** Where speech is, in order; its duration, and its highest level in dBFS. */
  speech: { startMs: number; endMs: number }[];
  speechMs: number;
  loudestDb: number;
  /** Where nothing is heard, in order: not even a soft word. None in noise. */
  silences: { startMs: number; endMs: number }[];
  /** Who speaks, when voices were told apart; `confidence` is 0 to 1. */
  voice?: { speaker: number; confidence: number };
  /** Mono, 16 kHz. */
  samples: Int16Array;
}

/** Measured once the whole recording is planned. */
export interface RecordingStats {
  seconds: number;
  channels: number;
  /** Seconds of speech per channel while kept apart, and of anyone. Includes pauses under half a second. */
  speechSeconds: { channels: number[]; all: number; voices?: number[] };
  /** Where two people speak at the same time, while the channels are kept apart. */
  overlaps: { startMs: number; endMs: number }[];
}

/** A channel of one person, or the mix of all channels, which is cut by itself. */
interface Track {
  channel: number | null;
  cutter: SegmentCutter;
  /** The frame up to which the track's audio is part of segments. */
  audioEnd: number;
  /** Who speaks in the open segment of the mix. */
  voice: number;
}

/** Audio added around speech, so that soft beginnings and ends of words are not lost. */
const BEFORE = framesIn(200);
const AFTER = framesIn(200);
/** Two voices at once for half a second; the edges that are added to speech are not counted. */
const MIN_OVERLAP_MS = 500;
const EDGES_MS = 160;
/** A change of layout waits for a pause, this long at most. */
const LAYOUT_WAIT = framesIn(3_000);

/**
 * Cuts a recording into segments while it is decoded, looking ahead up to 90 s, which bounds its memory. Segments
 * depend only on the samples and the shape, not on the chunks of input, so that a second attempt plans the same.
 */
export class Planner {
  readonly #channels: number;
  readonly #levels: Levels;
  readonly #buffer: SampleBuffer;
  readonly #activity: readonly VoiceActivity[];
  readonly #pair: { crosstalk: CrosstalkDetector; layouts: LayoutDetector } | null = null;
  readonly #pass: Pass;
  readonly #tracks: readonly Track[];
  readonly #turns: VoiceTurns | null;
  readonly #speech: { channels: SpeechTimer[]; all: SpeechTimer; voices: SpeechTimer[] };
  /** Frames up to here were given as shared audio, or are none. */
  #shared = 0;
  #sharedAudio: SharedAudio[] = [];
  readonly #overlaps: RecordingStats['overlaps'] = [];
  #layout: Layout = 'apart';
  /** Frames for which another layout has been wanted. */
  #layoutWaits = 0;
  /** The first frame that is not cut yet. */
  #nextFrame = 0;
  #sampleCount = 0;
  /** Samples of a frame that is not complete yet. */
  #rest = new Int16Array(0);

  /** @param channels 1 or 2 */
  constructor(channels: number, shape: SegmentShape, pass: Pass = 'all') {
    this.#channels = channels;
    this.#pass = pass;
    this.#turns = typeof pass === 'object' && pass.voices !== null ? new VoiceTurns(pass.voices) : null;
    this.#levels = new Levels(channels);
    this.#buffer = new SampleBuffer(channels);
    this.#activity = this.#levels.channels.map((levels) => new VoiceActivity(levels));
    const [first, second] = this.#activity;
    if (first !== undefined && second !== undefined) {
      const crosstalk = new CrosstalkDetector(this.#levels, [first, second]);
      this.#pair = { crosstalk, layouts: new LayoutDetector([first, second], crosstalk) };
    }
    const track = (channel: number | null) => ({
      channel,
      audioEnd: 0,
      voice: 0,
      cutter: new SegmentCutter(shape, (frame) => this.#levelOf(channel, frame)),
    });
    this.#tracks = this.#pair === null ? [track(null)] : [track(0), track(1), track(null)];
    this.#speech = { channels: this.#activity.map(() => new SpeechTimer()), all: new SpeechTimer(), voices: [] };
  }

  /** @param samples interleaved, any multiple of the channels @returns the segments that are complete now, by end */
  push(samples: Int16Array): AudioSegment[] {
    this.#sampleCount += samples.length;
    const joined = new Int16Array(this.#rest.length + samples.length);
    joined.set(this.#rest);
    joined.set(samples, this.#rest.length);
    const whole = joined.length - (joined.length % (FRAME_SAMPLES * this.#channels));
    this.#rest = joined.slice(whole);
    return this.#take(joined.subarray(0, whole), false);
  }

  /** Ends the recording. @returns the last segments and the statistics */
  end(): { segments: AudioSegment[]; stats: RecordingStats } {
    const last = new Int16Array(this.#rest.length === 0 ? 0 : FRAME_SAMPLES * this.#channels);
    last.set(this.#rest);
    const segments = this.#take(last, true);
    const { channels, all, voices } = this.#speech;
    const seconds = this.#sampleCount / this.#channels / (FRAME_SAMPLES * (1000 / FRAME_MS));
    return {
      segments,
      stats: {
        seconds,
        channels: this.#channels,
        speechSeconds: {
          channels: channels.map((timer) => timer.seconds),
          all: all.seconds,
          ...(this.#turns === null ? {} : { voices: Array.from(voices, (timer) => timer?.seconds ?? 0) }),
        },
        overlaps: this.#overlaps.filter(({ startMs, endMs }) => endMs - startMs >= MIN_OVERLAP_MS + EDGES_MS),
      },
    };
  }

  /** In the passes 'apart' and 'shared': what people share a channel in, as far as it is known. */
  takeShared(): SharedAudio[] {
    const shared = this.#sharedAudio;
    this.#sharedAudio = [];
    return shared;
  }

  #take(samples: Int16Array, ended: boolean): AudioSegment[] {
    this.#buffer.push(samples);
    this.#levels.push(samples);
    for (const activity of this.#activity) activity.advance(ended);
    this.#pair?.crosstalk.advance(ended);
    this.#pair?.layouts.advance(ended);
    const settled = this.#pair === null ? (this.#activity[0]?.settled ?? 0) : this.#pair.layouts.settled;
    const known = ended ? this.#levels.frames : settled;
    const segments: AudioSegment[] = [];
    for (; this.#nextFrame < known; this.#nextFrame += 1) segments.push(...this.#step(this.#nextFrame));
    if (ended) segments.push(...this.#closeAll(known));
    if (this.#layout === 'mixed') this.#share(known);
    const open = this.#tracks.map(({ cutter }) => cutter.openSince ?? this.#nextFrame);
    this.#buffer.forget(Math.min(this.#nextFrame, ...open) - BEFORE);
    return segments;
  }

  #step(frame: number): AudioSegment[] {
    const sounds = this.#activity.map((activity) => activity.at(frame));
    const anyone = sounds.includes(true);
    const segments = this.#followLayout(frame, anyone);
    if (anyone) this.#speech.all.at(frame);
    const speaks = this.#tracks.map(({ channel }) => this.#speaks(channel, frame, sounds));
    if (speaks[0] === true && speaks[1] === true) addFrame(this.#overlaps, frame * FRAME_MS);
    this.#tracks.forEach((track, index) => {
      if (track.channel === null && speaks[index] === true) segments.push(...this.#followVoice(track, frame));
      if (track.channel !== null && speaks[index] === true) this.#speech.channels[track.channel]?.at(frame);
      const other = track.channel === null ? false : speaks[1 - track.channel] === true;
      const cut = track.cutter.step(frame, speaks[index] === true, other);
      if (cut !== null) segments.push(...this.#segment(track, cut));
    });
    return segments;
  }

  /** Ends the segment where the voice changes. */
  #followVoice(track: Track, frame: number): AudioSegment[] {
    if (this.#turns === null) return [];
    const voice = this.#turns.at(frame);
    this.#speech.voices[voice] ??= new SpeechTimer();
    this.#speech.voices[voice].at(frame);
    if (voice === track.voice) return [];
    const cut = track.cutter.close(frame);
    const segments = cut === null ? [] : this.#segment(track, cut);
    track.voice = voice;
    return segments;
  }

  /** Switches between apart and mixed in a pause. */
  #followLayout(frame: number, anyone: boolean): AudioSegment[] {
    const wanted = this.#pair?.layouts.at(frame) ?? 'mixed';
    if (wanted === this.#layout) {
      this.#layoutWaits = 0;
      return [];
    }
    this.#layoutWaits += 1;
    // At the first frame no segment is open.
    if (anyone && frame > 0 && this.#layoutWaits < LAYOUT_WAIT) return [];
    if (this.#layout === 'mixed') this.#share(frame);
    this.#shared = frame;
    this.#layout = wanted;
    this.#layoutWaits = 0;
    return this.#closeAll(frame);
  }

  #speaks(channel: number | null, frame: number, sounds: readonly boolean[]): boolean {
    if (channel === null) return this.#layout === 'mixed' && sounds.includes(true);
    return (
      this.#layout === 'apart' && sounds[channel] === true && !this.#pair?.crosstalk.at(channel === 0 ? 0 : 1, frame)
    );
  }

  #closeAll(frame: number): AudioSegment[] {
    return this.#tracks.flatMap((track) => {
      const cut = track.cutter.close(frame);
      return cut === null ? [] : this.#segment(track, cut);
    });
  }

  /** Gives the audio up to the frame, where people share a channel. */
  #share(to: number): void {
    if ((this.#pass === 'apart' || this.#pass === 'shared') && to > this.#shared) {
      const samples = this.#buffer.read(null, this.#shared, to);
      this.#sharedAudio.push({ startMs: this.#shared * FRAME_MS, samples });
    }
    this.#shared = to;
  }

  /** @returns none when another pass cuts this track */
  #segment(track: Track, { from, to, pauseAfter }: Cut): AudioSegment[] {
    const start = Math.max(track.audioEnd, from - BEFORE, 0);
    // Half of a short pause belongs to the next segment.
    const end = to + Math.min(AFTER, pauseAfter === 0 ? 0 : Math.ceil(pauseAfter / 2));
    track.audioEnd = end;
    if (this.#pass === 'shared') return [];
    if (this.#pass !== 'all' && (this.#pass === 'apart') === (track.channel === null)) return [];
    const speech = stretchesOf(from, to, (frame) => this.#isSpeech(track.channel, frame));
    let loudestDb = SILENCE_DB;
    for (let frame = from; frame < to; frame += 1)
      if (this.#isSpeech(track.channel, frame)) loudestDb = Math.max(loudestDb, this.#levelOf(track.channel, frame));
    const segment = {
      channel: track.channel,
      startMs: start * FRAME_MS,
      endMs: end * FRAME_MS,
      speechStartMs: from * FRAME_MS,
      speechEndMs: to * FRAME_MS,
      speech,
      speechMs: speech.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0),
      loudestDb,
      silences: stretchesOf(start, end, (frame) => this.#isSilent(track.channel, frame)),
      samples: this.#buffer.read(track.channel, start, end),
    };
    if (track.channel !== null || this.#turns === null) return [segment];
    return [{ ...segment, voice: { speaker: track.voice, confidence: this.#turns.confidence(track.voice, from, to) } }];
  }

  #isSpeech(channel: number | null, frame: number): boolean {
    return channel === null
      ? this.#activity.some((activity) => activity.at(frame))
      : this.#activity[channel]?.at(frame) === true;
  }

  #isSilent(channel: number | null, frame: number): boolean {
    return channel === null
      ? this.#activity.every((activity) => activity.silentAt(frame))
      : this.#activity[channel]?.silentAt(frame) === true;
  }

  #levelOf(channel: number | null, frame: number): number {
    const of = (index: number) => {
      const levels = this.#levels.channels[index];
      return levels === undefined || frame < 0 || frame >= levels.length ? SILENCE_DB : levels.at(frame);
    };
    return channel === null ? Math.max(of(0), of(1)) : of(channel);
  }
}

/** @returns the stretches of the frames `from` up to, not including, `to` for which it holds */
function stretchesOf(from: number, to: number, holds: (frame: number) => boolean): Stretch[] {
  const stretches: Stretch[] = [];
  for (let frame = from; frame < to; frame += 1) if (holds(frame)) addFrame(stretches, frame * FRAME_MS);
  return stretches;
}

function addFrame(stretches: { startMs: number; endMs: number }[], startMs: number): void {
  const last = stretches.at(-1);
  if (last?.endMs === startMs) last.endMs += FRAME_MS;
  else stretches.push({ startMs, endMs: startMs + FRAME_MS });
}

/** Looks up who speaks. Frames are asked for in order. */
class VoiceTurns {
  readonly #voices: Voices;
  #index = 0;

  constructor(voices: Voices) {
    this.#voices = voices;
  }

  at(frame: number): number {
    const { stretches } = this.#voices;
    while (this.#index + 1 < stretches.length && (stretches[this.#index]?.endMs ?? 0) <= frame * FRAME_MS)
      this.#index += 1;
    return stretches[this.#index]?.voice ?? 0;
  }

  /** @returns how sure it is that this voice speaks in these frames */
  confidence(voice: number, from: number, to: number): number {
    let weighted = 0;
    let total = 0;
    for (let index = this.#index; index >= 0; index -= 1) {
      const stretch = this.#voices.stretches[index];
      if (stretch === undefined || stretch.endMs <= from * FRAME_MS) break;
      const ms = Math.min(stretch.endMs, to * FRAME_MS) - Math.max(stretch.startMs, from * FRAME_MS);
      if (stretch.voice !== voice || ms <= 0) continue;
      weighted += ms * stretch.confidence;
      total += ms;
    }
    return total === 0 ? 0 : this.#voices.confidence * (weighted / total);
  }
}

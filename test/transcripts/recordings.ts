import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { audioFile } from '@call-analytics/stand-in/recordings';
import { decodeAudio } from '../../services/stand-in/src/decode.ts';
import {
  addAt,
  amplified,
  holdMusic,
  mixed,
  RATE,
  roomNoise,
  type Samples,
  sampleAt,
  writeWav,
} from '../audio/wave.ts';
import { program, REAL_RECORDINGS } from '../requirements.fixture.ts';
import { hours } from './hours.ts';
import { germanCall, spanishCall, twoMen } from './synthesized.ts';

/** A word, or a line where the times of its words are not known. `speaker` 0 is the manager, 1 the customer. */
export interface Spoken {
  text: string;
  startMs: number;
  endMs: number;
  speaker: number;
}

/** A recording whose words and speakers are known. */
export interface Recorded {
  name: string;
  bytes: Buffer;
  spoken: Spoken[];
  /** Whether `spoken` holds single words. */
  words: boolean;
  /** ISO 639-1. */
  language: string;
  /** By speaker, for each 10 ms: 1 while the person speaks. */
  activity: Uint8Array[];
}

interface Corpus {
  recordings: { name: string; make(): Recorded }[];
  /** What this machine cannot make, with the reason. */
  skipped: string[];
}

/** Two people, each alone on a track, and what they say. */
export interface Call extends Pick<Recorded, 'spoken' | 'words' | 'language'> {
  tracks: Samples[];
  /** The tracks before noise or echo was added: they tell when somebody speaks. */
  clean?: Samples[];
}

const HOP = RATE / 100;
const FFMPEG = 'ffmpeg';

/** The recordings, which are made when asked for. `real` ones stand beside the checkout, where they are present. */
export function corpus(): Corpus {
  const skipped: string[] = [];
  const made = conditions('made', bundledCall, skipped);
  const monologue = () => {
    const call = bundledCall();
    const spoken = call.spoken.filter(({ speaker }) => speaker === 0);
    return recorded(writeWav([call.tracks[0] as Samples]), { ...call, spoken });
  };
  made.push(
    { name: 'made: one person', make: monologue },
    { name: 'made: three hours, mono', make: () => hours(3, bundledCall(), oneChannel) },
    { name: 'made: three people, mono', make: () => oneChannel(threePeople()) },
    { name: 'made: they overlap by a second', make: () => stereo(overlapping(1_000)) },
    { name: 'made: a minute of silence, three times', make: () => stereo(withPauses(bundledCall(), 60)) },
    { name: 'made: hold music, stereo', make: () => stereo(onHold(bundledCall())) },
    { name: 'made: hold music, mono', make: () => oneChannel(onHold(bundledCall())) },
  );
  for (const [name, synthesizer, call] of SYNTHESIZED) {
    if (program(synthesizer).present)
      made.push(
        { name: `made: ${name}, stereo`, make: () => stereo(call()) },
        { name: `made: ${name}, mono`, make: () => oneChannel(call()) },
      );
    else skipped.push(`made: ${name} needs ${synthesizer}`);
  }
  const real = REAL.filter(({ file }) => {
    const present = existsSync(join(REAL_RECORDINGS, file));
    if (!present) skipped.push(`real: ${file} is not in ${REAL_RECORDINGS}`);
    return present;
  }).flatMap(({ name, file, stereo: isStereo }) =>
    isStereo
      ? conditions('real', () => realCall(file), skipped)
      : [{ name: `real: ${name}`, make: () => realMono(file) }],
  );
  const named = [...real, ...made].map(({ name, make }) => ({ name, make: () => ({ ...make(), name }) }));
  return { recordings: named, skipped };
}

const SYNTHESIZED = [
  ['German', 'espeak-ng', germanCall],
  ['Spanish', 'espeak-ng', spanishCall],
  ['two men', 'flite', twoMen],
] as const;

type Unnamed = Omit<Recorded, 'name'>;

function conditions(kind: string, call: () => Call, skipped: string[]): { name: string; make(): Unnamed }[] {
  const list: { name: string; make(): Unnamed; needs?: typeof FFMPEG }[] = [
    { name: 'stereo', make: () => stereo(call()) },
    ...[0, 6, -6, 12, -12].map((db) => ({ name: `mono, ${db} dB`, make: () => oneChannel(call(), db) })),
    ...[20, 10].map((db) => ({ name: `stereo, noise ${db} dB`, make: () => stereo(noisy(call(), db)) })),
    ...[20, 10].map((db) => ({ name: `mono, noise ${db} dB`, make: () => oneChannel(noisy(call(), db)) })),
    { name: 'stereo, echo -20 dB', make: () => stereo(echoing(call())) },
    ...Object.entries(CODECS).map(([name, args]) => ({ name, needs: FFMPEG, make: () => coded(call(), args) })),
    { name: 'FLAC cut in half', needs: FFMPEG, make: () => cut(coded(call(), CODECS['stereo, FLAC'] as Coding)) },
    { name: 'MP3 cut in half', needs: FFMPEG, make: () => cut(coded(call(), CODECS['stereo, MP3'] as Coding)) },
  ];
  return list.flatMap(({ name, make, needs }) => {
    if (needs === undefined || program(needs).present) return [{ name: `${kind}: ${name}`, make }];
    skipped.push(`${kind}: ${name} needs ${needs}`);
    return [];
  });
}

interface Coding {
  mono?: true;
  args: string[];
}

const coding = (...args: string[]): Coding => ({ args });
const CODECS: Record<string, Coding> = {
  'mono, telephone band': { mono: true, args: ['-af', 'highpass=f=300,lowpass=f=3400', '-f', 'wav'] },
  'mono, GSM': { mono: true, args: ['-ar', '8000', '-c:a', 'libgsm_ms', '-f', 'wav'] },
  'mono, µ-law': { mono: true, args: ['-ar', '8000', '-c:a', 'pcm_mulaw', '-f', 'wav'] },
  'stereo, 8 kHz': coding('-ar', '8000', '-f', 'wav'),
  'stereo, MP3': coding('-c:a', 'libmp3lame', '-b:a', '32k', '-f', 'mp3'),
  'stereo, M4A': coding('-c:a', 'aac', '-b:a', '48k', '-movflags', 'frag_keyframe+empty_moov', '-f', 'mp4'),
  'stereo, Ogg': coding('-c:a', 'libvorbis', '-q:a', '2', '-f', 'ogg'),
  'stereo, FLAC': coding('-c:a', 'flac', '-f', 'flac'),
  'stereo, AAC': coding('-c:a', 'aac', '-b:a', '48k', '-f', 'adts'),
  'stereo, WMA': coding('-c:a', 'wmav2', '-b:a', '48k', '-f', 'asf'),
};

function coded(call: Call, { mono = undefined, args }: Coding): Unnamed {
  const tracks = mono === true ? [mixed(call.tracks, -3)] : call.tracks;
  const input = ['-v', 'error', '-f', 'wav', '-i', 'pipe:0'];
  // A FLAC that goes to a pipe has no length in its header.
  const bytes = execFileSync('ffmpeg', [...input, ...args, 'pipe:1'], { input: writeWav(tracks), maxBuffer: 2 ** 28 });
  return recorded(bytes, call);
}

/** The words up to the cut are those that must be there. */
function cut({ bytes, spoken, activity, ...rest }: Unnamed): Unnamed {
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  const [heard = new Int16Array()] = decodeAudio(half, 'mono')?.channels ?? [];
  const endMs = (heard.length / RATE) * 1000;
  return {
    ...rest,
    bytes: half,
    spoken: spoken.filter((word) => word.endMs <= endMs),
    activity: activity.map((frames) => frames.subarray(0, Math.floor(endMs / 10))),
  };
}

const stereo = (call: Call) => recorded(writeWav(call.tracks), call);

/** @param db how much louder the customer is */
function oneChannel(call: Call, db = 0): Unnamed {
  const [first = new Float32Array(), ...others] = call.tracks;
  const louder = [amplified(first, Math.min(0, -db)), ...others.map((track) => amplified(track, Math.min(0, db)))];
  return recorded(writeWav([mixed(louder, -3)]), call);
}

function recorded(bytes: Buffer, { tracks, clean = tracks, ...said }: Call): Unnamed {
  return { bytes, ...said, activity: activityOf(clean, said.spoken) };
}

/** Where a person is heard within the lines that are known. It uses nothing of the product. */
function activityOf(tracks: readonly Samples[], spoken: readonly Spoken[]): Uint8Array[] {
  const people = Math.max(tracks.length, ...spoken.map(({ speaker }) => speaker + 1));
  return Array.from({ length: people }, (_, speaker) => {
    const sound = soundIn(tracks[speaker] ?? tracks[0] ?? new Float32Array());
    const frames = new Uint8Array(sound.length);
    for (const { startMs, endMs } of spoken.filter((line) => line.speaker === speaker))
      for (let i = Math.floor(startMs / 10); i < Math.min(frames.length, endMs / 10); i += 1)
        frames[i] = sound[i] as number;
    return frames;
  });
}

const GAP = 30;

function soundIn(track: Samples): Uint8Array {
  const levels = Array.from({ length: Math.floor(track.length / HOP) }, (_, frame) => {
    let power = 1e-12;
    for (let i = frame * HOP; i < (frame + 1) * HOP; i += 1) power += (track[i] as number) ** 2 / HOP;
    return 10 * Math.log10(power);
  });
  const sorted = [...levels].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * sorted.length)] ?? -99;
  const threshold = Math.max(at(0.97) - 35, Math.min(at(0.1) + 5, at(0.97) - 12), -60);
  const frames = Uint8Array.from(levels, (level) => (level > threshold ? 1 : 0));
  let last = Number.NEGATIVE_INFINITY;
  frames.forEach((speaks, frame) => {
    if (speaks === 0) return;
    if (frame - last <= GAP) frames.fill(1, last, frame);
    last = frame;
  });
  return frames;
}

let bundled: Call | null = null;

function bundledCall(): Call {
  if (bundled !== null) return bundled;
  const { path, turns } = audioFile('bundled-call.mp3');
  const spoken = turns.flatMap(({ speaker, words }) =>
    words.map((word) => ({ ...word, speaker: speaker === 'manager' ? 0 : 1 })),
  );
  bundled = { tracks: tracksOf(readFileSync(path), 'stereo'), spoken, words: true, language: 'en' };
  return bundled;
}

function tracksOf(bytes: Buffer, keep: 'mono' | 'stereo'): Samples[] {
  const channels = decodeAudio(bytes, keep)?.channels ?? [];
  return channels.map((channel) => Float32Array.from(channel, (sample) => sample / 32_768));
}

const REAL = [
  { name: 'stereo', file: 'real-phone-call-8khz-stereo.flac', stereo: true },
  { name: 'recorded in mono', file: 'real-phone-call-8khz-mono.wav', stereo: false },
];

function realCall(file: string): Call {
  const path = join(REAL_RECORDINGS, file);
  const stereoFile = REAL.some((real) => real.file === file && real.stereo);
  const lines = readFileSync(path.replace(/\.\w+$/, '.words.txt'), 'utf8')
    .trim()
    .split('\n');
  const spoken = lines.map((line) => {
    const [start, end, speaker, ...words] = line.split(' ');
    return {
      text: words.join(' '),
      startMs: Number(start) * 1000,
      endMs: Number(end) * 1000,
      speaker: Number(speaker),
    };
  });
  return { tracks: tracksOf(readFileSync(path), stereoFile ? 'stereo' : 'mono'), spoken, words: false, language: 'en' };
}

function realMono(file: string): Unnamed {
  const call = realCall(file);
  return { ...recorded(writeWav(call.tracks), call), bytes: readFileSync(join(REAL_RECORDINGS, file)) };
}

/** @param db how far below the speech the noise is */
function noisy(call: Call, db: number): Call {
  return {
    ...call,
    clean: call.tracks,
    tracks: call.tracks.map((track, index) => {
      const sound = soundIn(track);
      let power = 0;
      let frames = 0;
      sound.forEach((speaks, frame) => {
        if (speaks === 0) return;
        frames += 1;
        for (let i = frame * HOP; i < (frame + 1) * HOP; i += 1) power += (track[i] as number) ** 2 / HOP;
      });
      return mixed([track, roomNoise(track.length, 10 * Math.log10(power / Math.max(1, frames)) - db, 7 + index)]);
    }),
  };
}

/** Each person is heard softly on the other channel, 0.11 s later. */
function echoing(call: Call): Call {
  const tracks = call.tracks.map((track, index) => {
    const heard = track.slice();
    addAt(heard, amplified(call.tracks[1 - index] as Samples, -20), sampleAt(110));
    return heard;
  });
  return { ...call, clean: call.tracks, tracks };
}

/** Puts something in between two lines, at a quarter, half and three quarters of the call. */
function withPauses({ tracks, spoken, ...rest }: Call, seconds: number, sound?: Samples): Call {
  const ends = [0.25, 0.5, 0.75].map((share) => {
    const last = spoken[Math.floor(share * spoken.length)] as Spoken;
    const next = spoken.find(({ startMs, speaker }) => startMs >= last.endMs && speaker !== last.speaker) ?? last;
    return next.startMs - 100;
  });
  const shifted = (ms: number) => ms + 1000 * seconds * ends.filter((end) => end <= ms).length;
  const stretched = tracks.map((track) => {
    const pieces = [0, ...ends.map(sampleAt)].map((from, index) =>
      track.subarray(from, ends[index] === undefined ? undefined : sampleAt(ends[index] as number)),
    );
    const whole = new Float32Array(track.length + ends.length * seconds * RATE);
    let at = 0;
    pieces.forEach((piece, index) => {
      addAt(whole, piece, at);
      at += piece.length;
      if (index === ends.length) return;
      addAt(whole, sound ?? roomNoise(seconds * RATE, -62, 20 + index), at);
      at += seconds * RATE;
    });
    return whole;
  });
  const moved = spoken.map((word) => ({ ...word, startMs: shifted(word.startMs), endMs: shifted(word.endMs) }));
  return { tracks: stretched, spoken: moved, ...rest };
}

const onHold = (call: Call) => withPauses(call, 20, holdMusic(20));

/** @param ms how much earlier the customer speaks */
function overlapping(ms: number): Call {
  const { tracks, spoken, ...rest } = bundledCall();
  const [manager = new Float32Array(), customer = new Float32Array()] = tracks;
  const earlier = new Float32Array(customer.length);
  earlier.set(customer.subarray(sampleAt(ms)));
  const moved = spoken
    .map((word) => (word.speaker === 0 ? word : { ...word, startMs: word.startMs - ms, endMs: word.endMs - ms }))
    .sort((a, b) => a.startMs - b.startMs);
  return { tracks: [manager, earlier], spoken: moved, ...rest };
}

/** Every third turn of the customer is a higher and faster voice. */
function threePeople(): Call {
  const SPEED = 1.3;
  const { tracks, spoken, ...rest } = bundledCall();
  const [manager = new Float32Array(), customer = new Float32Array()] = tracks;
  const kept = customer.slice();
  const third = new Float32Array(customer.length);
  const turns = audioFile('bundled-call.mp3').turns.filter(({ speaker }) => speaker === 'customer');
  const other = turns.filter((_, index) => index % 3 === 1);
  for (const { startMs, endMs } of other) {
    const [from, to] = [sampleAt(startMs), sampleAt(endMs)];
    for (let i = 0; i < (to - from) / SPEED; i += 1) third[from + i] = customer[from + Math.round(i * SPEED)] ?? 0;
    kept.fill(0, from, to);
  }
  const moved = spoken.map((word) => {
    const turn = other.find(
      ({ startMs, endMs }) => word.speaker === 1 && word.startMs >= startMs && word.endMs <= endMs,
    );
    if (turn === undefined) return word;
    const at = (ms: number) => turn.startMs + (ms - turn.startMs) / SPEED;
    return { ...word, speaker: 2, startMs: at(word.startMs), endMs: at(word.endMs) };
  });
  return { tracks: [manager, kept, third], spoken: moved, ...rest };
}

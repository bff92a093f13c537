import { readFileSync } from 'node:fs';
import { decodeAudio } from './decode.ts';
import { audioFile, readManifest, type SpokenTurn } from './recordings.ts';
import {
  bestPlaceIn,
  correlation,
  HOP_MS,
  type Searchable,
  type Spectrum,
  searchable,
  spectrumOf,
} from './spectrum.ts';

/** A word that was heard, with its time from the start of the audio that was sent. */
interface HeardWord {
  text: string;
  startMs: number;
  endMs: number;
  speaker: string;
  /** Words of one turn belong to one sentence or answer. */
  turn: number;
}

export interface Heard {
  language: string;
  words: HeardWord[];
}

/** Rows within so many dB of the loudest are taken for sound, unless they are as soft as a quiet room. */
const SOUND_DB = 35;
const ROOM_DB = -55;
const PROBE_ROWS = 2_000 / HOP_MS;
/** Where silence was left out, the sound goes on elsewhere in the recording after less than two seconds. */
const SHORT_PROBE_ROWS = PROBE_ROWS / 2;
/** Less sound than this is no word that could be told from others: a piece may begin or end with the rest of one. */
const MIN_ROWS = 200 / HOP_MS;
/** Less sound than this may stay unexplained, for the same reason. */
const UNEXPLAINED_ROWS = 500 / HOP_MS;
const BLOCK_ROWS = 500 / HOP_MS;
/** A stretch may begin before what was found of it; that is looked for in steps of this. */
const STEP_ROWS = 100 / HOP_MS;
/**
 * Correlation over two seconds. Measured: copies through MP3 at 32 kbit/s 0.95 and more, the same voices saying
 * something else 0.70 and less, a real telephone call 0.73.
 */
const FOUND = 0.82;
/**
 * So close that no other place need be looked at, and that one second is enough: the same voices saying something else
 * correlate by 0.86 and less over one second.
 */
const CERTAIN = 0.93;
const STILL_THERE = 0.6;
/** The share of the sound that must be found. */
const ENOUGH = 0.6;
/**
 * Probes that may find nothing: a recording that is known is not unknown for long, and each probe looks through all of
 * them.
 */
const MISSES = 4;
const WORD_MARGIN_MS = 100;
const WORD_THERE = 0.5;

/** A stretch of the audio that is part of a known recording: row `query` of one is row `query + shift` of the other. */
interface Stretch {
  recording: KnownRecording;
  shift: number;
  from: number;
  to: number;
}

/**
 * Recognizes the project's own recordings by how they sound: cut anywhere, one channel or mixed, compressed, louder or
 * quieter.
 * @param samples 16 kHz, one channel
 * @returns the words spoken in them, none for silence; null when the audio is not known
 */
export function recognizeKnown(samples: Int16Array): Heard | null {
  const query = spectrumOf(samples);
  const softest = Math.max(query.loudest - SOUND_DB, ROOM_DB);
  const sounds = Array.from({ length: query.rows }, (_, row) => (query.levels[row] ?? 0) > softest);
  const soundIn = (from: number, to: number) => sounds.slice(from, to).filter(Boolean).length;
  const stretches: Stretch[] = [];
  let misses = 0;
  for (let row = sounds.indexOf(true); row >= 0; ) {
    const probe = row + PROBE_ROWS;
    const stretch = soundIn(row, probe) < MIN_ROWS ? null : stretchNear(query, sounds, row);
    if (stretch !== null) stretches.push(stretch);
    else if (soundIn(row, probe) >= UNEXPLAINED_ROWS) misses += 1;
    if (misses > MISSES) return null;
    row = sounds.indexOf(true, stretch?.to ?? probe);
  }
  const total = soundIn(0, query.rows);
  const found = stretches.reduce((sum, { from, to }) => sum + soundIn(from, to), 0);
  if (found < ENOUGH * total && total - found >= UNEXPLAINED_ROWS) return null;
  const words = stretches.flatMap((stretch) => wordsIn(stretch, query));
  return { language: stretches[0]?.recording.language ?? 'en', words: words.sort((a, b) => a.startMs - b.startMs) };
}

/** The stretch that begins at `row`, or up to a second after it where only so much of it can be found. */
function stretchNear(query: Spectrum, sounds: boolean[], row: number): Stretch | null {
  const whole = stretchFrom(query, sounds, row, Math.min(PROBE_ROWS, query.rows - row), FOUND);
  if (whole !== null) return whole;
  for (const from of [row, row + SHORT_PROBE_ROWS]) {
    if (from + SHORT_PROBE_ROWS > query.rows) break;
    const part = stretchFrom(query, sounds, from, SHORT_PROBE_ROWS, CERTAIN);
    if (part !== null) return part;
  }
  return null;
}

/**
 * The longest stretch from `row` on that is in one recording without a break.
 * @param least correlation of its `rows`
 */
function stretchFrom(query: Spectrum, sounds: boolean[], row: number, rows: number, least: number): Stretch | null {
  const place = bestPlace(query, row, rows, least);
  if (place === null) return null;
  const isThere = (first: number, last: number) => closeness(query, first, last, place) >= STILL_THERE;
  let from = row;
  while (from >= STEP_ROWS && isThere(from - STEP_ROWS, from)) from -= STEP_ROWS;
  let to = row + rows;
  while (to < query.rows) {
    const end = Math.min(query.rows, to + BLOCK_ROWS);
    if (sounds.slice(to, end).includes(true) && !isThere(to, end)) break;
    to = end;
  }
  return { ...place, from, to };
}

function bestPlace(
  query: Spectrum,
  row: number,
  rows: number,
  least: number,
): { recording: KnownRecording; shift: number } | null {
  let best = least;
  let place: { recording: KnownRecording; shift: number } | null = null;
  for (const recording of knownRecordings()) {
    for (const heard of Object.values(recording.heard())) {
      const found = bestPlaceIn(heard, query, row, row + rows);
      if (found === null || found.score <= best) continue;
      best = found.score;
      place = { recording, shift: found.shift };
      if (best >= CERTAIN) return place;
    }
  }
  return place;
}

function closeness(
  query: Spectrum,
  from: number,
  to: number,
  { recording, shift }: { recording: KnownRecording; shift: number },
): number {
  return Math.max(
    ...Object.values(recording.heard()).map(({ spectrum }) => correlation(query, from, to, spectrum, shift)),
  );
}

/** Words of the stretch, without those that only the other person's channel has. */
function wordsIn({ recording, shift, from, to }: Stretch, query: Spectrum): HeardWord[] {
  const offsetMs = shift * HOP_MS;
  return recording.turns.flatMap((turn, index) =>
    turn.words.flatMap((word) => {
      const startMs = word.startMs - offsetMs;
      const endMs = word.endMs - offsetMs;
      const middle = (startMs + endMs) / 2 / HOP_MS;
      if (middle < from || middle >= to) return [];
      const first = Math.max(0, Math.floor((startMs - WORD_MARGIN_MS) / HOP_MS));
      const last = Math.min(query.rows, Math.ceil((endMs + WORD_MARGIN_MS) / HOP_MS));
      const as = (hearing: Hearing) => correlation(query, first, last, recording.heard()[hearing].spectrum, shift);
      if (Math.max(as(turn.channel), as('both')) < WORD_THERE) return [];
      return [{ text: word.text, startMs: Math.max(0, startMs), endMs, speaker: turn.speaker, turn: index }];
    }),
  );
}

type Hearing = 'left' | 'right' | 'both';

/** A recording of the project's own, whose words are known with their times. */
interface KnownRecording {
  script: string;
  language: string;
  turns: SpokenTurn[];
  /** Each person alone, and both mixed: however a client hears them. Read when first asked for. */
  heard(): Record<Hearing, Searchable>;
}

/** Sounds in which nobody speaks. */
const SPEECHLESS = ['hold-music.mp3'];

let known: KnownRecording[] | null = null;

/**
 * @returns the stand-in's own recordings, short ones first: most requests are for these, and the long ones are then not
 * read
 */
function knownRecordings(): KnownRecording[] {
  if (known !== null) return known;
  const seconds = (name: string) => audioFile(name).seconds ?? 0;
  const spoken = Object.entries(readManifest().scripts).map(([script, { language, reference, turns }]) => {
    return { script, language, turns, file: reference };
  });
  const speechless = SPEECHLESS.map((file) => ({ script: file, language: 'en', turns: [], file }));
  known = [...spoken, ...speechless]
    .sort((a, b) => seconds(a.file) - seconds(b.file))
    .map(({ file, ...recording }) => ({ ...recording, heard: once(() => hearingsOf(file)) }));
  return known;
}

function hearingsOf(name: string): Record<Hearing, Searchable> {
  const decoded = decodeAudio(readFileSync(audioFile(name).path), 'stereo');
  const [left, right] = decoded?.channels ?? [];
  if (left === undefined || right === undefined) throw new Error(`${name} cannot be decoded`);
  const both = left.map((sample, i) => (sample + (right[i] ?? 0)) / 2);
  const of = (samples: Int16Array) => searchable(spectrumOf(samples));
  return { left: of(left), right: of(right), both: of(both) };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

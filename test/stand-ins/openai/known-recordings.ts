import { readFileSync } from 'node:fs';
import { audioFile, readManifest, type SpokenTurn } from '../../audio/manifest.ts';
import { decodeAudio } from './decode.ts';
import { type Searchable, searchable } from './search.ts';
import { spectrumOf } from './spectrum.ts';

export type Hearing = 'left' | 'right' | 'both';

/** A recording of the project's own, whose words are known with their times. */
export interface KnownRecording {
  script: string;
  language: string;
  turns: SpokenTurn[];
  /** Each person alone, and both mixed: however a client hears them. Read when first asked for. */
  heard(): Record<Hearing, Searchable>;
}

/** Sounds in which nobody speaks. */
const SPEECHLESS = ['hold-music.mp3'];

let known: KnownRecording[] | null = null;

/** @returns the recordings of test/audio, the short ones first: most of what is asked for is one of these, and then the long ones need not be read */
export function knownRecordings(): KnownRecording[] {
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
  if (left === undefined || right === undefined) throw new Error(`${name} of test/audio cannot be decoded`);
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

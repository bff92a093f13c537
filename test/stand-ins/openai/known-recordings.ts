import { readFileSync } from 'node:fs';
import { audioFile, readManifest, type SpokenTurn } from '../../audio/manifest.ts';
import { decodeAudio } from './decode.ts';
import { type Spectrum, spectrumOf } from './spectrum.ts';

export type Hearing = 'left' | 'right' | 'both';

/** A recording of the project's own, whose words are known with their times. */
export interface KnownRecording {
  script: string;
  language: string;
  turns: SpokenTurn[];
  /** Each person alone, and both mixed: however a client hears them. */
  heard: Record<Hearing, Spectrum>;
}

/** Sounds in which nobody speaks. */
const SPEECHLESS = ['hold-music.mp3'];

let known: KnownRecording[] | null = null;

/** @returns the recordings of test/audio, read once */
export function knownRecordings(): KnownRecording[] {
  known ??= [
    ...Object.entries(readManifest().scripts).map(([script, { language, reference, turns }]) => ({
      script,
      language,
      turns,
      heard: spectra(reference),
    })),
    ...SPEECHLESS.map((name) => ({ script: name, language: 'en', turns: [], heard: spectra(name) })),
  ];
  return known;
}

function spectra(name: string): Record<Hearing, Spectrum> {
  const decoded = decodeAudio(readFileSync(audioFile(name).path), 'stereo');
  const [left, right] = decoded?.channels ?? [];
  if (left === undefined || right === undefined) throw new Error(`${name} of test/audio cannot be decoded`);
  const both = left.map((sample, i) => (sample + (right[i] ?? 0)) / 2);
  return { left: spectrumOf(left), right: spectrumOf(right), both: spectrumOf(both) };
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A spoken word and where it is in its script, in milliseconds from the start of the recording. */
export interface SpokenWord {
  text: string;
  startMs: number;
  endMs: number;
}

export interface SpokenTurn {
  speaker: 'manager' | 'customer';
  channel: 'left' | 'right';
  text: string;
  startMs: number;
  endMs: number;
  words: SpokenWord[];
}

/** What is said in every file made from one script, and the stereo file in which each person is alone on a channel. */
interface SpokenScript {
  about: string;
  language: string;
  reference: string;
  turns: SpokenTurn[];
}

/** How the bytes begin, whatever the name says. */
export type Content =
  | 'mp3'
  | 'wav'
  | 'm4a'
  | 'ogg'
  | 'flac'
  | 'aac'
  | 'wma'
  | 'webm'
  | 'png'
  | 'pdf'
  | 'text'
  | 'empty';

/**
 * What the service does with the file: the answers it may give at upload, and how the call ends if it was accepted.
 * `speech`: completed with what was said; `no-speech`: completed with an empty transcript; `failed`: failed with a
 * reason about the file.
 */
export interface Expected {
  upload: (202 | 415 | 422)[];
  ends: 'speech' | 'no-speech' | 'failed' | null;
}

export interface AudioFile {
  name: string;
  about: string;
  content: Content;
  /** Length that can really be decoded, null where there is none. */
  seconds: number | null;
  channels: number | null;
  sampleRate: number | null;
  bytes: number;
  sha256: string;
  /** The script that is heard in it, from its first millisecond; null when nobody speaks. */
  script: string | null;
  expected: Expected;
}

export interface Manifest {
  scripts: Record<string, SpokenScript>;
  files: AudioFile[];
}

export const FILES = join(import.meta.dirname, '../recordings');

/** @returns the description of all recordings, written when they were made */
export function readManifest(): Manifest {
  return JSON.parse(readFileSync(join(FILES, 'manifest.json'), 'utf8')) as Manifest;
}

/**
 * @param name a name in the manifest, e.g. `bundled-call.mp3`
 * @returns its description, its path and the turns spoken in it (empty when nobody speaks)
 * @throws Error when there is no such file
 */
export function audioFile(name: string): AudioFile & { path: string; turns: SpokenTurn[] } {
  const manifest = readManifest();
  const file = manifest.files.find((candidate) => candidate.name === name);
  if (file === undefined) throw new Error(`no ${name} among the recordings of the stand-in`);
  const turns = file.script === null ? [] : (manifest.scripts[file.script]?.turns ?? []);
  return { ...file, path: join(FILES, name), turns };
}

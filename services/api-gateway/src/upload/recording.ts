import { createHash, type Hash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { type AudioFormat, soundProblem } from '@call-analytics/contracts';
import { fileTypeFromBuffer } from 'file-type';
import { quotedBytes } from '../http/input.ts';
import { HttpProblem } from '../http/problem.ts';
import { ASF_HEADER, containerOf, findFrames, framesFrom, isSpeex } from './audio-format.ts';

/** Buffered before storing begins. With a larger ID3 tag, storing begins before the audio is recognized. */
const BUFFER_BYTES = 256 * 1024;
const ACCEPTED = 'Send one of MP3, WAV, M4A, OGG, FLAC, AAC or WMA.';

/**
 * A file on its way into the audio store, which is counted, hashed if wanted, and recognized by its format. The stream
 * fails with an HttpProblem when the file is too large, empty or not a recording.
 */
export class Recording extends Transform {
  /**
   * Resolves when storing may begin: the file is a recording, or begins with a large ID3 tag. Rejects when the stream
   * fails first.
   */
  readonly acceptable: Promise<void>;
  bytes = 0;
  readonly #maxBytes: number;
  readonly #hash: Hash | null;
  readonly #accept: () => void;
  #kind: { format: AudioFormat; bytesPerSecond: number } | null = null;
  /** The offset of the audio, after the ID3 tags found so far. */
  #audioAt = 0;
  /** The first bytes of the audio. */
  #head: Buffer = Buffer.alloc(0);

  constructor({ maxBytes, isHashed }: { maxBytes: number; isHashed: boolean }) {
    super({ readableHighWaterMark: BUFFER_BYTES, writableHighWaterMark: BUFFER_BYTES });
    this.#maxBytes = maxBytes;
    this.#hash = isHashed ? createHash('sha256') : null;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.acceptable = promise;
    this.#accept = resolve;
    promise.catch(() => {});
    this.on('error', reject);
    this.once('close', () => reject(new Error('the recording was aborted')));
  }

  /** After the end of the stream. */
  result(): { format: AudioFormat; seconds: number; bytes: number; sha256: string | null } {
    if (this.#kind === null) throw new Error('the recording has not ended');
    const { format, bytesPerSecond } = this.#kind;
    const seconds = Math.max(0.1, Math.round(((this.bytes - this.#audioAt) / bytesPerSecond) * 10) / 10);
    return { format, seconds, bytes: this.bytes, sha256: this.#hash?.digest('hex') ?? null };
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const from = this.bytes;
    this.bytes += chunk.length;
    if (this.bytes > this.#maxBytes) {
      done(recordingTooLarge(this.#maxBytes));
      return;
    }
    this.#hash?.update(chunk);
    if (this.#kind !== null) {
      done(null, chunk);
      return;
    }
    this.#inspect(chunk, from).then(() => done(null, chunk), done);
  }

  override _flush(done: TransformCallback): void {
    if (this.#kind !== null) done();
    else this.#decide(true).then(() => done(), done);
  }

  async #inspect(chunk: Buffer, from: number): Promise<void> {
    this.#head = Buffer.concat([this.#head, chunk.subarray(Math.max(0, this.#audioAt - from))]);
    for (let tag = id3TagLength(this.#head); tag > 0; tag = id3TagLength(this.#head)) {
      this.#audioAt += tag;
      this.#head = this.#head.subarray(tag);
    }
    if (this.#head.length >= HEAD_BYTES) await this.#decide(false);
    else if (this.#audioAt + HEAD_BYTES > BUFFER_BYTES) this.#accept();
  }

  async #decide(whole: boolean): Promise<void> {
    if (this.bytes === 0) throw new HttpProblem('empty_file', `The file is empty. ${ACCEPTED}`);
    if (this.#audioAt > 0 && this.#head.length < ID3_HEADER_BYTES)
      throw new HttpProblem('unreadable_file', `The file has an ID3 tag but no audio. Export it again. ${ACCEPTED}`);
    const found = await recognize(this.#head.subarray(0, HEAD_BYTES), whole);
    if ('unacceptable' in found) throw new HttpProblem('unsupported_format', found.unacceptable);
    if ('looksLike' in found)
      throw new HttpProblem('unsupported_format', `The content of the file looks like ${found.looksLike}. ${ACCEPTED}`);
    this.#kind = found;
    this.#head = Buffer.alloc(0);
    this.#accept();
  }
}

export function recordingTooLarge(maxBytes: number): HttpProblem {
  return new HttpProblem(
    'file_too_large',
    `The recording exceeds the limit of ${quotedBytes(maxBytes)}. Send it in a compressed format such as MP3, or in ` +
      'parts.',
  );
}

const MAX_NAME_CHARACTERS = 255;
/** Kept when a name is cut, because it tells people and programs what the file is. */
const EXTENSION = /\.[\p{L}\p{N}]{1,10}$/u;

/**
 * The name of an uploaded file without folders, control characters and marks that reverse text (which make `gpj.exe`
 * look like `exe.jpg`), cut to 255 characters.
 */
export function keptFileName(given: string): string {
  const base = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
  const clean = base
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
  const bounded = clean.length > MAX_NAME_CHARACTERS ? cut(clean) : clean;
  return bounded === '' || bounded === '.' || bounded === '..' ? 'recording' : bounded;
}

function cut(name: string): string {
  const [extension = ''] = EXTENSION.exec(name) ?? [];
  const stem = name
    .slice(0, MAX_NAME_CHARACTERS - extension.length)
    .toWellFormed()
    .replace(/\ufffd$/, '');
  return stem + extension;
}

/**
 * The first bytes that decide the format: several of the longest MP3 or AAC frames, and the headers of every container.
 */
export const HEAD_BYTES = 16 * 1024;

type Recognized = { format: AudioFormat; bytesPerSecond: number } | { looksLike: string } | { unacceptable: string };

const SPEEX = 'The recording uses the codec Speex, which is not supported. OGG is accepted with Opus, Vorbis or FLAC.';

/**
 * Recognizes a file by its content.
 * @param head the first bytes after the ID3 tags, up to HEAD_BYTES
 * @param whole whether the file ends there
 * @returns the accepted format with an estimate of its bytes per second, or what it looks like instead, e.g. "a PDF
 *   document", or what is wrong with a recording in an accepted format
 */
export async function recognize(head: Buffer, whole: boolean): Promise<Recognized> {
  if (isSpeex(head)) return { unacceptable: SPEEX };
  const container = containerOf(head);
  if (container !== null) {
    const { sound, ...found } = container;
    const problem = sound === null ? null : soundProblem(sound);
    return problem === null ? found : { unacceptable: problem };
  }
  const frames = framesFrom(head, 0, whole);
  if (frames !== null) return frames;
  // An archive or a video may contain MP3 frames, so other kinds of file are checked first.
  const looksLike = await lookOf(head);
  if (looksLike !== null) return { looksLike };
  return findFrames(head) ?? { looksLike: 'binary data of no known kind' };
}

/**
 * @returns the length of the ID3v2 tag that begins at `at`, 0 when there is none. https://id3.org/id3v2.4.0-structure,
 * 3.1
 */
export function id3TagLength(bytes: Buffer, at = 0): number {
  if (bytes.length < at + ID3_HEADER_BYTES || bytes.toString('latin1', at, at + 3) !== 'ID3') return 0;
  const size = [...bytes.subarray(at + 6, at + 10)];
  if (bytes[at + 3] === 0xff || bytes[at + 4] === 0xff || size.some((byte) => byte > 0x7f)) return 0;
  const footer = ((bytes[at + 5] ?? 0) & 0x10) === 0 ? 0 : ID3_HEADER_BYTES;
  return ID3_HEADER_BYTES + size.reduce((sum, byte) => sum * 128 + byte, 0) + footer;
}

const ID3_HEADER_BYTES = 10;

/** By the extension of file-type, where "a … file" is not the usual name. */
const NAMES: Readonly<Record<string, string>> = {
  pdf: 'a PDF document',
  docx: 'a Word document',
  xlsx: 'an Excel spreadsheet',
  pptx: 'a PowerPoint presentation',
  odt: 'an OpenDocument text',
  rtf: 'an RTF document',
  zip: 'a ZIP archive',
  gz: 'a gzip archive',
  '7z': 'a 7-Zip archive',
  rar: 'a RAR archive',
  tar: 'a tar archive',
  exe: 'a Windows program',
  elf: 'a Linux program',
  macho: 'a macOS program',
  webm: 'a WebM file',
  mkv: 'a Matroska file',
  amr: 'AMR audio',
  mid: 'a MIDI file',
  xml: 'an XML document',
  sqlite: 'a SQLite database',
};
/** These may be accepted recordings that begin in the middle of a frame. `findFrames` decides. */
const UNDECIDED = new Set(['mp3', 'aac']);

/** @returns what a file that is no recording looks like, in words for its owner; null for an unknown kind */
async function lookOf(head: Buffer): Promise<string | null> {
  // With sound it is an accepted container.
  if (head.subarray(0, ASF_HEADER.length).equals(ASF_HEADER)) return 'Windows Media video without sound';
  const type = await fileTypeFromBuffer(head).catch(() => undefined);
  if (type !== undefined && !UNDECIDED.has(type.ext)) return NAMES[type.ext] ?? described(type);
  return textLook(head);
}

function described({ ext, mime }: { ext: string; mime: string }): string {
  const name = ext.toUpperCase();
  const kind = mime.slice(0, mime.indexOf('/'));
  if (kind === 'video' || kind === 'audio') return `${name} ${kind}`;
  return `${/^[AEFHILMNORSX]/.test(name) ? 'an' : 'a'} ${name} ${kind === 'image' || kind === 'font' ? kind : 'file'}`;
}

function textLook(head: Buffer): string | null {
  let text: string;
  try {
    // As a stream, because the last character may be cut.
    text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
  } catch {
    return null;
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of these
  if (/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text)) return null;
  if (/^\s*(<!doctype html|<html)/i.test(text)) return 'an HTML page';
  if (/^\s*[{[]/.test(text)) return 'JSON text';
  return 'text';
}

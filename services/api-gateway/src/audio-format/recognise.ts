import { type AudioFormat, soundProblem } from '@call-analytics/contracts';
import { fileTypeFromBuffer } from 'file-type';
import { ASF_HEADER, containerOf, isSpeex } from './containers.ts';
import { findFrames, framesFrom } from './mpeg.ts';

/**
 * The first bytes that decide the format: several of the longest MP3 or AAC frames, and the headers of every container.
 */
export const HEAD_BYTES = 16 * 1024;

type Recognised = { format: AudioFormat; bytesPerSecond: number } | { looksLike: string } | { unacceptable: string };

const SPEEX = 'The recording uses the codec Speex, which is not supported. OGG is accepted with Opus, Vorbis or FLAC.';

/**
 * Recognizes a file by its content.
 * @param head the first bytes after the ID3 tags, up to HEAD_BYTES
 * @param whole whether the file ends there
 * @returns the accepted format with an estimate of its bytes per second, or what it looks like instead, e.g. "a PDF
 *   document", or what
 *   is wrong with a recording in an accepted format
 */
export async function recognise(head: Buffer, whole: boolean): Promise<Recognised> {
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

export const ID3_HEADER_BYTES = 10;

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

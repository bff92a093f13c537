import { fileTypeFromBuffer } from 'file-type';
import { ASF_HEADER } from './containers.ts';

/** By file-type's extension, where "a … file" would not be what people call it. */
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
  webm: 'WebM video',
  mkv: 'Matroska video',
  amr: 'AMR audio',
  mid: 'a MIDI file',
  xml: 'an XML document',
  sqlite: 'a SQLite database',
};
/** What file-type calls these may still be one of ours, begun in the middle of a frame: the search for frames decides. */
const PERHAPS_OURS = new Set(['mp3', 'aac']);

/** @returns what the file looks like, in words for its owner, or null when it looks like nothing known */
export async function lookOf(head: Buffer): Promise<string | null> {
  // With sound it would have been taken.
  if (head.subarray(0, ASF_HEADER.length).equals(ASF_HEADER)) return 'Windows Media video without sound';
  const type = await fileTypeFromBuffer(head).catch(() => undefined);
  if (type !== undefined && !PERHAPS_OURS.has(type.ext)) return NAMES[type.ext] ?? described(type);
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
    // As a stream, because the end of the head may cut a character in two.
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

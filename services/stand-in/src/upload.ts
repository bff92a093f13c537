import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { extname } from 'node:path';
import busboy from 'busboy';
import { ApiError } from './faults.ts';

/** Bytes of one request. */
const MAX_BYTES = 26_214_400;

export interface Upload {
  /** Fields by name; `name[]` is under `name`, `name[key]` too. */
  fields: Map<string, { sent: string; value: string }[]>;
  file: { name: string; bytes: Buffer; hash: string } | null;
}

/** @throws ApiError as the API answers for what is no form, is broken or too large */
export async function readUpload(request: IncomingMessage): Promise<Upload> {
  if (!/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')) {
    throw new ApiError(400, 'you must provide a multipart/form-data body', { param: null });
  }
  const upload: Upload = { fields: new Map(), file: null };
  const parts: Buffer[] = [];
  let size = 0;
  let name = '';
  let files = 0;
  await new Promise<void>((resolve, reject) => {
    const broken = () => reject(new ApiError(400, 'Could not parse multipart form'));
    let form: busboy.Busboy;
    try {
      form = busboy({ headers: request.headers, defParamCharset: 'utf8', limits: { fileSize: MAX_BYTES * 2 } });
    } catch {
      broken();
      return;
    }
    form.on('field', (field, value) => {
      const key = field.replace(/\[.*$/, '');
      upload.fields.set(key, [...(upload.fields.get(key) ?? []), { sent: field, value }]);
    });
    form.on('file', (field, stream, info: { filename?: string }) => {
      stream.on('error', broken);
      if (field !== 'file') {
        upload.fields.set(field, [{ sent: field, value: '' }]);
        stream.resume();
        return;
      }
      files += 1;
      name = info.filename ?? '';
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= MAX_BYTES) parts.push(chunk);
      });
    });
    form.on('error', broken);
    form.on('close', resolve);
    request.on('aborted', broken);
    request.pipe(form);
  });
  if (size > MAX_BYTES) {
    throw new ApiError(413, `413: Maximum content size limit (${MAX_BYTES}) exceeded (${size} bytes read)`, {
      type: 'server_error',
    });
  }
  if (files > 0) {
    const bytes = Buffer.concat(parts);
    upload.file = { name, bytes, hash: createHash('sha256').update(bytes).digest('hex') };
  }
  return upload;
}

/** What bytes are, whatever their name says. */
type SeenFormat = 'mp3' | 'wav' | 'flac' | 'mp4' | 'ogg' | 'ogg-opus' | 'webm' | 'aac' | 'wma' | 'unknown';

const NAMES = ['flac', 'm4a', 'mp3', 'mp4', 'mpeg', 'mpga', 'oga', 'ogg', 'wav', 'webm'];
const REFUSED: readonly SeenFormat[] = ['aac', 'wma', 'unknown'];

/** @returns the format by the first bytes of the file */
function seenFormat(bytes: Buffer): SeenFormat {
  const text = (from: number, to: number) => bytes.toString('latin1', from, to);
  if (text(0, 3) === 'ID3') return seenFormat(bytes.subarray(10 + syncsafe(bytes))) === 'aac' ? 'aac' : 'mp3';
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WAVE') return 'wav';
  if (text(0, 4) === 'fLaC') return 'flac';
  if (text(4, 8) === 'ftyp') return 'mp4';
  if (text(0, 4) === 'OggS') return text(28, 36) === 'OpusHead' ? 'ogg-opus' : 'ogg';
  if (bytes.length > 4 && bytes.readUInt32BE(0) === 0x1a45dfa3) return 'webm';
  if (bytes.length > 4 && bytes.readUInt32BE(0) === 0x3026b275) return 'wma';
  // Frame headers of MPEG audio: eleven bits set, then the layer. Layer 0 is ADTS, that is raw AAC.
  const sync = bytes.length > 1 ? bytes.readUInt16BE(0) : 0;
  if ((sync & 0xfff6) === 0xfff0) return 'aac';
  if ((sync & 0xffe0) === 0xffe0 && (sync & 0x0006) !== 0) return 'mp3';
  return 'unknown';
}

/**
 * @param name what the upload calls itself
 * @throws ApiError when the name has no ending that the API knows, or the bytes are of a format it does not take
 */
export function acceptedFormat(name: string, bytes: Buffer, { opus }: { opus: boolean }): SeenFormat {
  const ending = extname(name).slice(1).toLowerCase();
  const seen = seenFormat(bytes);
  if (!NAMES.includes(ending) || REFUSED.includes(seen)) {
    throw new ApiError(
      400,
      `Invalid file format. Supported formats: [${NAMES.map((format) => `'${format}'`).join(', ')}]`,
    );
  }
  if (seen === 'ogg-opus' && !opus) {
    throw new ApiError(400, 'This model does not support the format you provided.', {
      param: 'messages',
      code: 'unsupported_format',
    });
  }
  return seen;
}

/** The length of an ID3v2 tag: four bytes of seven bits. */
function syncsafe(bytes: Buffer): number {
  return bytes.subarray(6, 10).reduce((size, byte) => size * 128 + (byte & 0x7f), 0);
}

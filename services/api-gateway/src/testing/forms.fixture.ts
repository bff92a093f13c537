import { readFileSync } from 'node:fs';

/** A recording of the stand-in. */
export function audioFile(name: string): Buffer {
  return readFileSync(new URL(`../../../stand-in/recordings/${name}`, import.meta.url));
}

/** A form as a browser or curl would send it. */
export function form(
  parts: readonly [name: string, value: string | Buffer | { name: string; type?: string; bytes: Buffer }][],
): FormData {
  const data = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === 'string') data.append(name, value);
    else if (Buffer.isBuffer(value)) data.append(name, new Blob([new Uint8Array(value)]), 'call.mp3');
    else data.append(name, new Blob([new Uint8Array(value.bytes)], { type: value.type ?? 'audio/mpeg' }), value.name);
  }
  return data;
}

export const BOUNDARY = 'boundary-of-this-test';

/** The text in front of the bytes of a part. */
export function partHead(disposition: string, type?: string): string {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`;
}

export const FILE_HEAD = partHead('name="file"; filename="call.mp3"', 'audio/mpeg');
export const FORM_END = `\r\n--${BOUNDARY}--\r\n`;

/** The head of an upload request written by hand. @param length of the body; chunked when left out */
export function uploadHead(secret: string, length?: number, more: readonly string[] = []): string {
  return [
    'POST /api/v1/calls HTTP/1.1',
    'Host: test',
    `Authorization: Bearer ${secret}`,
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
    ...more,
    '',
    '',
  ].join('\r\n');
}

/** One chunk of a chunked body. */
export function chunk(data: string | Buffer): Buffer {
  const bytes = Buffer.from(data as string);
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

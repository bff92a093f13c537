import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';
import { ApiError } from './errors.ts';

/** Bytes of one request. */
const MOST_BYTES = 26_214_400;

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
      form = busboy({ headers: request.headers, defParamCharset: 'utf8', limits: { fileSize: MOST_BYTES * 2 } });
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
        if (size <= MOST_BYTES) parts.push(chunk);
      });
    });
    form.on('error', broken);
    form.on('close', resolve);
    request.on('aborted', broken);
    request.pipe(form);
  });
  if (size > MOST_BYTES) {
    throw new ApiError(413, `413: Maximum content size limit (${MOST_BYTES}) exceeded (${size} bytes read)`, {
      type: 'server_error',
    });
  }
  if (files > 0) {
    const bytes = Buffer.concat(parts);
    upload.file = { name, bytes, hash: createHash('sha256').update(bytes).digest('hex') };
  }
  return upload;
}

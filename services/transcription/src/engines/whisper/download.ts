import { type FileHandle, open, stat } from 'node:fs/promises';

/** The host answered, but not with the file. */
export class AnswerError extends Error {
  override name = 'AnswerError';
  readonly status: number;
  constructor(status: number) {
    super(`the host answered ${status}`);
    this.status = status;
  }
}

/** What came is not what was asked for: too long, or from another place in the file. */
export class WrongBytesError extends Error {
  override name = 'WrongBytesError';
}

export interface Download {
  url: string;
  /** Written from where it ends, when the host can continue there; otherwise from its beginning. */
  file: string;
  bytes: number;
  stallMs: number;
  signal: AbortSignal;
  onProgress(progress: { bytes: number; totalBytes: number }): void;
}

/**
 * Brings the rest of a file. Connecting is given up after 10 s (undici's default), waiting for an answer or for a byte after `stallMs`.
 * @throws AnswerError, WrongBytesError, what fetch() throws when the connection fails or is cut, and errors of the file system
 */
export async function download({ url, file, bytes, stallMs, signal, onProgress }: Download): Promise<void> {
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(new Error(`nothing came for ${stallMs} ms`)), stallMs);
  let out: FileHandle | null = null;
  try {
    const kept = await keptBytes(file, bytes);
    const answer = await fetch(url, {
      headers: kept > 0 ? { range: `bytes=${kept}-` } : {},
      signal: AbortSignal.any([signal, stalled.signal]),
    });
    if (answer.status === 416) throw new WrongBytesError('the file is shorter than what was kept of it');
    if (!answer.ok || answer.body === null) throw new AnswerError(answer.status);
    const goesOn = answer.status === 206;
    if (goesOn && !answer.headers.get('content-range')?.startsWith(`bytes ${kept}-`)) {
      throw new WrongBytesError(`asked for bytes from ${kept}, got ${answer.headers.get('content-range')}`);
    }
    out = await open(file, goesOn ? 'a' : 'w');
    let at = goesOn ? kept : 0;
    for await (const chunk of answer.body) {
      timer.refresh();
      at += chunk.byteLength;
      if (at > bytes) throw new WrongBytesError('longer than the model');
      await out.appendFile(chunk);
      onProgress({ bytes: at, totalBytes: bytes });
    }
    if (at < bytes) throw new Error(`ended at ${at} of ${bytes} bytes`);
  } finally {
    clearTimeout(timer);
    await out?.close();
  }
}

/** What is there can only be continued when it is not too long already. */
async function keptBytes(file: string, bytes: number): Promise<number> {
  const size = (await stat(file).catch(() => null))?.size ?? 0;
  return size < bytes ? size : 0;
}

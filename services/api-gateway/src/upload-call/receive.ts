import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import type { AudioStore } from '@call-analytics/audio-store';
import type { ReportType } from '@call-analytics/contracts';
import type { Logger } from '@call-analytics/service-kit';
import multer from 'multer';
import { refuseContentCoding } from '../http/body.ts';
import { HttpProblem } from '../http/problem.ts';
import { shown } from '../http/shown.ts';
import { FORM_OVERHEAD_BYTES, UploadBody } from './body.ts';
import { readFields } from './form.ts';
import { tooLarge } from './recording.ts';
import { brokenForm, RecordingEngine, type StoredRecording } from './storage-engine.ts';

export type Received = StoredRecording & { reportType: ReportType };

export interface Reception {
  audioStore: AudioStore;
  /** Of the file. */
  maxBytes: number;
  /** How long the client may send nothing. */
  idleMs: number;
  /** What the client must send, averaged over `idleMs`; 0: no minimum. */
  minBytesPerSecond: number;
  /** Uploads of one account at the same time. */
  perAccount: number;
  log: Logger;
}

const NO_FILE = 'The upload has no file. Send the recording in a part named "file", with a file name.';

/**
 * Streams the recording of an upload into the audio store. When this throws, nothing of it stays there.
 * @param hashed whether to compute the SHA-256 of the file
 * @throws HttpProblem for what is wrong with the upload, ClientGone, WorkError when it cannot be stored now
 */
export async function receive(
  req: IncomingMessage,
  res: ServerResponse,
  hashed: boolean,
  { audioStore, maxBytes, idleMs, minBytesPerSecond, log }: Reception,
): Promise<Received> {
  checkHead(req, maxBytes);
  const givenUp = new AbortController();
  const engine = new RecordingEngine(audioStore, { maxBytes, hashed, signal: givenUp.signal });
  const body = new UploadBody(req, {
    maxBytes: maxBytes + FORM_OVERHEAD_BYTES,
    idleMs,
    minBytesPerSecond,
    fail(error) {
      givenUp.abort(error);
      body.emit('error', error);
    },
  });
  try {
    if (req.headers.expect !== undefined) res.writeContinue();
    await parse(body, engine);
    const { reportType } = readFields(body.body);
    if (engine.stored === null) throw new HttpProblem('missing_file', NO_FILE);
    return { ...(await engine.stored), reportType };
  } catch (error) {
    body.stop();
    await engine.undo(log);
    // What broke the request, or the storing, before what broke because of it.
    if (givenUp.signal.aborted) throw givenUp.signal.reason;
    throw error instanceof HttpProblem || error === engine.failure ? error : formProblem(error);
  }
}

function parse(body: UploadBody, engine: RecordingEngine): Promise<void> {
  // A variable, because multer's published types do not know `streamHandler` yet.
  const options: multer.Options & { streamHandler: unknown } = {
    storage: engine,
    fileFilter(_req, { fieldname }, accept) {
      try {
        readFields(body.body);
        if (fieldname !== 'file')
          throw new HttpProblem(
            'invalid_field',
            `Unknown file field ${shown(fieldname)}. Send the recording in a part named "file".`,
          );
        if (engine.stored !== null)
          throw new HttpProblem(
            'too_many_files',
            'The upload has more than one file. Send each recording in an upload of its own.',
          );
        accept(null, true);
      } catch (error) {
        accept(error as Error);
      }
    },
    // multer's own default reads the names of files as Latin-1.
    defParamCharset: 'utf8',
    limits: { fields: 10, fieldSize: 1024, fieldNameSize: 100, fieldNestingDepth: 0, headerPairs: 20 },
    streamHandler: (_req: unknown, parser: Writable) => body.feed(parser),
  };
  const form = multer(options).any();
  type Form = Parameters<typeof form>;
  return new Promise((resolve, reject) => {
    form(body as unknown as Form[0], {} as Form[1], (error: unknown) => (error ? reject(error) : resolve()));
  });
}

/** What can be refused before a byte of the body is read. */
function checkHead({ headers }: IncomingMessage, maxBytes: number): void {
  refuseContentCoding(headers);
  const type = headers['content-type'];
  if (!/^multipart\/form-data\s*(;|$)/i.test(type ?? '')) {
    const what = type === undefined ? 'The request has no Content-Type.' : `The Content-Type is ${shown(type)}.`;
    throw new HttpProblem(
      'unsupported_media_type',
      `${what} Send the recording as multipart/form-data, in a part named "file".`,
    );
  }
  if (!/;/.test(type ?? ''))
    throw new HttpProblem(
      'invalid_multipart',
      'The Content-Type has no boundary. Let your HTTP library set this header.',
    );
  if (Number(headers['content-length'] ?? 0) > maxBytes + FORM_OVERHEAD_BYTES) throw tooLarge(maxBytes);
}

function formProblem(error: unknown): HttpProblem {
  const { code = '', field } = error as { code?: string; field?: string };
  if (field === 'file') return new HttpProblem('missing_file', NO_FILE);
  if (!/FIELD/.test(code)) return brokenForm();
  return new HttpProblem(
    'invalid_field',
    'The form has too many fields, or a name or value that is too long. Send "file" and, optionally, "reportType".',
  );
}

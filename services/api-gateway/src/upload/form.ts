import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { type AudioStore, DELETION_DENIED } from '@call-analytics/audio-store';
import {
  type AudioFormat,
  isTerm,
  REPORT_TYPES,
  type ReportType,
  speechLanguage,
  storedTerms,
  TERM_RULE,
  VOCABULARY_LIMITS,
} from '@call-analytics/contracts';
import { failureOf, type Logger } from '@call-analytics/service-kit';
import multer, { type StorageEngine } from 'multer';
import { z } from 'zod';
import { quoted, refuseContentCoding } from '../http/input.ts';
import { HttpProblem } from '../http/problem.ts';
import { FORM_OVERHEAD_BYTES, UploadBody, type UploadLimits } from './limits.ts';
import { keptFileName, Recording, recordingTooLarge } from './recording.ts';

/** The text fields of the upload form. */
export const UploadFields = z.strictObject({
  reportType: z.enum(REPORT_TYPES).default('medium').describe('Length of the report: 3, 6 or 10 sections'),
  language: z
    .string()
    .optional()
    .describe('BCP 47 language of the call, such as `en` or `pt-BR`. Without it the language is detected'),
  vocabulary: z
    .string()
    .optional()
    .describe(
      `Names and words to expect in this call, one per line, up to ${VOCABULARY_LIMITS.terms}, the most important ` +
        `first, before those of the account. Each ${TERM_RULE}`,
    ),
});
/** The longest vocabulary: characters of four bytes, and ends of lines. */
const FIELD_BYTES = VOCABULARY_LIMITS.terms * (4 * VOCABULARY_LIMITS.characters + 2);

interface StoredRecording {
  /** In the audio store. */
  key: string;
  bytes: number;
  format: AudioFormat;
  /** Estimated from size and format. */
  seconds: number;
  /** In hex; null when it was not computed. */
  sha256: string | null;
  fileName: string;
}

interface Fields {
  reportType: ReportType;
  /** ISO 639; null to detect it. */
  language: string | null;
  vocabulary: string[];
}
export type ReceivedForm = StoredRecording & Fields;

interface FormOptions {
  audioStore: AudioStore;
  limits: UploadLimits;
  /** Whether to compute the SHA-256 of the file. */
  isHashed: boolean;
  log: Logger;
}

const NO_FILE = 'The upload has no file. Send the recording in a part named "file", with a file name.';

/**
 * Streams the recording of an upload into the audio store. After a failure nothing of it stays there.
 * @throws HttpProblem for an error of the upload, ClientGone, WorkError when it cannot be stored now
 */
export async function receiveForm(
  req: IncomingMessage,
  res: ServerResponse,
  { audioStore, limits, isHashed, log }: FormOptions,
): Promise<ReceivedForm> {
  checkHeaders(req, limits.maxBytes);
  if (req.headers.expect !== undefined) res.writeContinue();
  const body = new UploadBody(req, limits);
  const broken = new AbortController();
  body.once('error', (error) => broken.abort(error));
  const storage = new RecordingStorage(audioStore, { maxBytes: limits.maxBytes, isHashed, signal: broken.signal });
  try {
    await parse(body, storage);
    const fields = readFields(body.body);
    if (storage.stored === null) throw new HttpProblem('missing_file', NO_FILE);
    return { ...(await storage.stored), ...fields };
  } catch (error) {
    body.stop();
    await storage.undo(log);
    // The first cause, not the errors that it causes in the parser and the store.
    if (broken.signal.aborted) throw broken.signal.reason;
    throw error instanceof HttpProblem || error === storage.failure ? error : formProblem(error);
  }
}

/** Refuses what the headers show before the body is read. */
function checkHeaders({ headers }: IncomingMessage, maxBytes: number): void {
  refuseContentCoding(headers);
  const type = headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*(;|$)/i.test(type)) {
    const what = type === '' ? 'The request has no Content-Type.' : `The Content-Type is ${quoted(type)}.`;
    const detail = `${what} Send the recording as multipart/form-data, in a part named "file".`;
    throw new HttpProblem('unsupported_media_type', detail);
  }
  if (!type.includes(';'))
    throw new HttpProblem(
      'invalid_multipart',
      'The Content-Type has no boundary. Let your HTTP library set this header.',
    );
  if (Number(headers['content-length'] ?? 0) > maxBytes + FORM_OVERHEAD_BYTES) throw recordingTooLarge(maxBytes);
}

function parse(body: UploadBody, storage: RecordingStorage): Promise<void> {
  // The published types of multer do not have `streamHandler` yet.
  const options: multer.Options & { streamHandler: unknown } = {
    storage,
    fileFilter(_req, { fieldname }, accept) {
      try {
        readFields(body.body);
        storage.checkPart(fieldname);
        accept(null, true);
      } catch (error) {
        accept(error as Error);
      }
    },
    // By default multer decodes file names as Latin-1.
    defParamCharset: 'utf8',
    limits: { fields: 10, fieldSize: FIELD_BYTES, fieldNameSize: 100, fieldNestingDepth: 0, headerPairs: 20 },
    streamHandler(_req: unknown, parser: Writable) {
      // After an error multer reads the body to its end before it reports the error, unless the body is destroyed. It
      // detaches the parser first, so a refused recording of 2 GiB is destroyed here and not read.
      parser.once('unpipe', () => body.destroy());
      body.pipe(parser);
    },
  };
  const form = multer(options).any();
  type Form = Parameters<typeof form>;
  return new Promise((resolve, reject) => {
    form(body as unknown as Form[0], {} as Form[1], (error: unknown) => (error ? reject(error) : resolve()));
  });
}

/**
 * @param fields the text fields; a list where a name was repeated
 * @throws HttpProblem naming the field, its value and the rule
 */
function readFields(fields: Readonly<Record<string, unknown>>): Fields {
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'file')
      throw new HttpProblem(
        'missing_file',
        'The part "file" is a text field. Send the recording as a file with a file name.',
      );
    if (!Object.hasOwn(UploadFields.shape, name))
      throw new HttpProblem('invalid_field', `Unknown field ${quoted(name)}. ${OPTIONAL}`);
    if (typeof value !== 'string')
      throw new HttpProblem('invalid_field', `The field "${name}" is repeated. Send it once.`);
  }
  const read = UploadFields.safeParse({ ...fields });
  if (!read.success)
    throw new HttpProblem(
      'invalid_field',
      `"reportType" is ${quoted(fields.reportType)}; it must be one of ${REPORT_TYPES.join(', ')}.`,
    );
  const { reportType, language = '', vocabulary = '' } = read.data;
  return { reportType, language: readLanguage(language.trim()), vocabulary: readVocabulary(vocabulary) };
}

const OPTIONAL = `Send "file" and, optionally, ${Object.keys(UploadFields.shape)
  .map((name) => `"${name}"`)
  .join(', ')}.`;

/** Forms of browsers send an empty field for one that is not filled in. */
function readLanguage(text: string): string | null {
  if (text === '') return null;
  const language = speechLanguage(text);
  if (language !== null) return language;
  throw new HttpProblem(
    'invalid_field',
    `"language" is ${quoted(text)}; it must be the BCP 47 tag of a language that speech engines know, such as en, de ` +
      'or pt-BR.',
  );
}

function readVocabulary(text: string): string[] {
  const terms = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (terms.length > VOCABULARY_LIMITS.terms)
    throw new HttpProblem(
      'invalid_field',
      `"vocabulary" has ${terms.length} lines; it must have at most ${VOCABULARY_LIMITS.terms} terms.`,
    );
  const wrong = terms.find((term) => !isTerm(term));
  if (wrong !== undefined)
    throw new HttpProblem('invalid_field', `The term ${quoted(wrong)} of "vocabulary" ${TERM_RULE}.`);
  return storedTerms(terms);
}

function formProblem(error: unknown): HttpProblem {
  const { code = '', field } = error as { code?: string; field?: string };
  if (field === 'file') return new HttpProblem('missing_file', NO_FILE);
  if (!/FIELD/.test(code)) return brokenForm();
  const detail = `The form has too many fields, or a name or value that is too long. ${OPTIONAL}`;
  return new HttpProblem('invalid_field', detail);
}

function brokenForm(): HttpProblem {
  const detail = 'The multipart body is malformed or incomplete. Nothing was stored. Create it again and resend it.';
  return new HttpProblem('invalid_multipart', detail);
}

/** multer's storage for the one file of an upload: streams it into the audio store. */
class RecordingStorage implements StorageEngine {
  /** Set when a file has begun. */
  stored: Promise<StoredRecording> | null = null;
  /** Why it could not be stored. */
  failure: unknown = null;
  readonly #audioStore: AudioStore;
  readonly #options: { maxBytes: number; isHashed: boolean; signal: AbortSignal };

  /** @param options.signal aborted when the body is broken */
  constructor(audioStore: AudioStore, options: { maxBytes: number; isHashed: boolean; signal: AbortSignal }) {
    this.#audioStore = audioStore;
    this.#options = options;
  }

  /** @throws HttpProblem for a file in another part than "file", and for a second file */
  checkPart(name: string): void {
    if (name !== 'file')
      throw new HttpProblem(
        'invalid_field',
        `Unknown file field ${quoted(name)}. Send the recording in a part named "file".`,
      );
    if (this.stored !== null)
      throw new HttpProblem(
        'too_many_files',
        'The upload has more than one file. Send each recording in an upload of its own.',
      );
  }

  _handleFile(
    _req: unknown,
    { stream, originalname }: Express.Multer.File,
    done: (error?: unknown, info?: object) => void,
  ): void {
    this.stored = this.#store(stream, originalname);
    this.stored.then(
      () => done(null, {}),
      (error) => {
        this.failure = error;
        done(error);
      },
    );
  }

  /** multer calls this after some failures only; `undo` is called after all of them. */
  _removeFile(_req: unknown, _file: unknown, done: (error: Error | null) => void): void {
    done(null);
  }

  /** After a failure: waits until the store has finished, then deletes the recording. */
  async undo(log: Logger): Promise<void> {
    const stored = await this.stored?.catch(() => null);
    if (stored) await discard(this.#audioStore, stored.key, log);
  }

  async #store(file: Readable, originalName: string): Promise<StoredRecording> {
    const { signal, ...options } = this.#options;
    const recording = new Recording(options);
    file.once('error', () => recording.destroy(brokenForm()));
    file.pipe(recording);
    await recording.acceptable;
    const key = `rec_${randomUUID()}`;
    await this.#audioStore.put(key, recording, signal);
    return { key, ...recording.result(), fileName: keptFileName(originalName) };
  }
}

/** Deletes a recording without a call. If that fails too, the sweep for such recordings finds it. */
export async function discard(audioStore: AudioStore, key: string, log: Logger): Promise<void> {
  try {
    await audioStore.delete(key);
  } catch (error) {
    // The gateway's user of an S3 store may not delete: its operator wants it so, and the sweep does it.
    const level = failureOf(error).code === DELETION_DENIED ? 'info' : 'warn';
    log[level]({ err: error, key }, 'could not delete a recording without a call; the orphan sweep will');
  }
}

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { audioFile, BOUNDARY, FORM_END, partHead } from '../testing/forms.fixture.ts';
import { type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';

const SEED = 20_261_121;
const TIME_MS = 8_000;
let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await runGateway({ settings: { MAX_UPLOAD_BYTES: '200kB', UPLOAD_IDLE_TIMEOUT: '2s' } });
});
afterAll(() => gateway.stop());

const HEADS = [
  'excerpt.mp3',
  'excerpt.wav',
  'excerpt.m4a',
  'excerpt.ogg',
  'excerpt.flac',
  'excerpt.aac',
  'excerpt.wma',
  'large-id3.mp3',
  'document.pdf',
  'picture.png',
  'webm-audio.webm',
]
  .map(audioFile)
  .map((bytes) => bytes.subarray(0, 20_000));
const EXPECTED = new Set([202, 400, 413, 415, 422]);

const bytes = fc.uint8Array({ maxLength: 3_000 }).map((array) => Buffer.from(array));
/** Not `fc.double`: nearly all doubles between 0 and 1 are nearly 0. */
const fraction = fc.integer({ min: 0, max: 999 }).map((n) => n / 1_000);
/** A file that begins like one we know, with some of its bytes changed and its end cut off. */
const damaged = fc
  .record({
    head: fc.constantFrom(...HEADS),
    length: fraction,
    flips: fc.array(fc.tuple(fraction, fc.integer({ min: 0, max: 255 })), { maxLength: 20 }),
    // The first bytes decide most, so most of the damage goes there.
    early: fc.array(fc.tuple(fc.integer({ min: 0, max: 63 }), fc.integer({ min: 0, max: 255 })), { maxLength: 4 }),
  })
  .map(({ head, length, flips, early }) => {
    const copy = Buffer.from(head.subarray(0, Math.ceil(head.length * length)));
    for (const [at, value] of flips) if (copy.length > 0) copy[Math.floor(at * copy.length)] = value;
    for (const [at, value] of early) if (at < copy.length) copy[at] = value;
    return copy;
  });
const content = fc.oneof({ weight: 3, arbitrary: damaged }, { weight: 1, arbitrary: bytes });
const filePart = content.map((file) =>
  Buffer.concat([Buffer.from(partHead('name="file"; filename="call.mp3"')), file]),
);
const word = fc.oneof(
  fc.constantFrom('file', 'reportType', 'a[b][0]', '__proto__', '', 'f\u0000'),
  fc.string({ maxLength: 30, unit: 'binary' }),
);
const part = fc.oneof(
  { weight: 4, arbitrary: filePart },
  {
    weight: 2,
    arbitrary: fc
      .record({ name: word, fileName: fc.option(word), type: fc.option(word), value: bytes })
      .map(({ name, fileName, type, value }) =>
        Buffer.concat([
          Buffer.from(
            partHead(`name="${name}"${fileName === null ? '' : `; filename="${fileName}"`}`, type ?? undefined),
          ),
          value,
        ]),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(bytes, bytes)
      .map(([head, value]) => Buffer.concat([Buffer.from(`--${BOUNDARY}\r\n`), head, Buffer.from('\r\n\r\n'), value])),
  },
);
const oneFile = filePart.map((file) => Buffer.concat([file, Buffer.from(FORM_END)]));
const anyForm = fc
  .record({
    parts: fc.array(part, { maxLength: 4 }),
    end: fc.constantFrom(FORM_END, FORM_END, '', '\r\n', `\r\n--${BOUNDARY}`, '--'),
  })
  .map(({ parts, end }) =>
    Buffer.concat([...parts.flatMap((each, i) => (i === 0 ? [each] : [Buffer.from('\r\n'), each])), Buffer.from(end)]),
  );
const body = fc.oneof(oneFile, anyForm);

describe('any body whatever', () => {
  it(
    'is answered with 202 or a refusal, and the recordings kept are those of the calls accepted',
    async () => {
      const answers: Record<number, number> = {};
      let accepted = 0;
      await fc.assert(
        fc.asyncProperty(body, async (data) => {
          const { status } = await gateway.ask('/api/v1/calls', {
            method: 'POST',
            body: new Uint8Array(data),
            headers: { ...gateway.client.headers, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
          });
          answers[status] = (answers[status] ?? 0) + 1;
          if (status === 202) accepted += 1;
          expect([...EXPECTED]).toContain(status);
          expect(await gateway.recordings()).toHaveLength(accepted);
        }),
        { seed: SEED, numRuns: 1_000_000, interruptAfterTimeLimit: TIME_MS, markInterruptAsFailure: false },
      );
      // Without both, the run would have tried nothing.
      expect(answers).toMatchObject({ 202: expect.any(Number), 400: expect.any(Number), 415: expect.any(Number) });
      expect((await gateway.ask('/healthz')).status).toBe(200);
      expect(gateway.log.filter(({ level }) => level === 'error')).toEqual([]);
    },
    TIME_MS * 4,
  );
});

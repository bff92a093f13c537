import type { SpeechEngine } from '@call-analytics/transcription';
import { SampleBuffer } from '../../services/transcription/src/plan/frames.ts';
import type { Recorded, Spoken } from './recordings.ts';

/** What the engine answers: words with times, lines with times, also with their speakers, or text alone. */
export type Times = 'words' | 'lines' | 'speakers' | 'none';

/** A stretch of the audio that was sent, and where it is in the recording. In samples. */
interface Stretch {
  channel: number | null;
  sentAt: number;
  recordedAt: number;
  length: number;
}

/** As of the engines that answer so. */
const LIMITS = {
  words: { maxSeconds: 28, packSeconds: 28, timestamps: true },
  lines: { maxSeconds: 480, timestamps: true },
  // As of a server of which nothing is known.
  speakers: { maxSeconds: 480, packSeconds: 28, timestamps: false },
  none: { maxSeconds: 480, timestamps: false },
};

const RATE = 16_000;
const PROBE = 64;
const STEP = 16;
/** A pause of this length ends a line, as Whisper does it. */
const LINE_PAUSE_MS = 600;

/**
 * A speech engine that knows the recording: it finds the samples it gets in it, and answers with the words there.
 * @param channels the recording as the service decodes it, at 16 kHz
 */
export function exactEngine(
  { spoken, words, language, activity }: Recorded,
  channels: readonly Int16Array[],
  times: Times,
  limits: Partial<SpeechEngine['limits']> = {},
): SpeechEngine {
  const known = words
    ? spoken
    : spoken.flatMap((line) => wordsOfLine(line, activity[line.speaker] ?? new Uint8Array()));
  const tracks = tracksOf(channels);
  return {
    name: 'exact',
    model: times,
    limits: { ...LIMITS[times], concurrency: 4, ...limits },
    async transcribe({ samples }) {
      const heard = stretchesOf(samples, tracks)
        .flatMap((stretch) => wordsIn(stretch, known))
        .sort((a, b) => a.startMs - b.startMs);
      const text = heard.map((word) => word.text).join(' ');
      return {
        text,
        language,
        ...(times === 'none' ? {} : { utterances: linesOf(heard, times === 'speakers') }),
        ...(times === 'words' ? { words: heard } : {}),
      };
    },
    close: async () => {},
  };
}

interface Track {
  channel: number | null;
  bytes: Buffer;
}

function tracksOf(channels: readonly Int16Array[]): Track[] {
  const buffer = new SampleBuffer(channels.length);
  const frames = Math.floor((channels[0]?.length ?? 0) / 320);
  const interleaved = new Int16Array(frames * 320 * channels.length);
  channels.forEach((channel, index) => {
    for (let i = 0; i < frames * 320; i += 1) interleaved[i * channels.length + index] = channel[i] as number;
  });
  buffer.push(interleaved);
  const bytes = (samples: Int16Array) => Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  const own = channels.map((channel, index) => ({
    channel: channels.length === 1 ? null : index,
    bytes: bytes(channel),
  }));
  return channels.length === 1 ? own : [...own, { channel: null, bytes: bytes(buffer.read(null, 0, frames)) }];
}

function stretchesOf(samples: Int16Array, tracks: readonly Track[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (let at = 0; at + PROBE <= samples.length; ) {
    const stretch = stretchAt(samples, at, tracks, stretches.at(-1));
    if (stretch !== null) stretches.push(stretch);
    at += stretch?.length ?? STEP;
  }
  return stretches;
}

function stretchAt(
  samples: Int16Array,
  at: number,
  tracks: readonly Track[],
  last: Stretch | undefined,
): Stretch | null {
  const probe = samples.subarray(at, at + PROBE);
  if (new Set(probe).size < PROBE / 4) return null;
  const needle = Buffer.from(probe.buffer, probe.byteOffset, probe.byteLength);
  for (const { channel, bytes } of tracks) {
    const after = last?.channel === channel ? 2 * (last.recordedAt + last.length) : 0;
    let found = bytes.indexOf(needle, after);
    while (found % 2 === 1) found = bytes.indexOf(needle, found + 1);
    if (found === -1) continue;
    let length = PROBE;
    while (
      at + length < samples.length &&
      samples[at + length] === (2 * length + found < bytes.length ? bytes.readInt16LE(found + 2 * length) : null)
    )
      length += 1;
    return { channel, sentAt: at, recordedAt: found / 2, length };
  }
  return null;
}

function wordsIn({ channel, sentAt, recordedAt, length }: Stretch, known: readonly Spoken[]): Spoken[] {
  const offsetMs = ((sentAt - recordedAt) * 1000) / RATE;
  return known.flatMap((word) => {
    const middle = ((word.startMs + word.endMs) / 2000) * RATE;
    const isIn = (channel === null || word.speaker === channel) && middle >= recordedAt && middle < recordedAt + length;
    return isIn ? [{ ...word, startMs: word.startMs + offsetMs, endMs: word.endMs + offsetMs }] : [];
  });
}

type SaidLine = NonNullable<Awaited<ReturnType<SpeechEngine['transcribe']>>['utterances']>[number];

/** Speakers get letters in the order in which they speak, so that a letter means another person in another request. */
function linesOf(words: readonly Spoken[], withSpeakers: boolean): SaidLine[] {
  const people = [...new Set(words.map(({ speaker }) => speaker))];
  const lines: SaidLine[] = [];
  let previous: Spoken | undefined;
  for (const { startMs, endMs, text, speaker } of words) {
    const last = lines.at(-1);
    const isOther = withSpeakers && speaker !== previous?.speaker;
    if (last === undefined || isOther || startMs - (previous?.endMs ?? 0) > LINE_PAUSE_MS)
      lines.push({ startMs, endMs, text, ...(withSpeakers && { speaker: 'ABCDEF'[people.indexOf(speaker)] }) });
    else Object.assign(last, { endMs, text: `${last.text} ${text}` });
    previous = { startMs, endMs, text, speaker };
  }
  return lines;
}

/** Gives each word of a line a share, by its letters, of the time in which the person is heard. */
function wordsOfLine({ text, startMs, endMs, speaker }: Spoken, activity: Uint8Array): Spoken[] {
  const frames = Array.from({ length: Math.round((endMs - startMs) / 10) }, (_, i) => Math.round(startMs / 10) + i);
  const sounding = frames.filter((frame) => activity[frame] === 1);
  const among = sounding.length > 0 ? sounding : frames;
  const words = text.split(' ');
  const share = among.length / words.reduce((sum, word) => sum + word.length, 0);
  let before = 0;
  return words.map((word) => {
    const middle = (among[Math.floor((before + word.length / 2) * share)] ?? 0) * 10;
    const half = 5 * word.length * share;
    before += word.length;
    return { text: word, startMs: middle - half, endMs: middle + half, speaker };
  });
}

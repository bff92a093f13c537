import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AudioStore } from '@call-analytics/audio-store';
import type { Calls, Segment } from '@call-analytics/calls';
import { type Metrics, point } from '@call-analytics/service-kit';
import { assertLeaseHeld, retryWrite, type StageWork } from '@call-analytics/worker';
import { type CutOff, type DecodeLimits, Decoding } from '../decode/decode.ts';
import { noAudio } from '../decode/failures.ts';
import type { EngineAnswer, SpeechEngine } from '../engines/engine.ts';
import { type Answered, join as joinAnswers } from '../join/join.ts';
import { type Heard, type Piece, PLAN_VERSION, Planner } from '../plan/planner.ts';
import { shapeFor } from '../plan/shape.ts';
import type { Layer } from '../sandbox/lock-down.ts';
import { SideBySide } from './side-by-side.ts';
import { inPrivateDir } from './work-dir.ts';

export interface TranscribeParts {
  calls: Calls;
  audioStore: AudioStore;
  engine: SpeechEngine;
  metrics: Metrics;
  workDir: string;
  decodeLimits: DecodeLimits;
  /** Told for each recording how its decoder is isolated. */
  isolated(layers: readonly Layer[]): void;
  /** Pieces of one call that are transcribed side by side. */
  segmentConcurrency: number;
  languages: readonly string[];
}

/**
 * The recording of a call becomes its transcript: fetched, decoded, cut into pieces, each piece transcribed and kept as soon as it is there, and all of them joined. A try that comes after a
 * broken one cuts the same pieces again and asks the engine only for those that are not kept yet.
 * @throws WorkError, LeaseLost, or the reason of the signal
 */
export async function transcribeCall(work: StageWork, parts: TranscribeParts): Promise<void> {
  const { call, lease, signal, log } = work;
  const { calls, engine } = parts;
  await inPrivateDir(parts.workDir, async (dir) => {
    const recording = join(dir, 'recording');
    await parts.audioStore.fetch(call.audio.key, recording, signal);
    const { heard, answered, cutOff } = await listen(work, parts, dir, (await stat(recording)).size);
    const transcript = joinAnswers(heard, answered, engine, cutOff);
    const invented = transcript.audio.dropped.filter(({ reason }) => reason !== 'silence').length;
    log.info(
      { seconds: heard.seconds, pieces: answered.length, invented, speakersBy: transcript.speakersBy },
      'transcribed',
    );
    assertLeaseHeld(await retryWrite(() => calls.commitTranscript(lease, transcript), signal));
  });
}

/** Decodes, cuts and transcribes at the same time: the first piece is with the engine while the rest is still being decoded. */
async function listen(
  work: StageWork,
  parts: TranscribeParts,
  dir: string,
  fileBytes: number,
): Promise<{ heard: Heard; answered: Answered[]; cutOff: CutOff | null }> {
  const { call, lease, signal } = work;
  const { calls, engine } = parts;
  // A first try finds nothing that is kept.
  const segments = lease.attempt === 1 ? [] : await calls.reads.segments(call.id);
  const kept = new Map(segments.map((segment) => [segment.key, segment]));
  const answered: Answered[] = [];
  const pieces = new SideBySide(Math.min(parts.segmentConcurrency, engine.limits.concurrency));
  const decoding = new Decoding(dir, parts.decodeLimits, signal);
  const transcribe = (piece: Piece) =>
    pieces.start(async () => {
      const { samples, ...about } = piece;
      const segment = kept.get(keyOf(piece, engine)) ?? (await transcribePiece(piece, work, parts));
      answered.push({ piece: about, segment });
    });
  try {
    const planner = new Planner(await decoding.open(fileBytes), shapeFor(engine.limits));
    parts.isolated(decoding.layers);
    for await (const samples of decoding.samples()) {
      for (const piece of planner.push(samples)) await transcribe(piece);
    }
    const { pieces: last, heard } = planner.end();
    if (heard.seconds === 0) throw noAudio();
    assertLeaseHeld(await retryWrite(() => calls.measured(lease, heard.seconds), signal));
    for (const piece of last) await transcribe(piece);
    await pieces.finish();
    return { heard, answered, cutOff: decoding.cutOff };
  } finally {
    await decoding.close();
    await pieces.settle();
  }
}

async function transcribePiece(
  piece: Piece,
  { call, lease, signal, log }: StageWork,
  { calls, engine, metrics, languages }: TranscribeParts,
): Promise<Segment> {
  signal.throwIfAborted();
  const began = performance.now();
  const answer = await engine.transcribe(piece, { signal, languages });
  count(piece, answer, engine, metrics);
  log.debug(
    { startMs: piece.startMs, endMs: piece.endMs, channel: piece.channel, ms: Math.round(performance.now() - began) },
    'piece transcribed',
  );
  await point('segment.transcribed', call.id);
  const segment = segmentOf(piece, answer, engine);
  assertLeaseHeld(await retryWrite(() => calls.saveSegment(lease, segment), signal));
  assertLeaseHeld(await retryWrite(() => calls.clearWaiting(lease), signal));
  return segment;
}

function count(
  piece: Piece,
  { tokens, dollars = 0 }: EngineAnswer,
  { name, model }: SpeechEngine,
  metrics: Metrics,
): void {
  metrics.engineSeconds.inc({ engine: name, model }, (piece.endMs - piece.startMs) / 1000);
  metrics.engineDollars.inc({ engine: name, model }, dollars);
  if (tokens === undefined) return;
  metrics.engineTokens.inc({ engine: name, model, direction: 'input' }, tokens.input);
  metrics.engineTokens.inc({ engine: name, model, direction: 'output' }, tokens.output);
}

/** The same for the same piece, engine and way of cutting; another engine's results are not taken for this one's. */
function keyOf({ channel, startMs, endMs }: Piece, { name, model }: SpeechEngine): string {
  return `${channel ?? 'all'}:${startMs}-${endMs}:${name}/${model}:${PLAN_VERSION}`;
}

/** Without times of its own a piece is one utterance. */
function segmentOf(piece: Piece, { text, utterances, language }: EngineAnswer, engine: SpeechEngine): Segment {
  const { channel, startMs, endMs, speechStartMs, speechEndMs } = piece;
  const whole = text === '' ? [] : [{ startMs: speechStartMs, endMs: speechEndMs, text }];
  const timed = utterances?.map((said) => ({
    startMs: Math.min(startMs + said.startMs, endMs),
    endMs: Math.min(startMs + said.endMs, endMs),
    text: said.text,
  }));
  const said = (timed ?? whole).filter((utterance) => utterance.text !== '');
  return {
    key: keyOf(piece, engine),
    channel,
    startMs,
    endMs,
    language,
    utterances: said.map((utterance) => ({ speaker: channel, ...utterance })),
  };
}

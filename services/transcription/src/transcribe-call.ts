import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AudioStore } from '@call-analytics/audio-store';
import type { Calls, Segment as TranscribedSegment } from '@call-analytics/calls';
import { type Metrics, point } from '@call-analytics/service-kit';
import { assertLeaseHeld, retryWrite, type StageWork } from '@call-analytics/worker';
import { type CutOff, type DecodeLimits, Decoding } from './decode/decode.ts';
import { noAudio } from './decode/failures.ts';
import type { EngineAnswer, SpeechEngine } from './engines/engine.ts';
import { joinSegments, type SegmentResult } from './join/join.ts';
import { type AudioSegment, PLAN_VERSION, Planner, type RecordingStats } from './plan/planner.ts';
import { segmentShape } from './plan/segment-cutter.ts';
import type { Layer } from './sandbox/lock-down.ts';
import { inPrivateDir } from './work-dir.ts';

export interface TranscribeParts {
  calls: Calls;
  audioStore: AudioStore;
  engine: SpeechEngine;
  metrics: Metrics;
  workDir: string;
  decodeLimits: DecodeLimits;
  /** Called for each recording with the way its decoder is isolated. */
  onIsolated(layers: readonly Layer[]): void;
  /** How many segments of one call are transcribed in parallel. */
  segmentConcurrency: number;
  languages: readonly string[];
}

/**
 * Turns the recording of a call into its transcript: fetches, decodes and cuts it, transcribes each segment, saves each
 * result, and joins them. A later attempt cuts the same segments and transcribes only those that are not saved yet.
 * @throws WorkError, LeaseLost, or the reason of the signal
 */
export async function transcribeCall(work: StageWork, parts: TranscribeParts): Promise<void> {
  const { call, lease, signal, log } = work;
  const { calls, engine } = parts;
  await inPrivateDir(parts.workDir, async (dir) => {
    const recording = join(dir, 'recording');
    await parts.audioStore.fetch(call.audio.key, recording, signal);
    const { stats, results, cutOff } = await transcribeRecording(work, parts, dir, (await stat(recording)).size);
    const transcript = joinSegments(stats, results, engine, cutOff);
    const invented = transcript.audio.dropped.filter(({ reason }) => reason !== 'silence').length;
    log.info(
      { seconds: stats.seconds, segments: results.length, invented, speakersBy: transcript.speakersBy },
      'transcribed',
    );
    assertLeaseHeld(await retryWrite(() => calls.commitTranscript(lease, transcript), signal));
  });
}

/** Decodes, cuts and transcribes at the same time: the first segment is sent while the rest is still being decoded. */
async function transcribeRecording(
  work: StageWork,
  parts: TranscribeParts,
  dir: string,
  fileBytes: number,
): Promise<{ stats: RecordingStats; results: SegmentResult[]; cutOff: CutOff | null }> {
  const { call, lease, signal } = work;
  const { calls, engine } = parts;
  // Before the first attempt nothing was saved.
  const saved = lease.attempt === 1 ? [] : await calls.reads.segments(call.id);
  const savedByKey = new Map(saved.map((segment) => [segment.key, segment]));
  const results: SegmentResult[] = [];
  const tasks = new BoundedConcurrency(Math.min(parts.segmentConcurrency, engine.limits.concurrency));
  const decoding = new Decoding(dir, parts.decodeLimits, signal);
  const transcribe = (segment: AudioSegment) =>
    tasks.start(async () => {
      const { samples, ...plan } = segment;
      const result = savedByKey.get(keyOf(segment, engine)) ?? (await transcribeSegment(segment, work, parts));
      results.push({ plan, result });
    });
  try {
    const planner = new Planner(await decoding.open(fileBytes), segmentShape(engine.limits));
    parts.onIsolated(decoding.layers);
    for await (const samples of decoding.samples()) {
      for (const segment of planner.push(samples)) await transcribe(segment);
    }
    const { segments: last, stats } = planner.end();
    if (stats.seconds === 0) throw noAudio();
    assertLeaseHeld(await retryWrite(() => calls.measured(lease, stats.seconds), signal));
    for (const segment of last) await transcribe(segment);
    await tasks.finish();
    return { stats, results, cutOff: decoding.cutOff };
  } finally {
    await decoding.close();
    await tasks.settle();
  }
}

async function transcribeSegment(
  segment: AudioSegment,
  { call, lease, signal, log }: StageWork,
  { calls, engine, metrics, languages }: TranscribeParts,
): Promise<TranscribedSegment> {
  signal.throwIfAborted();
  const { channel, startMs, endMs } = segment;
  const began = performance.now();
  const answer = await engine.transcribe(segment, { signal, languages });
  countUsage(segment, answer, engine, metrics);
  log.debug({ startMs, endMs, channel, ms: Math.round(performance.now() - began) }, 'segment transcribed');
  await point('segment.transcribed', call.id);
  const result = resultOf(segment, answer, engine);
  assertLeaseHeld(await retryWrite(() => calls.saveSegment(lease, result), signal));
  assertLeaseHeld(await retryWrite(() => calls.clearWaiting(lease), signal));
  return result;
}

function countUsage(
  { startMs, endMs }: AudioSegment,
  { tokens, dollars = 0 }: EngineAnswer,
  { name: engine, model }: SpeechEngine,
  metrics: Metrics,
): void {
  metrics.engineSeconds.inc({ engine, model }, (endMs - startMs) / 1000);
  metrics.engineDollars.inc({ engine, model }, dollars);
  if (tokens === undefined) return;
  metrics.engineTokens.inc({ engine, model, direction: 'input' }, tokens.input);
  metrics.engineTokens.inc({ engine, model, direction: 'output' }, tokens.output);
}

/** The same for the same segment, engine and plan version, so that results of another engine are not reused. */
function keyOf({ channel, startMs, endMs }: AudioSegment, { name, model }: SpeechEngine): string {
  return `${channel ?? 'all'}:${startMs}-${endMs}:${name}/${model}:${PLAN_VERSION}`;
}

/** Without times from the engine, a segment is one utterance. */
function resultOf(
  segment: AudioSegment,
  { text, utterances, language }: EngineAnswer,
  engine: SpeechEngine,
): TranscribedSegment {
  const { channel, startMs, endMs, speechStartMs, speechEndMs } = segment;
  const timed = utterances?.map((said) => ({
    startMs: Math.min(startMs + said.startMs, endMs),
    endMs: Math.min(startMs + said.endMs, endMs),
    text: said.text,
  }));
  const said = timed ?? [{ startMs: speechStartMs, endMs: speechEndMs, text }];
  return {
    key: keyOf(segment, engine),
    channel,
    startMs,
    endMs,
    language,
    utterances: said
      .filter((utterance) => utterance.text !== '')
      .map((utterance) => ({ speaker: channel, ...utterance })),
  };
}

/**
 * Runs a few tasks in parallel. After a failure it starts no more; those that run finish, because they are paid for.
 */
export class BoundedConcurrency {
  readonly #limit: number;
  readonly #running = new Set<Promise<void>>();
  #failure: { error: unknown } | null = null;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Waits for a free place, then starts the task. @throws the first failure so far, without starting the task */
  async start(task: () => Promise<void>): Promise<void> {
    while (this.#running.size >= this.#limit && this.#failure === null) await Promise.race(this.#running);
    this.#throwFailure();
    const run = task().catch((error: unknown) => {
      this.#failure ??= { error };
    });
    this.#running.add(run);
    void run.then(() => this.#running.delete(run));
  }

  /** Waits for all started tasks. @throws the first failure */
  async finish(): Promise<void> {
    await this.settle();
    this.#throwFailure();
  }

  /** Waits for all started tasks and ignores failures. */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }
}

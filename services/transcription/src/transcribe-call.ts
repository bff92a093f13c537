import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Call, Calls } from '@call-analytics/calls';
import { isTerm, VOCABULARY_LIMITS } from '@call-analytics/contracts';
import { assertLeaseHeld, retryWrite, type StageWork } from '@call-analytics/worker';
import { type CutOff, Decoding, noAudio } from './decode/decode.ts';
import type { Dependencies } from './dependencies.ts';
import { joinSegments, labelsIn } from './join/join.ts';
import { type Pass, Planner, type RecordingStats, type Voices } from './plan/planner.ts';
import { segmentShape } from './plan/segment-cutter.ts';
import { SegmentTranscription, type Transcribed } from './transcribe-segments.ts';
import { withTerms } from './vocabulary/near-misses.ts';
import type { Linked } from './voices/link.ts';
import { VoiceSeparator } from './voices/voices.ts';
import { inPrivateDir } from './work-dir.ts';

/**
 * Turns the recording of a call into its transcript: fetches, decodes and cuts it, transcribes each segment, saves each
 * result, and joins them. A later attempt cuts the same segments and transcribes only those that are not saved yet.
 * @throws WorkError, LeaseLost, or the reason of the signal
 */
export async function transcribeCall(work: StageWork, dependencies: Dependencies): Promise<void> {
  const { call, lease, signal, log } = work;
  const { calls, engine } = dependencies;
  await inPrivateDir(dependencies.workDir, async (dir) => {
    const recording = join(dir, 'recording');
    await dependencies.audioStore.fetch(call.audio.key, recording, signal);
    const vocabulary = await vocabularyOf(call, calls);
    const { size } = await stat(recording);
    const { stats, results, ...told } = await transcribeRecording(work, dependencies, dir, size, vocabulary);
    const transcript = withTerms(joinSegments(stats, results, engine, told), vocabulary);
    const { audio, speakersBy } = transcript;
    const invented = audio.dropped.filter(({ reason }) => reason !== 'silence').length;
    log.info({ seconds: stats.seconds, segments: results.length, invented, speakersBy }, 'transcribed');
    assertLeaseHeld(await retryWrite(() => calls.commitTranscript(lease, transcript), signal));
  });
}

/**
 * Decodes, cuts and transcribes at the same time: the first segment is sent while the rest is still being decoded.
 * Where people share a channel, their voices are told apart first, in a pass of its own, and in another one by
 * the speaker embedding, if there is one.
 */
async function transcribeRecording(
  work: StageWork,
  dependencies: Dependencies,
  dir: string,
  fileBytes: number,
  vocabulary: readonly string[],
): Promise<
  Transcribed & { stats: RecordingStats; cutOff: CutOff | null; voices: Voices | null; linked: Linked | null }
> {
  const { call, lease, signal } = work;
  // Before the first attempt nothing was saved.
  const saved = lease.attempt === 1 ? [] : await dependencies.calls.reads.segments(call.id);
  const transcribing = new SegmentTranscription(work, dependencies, saved, vocabulary);
  const separator = new VoiceSeparator(signal, dependencies.voiceModel);
  /** Hands each segment over when it is cut. */
  const read = async (pass: Pass) => {
    const decoding = new Decoding(dir, dependencies.decodeLimits, signal);
    try {
      const planner = new Planner(await decoding.open(fileBytes), segmentShape(dependencies.engine.limits), pass);
      dependencies.onIsolated(decoding.layers);
      for await (const samples of decoding.samples()) {
        for (const segment of planner.push(samples)) await transcribing.add(segment);
        await separator.push(planner.takeShared());
      }
      const { segments: last, stats } = planner.end();
      await separator.push(planner.takeShared());
      if (stats.seconds === 0) throw noAudio();
      assertLeaseHeld(await retryWrite(() => dependencies.calls.measured(lease, stats.seconds), signal));
      for (const segment of last) await transcribing.add(segment);
      return { stats, cutOff: decoding.cutOff };
    } finally {
      await decoding.close();
    }
  };
  try {
    // Segments of this kind come from an attempt without voices, whose results are paid for: it is continued.
    const withoutVoices = saved.some(({ key }) => key.startsWith('all:'));
    let recording = await read(withoutVoices ? 'all' : 'apart');
    let voices = await separator.end();
    if (separator.embeds) {
      await read('shared');
      voices = await separator.embed().catch((error: unknown) => {
        signal.throwIfAborted();
        work.log.warn({ err: error }, 'the speaker embedding failed: voices are separated without it');
        return voices;
      });
    }
    if (separator.used) recording = await read({ voices });
    const transcribed = await transcribing.finish();
    return { ...recording, voices, ...transcribed, linked: await separator.link(labelsIn(transcribed.results)) };
  } finally {
    await separator.close();
    await transcribing.settle();
  }
}

/** The terms of the upload, then those of the account as they are now: the first ones matter most. */
async function vocabularyOf({ id, accountId }: Call, { reads }: Calls): Promise<string[]> {
  const [own, account] = await Promise.all([reads.vocabulary(id), reads.settings(accountId, 'vocabulary')]);
  const ofAccount = Array.isArray(account?.value) ? account.value.filter((term) => typeof term === 'string') : [];
  return [...new Set([...own, ...ofAccount])].filter(isTerm).slice(0, VOCABULARY_LIMITS.terms);
}

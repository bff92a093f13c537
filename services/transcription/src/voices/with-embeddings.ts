import type { Voices } from '../plan/planner.ts';
import { dot, labelsOfFrames, spectral, WINDOW_FRAMES, type Window, windowsOf } from './clusters.ts';
import type { VoiceFeatures } from './features.ts';
import { modeled, refine } from './parts.ts';
import { confidenceOf, labelRecording, MAX_VOICES, sampleOf } from './separate.ts';
import { findSpeech } from './speech.ts';

/** With fewer windows the eigenvalues say little. */
const MIN_WINDOWS = 20;
/**
 * An eigenvalue from which on there is another voice. Measured: at most 0.12 where there is none, 0.21 and more for
 * voices that are told apart.
 */
const ANOTHER = 0.16;
const SLOPE = 40;
const ROUNDS = 3;
/**
 * Without embeddings. Measured: where it was sure of three or more voices, there were so many in 8 of 12 recordings,
 * and where it was sure of two similar ones, there were sometimes more.
 */
const SUREST_BY_SPECTRUM = 2 / 3;

/** Where an embedding is computed: frames of 10 ms of the recording. */
export type EmbeddedWindow = Pick<Window, 'from' | 'to'>;

/** @returns the windows whose embeddings tell more about the voices, in at most four minutes of speech */
export function windowsToEmbed(features: VoiceFeatures): EmbeddedWindow[] {
  const windows = windowsOf(sampleOf(features, findSpeech(features)), WINDOW_FRAMES / 2);
  return windows.length < MIN_WINDOWS ? [] : windows.map(({ from, to }) => ({ from, to }));
}

/**
 * Parts the speech in as many voices as there are clusters of embeddings. The clusters are refined by the spectrum,
 * which finds changes of voice to 0.1 s.
 * @param embeddings of the windows, in order; vectors of length 1
 * @param bySpectrum what was found without them
 * @returns those voices of the two that are likelier, and how sure it is by both
 */
export function withEmbeddings(
  features: VoiceFeatures,
  embeddings: readonly Float32Array[],
  bySpectrum: Voices,
): Voices {
  const speech = findSpeech(features);
  const sample = sampleOf(features, speech);
  const distances = embeddings.map((a) => Float64Array.from(embeddings, (b) => Math.max(0, 1 - dot(a, b))));
  const { eigenvalues, labels } = spectral(distances);
  const another = (voices: number) => confidenceOf(eigenvalues[voices] ?? 0, ANOTHER, SLOPE);
  let voices = 1;
  while (voices < MAX_VOICES && another(voices) >= 0.5) voices += 1;
  const confidence = (voices === 1 ? 1 : another(voices - 1)) * (1 - another(voices));
  const { one, other } = likelier(bySpectrum, { confidence, voices });
  if (voices === 1) return { ...bySpectrum, confidence: Math.min(bySpectrum.confidence, one) };
  if (one >= other) return { ...bySpectrum, confidence: one };
  const model = modeled(sample);
  const start = labelsOfFrames(sample, windowsOf(sample, WINDOW_FRAMES / 2), labels(voices), voices);
  return {
    confidence: other,
    stretches: labelRecording(features, speech, model, refine(model, start, voices, ROUNDS)),
  };
}

/**
 * As if each were wrong independently of the other. Of what it is not sure of, the spectrum says nothing.
 * @returns how sure the voices by the spectrum and those by the embeddings are; where they are as many, those that are
 * surer by themselves stand for both
 */
function likelier(
  { confidence, stretches }: Voices,
  embedded: { confidence: number; voices: number },
): { one: number; other: number } {
  const one = Math.max(0.5, Math.min(confidence, SUREST_BY_SPECTRUM));
  const other = embedded.confidence;
  const neither = (1 - one) * (1 - other);
  if (new Set(stretches.map(({ voice }) => voice)).size === embedded.voices) {
    const both = (one * other) / (one * other + neither);
    return other > confidence ? { one: 0, other: both } : { one: both, other: 0 };
  }
  const [onlyOne, onlyOther] = [one * (1 - other), other * (1 - one)];
  const all = onlyOne + onlyOther + neither;
  return { one: onlyOne / all, other: onlyOther / all };
}

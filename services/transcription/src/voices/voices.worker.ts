import { parentPort } from 'node:worker_threads';
import { SAMPLE_RATE } from '../plan/frames.ts';
import type { SharedAudio } from '../plan/planner.ts';
import { VoiceFeatures } from './features.ts';
import { type LabelledSpeech, linkLabels } from './link.ts';
import { separateVoices } from './separate.ts';

/** Gaps are filled with digital silence, at most so many samples at a time. */
const GAP_SAMPLES = 10 * SAMPLE_RATE;

const features = new VoiceFeatures();
let samplesSoFar = 0;

parentPort?.on('message', (message: SharedAudio | 'end' | LabelledSpeech[]) => {
  if (message === 'end') return parentPort?.postMessage({ voices: separateVoices(features) });
  if (Array.isArray(message)) return parentPort?.postMessage({ linked: linkLabels(features, message) });
  const { startMs, samples } = message;
  const from = (startMs * SAMPLE_RATE) / 1000;
  for (; samplesSoFar < from; samplesSoFar += GAP_SAMPLES)
    features.push(new Int16Array(Math.min(GAP_SAMPLES, from - samplesSoFar)));
  features.push(samples);
  samplesSoFar = from + samples.length;
  parentPort?.postMessage({ taken: true });
});

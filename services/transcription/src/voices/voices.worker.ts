import { parentPort } from 'node:worker_threads';
import { SAMPLE_RATE } from '../plan/frames.ts';
import type { SharedAudio, Voices } from '../plan/planner.ts';
import { VoiceFeatures } from './features.ts';
import { linkable, linkLabels } from './link.ts';
import { separateVoices } from './separate.ts';
import type { Message, Reply } from './voices.ts';
import { windowsToEmbed, withEmbeddings } from './with-embeddings.ts';

/** Gaps are filled with digital silence, at most so many samples at a time. */
const GAP_SAMPLES = 10 * SAMPLE_RATE;

const features = new VoiceFeatures();
let samplesSoFar = 0;
let voices: Voices | null = null;

parentPort?.on('message', (message: Message) => parentPort?.postMessage(replyTo(message)));

function replyTo(message: Message): Reply {
  if ('windows' in message) {
    voices = separateVoices(features);
    const windows = voices !== null && message.windows ? windowsToEmbed(features) : [];
    return { voices, windows, speech: windows.length > 0 ? null : linkable(features) };
  }
  if ('embeddings' in message) {
    const found = voices === null ? null : withEmbeddings(features, message.embeddings, voices);
    return { voices: found, windows: [], speech: linkable(features) };
  }
  if ('labels' in message) return { linked: linkLabels(message.speech ?? linkable(features), message.labels) };
  take(message);
  return { taken: true };
}

function take({ startMs, samples }: SharedAudio): void {
  const from = (startMs * SAMPLE_RATE) / 1000;
  for (; samplesSoFar < from; samplesSoFar += GAP_SAMPLES)
    features.push(new Int16Array(Math.min(GAP_SAMPLES, from - samplesSoFar)));
  features.push(samples);
  samplesSoFar = from + samples.length;
}

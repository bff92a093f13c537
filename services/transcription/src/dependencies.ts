import type { AudioStore } from '@call-analytics/audio-store';
import type { Calls } from '@call-analytics/calls';
import type { Metrics } from '@call-analytics/service-kit';
import type { DecodeLimits } from './decode/decode.ts';
import type { EngineTimes, SpeechEngine } from './engines/engine.ts';
import type { Layer } from './sandbox/lock-down.ts';

/** What the transcription of a call works with. */
export interface Dependencies {
  calls: Calls;
  audioStore: AudioStore;
  engine: SpeechEngine;
  engineTimes: EngineTimes;
  metrics: Metrics;
  workDir: string;
  decodeLimits: DecodeLimits;
  /** Called for each recording with the way its decoder is isolated. */
  onIsolated(layers: readonly Layer[]): void;
  /** How many segments of one call are transcribed in parallel. */
  segmentConcurrency: number;
  languages: readonly string[];
  /** The file of the speaker embedding; null when there is none. */
  voiceModel: string | null;
}

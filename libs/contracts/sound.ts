/** What a recording may be like. Decoding costs time and memory by channels and sample rate, and recordings of calls are far from these limits. */
export const SOUND_LIMITS = { mostChannels: 8, leastHz: 4_000, mostHz: 192_000 } as const;

export interface Sound {
  channels: number;
  /** Hz */
  sampleRate: number;
}

/** @returns what is wrong with the sound of a recording and what to do about it, for its owner; null when it is acceptable */
export function soundProblem({ channels, sampleRate }: Sound): string | null {
  const { mostChannels, leastHz, mostHz } = SOUND_LIMITS;
  if (channels > mostChannels)
    return `The recording has ${channels} channels; at most ${mostChannels} are accepted. Mix it down to mono or stereo and upload it again.`;
  if (sampleRate < leastHz || sampleRate > mostHz)
    return `The recording has a sample rate of ${shownHz(sampleRate)}; ${leastHz / 1_000} kHz to ${mostHz / 1_000} kHz are accepted. Convert it to 16 kHz and upload it again.`;
  return null;
}

function shownHz(hz: number): string {
  return hz < 1_000 ? `${hz} Hz` : `${Math.round(hz / 10) / 100} kHz`;
}

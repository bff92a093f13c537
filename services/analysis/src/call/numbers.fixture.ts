import type { Line, Transcript } from '@call-analytics/calls';
import { numbersOf } from './numbers.ts';

export const silent: Transcript['audio'] = {
  seconds: 60,
  channels: 2,
  coveredSeconds: 60,
  speechSeconds: [],
  dropped: [],
};

/** A call of alternating lines, each so many seconds and words long. */
export function call(spoken: ['manager' | 'customer', number, number, number?][]): {
  transcript: Transcript;
  lines: Line[];
} {
  let clock = 0;
  const lines = spoken.map(([role, seconds, words, overlap = 0]): Line => {
    const startMs = clock - overlap * 1000;
    clock = startMs + seconds * 1000;
    return {
      role,
      speaker: role === 'manager' ? 0 : 1,
      startMs,
      endMs: clock,
      text: Array.from({ length: words }, () => 'word').join(' '),
    };
  });
  const utterances = lines.map(({ speaker, startMs, endMs, text }) => ({ speaker, startMs, endMs, text }));
  return {
    lines,
    transcript: {
      language: 'en',
      utterances,
      speakersBy: 'channels',
      engine: { name: 't', model: 't' },
      audio: { ...silent, seconds: clock / 1000 },
    },
  };
}

/** So many exchanges in which each speaks so many seconds and words. */
export const turns = (count: number, seconds: number, words: number) =>
  Array.from({ length: count }, (): ['manager' | 'customer', number, number][] => [
    ['manager', seconds, words],
    ['customer', seconds, words],
  ]).flat();

/** The numbers of such a call. */
export const measured = (...spoken: Parameters<typeof call>[0]) => {
  const { transcript, lines } = call(spoken);
  return numbersOf(transcript, lines);
};

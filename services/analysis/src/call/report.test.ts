import type { Transcript } from '@call-analytics/calls';
import { describe, expect, it } from '@jest/globals';
import { recordingIssues } from './numbers.ts';

const AUDIO: Transcript['audio'] = { seconds: 31.4, channels: 1, coveredSeconds: 30, speechSeconds: [20], dropped: [] };
const transcript = (audio: Partial<Transcript['audio']>): Transcript => ({
  language: 'en',
  utterances: [],
  speakersBy: 'nothing',
  engine: { name: 'test', model: 'test' },
  audio: { ...AUDIO, ...audio },
});
const texts = (audio: Partial<Transcript['audio']>) => recordingIssues(transcript(audio)).map(({ text }) => text);

describe('what a report says of the recording', () => {
  it('is nothing when it is whole, also in transcripts of earlier versions', () => {
    expect(texts({})).toEqual([]);
    expect(texts({ cutOff: null })).toEqual([]);
  });

  it('is where it ends when its header promises more', () => {
    expect(texts({ cutOff: { declaredSeconds: 112.9 } })).toEqual(['The recording is cut off at 0:31 of 1:52.']);
    expect(texts({ seconds: 3_723, cutOff: { declaredSeconds: 7_200 } })).toEqual([
      'The recording is cut off at 1:02:03 of 2:00:00.',
    ]);
  });

  it('is where it ends when the rest cannot be decoded', () => {
    expect(texts({ cutOff: { declaredSeconds: null } })).toEqual(['The recording is damaged and ends at 0:31.']);
  });

  it('is what could not be transcribed, without silence and sounds that are no words', () => {
    const dropped = [
      { startMs: 0, endMs: 2_500, reason: 'repeated' },
      { startMs: 3_000, endMs: 9_000, reason: 'silence' },
      { startMs: 10_000, endMs: 19_000, reason: 'no_words' },
      { startMs: 20_000, endMs: 29_000, reason: 'sounds_as_words' },
    ];
    expect(texts({ dropped })).toEqual(['3 seconds of the recording could not be transcribed.']);
  });
});

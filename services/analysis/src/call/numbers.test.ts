import type { Transcript } from '@call-analytics/calls';
import { describe, expect, it } from '@jest/globals';
import { call, measured, silent, turns } from './numbers.fixture.ts';
import { numbersOf } from './numbers.ts';

describe('the numbers of a call', () => {
  it('count talking by the time it took', () => {
    expect(measured(['manager', 30, 75], ['customer', 10, 25])).toMatchObject({
      managerTalkPercent: 75,
      managerWordsPerMinute: 150,
      turns: 2,
      words: 100,
      seconds: 40,
    });
  });
  it('count no pauses within lines as talking where the speech of each was measured, and no music', () => {
    const { transcript, lines } = call([
      ['manager', 40, 75],
      ['customer', 30, 60],
    ]);
    const counted = (speechSeconds: number[]) => {
      const numbers = numbersOf({ ...transcript, audio: { ...transcript.audio, speechSeconds } }, lines);
      return [numbers.managerTalkPercent, numbers.managerWordsPerMinute, numbers.customerWordsPerMinute];
    };
    expect(counted([30, 20])).toEqual([60, 150, 180]);
    expect(counted([300, 20])).toEqual([67, 113, 180]);
    expect(counted([])).toEqual([57, 113, 120]);
    expect(counted([30, 0])).toEqual([50, 150, 120]);
  });
  it('take a line that lasts far longer than its words for pauses, not for speech', () => {
    // Engines without timestamps give one utterance for minutes: 30 words are not eight minutes of monologue.
    expect(measured(['manager', 480, 30], ['customer', 10, 20]).longestMonologueSeconds).toBe(20);
  });
  it('let a short "okay" pass without ending a speech', () => {
    expect(
      measured(['manager', 40, 100], ['customer', 1, 1], ['manager', 40, 100], ['customer', 5, 12])
        .longestMonologueSeconds,
    ).toBe(80);
  });
  it('count as an interruption only what cuts the other off', () => {
    expect(
      measured(
        ['customer', 10, 25],
        ['manager', 5, 12, 2],
        ['customer', 10, 25],
        ['manager', 1, 1, 2],
        ['customer', 10, 25],
        ['manager', 5, 12, 0.3],
      ).interruptions,
    ).toBe(1);
  });
  it('count no interruption where the customer had finished, or the two voices were never heard at once', () => {
    const { transcript, lines } = call([
      ['customer', 10, 25],
      ['manager', 5, 12, 2],
    ]);
    const counted = (text: string, overlaps: Transcript['audio']['overlaps']) => {
      const [customer, manager] = lines;
      if (customer === undefined || manager === undefined) throw new Error('no lines');
      const audio = { ...transcript.audio, ...(overlaps === undefined ? {} : { overlaps }) };
      return numbersOf({ ...transcript, audio }, [{ ...customer, text }, manager]).interruptions;
    };
    const at = lines[1]?.startMs ?? 0;
    const heard = [{ startMs: at, endMs: at + 600 }];
    expect(counted('I wanted to ask you whether', heard)).toBe(1);
    expect(counted('I wanted to ask you whether...', heard)).toBe(1);
    expect(counted('I wanted to ask you whether', undefined)).toBe(1);
    expect(counted('I wanted to ask you that.', heard)).toBe(0);
    expect(counted('I wanted to ask you whether', [])).toBe(0);
    expect(counted('I wanted to ask you whether', [{ startMs: at, endMs: at + 400 }])).toBe(0);
  });
  it.each(['voices', 'engine', 'person'] as const)(
    'count no interruption where speakers share a channel: by %s',
    (by) => {
      const { transcript, lines } = call([
        ['customer', 10, 25],
        ['manager', 5, 12, 2],
      ]);
      expect(numbersOf({ ...transcript, speakersBy: by }, lines).interruptions).toBeNull();
    },
  );
  it('are null where they cannot be known', () => {
    const { transcript, lines } = call([['customer', 10, 25]]);
    expect(numbersOf({ ...transcript, speakersBy: 'nothing' }, lines)).toMatchObject({
      interruptions: null,
      longestMonologueSeconds: null,
      managerWordsPerMinute: null,
      silenceSeconds: null,
      managerTalkPercent: 0,
    });
  });
  it('count questions by their marks, and do not guess where a recognizer writes none', () => {
    const { transcript, lines } = call(turns(1, 10, 5));
    const questions = (...texts: string[]) => {
      const { managerQuestions, customerQuestions } = numbersOf(
        transcript,
        lines.map((line, index) => ({ ...line, text: texts[index] ?? '' })),
      );
      return [managerQuestions, customerQuestions];
    };
    expect(questions('Who is it? And why?', 'It is me.')).toEqual([2, 0]);
    expect(questions('who is it and why', 'it is me who are you')).toEqual([null, null]);
    expect(questions('Who is it. And why.', 'It is me.')).toEqual([null, null]);
  });
  it('take silence from the audio', () => {
    const { transcript, lines } = call([['customer', 10, 25]]);
    expect(numbersOf({ ...transcript, audio: { ...silent, speechSeconds: [20, 15] } }, lines).silenceSeconds).toBe(25);
  });
  it('count as silence the time in which neither speaks, also where both speak at once', () => {
    const { transcript, lines } = call([['customer', 10, 25]]);
    const audio = { ...silent, speechSeconds: [20, 15], anySpeechSeconds: 22 };
    expect(numbersOf({ ...transcript, audio }, lines).silenceSeconds).toBe(38);
  });
});

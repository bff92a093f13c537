import type { Transcript } from '@call-analytics/calls';
import { describe, expect, it } from '@jest/globals';
import { analyzeByRules } from './analyze.ts';

async function productOf(...lines: [number, string][]): Promise<string | null> {
  const transcript: Transcript = {
    language: 'en',
    utterances: lines.map(([speaker, text], index) => ({
      speaker,
      startMs: index * 4_000,
      endMs: index * 4_000 + 3_500,
      text,
    })),
    speakersBy: 'channels',
    engine: { name: 'test', model: 'test' },
    audio: { seconds: lines.length * 4, channels: 2, coveredSeconds: lines.length * 4, speechSeconds: [], dropped: [] },
  };
  return (await analyzeByRules(transcript)).product;
}

const CALL: [number, string][] = [
  [0, 'Good morning. This is Robert from Green Light Software. You asked about our scheduling software.'],
  [1, 'Yes. Somebody plans the work of our drivers by hand every morning.'],
  [0, 'How many drivers do you have?'],
  [1, 'About twenty, and it takes two hours.'],
  [0, 'So you want to save those two hours.'],
  [1, 'Yes, and what does it cost?'],
  [0, 'It is four hundred dollars a month, and most of our customers save a whole day each week.'],
  [1, 'That is too expensive for us.'],
  [
    0,
    'Then I think Horizon is the right product for you. Horizon builds the plan every night and the app sends it to each driver.',
  ],
  [1, 'We also have an offer from Summit, and they are cheaper.'],
  [
    0,
    'May I ask what Summit includes? With Horizon you also get the app. I can show you Horizon on Tuesday, Susan. Thank you, Susan.',
  ],
];
const heard = (lines: [number, string][]) =>
  lines.map(([speaker, text]): [number, string] => [speaker, text.toLowerCase().replace(/[.,?]/g, '')]);

describe('the product of a call', () => {
  it('is the name under which the manager presents it, rather than its kind', async () => {
    expect(await productOf(...CALL)).toBe('Horizon');
  });
  it('is its kind when it has no name', async () => {
    const unnamed = CALL.map(([speaker, text]): [number, string] => [speaker, text.replaceAll('Horizon', 'it')]);
    expect(await productOf(...unnamed)).toBe('scheduling software');
  });
  it('is not the competitor that the customer names, nor the customer', async () => {
    const rest: [number, string] = [
      0,
      'Summit sends no plans, and Summit costs extra. Susan keeps the plan, and Susan saves time. Thank you, Susan.',
    ];
    const others = CALL.slice(1, 10).map(([speaker, text]): [number, string] => [
      speaker,
      text.replaceAll('Horizon', 'it'),
    ]);
    for (const lines of [others, heard(others)]) expect(await productOf(...lines, rest)).toBeNull();
  });
});

import { describe, expect, it } from '@jest/globals';
import type { Acts } from './acts.ts';
import { analyzeByRules } from './analyze.ts';
import { spoken } from './dialogues.fixture.ts';
import { productOf } from './product.ts';
import { type WrittenLine, writtenActs } from './written-acts.fixture.ts';

/** Lines as an encoder reads them that is sure of one name wherever it is said. */
function naming(name: string, ...lines: WrittenLine[]): Acts {
  return namingBy(0.9, name, ...lines);
}

/** @param likely how likely the name names what is sold, wherever it is said */
function namingBy(likely: number, name: string, ...lines: WrittenLine[]): Acts {
  const acts = writtenActs(lines);
  const words = (_what: string, line: number) =>
    [...(acts.pieces[line]?.text ?? '').matchAll(/\p{L}+(?:['’]s)?/gu)].map(({ 0: text, index }) => ({
      ...{ text: text.toLowerCase(), start: index, end: index + text.length },
      likely: text.toLowerCase().startsWith(name.toLowerCase()) ? likely : 0,
    }));
  return { ...acts, encoded: { naming: words, probability: () => 0, kind: [], status: [] } };
}

async function productIn(...lines: [number, string][]): Promise<string | null> {
  return (await analyzeByRules(spoken(lines))).product;
}

const ORDER: [number, string][] = [
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
    expect(await productIn(...ORDER)).toBe('Horizon');
  });
  it('is none where its word alone tells nothing', () => {
    const named = (name: string) =>
      productOf(naming(name, [`M: our ${name} is four hundred a month`], ['C: okay'], [`M: the ${name} is new`]));
    expect([named('planner'), named('planning'), named('FM')]).toEqual(['planner', null, null]);
  });
  it('is its kind when it has no name', async () => {
    const unnamed = ORDER.map(([speaker, text]): [number, string] => [
      speaker,
      text.replaceAll('Horizon', 'our scheduling software'),
    ]);
    expect(await productIn(...unnamed)).toBe('scheduling software');
  });
  it('is not the competitor that the customer names, nor the customer', async () => {
    const rest: [number, string] = [
      0,
      'Summit sends no plans, and Summit costs extra. Susan keeps the plan, and Susan saves time. Thank you, Susan.',
    ];
    const others = ORDER.slice(1, 10).map(([speaker, text]): [number, string] => [
      speaker,
      text.replaceAll('Horizon', 'it'),
    ]);
    for (const lines of [others, heard(others)]) expect(await productIn(...lines, rest)).toBeNull();
  });

  it('is no name of a company that is only introduced, asked about or described as one', () => {
    const cleans: WrittenLine = ['M: it cleans two pools a day'];
    const named = (...lines: WrittenLine[]) => productOf(naming('Bluewater', ...lines, cleans));
    expect(named(["M: it's Ann from Bluewater"], ['M: with Bluewater you save an hour'])).toBe('Bluewater');
    expect(named(["M: it's Ann from Bluewater"], ['M: thank you for calling Bluewater'])).toBeNull();
    expect(named(["M: I'm Ann with Bluewater"], ['M: Bluewater Services clean pools'])).toBeNull();
    expect(named(["M: it's Ann from Bluewater"], ['M: at Bluewater, we clean pools'])).toBeNull();
    expect(named(['M: how is it with Bluewater this year?'], ['M: and does Bluewater cost more?'])).toBeNull();
    expect(named(["C: it's Ann from Bluewater"], ['M: so Bluewater loses an hour'])).toBeNull();
  });

  it('is a name twice said, which must be likelier where a company is introduced by it', () => {
    const twice: WrittenLine[] = [['M: with Bluewater you save an hour'], ['M: and Bluewater cleans two pools a day']];
    const introduced: WrittenLine = ["M: it's Ann from Bluewater"];
    expect(productOf(namingBy(0.6, 'Bluewater', ...twice))).toBe('Bluewater');
    expect(productOf(namingBy(0.6, 'Bluewater', introduced, ...twice))).toBeNull();
    expect(productOf(namingBy(0.65, 'Bluewater', introduced, ...twice))).toBe('Bluewater');
  });

  it('is not what the manager compares it with, and no paper', () => {
    const others: WrittenLine[] = [['M: Bluewater cleans pools'], ['M: Bluewater saves an hour']];
    expect(productOf(naming('Bluewater', ...others))).toBe('Bluewater');
    expect(productOf(naming('Bluewater', ...others, ['M: was that Bluewater?']))).toBeNull();
    expect(productOf(naming('Bluewater', ...others, ['M: Bluewater is cheaper, and it has no filter']))).toBeNull();
    const papers: WrittenLine[] = [['M: the leaflet is free'], ['M: the leaflet has it all']];
    expect(productOf(naming('leaflet', ...papers))).toBeNull();
  });

  it('has no capital only because it begins a sentence', () => {
    expect(productOf(naming('softener', ['M: Softener is in stock'], ['M: the softener lasts']))).toBe('softener');
  });

  it('is said without the verb that is drawn together with it', () => {
    expect(productOf(naming('softener', ["M: the softener's on the drive"], ["M: the softener's in"]))).toBe(
      'softener',
    );
  });
});

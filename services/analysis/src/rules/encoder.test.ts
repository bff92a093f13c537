import { describe, expect, it } from '@jest/globals';
import { taggedCalls } from '../../../../test/quality/corpus.ts';
import type { Said } from './classifier.ts';
import { combined, encode, tokensOf } from './encoder.ts';

const CALL: Said[] = [
  { role: 'manager', text: 'How do you write your invoices at the moment?' },
  { role: 'customer', text: 'By hand.' },
];

describe('the encoder', () => {
  it('finds objections in calls of an author that it has not learned from', async () => {
    const [found, missed, falsely]: [string[], string[], string[]] = [[], [], []];
    for (const { lines } of taggedCalls('training')
      .filter(({ author }) => author === 'a9')
      .slice(0, 60)) {
      const encoded = await encode(lines);
      for (const [line, { role, tags, text }] of lines.entries()) {
        const likely = (encoded?.probability(line, 'objection') ?? 0) >= 0.5;
        const objects = [...tags].some((tag) => tag.startsWith('obj:'));
        if (role === 'customer' && (likely || objects)) (likely ? (objects ? found : falsely) : missed).push(text);
      }
    }
    expect(found.length).toBeGreaterThan(2 * falsely.length);
    expect(found.length).toBeGreaterThan(missed.length);
  });

  it('reads a line by the lines around it, wherever stretches are cut, and each line of a long call', async () => {
    const calls = taggedCalls('training').slice(0, 12);
    const lines = calls.flatMap((call) => call.lines);
    const [long, alone] = [await encode(lines), await encode(calls[0]?.lines ?? [])];
    const greeting = calls[0]?.lines.findIndex(({ tags }) => tags.has('greet')) ?? -1;
    for (const encoded of [long, alone]) expect(encoded?.probability(greeting, 'greet')).toBeGreaterThan(0.5);
    const spoken = lines.flatMap(({ role }, line) => (role === 'manager' ? [line] : []));
    expect(spoken.filter((line) => (long?.probability(line, 'ask') ?? 0) === 0)).toEqual([]);
  });

  it('says the same of the same call, and nothing of one that is longer than any call', async () => {
    const [first, second] = [await encode(CALL), await encode(CALL)];
    expect(second?.kind).toEqual(first?.kind);
    for (const answers of [first?.kind ?? [], first?.status ?? []])
      expect(answers.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 3);
    expect(await encode(Array<Said>(1_000).fill({ role: 'customer', text: 'yes '.repeat(64) }))).toBeNull();
    const byWords = { probability: () => 0.3 };
    expect(combined(byWords, null)).toBe(byWords);
  });
});

describe('the pieces of words', () => {
  const pieces = new Map(['[UNK]', 'in', '##voice', '##s', 'cafe', '?'].map((piece, id) => [piece, id]));
  it.each<[string, number[]]>([
    ['invoices?', [1, 2, 3, 5]],
    ['invoice café ?', [1, 2, 4, 5]],
    ['in invoiced', [1, 0]],
    ['x', [0]],
    ['in'.repeat(60), [0]],
    ['', []],
  ])('of "%s" are the longest that there are', (text, expected) => {
    expect(tokensOf(text, pieces)).toEqual(expected);
  });
});

import { describe, expect, it } from '@jest/globals';
import { MAX_HITS, pieces, search } from './search.ts';

const LINES = ['The price is too high.', 'What PRICE\u00a0 is fair? (a.b)', 'Straße, İstanbul'];

describe('the search in a transcript', () => {
  it('finds words whatever their case and the space between them', () => {
    expect(search(LINES, ' price  is ')).toEqual([
      { line: 0, start: 4, end: 12 },
      { line: 1, start: 5, end: 14 },
    ]);
  });

  it.each(['(a.b)', '.b', 'İstanbul', 'straße', '?'])('takes "%s" as it stands', (words) => {
    expect(search(LINES, words)).toHaveLength(1);
  });

  it.each(['', '   ', '.*', '[a-z]', '\\w', '$', 'x{2,}'])('finds nothing for "%s"', (words) => {
    expect(search(['price is ab'], words)).toEqual([]);
  });

  it('ends at so many hits', () => {
    expect(search(['a'.repeat(5_000)], 'a')).toHaveLength(MAX_HITS);
  });
});

describe('the pieces of a line', () => {
  it('put together are the line', () => {
    const [text = ''] = LINES;
    const cut = pieces(text, search([text], 'i'));
    expect(cut.map((piece) => piece.text).join('')).toBe(text);
    expect(cut.filter(({ hit }) => hit !== null).map((piece) => piece.text)).toEqual(['i', 'i', 'i']);
  });

  it('without a hit are one', () => {
    expect(pieces('abc', [])).toEqual([{ text: 'abc', hit: null }]);
  });
});

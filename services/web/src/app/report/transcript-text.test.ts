import { describe, expect, it } from '@jest/globals';
import { MAX_HITS, pieces, readTranscript, sameSpeaker, search, within } from './transcript-text.ts';

describe('a transcript', () => {
  it('is read line by line, with who said it', () => {
    expect(readTranscript('Manager: Hello.\nCustomer: Hi: it is me.\nSpeaker 3: And me.\n\nWhat is this')).toEqual([
      { speaker: { role: 'manager' }, text: 'Hello.' },
      { speaker: { role: 'customer' }, text: 'Hi: it is me.' },
      { speaker: { role: 'other', number: 3 }, text: 'And me.' },
      { speaker: null, text: 'What is this' },
    ]);
  });

  it('takes nothing in the text for a label', () => {
    expect(readTranscript('Customer: Manager: I quote you.')).toEqual([
      { speaker: { role: 'customer' }, text: 'Manager: I quote you.' },
    ]);
    expect(readTranscript('<b>Manager</b>: no')).toEqual([{ speaker: null, text: '<b>Manager</b>: no' }]);
  });

  it('without a line is empty', () => {
    expect(readTranscript('')).toEqual([]);
  });

  it('knows when the same speaker goes on', () => {
    expect(sameSpeaker({ role: 'manager' }, { role: 'manager' })).toBe(true);
    expect(sameSpeaker({ role: 'other', number: 3 }, { role: 'other', number: 4 })).toBe(false);
    expect(sameSpeaker(null, null)).toBe(false);
  });
});

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

  it('have their own parts of a hit', () => {
    const [hit] = search(['to Northwind'], 'o north');
    const parts = [
      { start: 0, text: 'to ' },
      { start: 3, text: 'Northwind' },
    ].map((piece) => within(piece, hit ? [hit] : []));
    expect(parts).toEqual([[{ start: 1, end: 3, whole: hit }], [{ start: 0, end: 5, whole: hit }]]);
    expect(within({ start: 8, text: 'wind' }, hit ? [hit] : [])).toEqual([]);
  });

  it('without a hit are one', () => {
    expect(pieces('abc', [])).toEqual([{ start: 0, text: 'abc', hit: null }]);
  });
});

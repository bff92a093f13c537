import { describe, expect, it } from '@jest/globals';
import { Patterns, wordsOf } from './patterns.ts';

const find = (patterns: string, text: string) =>
  new Patterns({ cue: { patterns } }).find(wordsOf(text)).map(({ from, to }) => [from, to]);

describe('a pattern of words', () => {
  it('is found wherever it stands, in any case and punctuation', () => {
    expect(find('too expensive', "That's TOO, expensive! Really too expensive.")).toEqual([
      [2, 4],
      [5, 7],
    ]);
  });
  it('knows a contraction by any spelling', () => {
    for (const text of ["I don't need it", 'i dont need it', 'I don’t need it', 'I do not need it'])
      expect(find('i do not need', text)).toHaveLength(1);
    expect(find("i don't need", 'I do not need it')).toHaveLength(1);
  });
  it('takes alternatives, also nested and empty ones', () => {
    const pattern = 'i (am|was) (really|) (looking for|interested (in|to see))';
    for (const text of ['i am looking for', 'I was really interested in', 'I am interested to see'])
      expect(find(pattern, text)).toHaveLength(1);
    expect(find(pattern, 'I am interested of')).toEqual([]);
  });
  it('may leave words out, but never a negation', () => {
    expect(find('i .. buy', 'I will surely buy')).toHaveLength(1);
    expect(find('i .. buy', 'I will not buy')).toEqual([]);
    expect(find('i .. buy', 'I think that we will buy')).toEqual([]);
    expect(find('i ... buy', 'I think that we will buy')).toHaveLength(1);
  });
  it('is found at the very end of a text, a gap at its own end included', () => {
    expect(find('see you #day ..', 'see you Sunday')).toHaveLength(1);
  });
  it('knows classes of words', () => {
    expect(find('#num #money', 'it is twenty dollars, or 15 euros, or many dollars')).toHaveLength(2);
    expect(find('next #day', 'next Tuesday')).toHaveLength(1);
  });
  it('is refused at the start of the program when it makes no sense', () => {
    expect(() => find('.. buy', '')).toThrow('must begin with a word');
    expect(() => find('ten (euros|%)', '')).toThrow('which is no word');
    expect(() => find('#colour shirt', '')).toThrow('unknown class');
    expect(() => find('a) b', '')).toThrow('parenthesis');
    const many = '(a|b|c|d|e|f|g|h|i|j)';
    expect(() => find(Array(5).fill(many).join(' '), '')).toThrow('100000 readings');
  });
});

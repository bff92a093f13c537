import { describe, expect, it } from '@jest/globals';
import { mostFrequent } from './remarks.ts';

describe('what is found most often', () => {
  it('is counted by its kind, whatever was said, once a call', () => {
    const ofCalls = [
      ['Price: “Too much.”', 'Price: “Far too much.”', 'Time: “Not now.”'],
      ['price: “We cannot pay that: no.”'],
      ['Was rude'],
    ];
    expect(mostFrequent(ofCalls)).toEqual([
      { text: 'Price', calls: 2 },
      { text: 'Time', calls: 1 },
      { text: 'Was rude', calls: 1 },
    ]);
  });

  it('is ten kinds at most, the most frequent first and the latest of equals', () => {
    const ofCalls = Array.from({ length: 12 }, (_, n) => [`kind ${n}`]);
    expect(mostFrequent([...ofCalls, ['kind 11']]).map(({ text }) => text)).toEqual([
      'kind 11',
      ...Array.from({ length: 9 }, (_, n) => `kind ${n}`),
    ]);
  });
});

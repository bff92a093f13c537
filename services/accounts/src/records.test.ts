import { describe, expect, it } from '@jest/globals';
import { isWellFormedApiKey, LastUsed, makeApiKey } from './records.ts';

describe('an API key', () => {
  it('starts with aca_, carries at least 160 random bits and a checksum', () => {
    const keys = new Set(Array.from({ length: 500 }, makeApiKey));
    expect(keys.size).toBe(500);
    for (const key of keys) {
      expect(key).toMatch(/^aca_[0-9A-Za-z]{38}$/);
      expect(isWellFormedApiKey(key)).toBe(true);
    }
    expect(Math.log2(62) * 32).toBeGreaterThan(160);
  });

  it('uses every character of its alphabet about equally often', () => {
    const counts = new Map<string, number>();
    const keys = Array.from({ length: 3_000 }, makeApiKey);
    for (const char of keys.map((key) => key.slice(4, 36)).join('')) counts.set(char, (counts.get(char) ?? 0) + 1);
    const expected = (3_000 * 32) / 62;
    expect(counts.size).toBe(62);
    // Without throwing high bytes away the first eight characters would come 25 % more often.
    for (const count of counts.values()) expect(Math.abs(count / expected - 1)).toBeLessThan(0.16);
  });

  it('that was mistyped anywhere is told from a good one', () => {
    const key = makeApiKey();
    for (let i = 0; i < key.length; i += 1) {
      expect(isWellFormedApiKey(key.slice(0, i) + (key[i] === 'x' ? 'y' : 'x') + key.slice(i + 1))).toBe(false);
    }
  });
});

it('the last use of a key that cannot be written is logged once, and once more when it is written', async () => {
  const said: string[] = [];
  const say = (about: object | string, msg?: string) => void said.push(msg ?? String(about));
  const written: string[] = [];
  let isAway = true;
  const uses = new LastUsed(
    (some) => {
      if (isAway) throw new Error('locked');
      written.push(...some.keys());
    },
    { warn: say, info: say } as never,
  );
  uses.used('key_1', null, new Date());
  // Closing writes what waits.
  await uses.close();
  await uses.close();
  expect(said).toEqual(['the last uses of keys cannot be written; trying again']);
  isAway = false;
  await uses.close();
  expect(said.slice(1)).toEqual(['the last uses of keys are written again']);
  expect(written).toEqual(['key_1']);
});

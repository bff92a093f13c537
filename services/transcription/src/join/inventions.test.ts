import { describe, expect, it } from '@jest/globals';
import { echoesVocabulary, withoutHallucinations } from './hallucinations.ts';
import { type Heard, planted, spoken } from './inventions.fixture.ts';

const CAUGHT_SHARE = 0.99;
const FALSE_ALARMS = 0.005;

function judge({ text, lengthMs, speechMs, loudestDb, vocabulary = [] }: Heard) {
  // The engine asks again without the vocabulary.
  if (echoesVocabulary(text, vocabulary)) return { utterance: null, reason: 'echo' };
  const utterance = { speaker: 0, startMs: 0, endMs: lengthMs, text };
  return withoutHallucinations(utterance, { speechMs, loudestDb });
}

const print = (line: string) => process.stdout.write(`${line}\n`);
const count = (text: string) => text.split(/\s+/).filter((word) => word !== '').length;

describe('inventions of a speech model', () => {
  it.each(['tuning', 'unseen'] as const)('of the %s half are caught: at least 99 of 100', (half) => {
    const all = planted(half);
    const missed = all.filter((heard) => judge(heard).reason === null);
    const share = 1 - missed.length / all.length;
    print(`inventions caught, ${half} half: ${(100 * share).toFixed(1)}% of ${all.length}`);
    expect(all).toHaveLength(250);
    if (share < CAUGHT_SHARE) expect(missed).toEqual([]);
  });

  it('are not found in what people say: false alarms in less than 0.5% of the words', () => {
    let words = 0;
    let lost = 0;
    const alarms: string[] = [];
    for (const heard of spoken()) {
      const { utterance, reason } = judge(heard);
      words += count(heard.text);
      lost += count(heard.text) - count(utterance?.text ?? '');
      if (reason !== null) alarms.push(`${reason}: ${heard.text}`);
    }
    print(`false alarms: ${lost} of ${words} words (${((100 * lost) / words).toFixed(2)}%)`);
    for (const alarm of alarms) print(`  ${alarm}`);
    expect(words).toBeGreaterThan(3_000);
    expect(lost / words).toBeLessThan(FALSE_ALARMS);
  });
});

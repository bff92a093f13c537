import { readdirSync, readFileSync } from 'node:fs';
import { packedTimes, type Transcript, timedWords, type Utterance } from '@call-analytics/calls';
import { describe, expect, it } from '@jest/globals';
import { NearMisses, withTerms } from './near-misses.ts';
import { letterDistance, lettersOf } from './spelling.ts';

const corrected = (terms: readonly string[], text: string, language = 'en') =>
  new NearMisses(terms, language)
    .find(text)
    .toReversed()
    .reduce((left, { at, heard, term }) => left.slice(0, at) + term + left.slice(at + heard.length), text);

const TERMS = ['Kowalczyk', 'Northwind', 'Zendesk', 'Anneliese', 'Kart', 'Russ', 'Marx', 'Outlook', 'Salesforce'];
const print = (line: string) => process.stdout.write(`${line}\n`);

describe('a misheard term', () => {
  it.each([
    ['I spoke with Kovalchik today.', 'I spoke with Kowalczyk today.'],
    ["It was Kovalchik's idea.", "It was Kowalczyk's idea."],
    ['“Kovalchik,” he said, kovalchik!', '“Kowalczyk,” he said, Kowalczyk!'],
    ['We use north wind every day.', 'We use Northwind every day.'],
    ['We moved from Zen Desk to zen desk and send desk.', 'We moved from Zendesk to Zendesk and Zendesk.'],
    ['This is Annelise, hello.', 'This is Anneliese, hello.'],
    ['We use Sales Force.', 'We use Salesforce.'],
  ])('is corrected: %s', (heard, said) => {
    expect(corrected(TERMS, heard)).toBe(said);
  });

  it.each([
    'Put it in the cart and rush it.',
    'He marks it. Marks and marks, Mr Marks.',
    'The north wind is cold, our sales force works.',
    'We will send desk phones.',
    'We look out. It has a good outlook.',
    'From the north, wind and rain.',
    'The Kowalskis know Kowalski.',
    'We kept Northwind and Kowalczyk.',
  ])('is not found in words that mean what they say: %s', (text) => {
    expect(new NearMisses(TERMS, 'en').find(text)).toEqual([]);
  });

  it('is left when two terms are as near', () => {
    expect(corrected(['Katarina', 'Katerina'], 'I met Kattarina.')).toBe('I met Kattarina.');
    expect(corrected(['Katarina'], 'I met Kattarina.')).toBe('I met Katarina.');
  });

  it('is not another person of the same family, or another form of the name', () => {
    const terms = ['Marek Wojcik', 'Valentina Sokolov', 'Arlington'];
    const text = 'I know Marie Wojcik, Valentin Sokolov and Darlington.';
    expect(corrected(terms, text)).toBe(text);
    expect(corrected(terms, 'I know Marek Voycik.')).toBe('I know Marek Voycik.');
    expect(corrected(terms, 'I know Marek Wojcyk.')).toBe('I know Marek Wojcik.');
  });

  it.each([
    [
      'de',
      'Es liegt an Fiesmann. Das fiesmann ist weiß. Weiß nicht.',
      'Es liegt an Viessmann. Das fiesmann ist weiß. Weiß nicht.',
    ],
    ['es', 'Hablé con Gonsález ayer.', 'Hablé con González ayer.'],
    ['fr', 'Voici Gonzalez et Fiesmann.', 'Voici González et Fiesmann.'],
    ['', 'Voici Gonzalez et Fiesmann.', 'Voici González et Fiesmann.'],
  ])('is corrected by the sounds of the language; in "%s": %s', (language, heard, said) => {
    expect(corrected(['Viessmann', 'González', 'Weiss'], heard, language)).toBe(said);
  });
});

type Sentence = ['tuning' | 'unseen', string, string, string, string, string];
const SENTENCES = JSON.parse(readFileSync(new URL('heard.json', import.meta.url), 'utf8')) as Sentence[];
const COUNTED_AS_NEAR = 0.34;

/** @returns whether one to three words have two thirds of the letters of the term */
function isNear(heard: string, term: string): boolean {
  const words = heard.split(/\s+/).map(lettersOf);
  const wanted = lettersOf(term);
  return words.some((_, first) =>
    [1, 2, 3].some((length) => {
      const letters = words.slice(first, first + length).join('');
      return letterDistance(letters, wanted) / Math.max(letters.length, wanted.length) <= COUNTED_AS_NEAR;
    }),
  );
}

// Spoken by flite and espeak-ng, and heard by Whisper tiny.en and base without a vocabulary.
describe('what a recognizer made of terms', () => {
  it.each(['tuning', 'unseen'] as const)('is corrected where it is sure, and nothing else is: %s half', (half) => {
    const own = SENTENCES.filter(([of]) => of === half);
    const wrong: string[] = [];
    let [misheard, near, found] = [0, 0, 0];
    for (const [language, sentences] of Map.groupBy(own, ([, language]) => language)) {
      const finder = new NearMisses([...new Set(sentences.map(([, , , term]) => term))], language);
      for (const [, , , term, said, heard] of sentences) {
        const corrections = finder.find(heard);
        for (const each of corrections) if (!said.includes(each.term)) wrong.push(`${each.heard} -> ${each.term}`);
        if (heard.includes(term)) continue;
        misheard += 1;
        if (isNear(heard, term)) near += 1;
        if (corrections.some((each) => each.term === term)) found += 1;
      }
    }
    print(
      `misheard terms, ${half} half: ${found} of ${misheard} corrected, ${near} of them near; ${wrong.length} wrong ` +
        `corrections in ${own.length} sentences`,
    );
    expect(wrong).toEqual([]);
    expect(found / near).toBeGreaterThan(0.25);
  });

  it('is not found in calls with other names: false alarms in less than 1 of 20,000 words', () => {
    const names = readFileSync(new URL('other-names.txt', import.meta.url), 'utf8')
      .trim()
      .split('\n');
    const calls = new URL('../../../../test/quality/calls/training/', import.meta.url);
    const lines = readdirSync(calls)
      .flatMap((file) => readFileSync(new URL(file, calls), 'utf8').split('\n'))
      .filter((line) => !line.startsWith('#'))
      .map((line) => line.replace(/^\w+: /, '').replaceAll(/\{[^}]*\}/g, ''));
    const words = lines.join(' ').split(/\s+/).length;
    const lists = [0, 1].map((list) => names.slice(100 * list, 100 * list + 100));
    const alarms = lists.flatMap((list) => {
      const finder = new NearMisses(list, 'en');
      return lines.flatMap((line) => finder.find(line).map(({ heard, term }) => `${heard} -> ${term}`));
    });
    const share = alarms.length / (words * lists.length);
    print(
      `false alarms: ${alarms.length} in ${lists.length} x ${words} words (${(10_000 * share).toFixed(2)} of 10,000)`,
    );
    for (const alarm of new Set(alarms)) print(`  ${alarm}`);
    expect(words).toBeGreaterThan(500_000);
    expect(share).toBeLessThan(1 / 20_000);
  });
});

const timed = (text: string, times: readonly [number, number][]): Utterance => {
  const words = packedTimes(
    times.map(([startMs, endMs]) => ({ startMs, endMs })),
    1_000,
  );
  return { speaker: 0, startMs: 1_000, endMs: 9_000, text, ...(words !== undefined && { words }) };
};
const transcript = (utterances: Utterance[], language: string | null = 'en'): Transcript => ({
  language,
  utterances,
  speakersBy: 'nothing',
  engine: { name: 'x', model: 'y' },
  audio: { seconds: 9, channels: 1, coveredSeconds: 9, speechSeconds: [9], dropped: [] },
});
const after = (utterance: Utterance, vocabulary: readonly string[]) =>
  withTerms(transcript([utterance]), vocabulary).utterances[0] ?? utterance;

describe('a transcript with the terms of a vocabulary', () => {
  it('keeps what was heard, at the place of each term', () => {
    const heard = timed("We use north wind, and Kovalchik's list.", []);
    const { text, misheard = [] } = after(heard, ['Kowalczyk', 'Northwind']);
    expect(text).toBe("We use Northwind, and Kowalczyk's list.");
    expect(misheard).toEqual([
      { at: 7, heard: 'north wind', term: 'Northwind' },
      { at: 22, heard: 'Kovalchik', term: 'Kowalczyk' },
    ]);
    for (const { at, term } of misheard) expect(text.slice(at, at + term.length)).toBe(term);
  });

  it('gives joined words the time of both, and the others their own', () => {
    const heard = timed("Use north wind, Kovalchik's list.", [
      [1_000, 1_200],
      [1_300, 1_500],
      [1_600, 1_900],
      [2_000, 2_400],
      [2_500, 2_900],
    ]);
    expect(timedWords(after(heard, ['Northwind', 'Kowalczyk']))).toEqual([
      { text: 'Use', at: 0, startMs: 1_000, endMs: 1_200 },
      { text: 'Northwind,', at: 4, startMs: 1_300, endMs: 1_900 },
      { text: "Kowalczyk's", at: 15, startMs: 2_000, endMs: 2_400 },
      { text: 'list.', at: 27, startMs: 2_500, endMs: 2_900 },
    ]);
  });

  it('divides the time of a word between those of a term', () => {
    const heard = timed('The Fordfusion.', [
      [1_000, 1_200],
      [1_400, 2_000],
    ]);
    expect(timedWords(after(heard, ['Ford Fusion'])).map(({ text, startMs, endMs }) => [text, startMs, endMs])).toEqual(
      [
        ['The', 1_000, 1_200],
        ['Ford', 1_400, 1_700],
        ['Fusion.', 1_700, 2_000],
      ],
    );
  });

  it('is read in the language of each utterance', () => {
    const said = { speaker: 0, startMs: 0, endMs: 1_000, text: 'Hier ist Fiesmann.' };
    const { utterances } = withTerms(transcript([said, { ...said, language: 'de-AT' }], 'fr'), ['Viessmann']);
    expect(utterances.map(({ text }) => text)).toEqual(['Hier ist Fiesmann.', 'Hier ist Viessmann.']);
  });

  it('is the same without a vocabulary, and without anything misheard', () => {
    const heard = transcript([timed('We use north wind.', [])], null);
    expect(withTerms(heard, [])).toBe(heard);
    expect(withTerms(heard, ['Northwind'])).toEqual(heard);
  });
});

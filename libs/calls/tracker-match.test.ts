import { TRACKER_LIMITS, Tracker } from '@call-analytics/contracts';
import { describe, expect, it } from '@jest/globals';
import { type Analysis, TrackerMatcher } from './index.ts';

type Said = [Analysis['lines'][number]['role'], string];
const tracker = (phrases: string[], more: Partial<Tracker> = {}): Tracker =>
  Tracker.parse({ name: 'Words', kind: 'mention', who: 'anyone', phrases, ...more });
const call = (said: Said[], rolesConfidence = 1): Analysis =>
  ({
    lines: said.map(([role, text], index) => ({ role, speaker: null, startMs: index * 1_000, endMs: 0, text })),
    rolesConfidence,
  }) as unknown as Analysis;
const find = (each: Tracker, said: Said[], rolesConfidence?: number) =>
  new TrackerMatcher([each]).find(call(said, rolesConfidence))[0];
const quotes = (phrases: string[], ...said: string[]) =>
  find(
    tracker(phrases),
    said.map((text): Said => ['manager', text]),
  )?.hits.map(({ quote }) => quote);

describe('a phrase is found', () => {
  it.each([
    ['in another case', 'Acme Corp', 'we use ACME corp today', 'ACME corp'],
    ['with other accents', 'garantía', 'una garantia de dos años', 'garantia'],
    ['with a typographic apostrophe', "it's risk free", 'It’s, well, it’s risk free.', 'it’s risk free'],
    ['without its apostrophe', "don't worry", 'so dont worry', 'dont worry'],
    ['across punctuation', 'money back guarantee', 'a money-back, guarantee', 'money-back, guarantee'],
    [
      'around a hesitation',
      'this call may be recorded',
      'this call, uh, may um be recorded',
      'this call, uh, may um be recorded',
    ],
    ['around a repeated word', 'the best price', 'the the best best price', 'the the best best price'],
    ['as one word', 'follow-up', 'the followup call', 'followup'],
    ['as two words', 'follow-up', 'a follow up call', 'follow up'],
    ['with a hyphen', 'email', 'send an e-mail', 'e-mail'],
    ['in the plural', 'guarantee', 'no guarantees here', 'guarantees'],
    ['with the s of a name', 'Acme', "Acme's price", 'Acme'],
    ['after an elision', 'assurance', 'c’est l’assurance', 'assurance'],
    ['in a compound', 'SAP', 'das SAP-System', 'SAP'],
    ['as a word that is elsewhere a hesitation', 'EU rules', 'the EU rules', 'EU rules'],
    ['in Russian', 'Гарантия', 'полная гарантия', 'гарантия'],
    ['in a script without spaces', '保証', '私たちは保証します', '保証'],
  ])('%s', (_, phrase, text, quote) => {
    expect(quotes([phrase], text)).toEqual([quote]);
  });

  it('where a sentence goes on in the next line of the speaker, with the words of the first line', () => {
    const said: Said[] = [
      ['manager', 'Please note that this call'],
      ['customer', 'Mhm.'],
      ['manager', 'may be recorded for training.'],
    ];
    expect(find(tracker(['this call may be recorded']), said)?.hits).toEqual([
      { phrase: 'this call may be recorded', quote: 'this call', line: 0 },
    ]);
  });

  it('once at each place: the longest of the phrases there', () => {
    expect(
      quotes(['guarantee', 'money back guarantee', 'back guarantee'], 'a money back guarantee, a guarantee'),
    ).toEqual(['money back guarantee', 'guarantee']);
  });
});

describe('a phrase is not found', () => {
  it.each([
    ['within a word', 'art', 'start the party'],
    ['as the beginning of a word', 'guarantee', 'guaranteed'],
    ['with another word in between', 'best price', 'best possible price'],
    ['in its negation', 'we can', "we can't do that"],
    ['where an apostrophe makes another word', 'well done', "we'll done"],
    ['as the plural of a name', 'Apple', 'apples and pears'],
    ['as the plural of a short word', 'new', 'the news'],
    ['in another number', '24 7', 'call 247'],
    ['across the end of a line that ends a sentence', 'discount guarantee', 'No discount.', 'Guarantee is extra.'],
  ])('%s', (_, phrase, ...said) => {
    expect(quotes([phrase], ...said)).toEqual([]);
  });

  it('across what another person says', () => {
    const said: Said[] = [
      ['manager', 'and this call'],
      ['customer', 'Sorry, who is this again?'],
      ['manager', 'may be recorded'],
    ];
    expect(find(tracker(['this call may be recorded']), said)?.result).toBe('not_found');
  });
});

describe('a tracker', () => {
  const said: Said[] = [
    ['manager', 'Good morning.'],
    ['customer', 'We use Acme.'],
  ];

  it('finds only what the asked person says', () => {
    expect(find(tracker(['acme'], { who: 'customer' }), said)?.result).toBe('found');
    expect(find(tracker(['acme'], { who: 'manager' }), said)?.result).toBe('not_found');
  });

  it('that asks for a role says nothing of a call whose roles are less than 60% sure', () => {
    const results = (who: Tracker['who'], sure: number) =>
      (['mention', 'required'] as const).map((kind) => find(tracker(['acme'], { who, kind }), said, sure)?.result);
    expect(results('customer', 0.59)).toEqual(['not_judged', 'not_judged']);
    expect(results('manager', 0.59)).toEqual(['not_judged', 'not_judged']);
    expect(results('manager', 0.6)).toEqual(['not_found', 'missing']);
    expect(results('anyone', 0)).toEqual(['found', 'found']);
  });

  it('that requires a phrase misses it only in a conversation', () => {
    const required = tracker(['this call is recorded'], { kind: 'required', who: 'manager' });
    expect(find(required, said)?.result).toBe('missing');
    expect(find(required, said.slice(0, 1))?.result).toBe('not_judged');
    expect(find(required, [])?.result).toBe('not_judged');
  });

  it('shows the first hits of a call that has thousands', () => {
    const hits = find(tracker(['acme']), [
      ['manager', 'acme '.repeat(3_000)],
      ['customer', 'Acme!'],
    ])?.hits;
    expect(hits).toHaveLength(TRACKER_LIMITS.hits);
  });
});

describe('hostile calls and trackers cost time in proportion to the length of the call', () => {
  const all = (phrases: (tracker: number, phrase: number) => string) =>
    Array.from({ length: TRACKER_LIMITS.trackers }, (_, each) =>
      tracker(
        Array.from({ length: TRACKER_LIMITS.phrases }, (_, phrase) => phrases(each, phrase)),
        { name: `Words ${each}` },
      ),
    );
  it.each([
    ['one word again and again', all((each, phrase) => `${'aa '.repeat((each + phrase) % 11)}aa ${each}`), 'aa '],
    [
      'words joined by hyphens',
      all((each, phrase) =>
        (each * 50 + phrase + 4096)
          .toString(2)
          .replace(/0/g, 'aa ')
          .replace(/1/g, 'a ')
          .slice(0, 60)
          .split(' ')
          .slice(0, 12)
          .join(' '),
      ),
      'a-',
    ],
    ['hesitations', all((each) => `uh um ${each}`), 'uh '],
    ['text without spaces', all((each) => `保証保証${each}`), '保証'],
    ['one endless word', all((each) => `word ${each}`), 'w'],
  ])('%s', (_, trackers, unit) => {
    const matcher = new TrackerMatcher(trackers);
    const lookedOnce = (length: number) => {
      const began = process.cpuUsage();
      matcher.find(call([['manager', unit.repeat(length / unit.length)]]));
      return process.cpuUsage(began).user / 1_000;
    };
    // The least of three: a collection of all the garbage of the run counts as work as well.
    const looked = (length: number) => Math.min(...Array.from({ length: 3 }, () => lookedOnce(length)));
    const [short, long] = [looked(40_000), looked(320_000)];
    // Eight times the length; work that grows with the square would take 64 times as long.
    expect(long).toBeLessThan(24 * Math.max(short, 5));
  });
});

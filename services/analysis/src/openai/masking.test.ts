import { describe, expect, it } from '@jest/globals';
import { taggedCalls } from '../../../../test/quality/corpus.ts';
import { NAMES, OTHER_PEOPLE } from '../call/other-people.fixture.ts';
import { analyze, answer, completion, type Script, transcript } from './analyst.fixture.ts';
import { masked } from './masking.ts';

/** What the model reads of a call of two. */
const read = (...lines: string[]): string[] =>
  masked(transcript(lines.map((text, index): [number, string] => [index % 2, text]))).transcript.utterances.map(
    ({ text }) => text.replaceAll('\u00a0', ' '),
  );
/** Enough English for the language to be certain. */
const OPENING = 'Hello, is it a good time for you to talk about the offer that we have sent to you?';

describe('what the model reads of who somebody is', () => {
  it.each([
    ['a name in the list', 'and then priya said that is fine', 'and then Person 1 said that is fine'],
    ['a first and last name', 'This is Emma Weber from the shop.', 'This is Person 1 from the shop.'],
    ['a title and a name', 'Ask Mrs. Okonkwo about it.', 'Ask Person 1 about it.'],
    ['a name after a greeting', 'Hi Tanwen, how are you?', 'Hi Person 1, how are you?'],
    ['a name that is introduced', 'my name is tanwen and i call about it', 'my name is Person 1 and i call about it'],
    ['a rare word as a name', 'hello this is rob calling', 'hello this is Person 1 calling'],
    ['a company', "it's Declan from Rotabase down here", "it's Person 1 from Company 1 down here"],
    ['a company without capitals', "it's declan from rotabase down here", "it's Person 1 from Company 1 down here"],
    ['a company of two words', 'this is emma from green light, hello', 'this is Person 1 from Company 1, hello'],
    ['a company that answers', 'Brightbooks, this is Emma.', 'Company 1, this is Person 1.'],
    ['a possessive', "it is Emma's own idea", "it is Person 1's own idea"],
    ['pronouns', "She'll ask him for hers.", "He/she'll ask his/her for his/her."],
    ['a title without a name', 'may i speak to mrs', 'may i speak to Mr/Ms'],
    ['both senses of "her"', 'tell her that her order is here', 'tell his/her that his/her order is here'],
    ['a spouse', 'I must ask my husband first', 'I must ask my spouse first'],
    ['dialect', 'aye ye can have nowt', 'yes you can have nothing'],
  ])('is neutral: %s', (_name, said, expected) => {
    expect(read(OPENING, said)[1]).toBe(expected);
  });

  it.each([
    'I will mark it in the bill, may I?',
    'Horizon plans the routes, and Summit does not.',
    'We can come on Wednesday or in April.',
    'The Caspian model is what I want to see.',
    'this is great and it is free from May on',
    'I am from accounting, and we want Excel.',
    'They were in London and in Germany.',
  ])('is all of what is no name: %s', (said) => {
    expect(read(OPENING, said)[1]).toBe(said);
  });

  it('has the same number for the same person and company in the whole call', () => {
    expect(
      read(
        'Hi, this is Emma Weber from Rotabase. Is that Declan?',
        'Yes, it is. Ms. Weber, is Rotabase your company?',
        "It's Rotabase and Lumio now. Emma is fine, Declan. You asked us to call you about the offer.",
      ),
    ).toEqual([
      'Hi, this is Person 1 from Company 1. Is that Person 2?',
      'Yes, it is. Person 1, is Company 1 your company?',
      "It's Company 1 and Lumio now. Person 1 is fine, Person 2. You asked us to call you about the offer.",
    ]);
  });

  it('is left alone in other languages', () => {
    const german = [
      'Guten Tag, hier ist Emma Weber von Lumio, was kann ich für Sie tun?',
      'Mein Mann hat Sie angerufen.',
    ];
    expect(read(...german)).toEqual(german);
  });
});

describe('a report about masked words', () => {
  it('has the words and names of the call: in its lines, quotes and texts', async () => {
    const lines: [number, string][] = [
      [1, 'Good morning, Ms. Okonkwo. This is Declan Byrne from Rotabase.'],
      [0, 'Hi Declan. My husband says the rota is a mess, he wants it to be done.'],
      [1, 'Our Rotabase Plus does that for you. Shall I show it to him on Tuesday?'],
      [0, 'Aye, he can do Tuesday. But the price that she named is too high for us.'],
    ];
    const { analysis, requests } = await analyze(
      completion(
        answer({
          checks: { ...answer().checks, introduced: { line: 1, quote: 'This is Person 2 from Company 1.' } },
          product: { line: 3, quote: 'Our Company 1 Plus does that', name: 'Company 1 Plus' },
          customer_intent: { line: 2, quote: 'she wants it to be done', text: 'Person 1 wants a better rota' },
          objections: [
            {
              kind: 'price',
              text: 'Too high for Person 1',
              line: 6,
              quote: 'the price that he/she named is too high',
              answer: null,
            },
          ],
          next_steps: [
            {
              text: 'Person 2 shows it',
              line: 4,
              quote: 'Shall I show it to his/her on Tuesday',
              when: { line: 7, quote: 'Yes, he/she can do Tuesday', words: 'he/she can do Tuesday' },
              who: 'manager',
            },
          ],
          summary: [
            { line: 1, quote: 'This is Person 2 from Company 1', text: 'PERSON 2 of Company 1 calls person 1.' },
          ],
        }),
      ),
      { call: transcript(lines), scorecard: undefined },
    );
    expect(JSON.stringify(requests)).not.toMatch(/Okonkwo|Declan|Byrne|Rotabase|husband/);
    expect(analysis.lines.map(({ text }) => text)).toEqual(lines.map(([, text]) => text));
    expect(analysis).toMatchObject({
      product: 'Rotabase Plus',
      customerIntent: 'Ms. Okonkwo wants a better rota',
      nextStep: 'Declan Byrne shows it',
      summary: 'Declan Byrne of Rotabase calls Ms. Okonkwo.',
      objections: [{ text: 'Price: Too high for Ms. Okonkwo', quote: 'the price that she named is too high', line: 3 }],
      evidence: {
        customerIntent: { quote: 'wants it to be done', line: 1 },
        nextSteps: [{ quote: 'Shall I show it to him on Tuesday?', line: 2, when: 'he can do Tuesday' }],
      },
    });
  });

  it('proves nothing by words that only the mask has', async () => {
    const { analysis, drops } = await analyze(
      completion(answer({ positives: [{ line: 0, quote: 'is Person 1', text: 'Says a name' }] })),
    );
    expect(analysis.positives).toEqual([]);
    expect(drops).toEqual({ unproven: 1 });
  });

  it('asks questions of a scorecard about the masked names', async () => {
    const question = { question: 'Does Emma say that she is from Brightbooks?', who: 'manager' as const, weight: 10 };
    const item = { question: 1, evidence: { line: 0, quote: 'Company 1, this is Person 1.' }, answer: 'yes' as const };
    const { analysis, requests } = await analyze(completion({ ...answer(), scorecard: [item] }), {
      scorecard: { version: 1, questions: [question] },
    });
    expect(requests[0]?.messages[1]?.content).toContain('Does Person 1 say that he/she is from Company 1?');
    expect(analysis.scorecard?.questions).toMatchObject([
      { question: question.question, answer: 'yes', proof: { quote: 'Brightbooks, this is Emma.', line: 0 } },
    ]);
  });
});

/** Other people say the same: as a transcript would hold it. */
const byOthers = (text: string) =>
  ['names', 'gender', 'british', 'irish'].reduce((said, way) => OTHER_PEOPLE[way]?.(said) ?? said, text);

/** A model that quotes from what it reads: the longest lines of either speaker. */
const quoting: Script = (request, response) => {
  const prompt: string = JSON.parse(request.body).messages[1].content;
  const lines = [...prompt.matchAll(/^(\d+) S(\d+): (.*)$/gm)]
    .map(([, line, speaker, quote = '']) => ({ line: Number(line), speaker: Number(speaker), quote }))
    .sort((one, other) => other.quote.length - one.quote.length);
  const [most] = lines;
  const [manager, customer] = [true, false].map((same) =>
    lines.filter(({ speaker }) => (speaker === most?.speaker) === same),
  );
  const said = (item: (typeof lines)[number]) => ({ line: item.line, quote: item.quote });
  const texts = (items: typeof lines = []) => items.map((item) => ({ ...said(item), text: item.quote.slice(0, 200) }));
  completion(
    answer({
      call_kind: { evidence: null, kind: 'sales' },
      speakers: [...new Set(lines.map(({ speaker }) => speaker))].map((speaker) => ({
        speaker,
        role: speaker === most?.speaker ? 'manager' : 'customer',
      })),
      checks: { ...answer().checks, introduced: null, confirmed_need: manager?.[0] ? said(manager[0]) : null },
      questions: (manager ?? []).slice(1, 8).map(said),
      objections: texts(customer?.slice(0, 3)).map((item) => ({ ...item, kind: 'price', answer: null })),
      positives: texts(manager?.slice(0, 3)),
      summary: texts(lines.slice(3, 6)),
      outcome: { evidence: customer?.[0] ? said(customer[0]) : null, status: 'sold' },
    }),
  )(request, response);
};

describe('a hundred calls, and the same calls by people of other names, gender and dialect', () => {
  const known = new RegExp(`\\b(?:${[...NAMES.keys()].join('|')})\\b`, 'i');
  // These authors only, so that calls that are added later leave the sample as it is.
  const calls = taggedCalls('training')
    .filter(({ author, lines }) => /^a(\d|1[0-3])$/.test(author) && lines.some(({ text }) => known.test(text)))
    .filter((_call, index) => index % 3 === 0)
    .slice(0, 100);

  it('are the same to the model, byte for byte, and get the same answers in their own words', async () => {
    const differing: string[] = [];
    let swapped = 0;
    for (const { name, transcript: call } of calls) {
      const other = { ...call, utterances: call.utterances.map((each) => ({ ...each, text: byOthers(each.text) })) };
      const [one, two] = [await analyze(quoting, { call }), await analyze(quoting, { call: other })];
      const isSame = JSON.stringify(one.requests) === JSON.stringify(two.requests);
      if (!isSame) differing.push(name);
      const bare = ({ analysis }: typeof one) => ({
        score: analysis.score,
        saleStatus: analysis.saleStatus,
        rubric: analysis.rubric.map(({ id, points }) => [id, points]),
        found: [...analysis.objections, ...analysis.positives].map(({ line }) => line),
      });
      if (isSame) expect(bare(two)).toEqual(bare(one));
      expect(one.analysis.lines.map(({ text }) => text)).toEqual(call.utterances.map(({ text }) => text));
      expect(two.analysis.lines.map(({ text }) => text)).toEqual(other.utterances.map(({ text }) => text));
      for (const { quote, line } of two.analysis.objections)
        expect(two.analysis.lines[line ?? -1]?.text).toContain(quote);
      swapped += call.utterances.filter(({ text }, index) => text !== other.utterances[index]?.text).length;
    }
    // A shop called "Jungle Jim's" is no person of the call.
    expect(differing).toEqual(['dance-shoes-not-for-us']);
    expect(calls).toHaveLength(100);
    expect(swapped).toBeGreaterThan(1_000);
  });
});

import { describe, expect, it } from '@jest/globals';
import { numbersOf } from '../call/numbers.ts';
import { analyzeByRules } from './analyze.ts';
import { spoken } from './dialogues.fixture.ts';
import { mistakesOf, objectionsOf } from './findings.ts';
import { type WrittenLine, writtenActs } from './written-acts.fixture.ts';

describe('voices in one channel', () => {
  const said = [
    'Good morning, this is Emma from Brightbooks. You asked us for an offer for our invoicing software.',
    'Hi Emma. I am looking for something to write my invoices with, because I lose a whole evening on them each week.',
    'How many invoices do you write in a month?',
    'About thirty.',
    'And how do you write them at the moment?',
    'In a spreadsheet, by hand.',
    'So you want that evening back, and fewer mistakes.',
    'Exactly.',
    'Our invoicing software writes them for you and sends the reminders, so you save those hours.',
    'And what does it cost?',
    'It costs 20 euros a month, and you can cancel every month.',
    'That sounds good, I would like to try it.',
    'May I send you the contract today, so that you can start on Monday?',
    'Yes, please send it to me.',
  ];
  const transcript = (speakersConfidence: number) =>
    spoken(
      said.map((text, index) => [index % 2, text]),
      { speakersBy: 'voices', speakersConfidence },
    );

  it('that were not surely told apart give no score, and the reason says what would help', async () => {
    expect(await analyzeByRules(transcript(0.98))).toMatchObject({ score: expect.any(Number), notScored: null });
    const { score, notScored, managerMistakes, numbers } = await analyzeByRules(transcript(0.5));
    expect(score).toBeNull();
    expect(notScored).toMatchObject({ code: 'roles_unclear', message: expect.stringContaining('separate channel') });
    expect(managerMistakes).toEqual([]);
    expect(numbers.managerTalkPercent ?? null).toBeNull();
  });

  it('ask and agree on what the report names: the question with its answer, and who does what', async () => {
    const { evidence } = await analyzeByRules(transcript(0.98));
    expect(evidence?.customerQuestions).toEqual([
      { quote: said[9], line: 9, answer: { quote: said[10], line: 10 }, unanswered: false },
    ]);
    expect(evidence?.nextSteps).toMatchObject([
      { what: 'send you the contract today', who: 'manager', when: 'today', quote: said[12], line: 12 },
    ]);
  });

  it('that were not surely told apart ask nothing: the manager may have asked', async () => {
    const { score, evidence } = await analyzeByRules(transcript(0.8));
    expect({ isScored: score !== null, questions: evidence?.customerQuestions }).toEqual({
      isScored: true,
      questions: [],
    });
  });
});

describe('an objection of no certain kind', () => {
  const kindsOf = (said: `C: ${string}`) => objectionsOf(writtenActs([[said, 'objection']])).map(({ kind }) => kind);

  it.each([
    'C: I would have to ask my husband about that',
    'C: I need to run it past the board first',
    "C: it's up to the council really",
    'C: my wife would want to see it',
    "C: it's not my decision",
  ] as const)('is that somebody else decides: %s', (said) => expect(kindsOf(said)).toEqual(['authority']));

  it.each(['C: I have to ask you why', 'C: my wife liked it less', 'C: it is a lot of work'] as const)(
    'stays without one: %s',
    (said) => expect(kindsOf(said)).toEqual([null]),
  );
});

it('an objection is not called doubts or no need, of which a third were wrong', () => {
  const kindsOf = (act: 'objection.trust' | 'objection.price') =>
    objectionsOf(writtenActs([['C: that sounds like a lot', 'objection', act]])).map(({ kind }) => kind);
  expect(kindsOf('objection.price')).toEqual(['price']);
  expect(kindsOf('objection.trust')).toEqual([null]);
});

describe('the kind of a mistake', () => {
  const kindsIn = (...lines: WrittenLine[]) => foundIn(writtenActs(lines));
  const foundIn = (acts: ReturnType<typeof writtenActs>) => {
    const said = acts.pieces.map(({ role, text }) => ({ role, text, speaker: null, startMs: 0, endMs: 0 }));
    const numbers = numbersOf(spoken([]), said);
    const observed = { checks: {} as never, questions: [], nextStep: null, saleStatus: 'not_sold' as const };
    return mistakesOf(acts, { lines: said, rolesBy: 'channels', rolesConfidence: 1 }, numbers, observed).map(
      ({ kind }) => kind,
    );
  };

  it('may be less likely where the line is a mistake for certain', () => {
    const line = 'M: The SLA covers RTO and RPO.';
    expect(kindsIn([line, ['mistake.jargon', 0.6]])).toEqual([]);
    expect(kindsIn([line, ['mistake.jargon', 0.6], 'mistake'])).toEqual(['jargon']);
    expect(kindsIn([line, ['mistake.jargon', 0.3], 'mistake'])).toEqual([null]);
    expect(kindsIn([line, ['mistake.pressure', 0.6], 'mistake'])).toEqual([null]);
  });

  it('is the likeliest one: pressure that is rude as well is pressure', () => {
    const line = 'M: You will remember this call.';
    expect(kindsIn([line, ['mistake.rude', 0.6], ['mistake.pressure', 0.9], 'mistake'])).toEqual(['pressure']);
    expect(kindsIn([line, ['mistake.rude', 0.7], ['mistake.pressure', 0.6], 'mistake'])).toEqual(['rude']);
  });

  it('may be unknown only in a line that is surely one', () => {
    expect(kindsIn(['M: It depends on a few things.', ['mistake', 0.59]])).toEqual([]);
    expect(kindsIn(['M: It depends on a few things.', ['mistake', 0.61]])).toEqual([null]);
  });

  it('is a long stretch only where the turn has at least fifty words', () => {
    const talks = (words: number) =>
      kindsIn([`M: ${'and it comes with '.repeat(words / 4)}`, 'mistake.monologue', 'mistake']);
    expect(talks(48)).toEqual([]);
    expect(talks(52)).toEqual(['monologue']);
  });

  it('is looked for in time proportional to the call, also where every line may be a monologue', () => {
    const reads = (count: number) => {
      const acts = writtenActs(
        Array.from({ length: count }, (): WrittenLine => ['M: and it comes with', 'mistake.monologue', 'mistake']),
      );
      let read = 0;
      const pieces = new Proxy(acts.pieces, {
        get(target, key) {
          read += 1;
          return Reflect.get(target, key);
        },
      });
      foundIn({ ...acts, pieces });
      return read;
    };
    expect(reads(4_000)).toBeLessThan(5 * reads(1_000));
  });

  it('is a question passed over where the customer says so, also when the line alone would not show it', () => {
    const evades: WrittenLine = ['M: From just sixteen pounds a month!', ['mistake', 0.2]];
    expect(kindsIn(evades, ['C: I asked about the tools.'])).toEqual(['unanswered']);
    expect(kindsIn(evades, ['C: And does it cover the tools?'])).toEqual([]);
    expect(kindsIn(['M: Yes, it covers the tools.'], ['C: I asked about the tools.'])).toEqual([]);
  });

  it('is going on after a no only after a no', () => {
    const goesOn: WrittenLine = ['M: Which card shall I take?', 'mistake.pushy'];
    expect(kindsIn(["C: I don't want it.", 'refuse'], goesOn)).toEqual(['pushy']);
    expect(kindsIn(['C: I stopped it because of the adverts.'], goesOn, ["C: I don't want it.", 'refuse'])).toEqual([]);
  });

  it('is an unanswered question only after a question, and not with an answer', () => {
    const question: WrittenLine = ['C: Which parts?', 'question'];
    const passesOver: WrittenLine = ['M: So the card number, please.', 'mistake.unanswered'];
    const answers: WrittenLine = ['M: The turbo is not covered.', 'mistake.unanswered', 'answer'];
    expect(kindsIn(question, passesOver)).toEqual(['unanswered']);
    expect(kindsIn(['C: I see.'], passesOver)).toEqual([]);
    expect(kindsIn(question, answers)).toEqual([]);
  });
});

describe('an objection that somebody else is said to have', () => {
  it('must be likelier than one of the customer', () => {
    const found = (said: string, likely: number) =>
      objectionsOf(writtenActs([[`C: ${said}`, ['objection', likely]]])).length;
    expect(found('It is way too expensive.', 0.6)).toBe(1);
    expect(found('My brother said it is way too expensive.', 0.6)).toBe(0);
    expect(found('My brother said it is way too expensive.', 0.75)).toBe(1);
  });
});

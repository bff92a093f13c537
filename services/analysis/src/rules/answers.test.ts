import { describe, expect, it } from '@jest/globals';
import { customerQuestionsOf, objectionsOf } from './findings.ts';
import { type WrittenLine, writtenActs } from './written-acts.fixture.ts';

const ROLES: Parameters<typeof customerQuestionsOf>[1] = { lines: [], rolesBy: 'channels', rolesConfidence: 1 };
const answersTo = (...lines: WrittenLine[]) =>
  customerQuestionsOf(writtenActs(lines), ROLES).map(({ answer }) => answer?.quote ?? null);
const objectionsIn = (...lines: WrittenLine[]) =>
  objectionsOf(writtenActs(lines)).map(({ evidence, answer }) => [evidence.line, answer?.line ?? null]);

describe("the answer to a customer's question", () => {
  it("is in the manager's next turn, and not what is said after more words of the customer", () => {
    expect(
      answersTo(
        ['C: do we have to sign a contract', 'question'],
        ['M: mm hm'],
        ['M: no it is month to month', 'answer'],
        ['C: and I want Lupe to see it'],
        ['M: we can do a demo for both of you', 'answer'],
      ),
    ).toEqual(['no it is month to month']);
    expect(
      answersTo(
        ['C: is it twelve months', 'question'],
        ["M: it's twelve months yeah"],
        ['C: could it be six'],
        ["M: I could do six but it'd be twenty one a head", 'answer', 'proof'],
      ),
    ).toEqual([null]);
  });

  it('is no line that passes over it, though it names a price', () => {
    const question: WrittenLine = ['C: does it work at the end of the garden', 'question'];
    const price: WrittenLine = ['M: it starts at just sixteen pounds a month', 'proof'];
    expect(answersTo(question, price)).toEqual(['it starts at just sixteen pounds a month']);
    expect(answersTo(question, [...price, ['mistake', 0.3]])).toEqual([null]);
  });
});

describe("a customer's question", () => {
  it('is not one that cannot be read without the words before', () => {
    expect(answersTo(['C: how come', 'question'], ['C: fees', 'question'])).toHaveLength(1);
    expect(answersTo(['C: how did you get my number?', 'question'], ['C: what does that mean', 'question'])).toEqual(
      [],
    );
  });
});

describe('the answer to an objection', () => {
  it('is no line that passes over it', () => {
    const objection: WrittenLine = ['C: I would not use it in winter', 'objection'];
    const sells: WrittenLine = ['M: you only live once', 'answer'];
    expect(objectionsIn(objection, sells)).toEqual([[0, 1]]);
    expect(objectionsIn(objection, [...sells, ['mistake', 0.3]])).toEqual([[0, null]]);
    const later: WrittenLine[] = [['C: I see'], ['M: the company pays a half', 'answer']];
    expect(objectionsIn(objection, [...sells, ['mistake', 0.3]], ...later)).toEqual([[0, null]]);
  });

  it('follows the words that it answers', () => {
    expect(
      objectionsIn(
        ['C: our boss Graham signs everything', 'objection'],
        ['M: the smaller one is under his limit', 'answer'],
        ['C: but there would be a queue', ['objection', 0.95]],
      ),
    ).toEqual([[0, 1]]);
  });

  it('is not that to a later objection', () => {
    expect(
      objectionsIn(
        ['C: the disruption puts me off', 'objection', 'objection.effort'],
        ['M: we set up a little kitchen in another room'],
        ['C: he says one costs three thousand', 'objection', 'objection.price'],
        ['M: the cupboards do but the fitting is what costs', 'answer'],
      ),
    ).toEqual([
      [0, null],
      [2, 3],
    ]);
  });

  it("is not what is said after the customer's next question", () => {
    const objection: WrittenLine = ['C: I should ask my dad before I do anything', 'objection'];
    const later: WrittenLine[] = [
      ['M: your dad will thank you'],
      ['C: can we get out of it', 'question'],
      ['M: you can always call me', 'answer'],
    ];
    expect(objectionsIn(objection, ...later)).toEqual([[0, null]]);
    expect(objectionsIn(objection, ...later.toSpliced(1, 1, ['C: I see']))).toEqual([[0, 3]]);
    const asksAtOnce: WrittenLine = ['C: and can we get out of it', 'question'];
    expect(objectionsIn(objection, asksAtOnce, ['M: yes, at any time', 'answer'])).toEqual([[0, 2]]);
  });

  it('is no question', () => {
    expect(
      objectionsIn(
        ['C: she had a bad experience once', 'objection'],
        ["M: that's fair enough what happened there", 'answer', 'ask'],
        ['C: they paid everyone twice'],
        ['M: with us nothing goes out until she has approved it', 'answer'],
      ),
    ).toEqual([[0, 3]]);
  });
});

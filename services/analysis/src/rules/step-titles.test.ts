import { describe, expect, it } from '@jest/globals';
import { nextStepOf } from './next-step.ts';
import { titleOf } from './step-titles.ts';
import { TALK, type WrittenLine, writtenActs } from './written-acts.fixture.ts';

/** A Friday. */
const DATE = '2026-11-20';

/** As an encoder reads it that is sure of the words that name what is done in a step. */
function namedStepOf(names: RegExp, ...lines: WrittenLine[]): string | undefined {
  const acts = writtenActs([...TALK, ...lines]);
  const naming = (what: string, line: number) =>
    [...(acts.pieces[line]?.text ?? '').matchAll(/\w+/g)].map(({ 0: text, index }) => ({
      ...{ text, start: index, end: index + text.length },
      likely: what === 'step' && names.test(text) ? 0.9 : 0.01,
    }));
  return nextStepOf({ ...acts, encoded: { naming, probability: () => 0, kind: [], status: [] } }, DATE)?.step.text;
}

describe('the title of a next step', () => {
  it('quotes the words around it that name what is done, where its own name only a time', () => {
    const lines: WrittenLine[] = [
      ['M: We would blow out the pipes. It is ninety dollars.', 'offer'],
      ['C: okay go ahead'],
      ['M: great, I have Tuesday at ten', 'step'],
      ['C: Tuesday works', 'agree'],
    ];
    expect(namedStepOf(/blow/, ...lines)).toContain('“We would blow out the pipes.”');
    expect(namedStepOf(/have/, ...lines)).not.toContain('blow');
  });

  it('is that of a further step only where nothing else stands between it and the time', () => {
    const textOf = (said: string) =>
      namedStepOf(
        /measure|quote/,
        [`M: ${said}`, ['step', 0.6]],
        ['C: okay', ['agree', 0.6]],
        ['M: and then we measure on Friday at ten', 'step'],
        ['C: Friday is good', 'agree'],
      );
    expect(textOf('you have the quote by Tuesday')).toContain('Quote (by Tuesday, 2026-11-24)');
    expect(textOf('I text you on Tuesday, and then a quote')).toContain('Agreed (on Tuesday, 2026-11-24)');
  });

  it('is not shown where it was seldom right: a payment, a viewing', () => {
    const lines: WrittenLine[] = [
      ['M: so the deposit on Tuesday', 'step'],
      ['C: Tuesday is good', 'agree'],
    ];
    expect(namedStepOf(/deposit/, ...lines)).toMatch(/^Agreed /);
  });

  it('is not looked for in an objection', () => {
    const lines = (...acts: WrittenLine[1][]): WrittenLine[] => [
      ['C: a demo is a lot of trouble', ...(acts as [])],
      ['M: great, I have Tuesday at ten', 'step'],
      ['C: Tuesday works', 'agree'],
    ];
    expect(namedStepOf(/demo/, ...lines())).toContain('a demo is a lot of trouble');
    expect(namedStepOf(/demo/, ...lines('objection'))).not.toContain('demo');
  });

  it('has no title by words that name no step: "you sign nothing that day" is no contract', () => {
    const lines: WrittenLine[] = [
      ['M: Is Tuesday any good? You sign nothing that day.', 'step'],
      ['C: Tuesday is good', 'agree'],
    ];
    expect(namedStepOf(/sign/, ...lines)).toMatch(/^Contract /);
    expect(namedStepOf(/good/, ...lines)).toMatch(/^Agreed /);
  });

  it.each([
    ["He'll call you thirty minutes before he gets there.", 'Visit'],
    ["We'll text you when she's on her way", 'Visit'],
    ['I can have him back tomorrow', 'Visit'],
    ["my guy's there at eight", 'Visit'],
    ["I'll call you before the holidays", 'Call back'],
    ["I'll send the contract tonight with the deposit on it", 'Contract'],
    ["I'll send the invoice and you pay within a week", 'Invoice'],
    ["you'll pay a deposit, and I'll send the contract", 'Payment'],
    ["they'll be with you on friday", 'Delivery'],
    ["it'll be ready from nine", 'Collection'],
    ["i'll come friday", 'Visit'],
    ["i'm out your way friday", 'Visit'],
    ["i've friday between one and three", 'Appointment'],
    ['let me know by friday', 'Call back'],
    ['we put it up friday', 'Installation'],
    ['friday before nine', undefined],
  ])('is found in its words: %s', (said, title) => {
    expect(titleOf(said)).toBe(title);
  });

  it('is not what is denied: "I won\'t bring anything to sign"', () => {
    const stepOf = (said: string) =>
      namedStepOf(/sign|Monday/, [`M: ${said}`, 'step'], ['C: Monday suits me', 'agree']);
    expect(stepOf('I will bring it to sign, would Monday suit?')).toMatch(/^Contract /);
    expect(stepOf("I won't bring anything to sign, would Monday suit?")).toMatch(/^Agreed /);
  });

  it('is not what is sent where people come at an hour', () => {
    const stepOf = (said: string) =>
      namedStepOf(
        /quote|sunday|hour/,
        ["M: i'll get the quote to you by noon", 'step'],
        ['C: sure', 'agree'],
        [`M: ${said}`, 'step'],
        ['C: sounds good', 'agree'],
      );
    expect(stepOf("and how's sunday")).toContain('get the quote to you');
    expect(stepOf("and how's sunday at five")).not.toContain('get the quote to you');
  });

  it('is not that of a thing of which only the link is sent', () => {
    const stepOf = (said: string) => namedStepOf(/lesson/, [`M: ${said}`, 'step'], ['C: yes please', 'agree']);
    expect(stepOf('We have the lesson tomorrow')).toMatch(/^Lesson /);
    expect(stepOf("I'll email you the link for the lesson tomorrow")).toMatch(/^Agreed /);
    expect(stepOf("I'll email you the link and we have the lesson tomorrow")).toMatch(/^Lesson /);
  });

  it('is not quoted from a greeting or from a question about the price', () => {
    const stepOf = (said: string, act?: 'want') =>
      namedStepOf(
        /survey/,
        act === undefined ? [said] : [said, act],
        ['M: it is dry there', 'answer'],
        ['M: Thursday at nine', 'step'],
        ['C: Thursday works', 'agree'],
      );
    expect(stepOf('C: I would need a survey of it.')).toContain('survey');
    expect(stepOf("C: Hi, it's Ann from Bluewater about the survey.")).not.toContain('survey');
    expect(stepOf('C: Hi, I need a survey of my roof.', 'want')).toContain('survey');
    expect(stepOf('C: How much is the survey?')).not.toContain('survey');
  });

  it('is that of the clause with its day: what is sent today is no meeting today', () => {
    const said: WrittenLine[] = [
      ['M: i will send you those today so we meet on tuesday', 'step'],
      ['C: yes that works', 'agree'],
    ];
    expect(namedStepOf(/send|meet/, ...said)).toMatch(/^Agreed \(today, .*Meeting \(on tuesday, 2026-11-24\)/);
  });

  it('is left out where only a sentence before names the work, which is quoted', () => {
    const agreed: WrittenLine[] = [
      ["C: it's old. I would need a survey of it.", 'want'],
      ['M: it is dry there', 'answer'],
      ['C: so they say'],
      ['M: and you are in all week'],
      ['M: Thursday at nine', 'step'],
      ['C: Thursday at nine works', 'agree'],
    ];
    expect(namedStepOf(/survey/, ...agreed)).toBe(
      'Agreed (Thursday at nine, 2026-11-26): “I would need a survey of it.” … “Thursday at nine”',
    );
  });

  it('is that of the likeliest word: "I will survey it before you sign anything" is a survey', () => {
    const stepOf = (names: RegExp) =>
      namedStepOf(names, ['M: on Thursday I will survey it before you sign anything', 'step'], ['C: fine', 'agree']);
    expect(stepOf(/survey/)).toMatch(/^Survey /);
    expect(stepOf(/sign/)).toMatch(/^Contract /);
    expect(stepOf(/fine/)).toMatch(/^Agreed /);
  });

  it('is followed by the quotes in their order in the call', () => {
    const lines: WrittenLine[] = [
      ['M: great, I have Tuesday at ten', 'step'],
      ['C: Tuesday works. You can blow out the pipes then.', 'agree'],
    ];
    expect(namedStepOf(/blow/, ...lines)).toMatch(/Tuesday at ten” … “You can blow out the pipes then\.”$/);
  });
});

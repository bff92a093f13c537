import { describe, expect, it } from '@jest/globals';
import { analyzeByRules } from './analyze.ts';
import { checksOf, questionsOf } from './checks.ts';
import { spoken } from './dialogues.fixture.ts';
import { type WrittenLine, writtenActs } from './written-acts.fixture.ts';

const PRICE = 'Gives a price, a number or a reference.';

/** @returns the words that are taken for a price, null when none are */
async function shownBy(said: string): Promise<string | null> {
  const lines: [number, string][] = [
    [0, 'good morning this is emma from brightbooks you asked for an offer'],
    [1, 'hi i am looking for something to write my invoices with because i lose a whole evening on them each week'],
    [0, 'how do you write them today'],
    [1, 'in a spreadsheet by hand'],
    [0, 'our software would write them for you'],
    [1, 'okay that sounds interesting'],
    [0, said],
    [1, 'okay i see'],
    [0, 'it takes a few minutes to set up'],
    [1, 'i have to ask my partner first'],
    [0, 'of course shall i call you on friday at ten'],
    [1, 'yes friday at ten is fine'],
    [0, 'thank you talk to you on friday bye'],
  ];
  const { positives } = await analyzeByRules(spoken(lines));
  return positives.find(({ text }) => text === PRICE)?.quote ?? null;
}

describe('a price, a number or a reference', () => {
  it.each([
    'is this a good time to talk for a few minutes',
    'i will call you back in two hours',
    'do you pay more than two hundred now',
    'there are a few things',
  ])('is not: %s', async (said) => expect(await shownBy(said)).toBeNull());
});

describe('a check', () => {
  const shown = (id: 'greeted' | 'confirmed_need' | 'named_offer' | 'courteous_end', ...lines: WrittenLine[]) =>
    checksOf(writtenActs(lines)).checks[id]?.quote ?? null;

  it.each([
    ['greeted', 'greet', 'hi is that the bakery', 'is that the bakery'],
    ['greeted', 'greet', 'good morning', 'Riverside Loans'],
    ['courteous_end', 'end', 'I wish you a nice evening', 'okay so that is the number'],
    ['courteous_end', 'end', 'okay take care', 'okay so you have my number'],
  ] as const)('%s needs less where the words plainly do it', (id, act, plain, other) => {
    expect(shown(id, [`M: ${plain}`, [act, 0.7]])).toBe(plain);
    expect(shown(id, [`M: ${other}`, [act, 0.7]])).toBeNull();
  });

  it('is no greeting that only asks who it is, and no polite end without words of thanks or leave-taking', () => {
    expect(shown('greeted', ['M: Clearwater Audio, this is Dean', ['greet', 0.95]])).toMatch(/Dean$/);
    expect(shown('greeted', ['M: Is this the owner?', ['greet', 0.95]])).toBeNull();
    expect(shown('courteous_end', ['M: Attaboy.', ['end', 0.95]])).toBeNull();
  });

  it.each([
    ['I would like to know how you do it now, can I ask some questions', 0],
    ['you said you have a bookshop, have you got five minutes or are you on the till', 0],
    ["so I'm ringing about the robot, how're you fixed", 0],
    ['Is now a good time to talk?', 0],
    ["Good, and what's your name?", 0],
    ['Okay, no problem at all. Can I take your name?', 0],
    ['Good man. And who am I speaking to?', 0],
    ['are you in the middle of something?', 0],
    ['Can I take your name? And what do you use the van for?', 1],
    ['Why do you ask, does it matter to you?', 0],
    ['Can I ask some questions? How do you do it now?', 1],
    ['Have you got five minutes? And who makes the coffee in the shop on the days when you are away?', 1],
  ])('is no question that asks only for leave, a name or the reason of a question: %s', (text, count) => {
    expect(questionsOf(writtenActs([[`M: ${text}`, 'ask']]))).toHaveLength(count);
  });

  it('takes no summing up for the offer, and names no summing up that is unsure', () => {
    const sumsUp: WrittenLine = ['M: so you want six of them by May', ['sumup', 0.8], ['offer', 0.6]];
    const offers: WrittenLine = ['M: our small one would do that', ['offer', 0.5]];
    expect(shown('named_offer', sumsUp, offers)).toBe('our small one would do that');
    expect(shown('named_offer', sumsUp)).toBeNull();
    expect(shown('confirmed_need', ['M: so it leaks', ['sumup', 0.45]])).toBeNull();
  });
});

describe('what a call lacks', () => {
  const lines = (...said: WrittenLine[]) => checksOf(writtenActs([['M: Horizon'], ...said])).missing;
  it('is not what the call is about, where the customer says why they call', () => {
    expect(lines(['C: yes'], ['M: is it the van'])).toContain('purpose');
    expect(lines(['C: I need a van for Friday', 'want'], ['M: is it the van'])).not.toContain('purpose');
    const late: WrittenLine[] = [['C: yes'], ['M: is it the van'], ['C: I need it', 'want']];
    expect(lines(...late)).not.toContain('purpose');
    expect(lines(['C: hello'], ['M: hello'], ...late)).toContain('purpose');
  });

  it('is a summing up only where no line may be one', () => {
    expect(lines(['M: so it leaks'])).toContain('confirmed_need');
    expect(lines(['M: so it leaks', ['sumup', 0.15]])).not.toContain('confirmed_need');
    expect(lines(["M: so what I hear is you've got a doctor you like"])).not.toContain('confirmed_need');
  });

  it('is a next step only where the manager proposes none', () => {
    expect(lines(['C: I will think about it'], ['M: all right'])).toContain('next_step');
    expect(lines(['C: I see'], ['M: could I come by in July', ['step', 0.4]], ['C: no'])).not.toContain('next_step');
  });
});

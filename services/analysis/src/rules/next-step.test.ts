import { describe, expect, it } from '@jest/globals';
import { nextStepOf } from './next-step.ts';
import { TALK, type WrittenLine, writtenActs } from './written-acts.fixture.ts';

/** A Friday. */
const DATE = '2026-11-20';
const stepsOf = (...lines: WrittenLine[]) => nextStepOf(writtenActs([...TALK, ...lines]), DATE)?.step.steps;

describe('the next step by the rules', () => {
  it('is done by whom the words of the action say, not by whom those of its time say', () => {
    const steps = stepsOf(
      ['M: you send me photos of the van, all four sides', ['step', 0.9]],
      ['C: I can do that', 'agree'],
      ["M: great, with that by Monday I'll get going", 'step'],
      ['C: okay', 'agree'],
    );
    expect(steps).toMatchObject([{ what: 'send me photos of the van, all four sides', who: null }]);
  });

  it('lists the words with its time, and neither a filler nor words of another day', () => {
    const steps = stepsOf(
      ['M: shall I start your free trial today', 'step'],
      ['C: not today'],
      ["M: Let me look. That's the thirteenth.", 'step'],
      ['C: fine', 'agree'],
    );
    expect(steps?.at(-1)).toMatchObject({ what: "That's the thirteenth.", day: '2026-12-13' });
  });

  it('is not done by the manager where the customer says what is done', () => {
    const steps = stepsOf(
      ["M: We'd put it on Tuesday the eighth. I'd want a map.", 'step'],
      ["C: I'll send the map. Tuesday's good.", 'agree'],
    );
    expect(steps).toMatchObject([{ quote: "I'll send the map. Tuesday's good.", who: null }]);
  });

  it('is at the hour with which its day is said again, however late', () => {
    const measure: WrittenLine[] = [
      ['M: ray could come out and measure it is saturday any good', 'step'],
      ["C: saturday i've got soccer till like nine", 'agree'],
      ['M: nine thirty'],
      ['C: nine thirty works does my husband need to be there'],
    ];
    const talk: WrittenLine[] = [['M: custom liners are running about three weeks right now'], ['C: good to know']];
    expect(stepsOf(...measure, ...talk, ["M: i've got you down saturday nine thirty bye now"])).toMatchObject([
      { when: 'saturday nine thirty', day: '2026-11-21' },
    ]);
    expect(
      stepsOf(
        ['M: i can drop it tomorrow by noon', 'step'],
        ["C: tomorrow's good the whole family is coming saturday", 'agree'],
        ['M: tomorrow is saturday', 'step'],
        ['C: oh it is yeah perfect', 'agree'],
      ),
    ).toMatchObject([{ when: 'tomorrow by noon', day: '2026-11-21' }]);
  });

  it('is what was proposed just before its time, also where the words of its time name something else', () => {
    const found = stepsOf(
      ['M: would you like to come and see it', 'step'],
      ['C: yes I would'],
      ['M: thursday at eleven, when we start', 'step'],
      ['C: all right', 'agree'],
    );
    expect(found).toMatchObject([{ what: 'come and see it', line: 4, when: 'thursday at eleven' }]);
  });

  it('has no words of a proposal of another day, and none that only lead on', () => {
    expect(
      stepsOf(
        ['M: I can come on Thursday the third of December', 'step'],
        ["C: that week I'm in Spain, the one after"],
        ['M: so I come on Tuesday the eighth', 'step'],
        ["C: that's good", 'agree'],
      ),
    ).toMatchObject([{ what: 'I come on Tuesday the eighth', day: '2026-12-08' }]);
    expect(
      stepsOf(["M: i'll email you the form now and if you pay by friday you are in", 'step'], ['C: perfect', 'agree']),
    ).toMatchObject([{ what: "i'll email you the form now" }]);
  });

  it('is not on a day that the customer declines in plain words, for whatever another is offered', () => {
    const steps = (answer: string) =>
      stepsOf(
        ['M: I could get you in tomorrow at ten', 'step'],
        [`C: ${answer}`, ['agree', 0.3]],
        ['M: How about Monday? You pick it up on your lunch break.', 'step'],
        ['C: Monday works', 'agree'],
      )?.map(({ day }) => day);
    expect(steps("Oh, tomorrow doesn't work for me, I'm at work.")).toEqual(['2026-11-23']);
    expect(steps('Tomorrow at ten. Right.')).toEqual(['2026-11-21', '2026-11-23']);
  });

  it('moves the matter on, and is nothing that is only sent or done today', () => {
    const { step } =
      nextStepOf(
        writtenActs([
          ...TALK,
          ['M: Shall I come and see you on Tuesday at ten?', ['step', 0.7]],
          ['C: Tuesday is good', ['agree', 0.7]],
          ['M: And I will send you the prices by Monday', 'step'],
          ['C: perfect', 'agree'],
        ]),
        DATE,
      ) ?? {};
    expect(step?.when).toBe('on Tuesday at ten');
    expect(step?.steps.map(({ when }) => when)).toEqual(['on Tuesday at ten', 'by Monday']);
    const later = nextStepOf(
      writtenActs([
        ...TALK,
        ['M: Shall we say Tuesday at ten?', ['step', 0.7]],
        ['C: Tuesday is good', ['agree', 0.7]],
        ['M: And you ring me by the end of today', 'step'],
        ['C: perfect', 'agree'],
      ]),
      // Where the day of the call is not known, no step has a day, and words tell which is today.
      null,
    );
    expect(later?.step.when).toContain('Tuesday');
  });

  it('is on the one of two days that the customer chooses, and not on the day that they cannot', () => {
    expect(
      stepsOf(
        ['M: Wednesday the second or Friday the fourth?', 'step'],
        ["C: Friday the fourth, I'm there from nine", 'agree'],
      ),
    ).toMatchObject([{ day: '2026-12-04' }]);
    expect(
      stepsOf(
        ["M: I'll send the report today and ring you on Monday morning?", 'step'],
        ["C: Monday morning I'm at the bank. Tuesday.", 'agree'],
        ['M: Tuesday at ten?', 'step'],
        ['C: Tuesday at ten', 'agree'],
      ),
    ).toMatchObject([
      { what: "I'll send the report today", day: '2026-11-20' },
      { what: 'ring you', when: 'Tuesday at ten', day: '2026-11-24' },
    ]);
  });

  it('is what a question asks for, also where it begins with "want me to"', () => {
    expect(stepsOf(['M: want me to bring one down on Friday', 'step'], ['C: go on', 'agree'])).toMatchObject([
      { what: 'bring one down on Friday' },
    ]);
  });

  it('is a visit where somebody comes, brings it in or comes along, and no viewing where "you see" only explains', () => {
    const titleOf = (said: string) =>
      nextStepOf(writtenActs([...TALK, [`M: ${said} on Friday`, 'step'], ['C: fine', 'agree']]), DATE)?.titles;
    for (const said of ['I come', 'can you bring him in', 'I could come along with photos', 'come on the tenth or'])
      expect([said, titleOf(said)]).toEqual([said, ['Visit']]);
    expect(titleOf('so you see the scalp')).toEqual(['Agreed']);
    expect(titleOf('you get the four lessons')).toEqual(['Lesson']);
    expect(titleOf('oh come on')).toEqual(['Agreed']);
  });

  it('is today where its own words name only an hour, and is not done at once where they name a day', () => {
    expect(stepsOf(["M: I'll pick it up at half ten", 'step'], ['C: fine', 'agree'])).toMatchObject([
      { when: 'at half ten', day: DATE },
    ]);
    expect(
      stepsOf(["M: I'll take a card in a second and you come on Tuesday", 'step'], ['C: fine', 'agree']),
    ).toMatchObject([{ when: 'on Tuesday', day: '2026-11-24' }]);
  });

  it('is no day that is hardly proposed beside another', () => {
    const lines = (likely: number): WrittenLine[] => [
      ["M: on Tuesday you'd know better than me", ['step', likely]],
      ['C: it is close', 'agree'],
      ['M: come and see us on Thursday', 'step'],
      ['C: fine', 'agree'],
    ];
    expect(stepsOf(...lines(0.3))).toMatchObject([{ day: '2026-11-26' }]);
    expect(stepsOf(...lines(0.5))).toMatchObject([{ day: '2026-11-24' }, { day: '2026-11-26' }]);
  });

  it('is called by the sentence with its time where no words name it', () => {
    expect(
      stepsOf(["M: Tell him there's a surprise. I mean it. This Saturday at ten?", 'step'], ['C: ok', 'agree']),
    ).toMatchObject([{ what: 'This Saturday at ten' }]);
  });

  it('is named by a yes just before it, where no other words name it', () => {
    const textOf = (yes: WrittenLine) =>
      nextStepOf(writtenActs([...TALK, yes, ['M: Saturday at ten then', 'step'], ['C: lovely', 'agree']]), DATE)?.step
        .text;
    expect(textOf(['C: okay, bring me the two', 'accept'])).toBe(
      'Agreed (Saturday at ten, 2026-11-21): “okay, bring me the two” … “Saturday at ten then”',
    );
    expect(textOf(['C: okay, bring me the two'])).not.toContain('bring me the two');
  });

  it('is in the summary before one that is only due by a day, and has no name', () => {
    const found = nextStepOf(
      writtenActs([
        ...TALK,
        ["M: perfect if it's back by Friday", 'step'],
        ['C: yes', 'agree'],
        ['M: and the kick off is on Tuesday the first', ['step', 0.6]],
        ['C: fine', ['agree', 0.6]],
      ]),
      DATE,
    );
    expect([found?.step.when, found?.main]).toEqual(['on Tuesday the first', 1]);
  });

  it('is in the summary first, where people say at the end that they meet then', () => {
    const mainOf = (farewell: string) => {
      const agreed = nextStepOf(
        writtenActs([
          ...TALK,
          ['M: Shall I come on Tuesday at ten?', ['step', 0.8]],
          ['C: Tuesday is fine.', ['agree', 0.8]],
          ['M: And I will phone you on Thursday.', ['step', 0.99]],
          ['C: Yes, do.', ['agree', 0.99]],
          ['M: Thank you.'],
          [farewell],
        ]),
        DATE,
      );
      return agreed?.step.steps[agreed.main]?.when;
    };
    expect(mainOf('C: Thank you, goodbye.')).toBe('on Thursday');
    expect(mainOf('C: See you on Tuesday, goodbye.')).toBe('on Tuesday at ten');
  });

  it('has its hour where its day is counted', () => {
    expect(
      stepsOf(['M: I have an eight am appointment for you two days from now', 'step'], ['C: fine', 'agree']),
    ).toMatchObject([{ when: 'two days from now, eight am', day: '2026-11-22' }]);
  });

  it('has its hour once, and its own clause where that begins with its day', () => {
    expect(
      stepsOf(['M: I come on Friday, first thing', 'step'], ['C: Friday, first thing, fine', 'agree']),
    ).toMatchObject([{ when: 'on Friday, first thing' }]);
    expect(
      stepsOf(
        ["M: I'll email the letter tonight, and Thursday, if you're done by then, I'll come by at six", 'step'],
        ['C: fine', 'agree'],
      ),
    ).toMatchObject([{ day: DATE }, { when: 'Thursday, at six', day: '2026-11-26' }]);
  });

  it('is on the first day that its words name, also where it fixes no date', () => {
    expect(
      stepsOf(["M: I'll phone you after the 25th, and we start on the first of December", 'step'], ['C: ok', 'agree']),
    ).toMatchObject([{ when: 'after the 25th', day: null }]);
  });

  it('keeps its words where the customer repeats its day', () => {
    expect(
      stepsOf(["M: the earliest i've got is monday between eight and one", 'step'], ["C: monday's fine", 'agree']),
    ).toMatchObject([{ when: 'monday between eight and one', day: '2026-11-23' }]);
    expect(stepsOf(["M: i'll send it next week thursday", 'step'], ['C: thursday is fine', 'agree'])).toMatchObject([
      { when: 'next week thursday', day: '2026-11-26' },
    ]);
  });

  it('has the hour that the customer takes, and what is sent has not the hour of a visit', () => {
    expect(
      stepsOf(
        ['M: Our designer would come out and measure up.', 'step'],
        ['C: Saturdays are best.'],
        ["M: Saturday the twenty-eighth. He's got ten o'clock or half past two.", 'step'],
        ['C: Half past two, please.', 'agree'],
        ["M: Half past two it is, with Piers. And I'll pop the breakdown in the post to you today.", 'step'],
        ["C: Oh, that's wonderful.", 'agree'],
      ),
    ).toMatchObject([
      { when: 'Saturday the twenty-eighth, Half past two', day: '2026-11-28' },
      { when: 'today', day: '2026-11-20' },
    ]);
  });

  it('has words of its own where it is the second, and no hour where it is due by a day', () => {
    expect(
      stepsOf(
        ['M: could you shoot me the bills of lading, would tomorrow be okay to send them', 'step'],
        ["C: okay, I'll send them over in the morning", 'agree'],
        ["M: awesome and then i'll come back to you with rates by thursday", 'step'],
        ['C: sounds good', 'agree'],
      ),
    ).toMatchObject([{ line: 4 }, { when: 'by thursday', day: '2026-11-26', line: 6, who: 'manager' }]);
  });

  it('is each of the steps that one turn names with days of their own', () => {
    const agreed: WrittenLine = ['C: perfect, thanks', 'agree'];
    expect(
      stepsOf(["M: I'll send you an outline tomorrow, and can we speak on Tuesday at three?", 'step'], agreed),
    ).toMatchObject([
      { what: "I'll send you an outline tomorrow", when: 'tomorrow', day: '2026-11-21' },
      { what: 'speak on Tuesday at three', when: 'on Tuesday at three', day: '2026-11-24' },
    ]);
    expect(
      stepsOf(["M: send me the logo today and you'll have the proof by Monday, on Monday", 'step'], agreed),
    ).toEqual([expect.objectContaining({ day: '2026-11-20' }), expect.objectContaining({ day: '2026-11-23' })]);
  });

  it('is not named by what the manager says of prices, nor quotes what takes up nothing', () => {
    const agreed = [
      ['M: you can pay it over twelve months', 'proof'],
      ["C: oh, that's clever"],
      ['M: Thursday at quarter past two', 'step'],
      ['C: that works', 'agree'],
    ] satisfies WrittenLine[];
    expect(nextStepOf(writtenActs([...TALK, ...agreed]), DATE)?.step.text).toBe(
      'Agreed (Thursday at quarter past two, 2026-11-26): “Thursday at quarter past two”',
    );
  });

  it('is what each day of a turn belongs to, and the answer is to the last', () => {
    expect(
      stepsOf(
        ["M: I'd measure before I promise, can I send you the brochure tonight and could I come on Thursday", 'step'],
        ['C: no what about Friday', 'agree'],
        ['M: Friday half five works', 'step'],
      ),
    ).toMatchObject([
      { what: 'send you the brochure tonight', day: '2026-11-20' },
      { when: 'Friday half five', day: '2026-11-27' },
    ]);
  });

  it('has no hour that is said beside another day, and its own day before one around it', () => {
    expect(
      stepsOf(
        ['M: could you do a video interview on thursday at some point', 'step'],
        ['C: thursday works', 'agree'],
        ["M: and I'll send you the link tonight, after six", 'step'],
        ['C: okay, great', 'agree'],
      ),
    ).toMatchObject([{ when: 'on thursday' }, { when: 'tonight, after six' }]);
    expect(
      stepsOf(
        ["M: I'll ring you early next week", 'step'],
        ["C: yes do, I'm away till Thursday the twenty-sixth", 'agree'],
      ),
    ).toMatchObject([{ when: 'early next week', day: null }]);
  });

  it.each([
    ['Great. If you get me that by Monday night, I can load it in.', 'you get me that by Monday night', null],
    ["I'll text you the link. If you do the check by Monday, I can keep it.", 'you do the check by Monday', null],
    ['Tuesday at ten, and you WhatsApp me the address.', 'Tuesday at ten, and you WhatsApp me the address.', null],
    ['Should I ring you on Tuesday? I will bring the list.', 'ring you on Tuesday', 'manager'],
  ])('is what is done at its time, by whom its own sentence says: %s', (said, what, who) => {
    expect(stepsOf([`M: ${said}`, 'step'], ["C: yes that's fine", 'agree'])).toMatchObject([{ what, who }]);
  });

  it('is a second one only where its words fix the day', () => {
    expect(
      stepsOf(
        ["M: I'd fit it by the end of the month", 'step'],
        ['C: okay', 'agree'],
        ['M: shall I come and measure on Tuesday at ten', 'step'],
        ['C: Tuesday at ten is fine', 'agree'],
      ),
    ).toMatchObject([{ day: '2026-11-24' }]);
  });

  it.each([
    ['Is Saturday possible, at noon?', 'Saturday, at noon'],
    ['would saturday at ten suit you', 'saturday at ten'],
    ['Would it be all right if I call you on Monday?', 'call you on Monday'],
    ["I'll send you three profiles by Friday, how's that?", "I'll send you three profiles by Friday"],
    ['Next Wednesday, the second?', 'Next Wednesday, the second'],
    ['Good choice. Our fitter comes on Monday at ten to measure.', 'Our fitter comes on Monday at ten to measure.'],
    ["Let's go! Can you do an assessment with me on Tuesday?", 'do an assessment with me on Tuesday'],
    ['Could Ned be there when I measure it on Tuesday?', 'Survey'],
  ])('is what to do, no question: %s', (said, what) => {
    expect(stepsOf([`M: ${said}`, 'step'], ["C: yes that's fine", 'agree'])).toMatchObject([{ what }]);
  });
});

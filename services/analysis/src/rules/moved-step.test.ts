import { describe, expect, it } from '@jest/globals';
import { nextStepOf } from './next-step.ts';
import { TALK, type WrittenLine, writtenActs } from './written-acts.fixture.ts';

/** A Friday. */
const DATE = '2026-11-20';
const stepsOf = (...lines: WrittenLine[]) => nextStepOf(writtenActs([...TALK, ...lines]), DATE)?.step.steps;

describe('a step that is moved to another time', () => {
  it('is at the hour to which the customer moves it, and the line that confirms it is no further step', () => {
    const steps = stepsOf(
      ['M: Would it help if I got on a call with both of you and show her how it works?', 'step'],
      ['C: Yeah, that would work. She is off Thursdays.', 'agree'],
      ['M: Thursday the third, say ten a.m.?', 'step'],
      ['C: Ten thirty is better.', 'agree'],
      ["M: Ten thirty Thursday it is. I'll send the invite to both of you this afternoon.", 'step'],
      ['C: Great. Appreciate it.', 'agree'],
    );
    expect(steps).toMatchObject([
      { when: 'Thursday the third, Ten thirty', day: '2026-12-03' },
      { when: 'this afternoon', day: DATE },
    ]);
  });

  it('is on the date with which its weekday is said again: "a Sunday?" and "Sunday the 6th"', () => {
    const asked: WrittenLine[] = [
      ['M: Then both mothers should come. A Sunday?', 'step'],
      ['C: A Sunday would suit.', 'agree'],
    ];
    expect(stepsOf(...asked, ["M: Sunday the 6th, at two o'clock then"])).toMatchObject([{ day: '2026-12-06' }]);
    expect(stepsOf(...asked)).toMatchObject([{ day: '2026-11-22' }]);
  });

  it('keeps its hour where the customer names another one for something else', () => {
    expect(
      stepsOf(
        ['M: shall i come on tuesday at ten to measure', 'step'],
        ['C: yes i leave for work at two', 'agree'],
        ['M: lovely see you then'],
      ),
    ).toMatchObject([{ when: 'on tuesday at ten' }]);
  });

  it('is on the day that the customer answers with', async () => {
    expect(
      stepsOf(
        ['M: How about I do a demo for both of you, does Tuesday at twelve thirty work?', 'step'],
        ["C: Tuesday, um, no, I've got a surgery. Wednesday the twenty-fifth? Same time?", 'agree'],
        ["M: Wednesday the twenty-fifth at twelve thirty. Done. I'll send an invite.", 'step'],
        ['C: Thank you.', 'agree'],
      ),
    ).toMatchObject([{ when: 'Wednesday the twenty-fifth at twelve thirty', day: '2026-11-25', line: 5 }]);
    expect(
      stepsOf(
        ['M: i have a wagon on the thursday before so the third yeah i could deliver it then', 'step'],
        ['C: yeah the third would be perfect', 'agree'],
      ),
    ).toMatchObject([{ when: 'the third', day: '2026-12-03' }]);
  });

  it('is on the date by which the manager repeats the day of the customer', () => {
    expect(
      stepsOf(
        ["M: shall we do a call friday at two and i'll walk you through it", 'step'],
        ['C: friday i have the auditors can we do monday', 'agree'],
        ["M: monday's the thirtieth yeah two o'clock", 'step'],
        ["C: two o'clock fine", 'agree'],
      ),
    ).toMatchObject([{ what: 'do a call', day: '2026-11-30' }]);
  });

  it('keeps its day where the customer names another for something else', () => {
    expect(
      stepsOf(
        ['M: shall i call you on tuesday at ten', 'step'],
        ['C: tuesday at ten yes and i will have read it by monday', 'agree'],
      ),
    ).toMatchObject([{ when: 'on tuesday at ten', day: '2026-11-24' }]);
  });

  it('keeps its day where the customer answers a further question with another', () => {
    expect(
      stepsOf(
        ["M: I'll send you the comparison tomorrow. And when is he home, so I can talk with both of you?", 'step'],
        ['C: Sunday at five would be good.', 'agree'],
        ['M: Sunday at five. Thank you.', 'step'],
      ),
    ).toMatchObject([
      { what: "I'll send you the comparison tomorrow.", day: '2026-11-21' },
      { line: 6, day: '2026-11-22' },
    ]);
  });

  it('is on the day that the customer says in more words, and not on one that they rule out', () => {
    expect(
      stepsOf(
        ["M: I could bring samples when she's back, Tuesday at ten?", 'step'],
        ["C: Tuesday next week, ten, she's in.", 'agree'],
      ),
    ).toMatchObject([{ day: '2026-11-24' }]);
    expect(
      stepsOf(
        ['M: shall I bring samples Monday, at ten?', 'step'],
        ["C: Monday the week after next, ten, she's in.", 'agree'],
      ),
    ).toMatchObject([{ day: '2026-11-30' }]);
    expect(
      stepsOf(["M: you'll have a quote from me on Monday morning", 'step'], ['C: Monday, good. Not Tuesday.', 'agree']),
    ).toMatchObject([{ when: 'on Monday morning', day: '2026-11-23' }]);
  });

  it('is on the day to which the customer moves it, also where they name the refused one again', () => {
    expect(
      stepsOf(
        ['M: and shall I phone you on the ninth, the day after', 'step'],
        ["C: make it the tenth, I've got an audit on the ninth", 'agree'],
        ['M: the tenth then, in the morning', 'step'],
        ['C: yes, morning is good', 'agree'],
      ),
    ).toMatchObject([{ day: '2026-12-10' }]);
  });

  it('is on none of the days that its own words refuse', () => {
    expect(
      stepsOf(
        ["M: today's full I'm afraid, I've got tomorrow between eight and ten", 'step'],
        ['C: tomorrow, yes, fine', 'agree'],
      ),
    ).toMatchObject([{ when: 'tomorrow between eight and ten', day: '2026-11-21' }]);
  });

  it('has the hour that was said last, where its day is said twice', () => {
    const moved = (hour: string) =>
      stepsOf(
        ["M: wednesday the twenty-fifth two o'clock", 'step'],
        ['C: sure would Simon come along to it', 'agree'],
        ['M: he would love it'],
        [`M: ${hour} wednesday done`, 'step'],
        ['C: perfect', 'agree'],
      )?.map(({ when }) => when);
    expect(moved('half one')).toEqual(['half one wednesday']);
    expect(moved('two')).toEqual(["wednesday the twenty-fifth two o'clock"]);
  });

  it('is none where the customer says no at once, without another day', () => {
    const proposes: WrittenLine = ['M: could I try him on Tuesday instead', 'step'];
    const ends: WrittenLine = ['M: all right, thanks anyway', ['agree', 0.9]];
    expect(stepsOf(proposes, ["C: there's no point, I'd only tell you the same thing", ['agree', 0.3]], ends)).toBe(
      undefined,
    );
    expect(
      stepsOf(["M: I'll email it on Tuesday. Anything else?", 'step'], ["C: No, that's all.", ['agree', 0.6]]),
    ).toMatchObject([{ day: '2026-11-24' }]);
    expect(stepsOf(proposes, ['C: no problem, try him then', 'agree'])).toMatchObject([{ day: '2026-11-24' }]);
  });

  it('is on none of the days of which is said what else is on', () => {
    expect(
      stepsOf(
        ['C: So, the twenty first of December?', 'agree'],
        ["M: The twenty first is a Monday, the van's out in Wales. Saturday the nineteenth we could deliver.", 'step'],
        ['C: Yes, the nineteenth, perfect.', 'agree'],
      ),
    ).toMatchObject([{ day: '2026-12-19' }]);
    expect(
      stepsOf(
        ['M: I can hold the boat for you until Monday noon.', 'step'],
        ["C: Monday's too short, two of them are away. Until Wednesday?", 'agree'],
        ['M: Wednesday the second is December already, let me say Tuesday, six in the evening.', 'step'],
        ['C: Tuesday six is okay.', 'agree'],
      ),
    ).toMatchObject([{ when: 'Tuesday, six in the evening', day: '2026-11-24' }]);
    expect(
      stepsOf(
        ['M: I could do a demo on your screen, say Tuesday at three?', 'step'],
        ["C: Tuesday, no, Tuesdays I'm at the market.", 'agree'],
        ['M: Wednesday at half past ten.', 'step'],
        ['C: Wednesday works.', 'agree'],
      ),
    ).toMatchObject([{ what: 'I could do a demo on your screen', when: 'Wednesday at half past ten' }]);
    const answered = (...lines: WrittenLine[]) =>
      stepsOf(['M: Shall I come on Wednesday?', 'step'], ...lines, ['C: Lovely.', 'agree'])?.map(({ day }) => day);
    const busy: WrittenLine = ["C: Wednesday I've got the inspector in. Okay, Thursday then.", 'agree'];
    const free: WrittenLine = ["C: Wednesday I'm free, and Thursday is the inspection.", 'agree'];
    expect(answered(busy, ['M: Thursday it is.', 'step'])).toEqual(['2026-11-26']);
    expect(answered(free, ['M: See you then.'])).toEqual(['2026-11-25']);
  });

  it('is on the date that is said of its weekday, and at the hour that the customer asks for', () => {
    expect(
      stepsOf(
        ['M: Wednesday? I have four fifteen.', 'step'],
        ["C: Wednesday at four fifteen, yeah. That's the second, right?", 'agree'],
        ['M: The second of December, right. Bring the X-rays if you have them.', 'step'],
        ['C: We will.', 'agree'],
      ),
    ).toMatchObject([{ when: 'The second of December, at four fifteen', day: '2026-12-02' }]);
    expect(
      stepsOf(
        ["M: You'll have the contract by Friday.", 'step'],
        ['C: Good.', 'agree'],
        ['M: And the final numbers by the eleventh of December.', 'step'],
        ['C: Yes.', 'agree'],
      )?.map(({ day }) => day),
    ).toEqual(['2026-11-27', '2026-12-11']);
    expect(
      stepsOf(
        ["M: I'll call you Monday around nine to hear how they did.", 'step'],
        ["C: Nine's our peak. Call at eleven.", 'agree'],
        ['M: Eleven it is.'],
      ),
    ).toMatchObject([{ when: 'Monday, at eleven' }]);
    expect(
      stepsOf(
        ["M: I'd ring you on Friday the fourth of December, in the morning?", 'step'],
        ['C: Friday mornings are the busiest. Could you do the Monday after, at half past nine?', 'agree'],
        ["M: Monday the seventh, half past nine. I'll ring you then.", 'step'],
        ['C: Perfect.', 'agree'],
      ),
    ).toMatchObject([{ when: 'Monday the seventh, half past nine', day: '2026-12-07' }]);
  });

  it('is on the weekday that is left, and at the hour that is said last, whatever is due before or on that weekday', () => {
    expect(
      stepsOf(
        ["M: I'd come by on Friday the fourth of December, around three?", 'step'],
        ['C: Fridays are never quiet. Come on the Tuesday after.', 'agree'],
        ['M: Tuesday the eighth at three?', 'step'],
        ["C: Yeah, three's good.", 'agree'],
      )?.map(({ day }) => day),
    ).toEqual(['2026-12-08']);
    expect(
      stepsOf(
        ['M: How about Tuesday at nine?', 'step'],
        ["C: That's perfect, they're all in the room. But nine fifteen.", 'agree'],
        ['M: Nine fifteen on Tuesday.', 'step'],
        ['C: Does it talk to Sage?'],
        ["M: I'm not sure, I'll write to you by Monday.", 'step'],
        ['C: Good.', 'agree'],
      ),
    ).toMatchObject([{ when: 'Nine fifteen on Tuesday' }, { when: 'by Monday' }]);
    expect(
      stepsOf(
        ['M: I send the sample today.', 'step'],
        ['C: Good.', 'agree'],
        ['M: Shall we talk on Friday at three?', 'step'],
        ['C: Three, no, better four thirty.', 'agree'],
        ['M: Four thirty on Friday the twenty-seventh.', 'step'],
      ),
    ).toMatchObject([{ when: 'today', day: DATE }, { when: 'Four thirty on Friday the twenty-seventh' }]);
  });

  it('keeps its hour where its day is said again much later, for something else', () => {
    const talk = Array.from({ length: 24 }, (_, at): WrittenLine => [at % 2 === 0 ? 'C: mhm' : 'M: it is dry there']);
    const again = (...between: WrittenLine[]) =>
      stepsOf(
        ['M: Shall I come on Tuesday at nine?', 'step'],
        ['C: Yes, perfect.', ['agree', 0.99]],
        ...between,
        ['M: On Tuesday at four your neighbor has me.', ['step', 0.85]],
        ['C: I see.', ['agree', 0.1]],
      )?.map(({ when }) => when);
    expect(again()).toEqual(['On Tuesday at four']);
    expect(again(...talk)).toEqual(['on Tuesday at nine']);
  });

  it('has neither words that lead to its time nor words of a step after it', () => {
    const steps = stepsOf(
      ["M: Lovely, so uh first clean, I've got Thursday morning.", 'step'],
      ["C: Thursday I'm on nights. Can you do Friday?", 'agree'],
      ['M: Friday I can do half eleven.', 'step'],
      ["C: Half eleven's perfect.", 'agree'],
    );
    expect(steps).toMatchObject([{ what: 'first clean', day: '2026-11-27' }]);
    const step = nextStepOf(
      writtenActs([
        ...TALK,
        ["M: I'll have it to you tomorrow by noon.", 'step'],
        ['C: Great.', 'agree'],
        ['M: Then shall I give you a bell on Friday?', 'step'],
        ['C: Yes.', 'agree'],
      ]),
      DATE,
    );
    expect(step?.step.text).toMatch(/tomorrow by noon.”(?! … “Then shall I).*Call back \(on Friday/);
  });

  it('is not what the customer will do instead', () => {
    expect(
      stepsOf(
        ["M: I'll send you the profiles by Wednesday.", 'step'],
        ['C: Good.', 'agree'],
        ['M: And shall I call you Friday afternoon?', 'step'],
        ["C: No, let me call you, I'll do it.", ['agree', 0.9]],
      )?.map(({ day }) => day),
    ).toEqual(['2026-11-25']);
  });

  it('has the hour that is said last, and the words of that line', () => {
    expect(
      stepsOf(
        ['M: The first visit I have is tomorrow, between eight and one.', 'step'],
        ["C: Tomorrow? I'm out until ten.", 'agree'],
        ['M: Tomorrow one to six then.', 'step'],
        ['C: Fine.', 'agree'],
      ),
    ).toMatchObject([{ what: 'Tomorrow one to six then.', when: 'Tomorrow one to six' }]);
  });

  it('is not on the day that is taken back some lines later', () => {
    expect(
      stepsOf(
        ['M: the final measure, is Thursday the third any good', 'step'],
        ['C: Thursday the third is fine', 'agree'],
        ["M: oh hang on, no, they're full on the third, I'm sorry, half past eight on Friday the fourth", 'step'],
        ['C: half eight then', 'agree'],
      )?.map(({ day }) => day),
    ).toEqual(['2026-12-04']);
  });

  it('is on the day to which people move it later, and not on the one of which they say what else is on', () => {
    const days = (...lines: WrittenLine[]) => stepsOf(...lines)?.map(({ day }) => day);
    const asked: WrittenLine[] = [
      ['M: so the machine comes on Wednesday between nine and eleven', 'step'],
      ['C: great, put us in for that', 'agree'],
    ];
    expect(
      days(
        ...asked,
        ["C: hang on, sorry, we've got the decorators in all that week"],
        ['M: how about Monday the thirtieth then, nine till eleven', 'step'],
        ['C: Monday the thirtieth, yes', 'agree'],
        ["M: okay, I've moved it"],
      ),
    ).toEqual(['2026-11-30']);
    expect(
      days(...asked, ['M: and the training is on Monday the thirtieth at ten', 'step'], ['C: perfect', 'agree']),
    ).toEqual(['2026-11-25', '2026-11-30']);
    expect(
      days(
        ["M: the eleventh of January's a Monday, is Monday okay", 'step'],
        ["C: Monday morning's always mad, make it the Tuesday, the twelfth", 'agree'],
        ["M: Tuesday the twelfth of January at two, I'll give you a ring", 'step'],
        ['C: that works', 'agree'],
      ),
    ).toEqual(['2027-01-12']);
  });

  it('is not on the day that the manager takes back', () => {
    expect(
      stepsOf(
        ["C: Tuesday I got the audit, let's do Wednesday at eleven thirty", 'agree'],
        ["M: all right so scratch Monday, I'll call you Wednesday at eleven thirty", 'step'],
        ['C: sounds good', 'agree'],
      )?.map(({ day }) => day),
    ).toEqual(['2026-11-25']);
  });
});

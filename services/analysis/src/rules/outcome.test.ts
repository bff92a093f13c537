import type { Analysis } from '@call-analytics/calls';
import { describe, expect, it } from '@jest/globals';
import { analyzeByRules, intentOf, type Models } from './analyze.ts';
import { callModel } from './call-model.ts';
import { lineModel } from './classifier.ts';
import { SALES_OPENING, spoken } from './dialogues.fixture.ts';
import { weighing } from './encoder.ts';
import { writtenActs } from './written-acts.fixture.ts';

type Turns = [number, string][];

function analysisOf(rest: Turns, models?: Models): Promise<Analysis> {
  return analyzeByRules(spoken([...SALES_OPENING, ...rest, [0, 'Goodbye.']]), { models });
}

const statusOf = async (...rest: Turns) => (await analysisOf(rest)).saleStatus;

/** Models that are so sure of the kind of any call and of how it ended, in the order of their answers. */
function sureOf(kind: readonly number[], status: readonly number[]): Models {
  const [acts, odds] = [{}, (likely: number) => [0, 0, Math.log(likely / (1 - likely))] as const];
  const own = { acts, kind: kind.map(odds), status: status.map(odds) };
  return { lines: lineModel(), calls: { ...callModel(), weighing: { ...weighing(), ...own } } };
}

it('agrees on no step in a call of an unclear kind in which nobody offers anything or speaks for a company', async () => {
  const unclear = sureOf([0.7, 0.05, 0.22, 0.01, 0.01, 0.01], [0.05, 0.9, 0.02, 0.03]);
  const colleagues: Turns = [
    [0, 'Did you ring the school in the end, or did they not answer again?'],
    [1, 'They never answer, so I left another message for the bursar this morning.'],
    [0, 'Okay. Are you still all right to cover for Jack on Thursday at nine?'],
    [1, 'Yes, Thursday at nine is fine.'],
    [0, 'Great, see you on Thursday at nine then.'],
    [1, 'See you.'],
  ];
  const steps = async (turns: Turns) => (await analyzeByRules(spoken([...turns]), { models: unclear })).nextStep;
  expect(await steps(colleagues)).toBeNull();
  expect(await steps([[0, 'Hello, this is Ann from Pipewell.'], ...colleagues])).toContain('Thursday at nine');
});

it('is a voicemail message however long it is, where a machine asks for one and does not answer', async () => {
  const greeting: Turns = [
    [0, "You've reached the voicemail of Victoria Penrose. Please leave a message after the tone."],
  ];
  const message: Turns = [
    [1, "Oh hi Victoria, it's Ben Tully from Arclight, I was just ringing about the quote for the lobby lighting."],
    [1, "If you went for the white fittings it'd be about six hundred pounds less over the whole job."],
    [1, "I'll get a revised quote over to you on Monday. Have a good weekend. Bye."],
  ];
  const unclear = sureOf([0.5, 0.1, 0.1, 0.1, 0.1, 0.1], [0.05, 0.9, 0.02, 0.03]);
  const kindOf = async (...turns: Turns) => (await analyzeByRules(spoken(turns), { models: unclear })).callKind;
  expect(await kindOf(...greeting, ...message)).toEqual({ kind: 'voicemail', quote: greeting[0]?.[1] });
  const answered = SALES_OPENING.map(([speaker, text]): [number, string] => [1 - speaker, text]);
  expect((await kindOf(...greeting, ...answered))?.kind).not.toBe('voicemail');
});

describe('how a sale ended', () => {
  it('is told by the last word, not the first: a customer who comes round has bought', async () => {
    expect(
      await statusOf(
        [1, "I'm not interested in a subscription."],
        [0, 'You can cancel every month.'],
        [1, "Okay, then I'll take it."],
      ),
    ).toBe('sold');
  });
  it('is no sale when the customer takes the yes back', async () => {
    expect(
      await statusOf([1, "I'll take it."], [0, 'Great.'], [1, 'Wait, no. I changed my mind, please cancel it.']),
    ).toBe('not_sold');
  });
  it('stays a sale when an extra is turned down', async () => {
    expect(
      await statusOf(
        [1, "I'll take it."],
        [0, 'Would you like to add our payroll service?'],
        [1, "No thanks, I don't need that."],
      ),
    ).toBe('sold');
  });
  it('stays a sale when there is nothing else', async () => {
    expect(await statusOf([1, "I'll take it."], [0, 'Anything else?'], [1, 'No, thank you.'])).toBe('sold');
  });
  it('is no sale when what is said is that it will not be bought', async () => {
    expect(await statusOf([1, "I won't take it."])).not.toBe('sold');
    expect(await statusOf([1, "I don't think I'll take it, it's not for me."])).toBe('not_sold');
    expect(await statusOf([1, 'What happens if I take it and it does not work?'])).not.toBe('sold');
    expect(await statusOf([1, "Why not, I'll take it."])).toBe('sold');
  });
  it('is open when a day is agreed after a no', async () => {
    expect(
      await statusOf(
        [1, "We can't sign anything now."],
        [0, 'Shall I show you a demo on Tuesday at ten?'],
        [1, 'Tuesday at ten works for me.'],
      ),
    ).toBe('follow_up');
  });
  it('is a no when the customer wants to hear no more, whatever was offered', async () => {
    expect(await statusOf([0, "I'll call you back on Monday."], [1, "No, don't call me again."])).toBe('not_sold');
  });
  it('is a sale when the customer says yes beside a sentence that is none', async () => {
    expect(
      await statusOf(
        [0, 'Shall I put the yearly plan on your card, then?'],
        [1, 'My wife would laugh if I did the books by hand for another year. Go on, then, put it on the card.'],
        [0, 'Lovely, the confirmation is in your email within the hour.'],
        [1, 'Okay, thanks.'],
      ),
    ).toBe('sold');
  });
  it('is a sale when a clear yes stands beside what somebody says, and when its words are those of a no', async () => {
    const last: Turns = [
      [0, 'Lovely, the confirmation is in your email within the hour.'],
      [1, 'Perfect, thanks.'],
    ];
    const said = 'okay so let me ask my wife she says whatever so yeah sign us up';
    expect(await statusOf([0, 'Shall I put you on the yearly plan, then?'], [1, said], ...last)).toBe('sold');
    const yearly: Turns = [[0, 'With the yearly plan you pay sixteen a month.']];
    const order = "We'll take it. Put us on the monthly one.";
    expect(await statusOf([1, order], ...yearly, [1, "Oh, well that's a no-brainer."], ...last)).toBe('sold');
  });
  it('is a sale where the customer buys in plain words and a day is agreed after it', async () => {
    const open = sureOf([0.995, 0.001, 0.001, 0.001, 0.001, 0.001], [0.2, 0.75, 0.03, 0.02]);
    const endsWith = async (yes: string) => {
      const agreed: Turns = [
        [0, 'So shall I put it in, then?'],
        [1, yes],
        [0, 'Lovely. Then I will call you on Wednesday at ten and switch you on.'],
        [1, 'Wednesday at ten is fine.'],
      ];
      return (await analysisOf(agreed, open)).saleStatus;
    };
    expect(await endsWith("Right. Go on, I'll have it, let's do it today.")).toBe('sold');
    expect(await endsWith("Right. Go on, I'll have the free month, let's do it today.")).toBe('follow_up');
    expect(await endsWith('Right. I see.')).toBe('follow_up');
  });
  it('is no sale where the yes is to a trial, a look at it or to hold it, or to somebody else', async () => {
    const yesTo = (yes: string) =>
      statusOf([0, 'You can cancel every month. So shall we go ahead?'], [1, yes], [0, 'Right you are.']);
    expect(await yesTo("Yes, let's do it, I'll take it.")).toBe('sold');
    expect(await yesTo("Yes, let's do it, I'll take the free month.")).not.toBe('sold');
    expect(await yesTo("Yes, let's do that, hold the Saturday for us.")).not.toBe('sold');
    expect(await yesTo("Yes, hold on, let's do it, I'll take it.")).toBe('sold');
    expect(await yesTo("Yes, I'll take the other company, let's do it with them.")).not.toBe('sold');
  });
  it('has no next step when the customer only puts it off', async () => {
    const { saleStatus, nextStep } = await analysisOf([
      [0, 'Shall I send you a link and ring you on Friday?'],
      [1, "Yeah, I don't know. I'll come back to you when I've had a think."],
      [0, 'Okay.'],
      [1, 'Okay, bye.'],
    ]);
    expect({ saleStatus, nextStep }).toEqual({ saleStatus: 'unclear', nextStep: null });
  });
  it('is no sale where the words of an order are those of a time', async () => {
    expect(
      await statusOf(
        [1, 'I have to know first what I pay now.'],
        [0, 'Shall I ring you tomorrow, then, with the standing charge?'],
        [1, 'Okay. After ten please.'],
        [0, 'After ten tomorrow.'],
      ),
    ).toBe('follow_up');
  });
  it('is told of a call that is only likely a sales call where it is sure, and the call has no score', async () => {
    const order: Turns = [[1, "I'll take it."]];
    const [sold, open] = [
      [0.97, 0.01, 0.01, 0.01],
      [0.6, 0.2, 0.1, 0.1],
    ] as const;
    const likely = [0.85, 0.11, 0.01, 0.01, 0.01, 0.01];
    const unlikely = [0.65, 0.31, 0.01, 0.01, 0.01, 0.01];
    expect(await analysisOf(order, sureOf(likely, sold))).toMatchObject({
      ...{ saleStatus: 'sold', score: null, notScored: { code: 'kind_unclear' } },
      ...{
        evidence: { saleStatus: { quote: "I'll take it." } },
        summary: expect.stringContaining('The customer agreed to buy.'),
      },
    });
    expect(await analysisOf(order, sureOf(likely, open))).toMatchObject({ saleStatus: 'unclear', score: null });
    expect(await analysisOf(order, sureOf(unlikely, sold))).toMatchObject({ saleStatus: 'unclear', score: null });
  });
  it('is unclear when nothing of it was said', async () => {
    expect(await statusOf([1, 'Hello? I can hardly hear you.'])).toBe('unclear');
  });
});

describe('what the customer wants', () => {
  it('is quoted only where it is likely that they say it', () => {
    const said = (likely: number) =>
      intentOf(writtenActs([['C: hi it is Anders up at the creek', ['want', likely]], ['M: hi'], ['C: yes']]))?.text;
    expect([said(0.5), said(0.7)]).toEqual([undefined, '“hi it is Anders up at the creek”']);
  });
  it('is said of an unclear call only where it is likely one for sales or service, with a customer in it', async () => {
    const wish = async (...kind: number[]) => (await analysisOf([], sureOf(kind, [0.1, 0.1, 0.1, 0.7]))).customerIntent;
    expect(await wish(0.35, 0.3, 0.32, 0.01, 0.01, 0.01)).toMatch(/invoices every week/);
    expect(await wish(0.25, 0.25, 0.47, 0.01, 0.01, 0.01)).toBeNull();
  });
});

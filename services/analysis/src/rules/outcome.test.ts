import type { Analysis, Transcript } from '@call-analytics/calls';
import { describe, expect, it } from '@jest/globals';
import { analyzeByRules } from './analyze.ts';
import { SALES_OPENING } from './dialogues.fixture.ts';

function analysisOf(...rest: [number, string][]): Promise<Analysis> {
  const lines = [...SALES_OPENING, ...rest, [0, 'Goodbye.'] as const];
  const transcript: Transcript = {
    language: 'en',
    utterances: lines.map(([speaker, text], index) => ({
      speaker,
      startMs: index * 4_000,
      endMs: index * 4_000 + 3_500,
      text,
    })),
    speakersBy: 'channels',
    engine: { name: 'test', model: 'test' },
    audio: { seconds: lines.length * 4, channels: 2, coveredSeconds: lines.length * 4, speechSeconds: [], dropped: [] },
  };
  return analyzeByRules(transcript);
}

const statusOf = async (...rest: [number, string][]) => (await analysisOf(...rest)).saleStatus;

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
  it('has no next step when the customer only puts it off', async () => {
    const { saleStatus, nextStep } = await analysisOf(
      [0, 'Shall I send you a link and ring you on Friday?'],
      [1, "Yeah, I don't know. I'll come back to you when I've had a think."],
      [0, 'Okay.'],
      [1, 'Okay, bye.'],
    );
    expect({ saleStatus, nextStep }).toEqual({ saleStatus: 'unclear', nextStep: null });
  });
  it('is unclear when nothing of it was said', async () => {
    expect(await statusOf([1, 'Hello? I can hardly hear you.'])).toBe('unclear');
  });
});

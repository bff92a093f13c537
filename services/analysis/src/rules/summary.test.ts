import { describe, expect, it } from '@jest/globals';
import { analyzeByRules } from './analyze.ts';
import { spoken, transcriptOf, writtenDialogues } from './dialogues.fixture.ts';

const CALL: [number, string][] = [
  [0, 'Good morning, this is Tom from Pipewell. You asked for an offer for our routing software?'],
  [1, "Hi Tom, it's Susan from Northwind. We lose two hours every morning with planning by hand."],
  [0, 'How many drivers do you have, Susan?'],
  [1, 'About twenty.'],
  [0, 'And how do you plan the routes at the moment?'],
  [1, 'In a spreadsheet.'],
  [0, 'Our routing software plans them every night, so you save those two hours.'],
  [1, 'And what does it cost?'],
  [0, 'The routing software is four hundred dollars a month.'],
  [1, 'That is too expensive for us.'],
  [0, 'I understand. Shall I show you a demo on Tuesday at ten?'],
  [1, 'Tuesday at ten works for me.'],
  [0, 'Thank you. Goodbye.'],
];
async function summary(change: (text: string) => string = (text) => text): Promise<string> {
  return (await analyzeByRules(spoken(CALL.map(([speaker, text]) => [speaker, change(text)])))).summary;
}

describe('a summary by the rules', () => {
  it('reads as a person would write it', async () => {
    expect(await summary()).toBe(
      'Tom from Pipewell spoke with Susan from Northwind about routing software. ' +
        "The customer said: “Hi Tom, it's Susan from Northwind. We lose two hours every morning with planning by hand.” " +
        'The customer found the price too high. The next step is a demo on Tuesday at ten.',
    );
  });

  it('names nobody of whom only a relative calls', async () => {
    expect(await summary((text) => text.replace("it's Susan from Northwind", "it's Susan's mother"))).toMatch(
      /^Tom from Pipewell spoke with the customer/,
    );
  });

  it('of a call that is not scored says what it is about, not how the phone is answered', async () => {
    const { notScored, summary: said } = await analyzeByRules(
      spoken([
        [0, "Thank you for calling Big Jim's Auto, this is Travis, how can I help you today?"],
        [1, 'Hi Travis, my name is Jack.'],
        [1, 'About two weeks ago I got a car from your dealership and the service light came on already.'],
        [0, 'I am so sorry. What was your last name, so I can look you up?'],
        [1, 'Miller.'],
        [0, 'You can bring it in any time that we are open, and there is no charge.'],
        [1, 'Okay, thank you so much.'],
        [0, 'Thank you. Goodbye.'],
      ]),
    );
    expect(notScored).not.toBeNull();
    expect(said).toContain('the service light came on already');
    expect(said).not.toContain('Thank you for calling');
  });

  it('is of a call whose kind is shown by the words that offer something', async () => {
    const { callKind } = await analyzeByRules(spoken(CALL));
    expect(callKind).toEqual({ kind: 'sales', quote: expect.stringMatching(/^(Our|The) routing software/) });
  });

  it('says of a step without a name when it is due', async () => {
    const said = await summary((text) =>
      text
        .replace(
          'Shall I show you a demo on Tuesday at ten?',
          'Here is what I would love, and you will have all three by Friday. Is it okay if I address it to you?',
        )
        .replace('Tuesday at ten works for me.', 'Friday works for me.'),
    );
    expect(said).toMatch(/The next step is due by Friday\.$/);
  });

  it('says once that the customer declined', async () => {
    const said = await summary((text) =>
      /^Tuesday at ten|^That is too/.test(text) ? "No, I'm not interested. Please don't call again." : text,
    );
    expect(said).toMatch(/The customer declined\.$/);
    expect(said).not.toContain('put it off or refused');
  });

  it('names the step that moves the matter on, where one turn has several', async () => {
    const said = await summary((text) =>
      text === 'Thank you. Goodbye.'
        ? 'I will send you the prices today. So we meet on Tuesday at ten, and then you start the free trial. Goodbye.'
        : text,
    );
    expect(said).toMatch(/The next step is a (demo|meeting) on Tuesday at ten\.(?: Also agreed: a quote today\.)?$/);
  });

  it('says nothing of a further step without a name', async () => {
    const said = await summary((text) =>
      text
        .replace('Shall I show you a demo on Tuesday at ten?', 'Does Tuesday at ten work for you?')
        .replace('Thank you. Goodbye.', 'I will send you the prices today. So Tuesday at ten it is. Goodbye.'),
    );
    expect(said).toMatch(/The next step is on Tuesday at ten\.$/);
  });

  it('names nobody where a recognizer gives no capitals, and writes days as names all the same', async () => {
    const heard = await summary((text) => text.toLowerCase().replace(/[.,?]/g, ''));
    expect(heard).toContain('The manager spoke with the customer about routing software. ');
    expect(heard).toContain('The next step is a demo on Tuesday at ten.');
  });

  it('gives a time without the words of hesitation in it', async () => {
    const said = await summary((text) => text.replace('on Tuesday at ten?', 'on Tuesday, say at ten?'));
    expect(said).toMatch(/The next step is a demo on Tuesday at ten\.$/);
  });

  it('names all steps, and who is called by a title', async () => {
    const said = await summary((text) =>
      text
        .replace('How many drivers do you have, Susan?', 'Hi Dr. Okafor. Thank you, Dr. Okafor. How many drivers?')
        .replace("it's Susan from Northwind", 'good morning')
        .replace('this is Tom from', 'this is Tom calling from')
        .replace('Thank you. Goodbye.', 'And I will email you the contract by Monday. Thank you. Goodbye.'),
    );
    expect(said).toMatch(/^Tom from Pipewell spoke with Dr\. Okafor about routing software\. /);
    expect(said).toMatch(/The next step is a demo on Tuesday at ten\. Also agreed: the contract by Monday\.$/);
  });

  it('quotes an objection whose kind is not certain, where there is no other', async () => {
    const analyses = await Promise.all(
      writtenDialogues().map((dialogue) => analyzeByRules(transcriptOf(dialogue, 'channels'))),
    );
    const unnamed = analyses.filter(
      ({ objections }) => objections.length > 0 && objections.every(({ kind }) => kind === undefined),
    );
    const quoted = unnamed.flatMap(({ summary: text, objections }) => {
      const quote = /objected: “(.*?)”/.exec(text)?.[1];
      if (quote !== undefined) expect(objections.map((objection) => objection.quote)).toContain(quote);
      return quote ?? [];
    });
    expect(quoted.length).toBeGreaterThan(0);
    // Those that may be none are left out.
    expect(quoted.length).toBeLessThan(unnamed.length);
  });

  it('says how a call begins that is no sales call, where nobody says what they want', async () => {
    const said = ['oh hello', 'I am calling on behalf of the hospital for a short survey about your stay.'];
    const asked = ['How often did the nurses explain your medicines to you?', 'Usually they did.'];
    const { callKind, summary: text } = await analyzeByRules(
      spoken(
        [...said, ...asked, 'Would you recommend us to your friends?', 'Probably yes.'].map((line, at) => [
          at % 2,
          line,
        ]),
      ),
    );
    expect(callKind?.kind).not.toBe('sales');
    expect(text).toContain(`Near the beginning: “${said[1]}”`);
  });

  it('quotes a long wish in part, and no answer to the phone as the beginning', async () => {
    const service = (wish: string): [number, string][] => [
      [0, "thank you for calling Big Jim's Auto this is Travis how can I help you today"],
      [1, wish],
      [0, 'okay what kind of car is it and when did the light come on'],
      [1, "it's a Ford Fusion from 2017 and it came on this morning"],
      [0, 'okay then bring it by and we will take a look at no charge since you bought it here'],
      [1, 'okay thank you so much'],
    ];
    const light = 'I bought a car from you not too long ago and a light is coming on on the dashboard';
    const { summary: short } = await analyzeByRules(spoken(service(`hello ${light}`)));
    expect(short).toContain(`“${light}”`);
    const long = `hello my name is Violet King and ${light} and so I was wondering what I should do about that now`;
    const { summary: text } = await analyzeByRules(spoken(service(long)));
    expect(text).toMatch(/“my name is Violet King and I bought a car .* …”/);
    expect(text).not.toContain('thank you for calling');
  });

  it('does not name twice what the manager offers and is from', async () => {
    const said = await summary((text) => text.replaceAll(/(?:our|the) routing software/gi, 'Pipewell'));
    expect(said).toMatch(/^Tom from Pipewell spoke with Susan from Northwind\. /);
  });

  it('says no name that is only a title or a day, and nobody who sells where nobody is known to', async () => {
    for (const dialogue of writtenDialogues()) {
      const { summary: text, callKind } = await analyzeByRules(transcriptOf(dialogue, 'channels'));
      expect(text).not.toMatch(/spoke with (Mr|Mrs|Ms|there|everyone)\b(?! \p{Lu})/u);
      if (callKind?.kind !== 'sales') expect(text).not.toMatch(/spoke with/);
    }
  });
});

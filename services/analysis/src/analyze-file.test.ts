import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ranAlone } from '@call-analytics/test/terminal.fixture.ts';
import { afterAll, describe, expect, it } from '@jest/globals';

const MAIN = new URL('./analyze.main.ts', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'analyse-'));
afterAll(() => rmSync(folder, { recursive: true }));

const LINES: [number, string][] = [
  [0, 'Good morning, this is Emma from Brightbooks. You asked for an offer for our invoicing software.'],
  [1, 'Hi, yes, I lose a whole evening each week with my invoices.'],
  [0, 'How many do you send in a month?'],
  [1, 'About forty.'],
  [0, 'And how do you write them at the moment?'],
  [1, 'In a spreadsheet, by hand.'],
  [0, 'So you want that evening back, and fewer mistakes.'],
  [1, 'Exactly.'],
  [0, 'Our invoicing software writes them for you and sends the reminders, so you save those hours.'],
  [1, 'And what does it cost?'],
  [0, 'The invoicing software is forty dollars a month, and you can cancel every month.'],
  [1, 'That is too expensive for us.'],
  [0, 'I understand. It saves you that evening. Shall I call you on Tuesday at ten?'],
  [1, 'Yes, Tuesday at ten is fine. Goodbye.'],
];
const call = (lines = LINES) => ({ lines: lines.map(([speaker, said]) => ({ speaker, text: said })) });

/** Runs the command as a process of its own. */
function analyse(...args: string[]) {
  return ranAlone(MAIN, args, {}, folder);
}

function fileWith(content: string): string {
  const file = join(folder, `${Math.random()}.json`);
  writeFileSync(file, content);
  return file;
}

describe('npm run analyse', () => {
  it('prints the analysis of a call as JSON, with the places of its findings', async () => {
    const file = fileWith(JSON.stringify({ ...call(), date: '2026-11-20', truth: { kind: 'other' } }));
    const { out, err, code } = await analyse('--engine', 'rules', file);
    expect({ err, code }).toEqual({ err: '', code: 0 });
    const analysis = JSON.parse(out);
    expect(analysis).toMatchObject({
      kind: 'sales',
      product: '',
      saleStatus: 'follow_up',
      notScored: null,
      nextSteps: [{ quote: expect.stringContaining('Tuesday at ten'), day: '2026-11-24', who: 'manager' }],
      metrics: { turns: 14 },
      roles: { by: 'channels' },
    });
    const sum = (of: 'points' | 'of') =>
      analysis.criteria.reduce((total: number, criterion: Record<typeof of, number>) => total + criterion[of], 0);
    expect(analysis.score).toBe(Math.round((100 * sum('points')) / sum('of')));
    const [objection] = analysis.evidence.objections;
    expect(objection).toMatchObject({ kind: 'price', line: 11, role: 'customer' });
    expect(LINES[11]?.[1]).toContain(objection.quote);
    expect(analysis.transcript.split('\n')[1]).toBe(`Customer: ${LINES[1]?.[1]}`);
  });

  it('analyzes lines without speakers and times', async () => {
    const lines = LINES.map(([, said]) => ({ text: said }));
    const { out, code } = await analyse(fileWith(JSON.stringify({ lines })));
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      roles: { by: 'sentences' },
      metrics: { seconds: null, managerWordsPerMinute: null, longestMonologueSeconds: null },
    });
    expect(out).not.toMatch(/per minute|longest stretch/i);
  });

  it('prints no control or direction characters, and the same words', async () => {
    const said = '<b>Yes</b> \u0000 \u202Eno\u202C, Tuesday at ten is fine.';
    const { out, code } = await analyse(fileWith(JSON.stringify(call([...LINES, [1, said]]))));
    expect(code).toBe(0);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not reach a terminal
    expect(out).not.toMatch(/[\u0000\u202A-\u202E]/);
    expect(JSON.parse(out).lines.at(-1).text).toBe(said);
  });

  it('judges the call by a scorecard, and prints its answers', async () => {
    const priced = { question: 'Does the manager give a price, a number or a reference?', check: 'price_or_proof' };
    const questions = [
      { ...priced, who: 'manager', weight: 3 },
      { question: 'Is a refund promised?', who: 'anyone', weight: 50 },
    ];
    const file = fileWith(JSON.stringify(call()));
    const { out, code } = await analyse('--engine=rules', '--scorecard', fileWith(JSON.stringify({ questions })), file);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      score: 100,
      criteria: [],
      scorecard: {
        version: 1,
        questions: [
          { ...priced, answer: 'yes', proof: { quote: expect.stringContaining('forty dollars'), line: 10 }, points: 3 },
          { answer: 'not_judged', proof: null, of: 0 },
        ],
      },
    });
  });

  it.each([
    ['{"questions": []}', /is not a scorecard:\n {2}questions: holds no questions/],
    ['{"questions": [{"question": "Why?", "who": "nobody", "weight": 1}]}', /questions\.0\.who: /],
  ])('refuses the scorecard %s and says why', async (content, why) => {
    const { out, err, code } = await analyse('--scorecard', fileWith(content), fileWith(JSON.stringify(call())));
    expect({ out, code }).toEqual({ out: '', code: 1 });
    expect(err).toMatch(why);
  });

  it.each([
    ['{"lines": [', /is not valid JSON/],
    ['[]', /file: .*expected object/],
    ['{"lines": []}', /lines: holds no lines/],
    ['{"lines": [{"text": "  "}]}', /holds no text/],
    ['{"lines": [{"text": "Hello."}, {"speaker": 0, "text": 5}]}', /lines\.1\.text: .*expected string/],
    ['{"lines": [{"text": "Hello."}], "date": "yesterday"}', /date: must be a day such as 2026-11-20/],
  ])('refuses %s and says why', async (content, why) => {
    const { out, err, code } = await analyse(fileWith(content));
    expect({ out, code }).toEqual({ out: '', code: 1 });
    expect(err).toMatch(why);
  });

  it('refuses a missing file, a huge file, a wrong engine and an engine without a key, and says why', async () => {
    expect(await analyse('absent.json')).toMatchObject({ code: 1, err: expect.stringContaining('no such file') });
    const huge = fileWith('{}');
    truncateSync(huge, 2 ** 30);
    expect(await analyse(huge)).toMatchObject({ code: 1, err: expect.stringContaining('At most 16777216 bytes') });
    const file = fileWith(JSON.stringify(call()));
    expect(await analyse('--engine', 'magic', file)).toMatchObject({ code: 1, err: expect.stringMatching(/magic/) });
    expect(await analyse('--engine', 'openai', file)).toMatchObject({
      code: 1,
      err: expect.stringContaining('OPENAI_API_KEY'),
    });
    expect(await analyse('--color', file)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/'--color'.*\n[\s\S]*Exits/),
    });
    expect(await analyse()).toMatchObject({ code: 1, err: expect.stringContaining('Name one JSON file') });
  });
});

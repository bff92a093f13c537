import type { CallDetail } from '@call-analytics/contracts';
import { describe, expect, it } from '@jest/globals';
import { asMarkdown, asText, downloadName, type ReportWords, shownSections } from './report-file.ts';

const WORDS: ReportWords = {
  facts: ({ score, product }) => [
    ['Score', `${score} of 100`],
    ['Product', product ?? ''],
  ],
  summary: 'Summary',
  customerIntent: 'What the customer wants',
  nextStep: 'Next step',
  positives: 'Went well',
  issues: 'Issues',
  objections: 'Objections',
  managerMistakes: 'Mistakes',
  recommendations: 'Recommendations',
  transcript: 'Transcript',
  failed: 'Why it failed',
};

const CALL: CallDetail = {
  id: 'call_1',
  fileName: 'a.mp3',
  status: 'completed',
  language: 'en',
  product: 'Team plan',
  saleStatus: 'sold',
  score: 71,
  createdAt: '2026-11-21T10:00:00.000Z',
  summary: 'A summary.\n\nIn two parts.',
  customerIntent: '',
  nextStep: 'An offer',
  issues: [],
  positives: ['good', 'better'],
  recommendations: [],
  objections: [],
  managerMistakes: [],
  detailedReport: [{ id: 'overview', title: 'Overview', content: 'All of it', points: ['one'] }],
  transcript: 'Manager: Hello.\nCustomer: Hi.',
};

describe('the sections of a call without a score', () => {
  it('are those with findings: the others only repeat that it is not scored', () => {
    const opening = { id: 'opening', title: 'Opening', content: 'Not judged.', points: ['“hello”'] };
    const mistakes = { id: 'mistakes', title: 'Mistakes', content: 'Not judged.', points: [] };
    const call = { ...CALL, detailedReport: [opening, mistakes] };
    expect(shownSections({ ...call, score: null })).toEqual([opening]);
    expect(asText({ ...call, score: null }, WORDS)).not.toContain('Mistakes');
    expect(shownSections(call)).toEqual([opening, mistakes]);
  });
});

describe('a report as text', () => {
  it('has what is there, in order, and nothing that is not', () => {
    expect(asText(CALL, WORDS)).toBe(
      `a.mp3
=====
Score: 71 of 100
Product: Team plan

Summary
-------
A summary.

In two parts.

Next step
---------
An offer

Went well
---------
- good
- better

Overview
--------
All of it
- one

Transcript
----------
Manager: Hello.
Customer: Hi.
`,
    );
  });
});

describe('a report as Markdown', () => {
  it('has headings, lists and labeled lines', () => {
    const markdown = asMarkdown(CALL, WORDS);
    expect(markdown).toContain(
      '# a.mp3\n\n- **Score:** 71 of 100\n- **Product:** Team plan\n\n## Summary\n\nA summary.\n\nIn two parts.\n',
    );
    expect(markdown).toContain('## Went well\n\n- good\n- better\n');
    expect(markdown).toContain('**Manager:** Hello.\n\n**Customer:** Hi.\n');
    expect(markdown).not.toContain('Issues');
  });

  it.each([
    ['<img src=x onerror=alert(1)>', '\\<img src=x onerror=alert(1)\\>'],
    ['[click](javascript:alert(1))', '\\[click\\](javascript:alert(1))'],
    ['# no heading', '\\# no heading'],
    ['1. no list', '1\\. no list'],
    ['- no list', '\\- no list'],
    ['a_b_c `code` **bold** | cell', 'a\\_b\\_c \\`code\\` \\*\\*bold\\*\\* \\| cell'],
    ['one\n\n# two', 'one # two'],
    ['&lt;', '\\&lt;'],
  ])('takes %j as text and nothing else', (text, written) => {
    expect(asMarkdown({ ...CALL, positives: [text] }, WORDS)).toContain(`\n- ${written}\n`);
  });
});

describe.each([
  ['text', asText],
  ['Markdown', asMarkdown],
])('a report as %s', (_name, write) => {
  it('has no hidden characters and none that reverse the direction of text', () => {
    const hostile = {
      ...CALL,
      fileName: 'a\u202e.mp3',
      summary: 'It\u0000 is\u2066 so\u001b[31m.',
      positives: ['go\u202eod'],
    };
    const file = write(hostile, WORDS);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not reach a file
    expect(file).not.toMatch(/[\u0000\u001b\u202e\u2066]/);
    expect(file).toContain('It is so');
    expect(file).toContain('- good\n');
  });
});

describe('the name of a downloaded report', () => {
  it.each([
    ['call.mp3', 'call report.txt'],
    ['../../etc/passwd', '_.._etc_passwd report.txt'],
    ['a\u202eexe.3pm', 'a_exe report.txt'],
    ['<script>"x"</script>.wav', '_script_x_script_ report.txt'],
    ['.mp3', 'report.txt'],
    ['x'.repeat(300), `${'x'.repeat(100)} report.txt`],
  ])('of %j is %j', (fileName, name) => {
    expect(downloadName(fileName, 'report', 'txt')).toBe(name);
  });
});

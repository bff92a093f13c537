import type { CallDetail } from '@call-analytics/contracts';
import { bandOf, shownMoment } from '../common/format.ts';
import { LOCALE, texts } from '../texts/index.ts';

// A report as a file: plain text or Markdown, with the same parts in the order of the page.

/** The titles of the parts. */
export interface ReportWords {
  facts(call: CallDetail): readonly (readonly [name: string, value: string])[];
  summary: string;
  customerIntent: string;
  nextStep: string;
  positives: string;
  issues: string;
  objections: string;
  managerMistakes: string;
  recommendations: string;
  transcript: string;
  failed: string;
}

interface Part {
  title: string;
  text?: string;
  points?: readonly string[];
  lines?: readonly string[];
}

/** Control characters, and those that reverse the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export function asText(call: CallDetail, words: ReportWords): string {
  const head = [
    call.fileName,
    '='.repeat(Math.min(80, [...call.fileName].length)),
    ...words.facts(call).map(([name, value]) => `${name}: ${value}`),
  ];
  const parts = partsOf(call, words).map(({ title, text, points = [], lines = [] }) =>
    [
      title,
      '-'.repeat([...title].length),
      ...(text ? [text] : []),
      ...points.map((point) => `- ${oneLine(point)}`),
      ...lines,
    ].join('\n'),
  );
  return `${[head.join('\n'), ...parts].join('\n\n')}\n`.replace(HIDDEN, '');
}

export function asMarkdown(call: CallDetail, words: ReportWords): string {
  const head = [
    `# ${inline(call.fileName)}`,
    words
      .facts(call)
      .map(([name, value]) => `- **${inline(name)}:** ${inline(value)}`)
      .join('\n'),
  ];
  const parts = partsOf(call, words).map(({ title, text, points = [], lines = [] }) =>
    [
      `## ${inline(title)}`,
      ...(text
        ? [
            text
              .split(/\n{2,}/)
              .map(inline)
              .join('\n\n'),
          ]
        : []),
      ...(points.length === 0 ? [] : [points.map((point) => `- ${inline(point)}`).join('\n')]),
      ...lines.map(spoken),
    ].join('\n\n'),
  );
  return `${[...head, ...parts].join('\n\n')}\n`.replace(HIDDEN, '');
}

/** A call without a score is not judged: of its sections, those without a finding only repeat that. */
export function shownSections({ score, detailedReport }: CallDetail): CallDetail['detailedReport'] {
  return detailedReport.filter(({ points }) => score !== null || points.length > 0);
}

/** Only what is there. */
function partsOf(call: CallDetail, words: ReportWords): Part[] {
  const text = (title: string, value: string | null | undefined): Part[] => (value ? [{ title, text: value }] : []);
  const list = (title: string, points: readonly string[]): Part[] => (points.length === 0 ? [] : [{ title, points }]);
  return [
    ...text(words.failed, call.errorMessage),
    ...text(words.summary, call.summary),
    ...text(words.customerIntent, call.customerIntent),
    ...text(words.nextStep, call.nextStep),
    ...list(words.positives, call.positives),
    ...list(words.issues, call.issues),
    ...list(words.objections, call.objections),
    ...list(words.managerMistakes, call.managerMistakes),
    ...list(words.recommendations, call.recommendations),
    ...shownSections(call).map(({ title, content, points }) => ({ title, text: content, points })),
    ...(call.transcript ? [{ title: words.transcript, lines: call.transcript.split('\n') }] : []),
  ];
}

function spoken(line: string): string {
  const [, label, text] = /^([^:]{1,20}): (.*)$/u.exec(line) ?? [];
  return label === undefined || text === undefined ? inline(line) : `**${inline(label)}:** ${inline(text)}`;
}

/**
 * A text as one line of Markdown, escaped: what people say and engines write is not markup.
 * https://spec.commonmark.org/0.31.2/#backslash-escapes
 */
function inline(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_[\]<>&|~]/g, '\\$&')
    .replace(/^([#+=-]|\d{1,9}(?=[.)]))/, (start) => (/\d/.test(start) ? start : `\\${start}`))
    .replace(/^(\d{1,9})([.)])/, '$1\\$2');
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

const { report, calls } = texts;

/** BCP 47 for a language that is not determined. */
export const NO_LANGUAGE = 'und';

/** `English` for `en`. A text that is no language tag is returned as it is. */
export function shownLanguage(tag: string): string {
  try {
    return new Intl.DisplayNames(LOCALE, { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** The titles of the parts, from the texts of the application. */
export const fileWords: ReportWords = {
  ...report,
  failed: report.failed,
  facts: ({ score, saleStatus, product, language, createdAt, status }: CallDetail) => [
    ...(status === 'completed' ? [] : [[report.status, calls.statuses[status]] as const]),
    ...(score === null ? [] : [[report.score, `${calls.score(score)} (${report.bands[bandOf(score)]})`] as const]),
    ...(score === null ? [] : [[report.outcome, calls.saleStatuses[saleStatus]] as const]),
    ...(product === '' ? [] : [[report.product, product] as const]),
    ...(language === NO_LANGUAGE ? [] : [[report.language, shownLanguage(language)] as const]),
    [report.uploaded, shownMoment(createdAt)] as const,
  ],
};

/**
 * A file name for the report of a recording that is safe on every file system: without a path, control characters and
 * characters that change the direction of text.
 * @param extension without the dot
 */
export function downloadName(fileName: string, word: string, extension: 'txt' | 'md' | 'vtt' | 'srt'): string {
  const base = fileName
    .replace(/\.[a-z0-9]{1,4}$/i, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    .replace(/[\\/:*?"<>|\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  const short = [...base].slice(0, 100).join('');
  return `${short === '' ? word : `${short} ${word}`}.${extension}`;
}

/** Downloads a text as a file. */
export function saveText(text: string, name: string, type: 'text/plain' | 'text/markdown'): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the content after the click was handled.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

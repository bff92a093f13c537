import type { CallDetail } from '@call-analytics/contracts';

// A report as a file: plain text, or Markdown. Both are made of the same parts in the same order, which is the order of the page.

/** What the parts are called; from the texts of the application. */
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
  return `${[head.join('\n'), ...parts].join('\n\n')}\n`;
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
  return `${[...head, ...parts].join('\n\n')}\n`;
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
    ...call.detailedReport.map(({ title, content, points }) => ({ title, text: content, points })),
    ...(call.transcript ? [{ title: words.transcript, lines: call.transcript.split('\n') }] : []),
  ];
}

function spoken(line: string): string {
  const [, label, text] = /^([^:]{1,20}): (.*)$/u.exec(line) ?? [];
  return label === undefined || text === undefined ? inline(line) : `**${inline(label)}:** ${inline(text)}`;
}

/**
 * A text as one line of Markdown that means nothing but itself: what people say and what engines write is no markup.
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

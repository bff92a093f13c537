import type { Line, Role, Transcript } from '@call-analytics/calls';
import type { Evidence } from '../call/evidence.ts';
import { linesOf, type Span } from '../call/observations.ts';
import type { Masked, Replacement } from './masking.ts';

/** The way from a masked call back to what was said. */
export interface AsSaid {
  spans: Span[];
  lines: Line[];
  /** @returns what was said for words of a masked line */
  words(text: string, line: number): string;
  /** Puts words and names of the call into each quote and text of a value. */
  back<T>(value: T): T;
}

/**
 * @param transcript the call as it was said
 * @param spans, lines, lineOf of the masked call
 */
export function asSaid(
  transcript: Transcript,
  { replaced, unmask }: Masked,
  spans: readonly Span[],
  { lines: maskedLines, lineOf }: { lines: readonly Line[]; lineOf: readonly number[] },
): AsSaid {
  const textOf = (utterance: number) => transcript.utterances[utterance]?.text ?? '';
  const offset = (utterance: number, at: number) => offsetAsSaid(replaced[utterance] ?? [], at);
  const saidSpans = spans.map((span): Span => {
    const [start, end] = [offset(span.utterance, span.start), offset(span.utterance, span.end)];
    return { ...span, start, end, text: textOf(span.utterance).slice(start, end) };
  });
  const roles = lineOf.map((line): Role => maskedLines[line]?.role ?? 'other');
  const { lines } = linesOf(transcript, saidSpans, roles);
  const firstSpan = new Map<number, Span>();
  for (const [index, line] of [...lineOf.entries()].reverse()) firstSpan.set(line, spans[index] as Span);

  const said = ({ quote, line }: Evidence): Evidence => {
    const { utterance, start } = firstSpan.get(line) ?? { utterance: -1, start: 0 };
    const from = start + (maskedLines[line]?.text.indexOf(quote) ?? 0);
    const words = textOf(utterance).slice(offset(utterance, from), offset(utterance, from + quote.length));
    return { quote: words.trim(), line };
  };
  const back = (value: unknown): unknown => {
    if (typeof value === 'string') return unmask(value);
    if (Array.isArray(value)) return value.map(back);
    if (typeof value !== 'object' || value === null) return value;
    const restored = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, back(part)]));
    return 'quote' in value && 'line' in value ? { ...restored, ...said(value as Evidence) } : restored;
  };
  return {
    spans: saidSpans,
    lines,
    words: (text, line) => (maskedLines[line]?.text.includes(text) ? said({ quote: text, line }).quote : unmask(text)),
    back: back as AsSaid['back'],
  };
}

/** An offset within a replacement is the end of what was said there. */
function offsetAsSaid(replaced: readonly Replacement[], at: number): number {
  let [low, high] = [0, replaced.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((replaced[middle]?.maskedStart ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  const before = replaced[low - 1];
  if (before === undefined) return at;
  return at < before.maskedEnd ? before.end : before.end + at - before.maskedEnd;
}

/** The speaker of a line. Speakers without a role have a number, from 1. */
export type Speaker = { role: 'manager' | 'customer' } | { role: 'other'; number: number };

export interface TranscriptLine {
  /** Null for a line without a label, which is shown unchanged. */
  speaker: Speaker | null;
  text: string;
}

/** The transcript of `GET /api/v1/calls/:id`, line by line. */
export function readTranscript(transcript: string): TranscriptLine[] {
  return transcript
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, label, number, text] = /^(Manager|Customer|Speaker (\d{1,3})): ?(.*)$/u.exec(line) ?? [];
      if (label === undefined || text === undefined) return { speaker: null, text: line };
      if (number !== undefined) return { speaker: { role: 'other', number: Number(number) }, text };
      return { speaker: { role: label === 'Manager' ? 'manager' : 'customer' }, text };
    });
}

export function sameSpeaker(one: Speaker | null | undefined, other: Speaker | null | undefined): boolean {
  if (!one || !other) return false;
  return one.role === other.role && (one.role !== 'other' || other.role !== 'other' || one.number === other.number);
}

/** A search hit in a line, as offsets into its text. */
export interface Hit {
  line: number;
  start: number;
  end: number;
}

/** A bound for searches such as one letter in a long call. */
export const MAX_HITS = 2_000;

/**
 * Finds words in lines, whatever their case and the white space between them.
 * @returns the hits from the first line to the last, at most MAX_HITS
 */
export function search(lines: readonly string[], words: string): Hit[] {
  const wanted = words.trim();
  if (wanted === '') return [];
  const pattern = new RegExp(wanted.split(/\s+/u).map(literally).join('\\s+'), 'giu');
  const hits: Hit[] = [];
  for (const [line, text] of lines.entries())
    for (const { 0: found, index } of text.matchAll(pattern)) {
      hits.push({ line, start: index, end: index + found.length });
      if (hits.length === MAX_HITS) return hits;
    }
  return hits;
}

/** Splits a text at its hits. @param hits of this text, in order */
export function pieces<H extends Pick<Hit, 'start' | 'end'>>(
  text: string,
  hits: readonly H[],
): { start: number; text: string; hit: H | null }[] {
  const cut: { start: number; text: string; hit: H | null }[] = [];
  let at = 0;
  for (const hit of hits) {
    if (hit.start > at) cut.push({ start: at, text: text.slice(at, hit.start), hit: null });
    cut.push({ start: hit.start, text: text.slice(hit.start, hit.end), hit });
    at = hit.end;
  }
  if (at < text.length) cut.push({ start: at, text: text.slice(at), hit: null });
  return cut;
}

/** @returns the hits in a piece of a line, with offsets into its text */
export function within<H extends Pick<Hit, 'start' | 'end'>>(
  { start: from, text }: { start: number; text: string },
  hits: readonly H[],
): { start: number; end: number; whole: H }[] {
  return hits
    .filter(({ start, end }) => start < from + text.length && end > from)
    .map((whole) => ({ start: Math.max(0, whole.start - from), end: Math.min(text.length, whole.end - from), whole }));
}

function literally(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

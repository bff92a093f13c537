import type { Transcript } from '@call-analytics/calls';
import type { Piece } from '../call/lines.ts';

/** Lines that a model can point at: not longer than this, whatever the transcript looks like. Characters. */
const LONGEST = 400;

/** Utterances taken apart at the ends of sentences, or at spaces where there are none. Nothing of the text is lost but white space at the cuts. */
export function piecesOf(transcript: Transcript): Piece[] {
  return transcript.utterances.flatMap(({ text, speaker, startMs, endMs }, utterance) => {
    const timeAt = (offset: number) => Math.round(startMs + ((endMs - startMs) * offset) / Math.max(1, text.length));
    return cuts(text).map(([start, end]) => ({
      utterance,
      speaker,
      start,
      end,
      text: text.slice(start, end),
      startMs: timeAt(start),
      endMs: timeAt(end),
    }));
  });
}

function cuts(text: string): [number, number][] {
  const found: [number, number][] = [];
  for (const { index, 0: stretch } of text.matchAll(/[^.!?…。！？]+[.!?…。！？]*|[.!?…。！？]+/gu)) {
    for (let from = 0; from < stretch.length; ) {
      const space = stretch.length - from <= LONGEST ? -1 : stretch.lastIndexOf(' ', from + LONGEST);
      const to = stretch.length - from <= LONGEST ? stretch.length : space > from ? space : from + LONGEST;
      const piece = stretch.slice(from, to);
      const start = index + from + (piece.length - piece.trimStart().length);
      const end = index + from + piece.trimEnd().length;
      if (end > start) found.push([start, end]);
      from = to;
    }
  }
  return found;
}

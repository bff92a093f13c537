import type { Line, Role, Transcript } from '@call-analytics/calls';

/** A stretch of an utterance that one person says: the least that a role is given to. */
export interface Piece {
  /** Index of its utterance. */
  utterance: number;
  speaker: number | null;
  /** Offsets into the utterance's text. */
  start: number;
  end: number;
  text: string;
  startMs: number;
  endMs: number;
}

/** Neighbouring pieces of one utterance and role make a line; its text is the stretch of the utterance from the first to the last: nothing is rewritten. */
export function linesOf(
  transcript: Transcript,
  pieces: readonly Piece[],
  roles: readonly Role[],
): { lines: Line[]; lineOf: number[] } {
  const lines: Line[] = [];
  const lineOf: number[] = [];
  let first: Piece | undefined;
  pieces.forEach((piece, index) => {
    const role = roles[index] ?? 'other';
    const line = lines.at(-1);
    if (first === undefined || line === undefined || first.utterance !== piece.utterance || line.role !== role) {
      first = piece;
      lines.push({ role, speaker: piece.speaker, startMs: piece.startMs, endMs: piece.endMs, text: piece.text });
    } else {
      line.endMs = piece.endMs;
      line.text = (transcript.utterances[piece.utterance]?.text ?? '').slice(first.start, piece.end);
    }
    lineOf.push(lines.length - 1);
  });
  return { lines, lineOf };
}

/** Who said a line. Others are told apart by their number, from 1. */
export type Speaker = { role: 'manager' | 'customer' } | { role: 'other'; number: number };

export interface TranscriptLine {
  /** Null for a line without a label: it is shown as it stands. */
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

import { z } from 'zod';

export interface Utterance {
  startMs: number;
  endMs: number;
  text: string;
}

const Done = z.object({ done: z.literal(true), language: z.string().nullable() });

/** What FFmpeg's filter writes looks like JSON, but it does not escape the text. */
const LINE = /\{"start":(-?\d+),"end":(-?\d+),"text":"([\s\S]*?)"\}\n(?=\{"(?:start|done)":)/g;
/** `[MUSIC]`, `(door slams)`, `*sighs*`, `♪ la la ♪`: what whisper writes where nobody speaks. */
const ANNOTATIONS = /\[[^\]]*\]|\([^)]*\)|\*[^*]*\*|♪[^♪]*♪?/gu;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * Reads what the whisper process wrote.
 * @param pieceMs the length of the piece: whisper fills the last of its windows of 30 s with silence, and may go on hearing things in it
 * @returns null when it did not write to the end
 */
export function readUtterances(
  output: string,
  pieceMs: number,
): { utterances: Utterance[]; language: string | null } | null {
  const last = output.slice(output.lastIndexOf('\n', output.length - 2) + 1);
  const done = Done.safeParse(parsed(last));
  if (!done.success) return null;
  const utterances = [...output.matchAll(LINE)].flatMap(([, start, end, raw]) => {
    const text = spoken(raw ?? '');
    const startMs = Math.max(0, Number(start));
    if (text === '' || startMs >= pieceMs) return [];
    return [{ startMs, endMs: Math.max(startMs, Math.min(Number(end), pieceMs)), text }];
  });
  return { utterances, language: done.data.language };
}

/** Without half letters (a character of several tokens may be cut by the end of an utterance), and empty when it only annotates silence. */
function spoken(raw: string): string {
  const text = raw.replaceAll('\uFFFD', '').replace(/\s+/g, ' ').trim();
  return LETTER_OR_DIGIT.test(text.replace(ANNOTATIONS, '')) ? text : '';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

import type { Transcript, Utterance } from '@call-analytics/calls';
import type { Piece } from '../call/lines.ts';
import { PATTERNS } from './cues/index.ts';
import type { Hit } from './patterns.ts';
import { splitStretch } from './sentences.ts';
import { type Word, wordsOf } from './words.ts';

/** A sentence, or what comes closest to one where a recogniser gave no punctuation. */
export interface Clause extends Piece {
  words: readonly Word[];
  question: boolean;
  /** The cues that begin in it, each once. */
  cues: ReadonlySet<string>;
  hits: readonly ClauseHit[];
}

export interface ClauseHit {
  cue: string;
  /** The words that follow it in the stretch: a name that is looked for begins there. */
  after: readonly Word[];
  covered: readonly Word[];
  /** What the pattern covers, as it stands in the utterance. */
  text: string;
}

/** Reads a transcript once: clauses in the order of speaking, with every cue found in them. */
export function read(transcript: Transcript): Clause[] {
  return transcript.utterances.flatMap((utterance, index) => readUtterance(utterance, index));
}

/** Stretches end where the text says so; without punctuation a whole utterance is one. Patterns never reach over an end. */
const STRETCH = /[^.!?…]+(?:[.!?…](?=[^\s.!?…])[^.!?…]*)*[.!?…]*\s*/gu;

function readUtterance(utterance: Utterance, index: number): Clause[] {
  const clauses: Clause[] = [];
  const punctuated = /[.!?…]/.test(utterance.text);
  const perCharacter = (utterance.endMs - utterance.startMs) / Math.max(1, utterance.text.length);
  const timeAt = (offset: number) => Math.round(utterance.startMs + offset * perCharacter);
  for (const match of utterance.text.matchAll(STRETCH)) {
    const words = wordsOf(match[0]).map((word) => ({ text: word.text, start: word.start + match.index, end: word.end + match.index }));
    if (words.length === 0) continue;
    const hits = PATTERNS.find(words).filter((hit) => !isUndone(hit, words));
    const cuts = splitStretch(words, hits, /[.!?…]\s*$/.test(match[0]));
    let next = 0;
    cuts.forEach((from, cut) => {
      const to = cuts[cut + 1] ?? words.length;
      const last = cut === cuts.length - 1;
      const start = words[from]?.start ?? 0;
      const end = last ? match.index + match[0].trimEnd().length : (words[to - 1]?.end ?? 0);
      const own: Hit[] = [];
      for (let hit = hits[next]; hit !== undefined && hit.from < to; hit = hits[next]) {
        own.push(hit);
        next += 1;
      }
      clauses.push({
        utterance: index,
        speaker: utterance.speaker,
        start,
        end,
        text: utterance.text.slice(start, end),
        words: words.slice(from, to),
        startMs: timeAt(start),
        endMs: timeAt(end),
        question: punctuated ? last && /\?\s*$/.test(match[0]) : own.some((hit) => hit.cue === 'question.start' && hit.from <= from + 2),
        cues: new Set(own.map((hit) => hit.cue)),
        hits: own.map((hit) => ({
          cue: hit.cue,
          after: words.slice(hit.to, hit.to + 8),
          covered: words.slice(hit.from, hit.to),
          text: utterance.text.slice(words[hit.from]?.start, words[Math.min(hit.to, words.length) - 1]?.end),
        })),
      });
    });
  }
  return clauses;
}

const UNDOES = new Set(['not', 'never', 'if', 'unless', 'whether']);
/** How far before it a word undoes a yes. */
const REACH = 4;

/** "I'll take it" is a yes; "I don't think I'll take it" and "if I take it" are none. "Why not, I'll take it" is. */
function isUndone({ cue, from }: Hit, words: readonly Word[]): boolean {
  if (!cue.startsWith('outcome.sold')) return false;
  const before = words.slice(Math.max(0, from - REACH), from);
  return before.some(({ text }, index) => UNDOES.has(text) && before[index - 1]?.text !== 'why');
}

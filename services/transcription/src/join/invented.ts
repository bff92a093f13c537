import type { Utterance } from '@call-analytics/calls';

// Speech models say things that nobody said: on near-silence the phrases their training data was full of, and now and then the same words over and over. What is surely of this kind is
// left out, with the reason on record; in doubt it stays.

export type Invention = 'repeated_words' | 'impossible_speed' | 'words_on_silence';

/** What the audio of an utterance's piece was like. */
export interface Sound {
  speechMs: number;
  loudestDb: number;
}

/** @returns the utterance without what nobody said (null when nothing remains), and why something was left out */
export function withoutInventions(
  utterance: Utterance,
  sound: Sound,
): { utterance: Utterance | null; invention: Invention | null } {
  if (isSilenceTalk(utterance.text, sound)) return { utterance: null, invention: 'words_on_silence' };
  const text = withoutLoops(utterance.text);
  if (isTooFast(text, utterance)) return { utterance: null, invention: 'impossible_speed' };
  if (text === utterance.text) return { utterance, invention: null };
  return { utterance: { ...utterance, text }, invention: 'repeated_words' };
}

/** Lines that models say when there is nothing to hear, and callers hardly ever. */
const NEVER_ON_A_CALL =
  /^(thanks? (you )?for watching|please subscribe|subtitles? (by|made by|provided)|transcri(bed|ption) by|amara\.org|www\.|copyright |субтитры |редактор субтитров|продолжение следует|untertitel|sous-titr|subtítulos)/i;
/** Lines that people do say: invented only where the sound could not hold them. */
const COMMON = /^(thank you( (so|very) much)?|thanks|bye( bye)?|you|okay|ok|yeah|uh|um|mm|hmm?|so|the|oh)[.!?]*$/i;
/** "Thank you" takes longer, and a voice is louder. */
const BLIP_MS = 200;
const FAINT_DB = -45;

function isSilenceTalk(text: string, { speechMs, loudestDb }: Sound): boolean {
  if (NEVER_ON_A_CALL.test(text)) return speechMs < 3_000 || loudestDb < FAINT_DB;
  return COMMON.test(text) && speechMs <= 2 * BLIP_MS && (loudestDb < FAINT_DB || speechMs <= BLIP_MS);
}

/** The fastest talkers say 20 letters a second for a while. */
const LETTERS_PER_SECOND = 40;
/** A few words in a moment may be a matter of times that are not exact. */
const FEW_LETTERS = 40;

function isTooFast(text: string, { startMs, endMs }: Utterance): boolean {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return letters > FEW_LETTERS && letters / (Math.max(200, endMs - startMs) / 1000) > LETTERS_PER_SECOND;
}

/** How often a run of so many words is said again by people at most: "no no no no no no" is theirs, thirty times is the model's. */
const MOST_TIMES: readonly { words: number; times: number }[] = [
  { words: 1, times: 8 },
  { words: 3, times: 5 },
  { words: 12, times: 3 },
];
const LONGEST_LOOP = 12;

/** Of words that are repeated as no person does, the first time stays. */
export function withoutLoops(text: string): string {
  const words = text.split(/\s+/);
  const plain = words.map((word) => word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''));
  const kept: string[] = [];
  for (let at = 0; at < words.length; ) {
    const loop = loopAt(plain, at);
    if (loop === null) {
      kept.push(words[at] ?? '');
      at += 1;
    } else {
      kept.push(...words.slice(at, at + loop.words));
      at += loop.words * loop.times;
    }
  }
  return kept.length === words.length ? text : kept.join(' ');
}

function loopAt(words: readonly string[], at: number): { words: number; times: number } | null {
  for (let length = 1; length <= LONGEST_LOOP; length += 1) {
    let times = 1;
    while (repeats(words, at, length, times)) times += 1;
    const most = MOST_TIMES.find(({ words: upTo }) => length <= upTo)?.times ?? 1;
    if (times > most) return { words: length, times };
  }
  return null;
}

function repeats(words: readonly string[], at: number, length: number, times: number): boolean {
  const next = at + length * times;
  if (next + length > words.length) return false;
  for (let i = 0; i < length; i += 1) if (words[at + i] !== words[next + i]) return false;
  return true;
}

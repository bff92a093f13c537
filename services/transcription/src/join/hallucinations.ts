import type { Utterance } from '@call-analytics/calls';

// Speech models hallucinate: on near-silence they write phrases that are frequent in their training data, and sometimes
// they repeat words in a loop. Only what is certainly of this kind is left out, and the reason is recorded.

export type HallucinationReason = 'repeated_words' | 'impossible_speed' | 'words_on_silence';

/** What was measured in the audio of an utterance's segment. */
export interface SpeechLevel {
  speechMs: number;
  loudestDb: number;
}

/** @returns the utterance without hallucinated words (null when none remain), and why words were left out */
export function withoutHallucinations(
  utterance: Utterance,
  level: SpeechLevel,
): { utterance: Utterance | null; reason: HallucinationReason | null } {
  if (isPhraseOnSilence(utterance.text, level)) return { utterance: null, reason: 'words_on_silence' };
  const text = withoutLoops(utterance.text);
  if (isTooFast(text, utterance)) return { utterance: null, reason: 'impossible_speed' };
  if (text === utterance.text) return { utterance, reason: null };
  return { utterance: { ...utterance, text }, reason: 'repeated_words' };
}

/** Phrases that models write on silence and callers almost never say. */
const NEVER_ON_A_CALL = [
  /^(thanks? (you )?for watching|please subscribe|subtitles? (by|made by|provided)|transcri(bed|ption) by)/i,
  /^(amara\.org|www\.|copyright |субтитры |редактор субтитров|продолжение следует|untertitel|sous-titr|subtítulos)/i,
];
/** Phrases that people do say: hallucinated only where the sound is too short or too faint for them. */
const COMMON = /^(thank you( (so|very) much)?|thanks|bye( bye)?|you|okay|ok|yeah|uh|um|mm|hmm?|so|the|oh)[.!?]*$/i;
/** A spoken "thank you" is longer and louder than this. */
const BLIP_MS = 200;
const FAINT_DB = -45;

function isPhraseOnSilence(text: string, { speechMs, loudestDb }: SpeechLevel): boolean {
  if (NEVER_ON_A_CALL.some((phrase) => phrase.test(text))) return speechMs < 3_000 || loudestDb < FAINT_DB;
  return COMMON.test(text) && speechMs <= 2 * BLIP_MS && (loudestDb < FAINT_DB || speechMs <= BLIP_MS);
}

/** The fastest speakers reach 20 letters a second. */
const LETTERS_PER_SECOND = 40;
/** Fewer letters prove nothing, because times are not exact. */
const FEW_LETTERS = 40;

function isTooFast(text: string, { startMs, endMs }: Utterance): boolean {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return letters > FEW_LETTERS && letters / (Math.max(200, endMs - startMs) / 1000) > LETTERS_PER_SECOND;
}

/** How often people repeat a run of so many words at most: "no no no no no no" is real, thirty times is a loop. */
const MOST_TIMES: readonly { words: number; times: number }[] = [
  { words: 1, times: 8 },
  { words: 3, times: 5 },
  { words: 12, times: 3 },
];
const LONGEST_LOOP = 12;

/** Keeps the first of words that are repeated more often than people do. */
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

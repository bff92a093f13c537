import { type Utterance, withText } from '@call-analytics/calls';

// Speech models hallucinate: on silence, music and breath they write phrases that are frequent in their training data,
// count, or repeat words in a loop. What is certainly of this kind is left out, and the reason is recorded.

type HallucinationReason =
  | 'repeated_words'
  | 'impossible_speed'
  | 'words_on_silence'
  | 'counted_numbers'
  | 'sounds_as_words';

/** What was measured in the audio under an utterance. */
interface SpeechLevel {
  speechMs: number;
  loudestDb: number;
  /** How fast the person usually talks, in words for each second of measured speech; null when not known. */
  pace?: number | null;
}

/** @returns the utterance without hallucinated words (null when none remain), and why words were left out */
export function withoutHallucinations(
  utterance: Utterance,
  level: SpeechLevel,
): { utterance: Utterance | null; reason: HallucinationReason | null } {
  const dropped = whollyInvented(utterance.text, level);
  if (dropped !== null) return { utterance: null, reason: dropped };
  const uncounted = withoutCounting(utterance.text);
  const text = withoutLoops(uncounted);
  if (wordsOf(text).length === 0) return { utterance: null, reason: 'counted_numbers' };
  if (isTooFast(text, Math.min(level.speechMs, utterance.endMs - utterance.startMs + NEAR_MS), level.pace ?? 0))
    return { utterance: null, reason: 'impossible_speed' };
  if (text === utterance.text) return { utterance, reason: null };
  const reason = uncounted === utterance.text ? 'repeated_words' : 'counted_numbers';
  return { utterance: withText(utterance, text), reason };
}

function whollyInvented(text: string, level: SpeechLevel): HallucinationReason | null {
  if (isOnlySounds(text) || isPhraseOnMusic(text, level)) return 'sounds_as_words';
  if (isPhraseOnSilence(text, level)) return 'words_on_silence';
  if (isOneWordRepeated(text)) return 'repeated_words';
  return null;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu) ?? [];
}

/** `[MUSIC]`, `(door slams)`, `*sighs*`, `♪ la la ♪`: what models write for sounds. */
const ANNOTATIONS = /\[[^\]]*\]|\([^)]*\)|\*[^*]*\*|[♪♫][^♪♫]*[♪♫]?/gu;
const SOUNDS = /^(music|musik|música|musique|musica|muzyka|музыка|applaus|applause|laughter|gelächter|risas|смех)$/;
/** Laughter in one word, or several: "hahaha", "ha ha". One "ha" alone, or a "haha" before words, stays. */
const LAUGH_WORD = /^(?:a?h?(?:ha){2,}h?|(?:he){2,}h?|(?:hee){2,}|(?:ja){2,}|(?:ха){2,})$/;
const LAUGH_SYLLABLE = /^(?:hah?|heh?|hee|la|na)$/;
const MIN_SYLLABLES = 3;

function isOnlySounds(text: string): boolean {
  const words = wordsOf(text.replace(ANNOTATIONS, ' '));
  if (!words.every((word) => SOUNDS.test(word) || LAUGH_WORD.test(word) || LAUGH_SYLLABLE.test(word))) return false;
  return words.every((word) => !LAUGH_SYLLABLE.test(word)) || words.length >= MIN_SYLLABLES;
}

/** Phrases that models write on silence and callers almost never say. */
const NEVER_ON_A_CALL = [
  /^(thanks? (you )?for watching|please (like and )?subscribe|subtitles? (by|made by|provided)|transcri(bed|ption) by)/i,
  /^(don['’]t forget to (like|subscribe)|i('ll| will) see you in the next video)/i,
  // On music. A person who says it alone asks: "You?"
  /^you[.!]*$/i,
  /^(amara\.org|www\.|copyright |субтитры |редактор субтитров|продолжение следует|untertitel|sous-titr|subtítulos)/i,
];
/** Phrases that people do say: hallucinated only where the sound is too short or too faint for them. */
const COMMON = /^(thank you( (so|very) much)?|thanks|bye( bye)?|you|okay|ok|yeah|uh|um|mm|hmm?|so|the|oh|i)[\s.,!?]*$/i;
/** A spoken "thank you" is longer and louder than this. */
const BLIP_MS = 200;
const FAINT_DB = -45;
/** Shorter than any syllable. */
const MIN_SPEECH_MS = 100;

/** Music sounds on: a phrase that is said so slowly was not said. */
const SLOW = { fromMs: 4_500, wordsPerSecond: 1.2 };

function isPhraseOnMusic(text: string, { speechMs }: SpeechLevel): boolean {
  const isPhrase = COMMON.test(text) || NEVER_ON_A_CALL.some((phrase) => phrase.test(text));
  return isPhrase && speechMs >= SLOW.fromMs && wordsOf(text).length < SLOW.wordsPerSecond * (speechMs / 1000);
}

function isPhraseOnSilence(text: string, { speechMs, loudestDb }: SpeechLevel): boolean {
  if (speechMs < MIN_SPEECH_MS) return true;
  if (NEVER_ON_A_CALL.some((phrase) => phrase.test(text))) return speechMs < 3_000 || loudestDb < FAINT_DB;
  return COMMON.test(text) && speechMs <= 2 * BLIP_MS && (loudestDb < FAINT_DB || speechMs <= BLIP_MS);
}

/** Words that people repeat: up to eight times is real. */
const PEOPLE_REPEAT = new Set(
  [
    'yes yeah yep yup no nope okay ok right sure bye hello hi hey wait please thanks good well really true exactly stop',
    'ja nein genau gut doch tschüss sí no claro vale bueno oui non да нет так алло',
  ].flatMap((words) => words.split(' ')),
);
/** Other words are not said alone and so often. */
const MAX_WORDS_ALONE = 3;

function isOneWordRepeated(text: string): boolean {
  const words = wordsOf(text.replaceAll('-', ''));
  const [first = ''] = words;
  return (
    words.length > MAX_WORDS_ALONE &&
    words.every((word) => word === first) &&
    !/^\d/.test(first) &&
    !PEOPLE_REPEAT.has(first)
  );
}

/** So many words of the list and nothing else, or so many terms in a row, are more likely read from it than said. */
const ECHOED = { words: 3, terms: 3 };

/** @returns whether the text repeats the vocabulary that the engine was given, in its order */
export function echoesVocabulary(text: string, terms: readonly string[]): boolean {
  const plain = (words: string) => ` ${wordsOf(words).join(' ')} `;
  const said = plain(text);
  const isPart = wordsOf(text).length >= ECHOED.words && plain(terms.join(' ')).includes(said);
  // A term alone may be an answer.
  if (isPart && !terms.some((term) => plain(term).includes(said))) return true;
  return terms.some((_, at) => {
    const row = terms.slice(at, at + ECHOED.terms);
    return row.length === ECHOED.terms && said.includes(plain(row.join(' ')));
  });
}

/** Times are not exact. */
const NEAR_MS = 500;
/** A speaker in haste reaches five words and 20 letters a second; measured speech loses a little at both ends. */
const WORDS_PER_SECOND = 6;
/** In noise measured speech loses more, so the limit is also so many times as much as the person usually says. */
const HASTE = 1.7;
const SPARE_WORDS = 2;
const LETTERS_PER_SECOND = 40;
const SPARE_LETTERS = 40;

function isTooFast(text: string, speechMs: number, pace: number): boolean {
  const seconds = (speechMs / 1000) * Math.max(1, (HASTE * pace) / WORDS_PER_SECOND);
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return (
    wordsOf(text).length > SPARE_WORDS + WORDS_PER_SECOND * seconds ||
    letters > SPARE_LETTERS + LETTERS_PER_SECOND * seconds
  );
}

const NUMBER_WORDS = [
  'zero one two three four five six seven eight nine ten eleven twelve',
  'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf',
  'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce',
  'zéro un deux trois quatre cinq six sept huit neuf dix onze douze',
  'ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать',
].map((words) => words.split(' '));
/** Nobody counts on a call; "1, 2, 3, 4 seats" is shorter. */
const MAX_COUNT_LENGTH = 4;

/** Leaves out numbers that count up or down, in figures or words. */
function withoutCounting(text: string): string {
  const tokens = [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)];
  const numbers = tokens.map(([token]) => numberOf(token.toLowerCase()));
  const cuts: [number, number][] = [];
  for (let from = 0; from < tokens.length; ) {
    let to = from + 1;
    const step = (numbers[to] ?? Number.NaN) - (numbers[from] ?? Number.NaN);
    while (Math.abs(step) === 1 && (numbers[to] ?? Number.NaN) - (numbers[to - 1] ?? Number.NaN) === step) to += 1;
    if (to - from > MAX_COUNT_LENGTH) {
      const last = tokens[to - 1];
      cuts.push([tokens[from]?.index ?? 0, (last?.index ?? 0) + (last?.[0].length ?? 0)]);
    }
    from = to;
  }
  if (cuts.length === 0) return text;
  const kept = cuts.reduceRight(
    (rest, [from, to]) => rest.slice(0, from) + rest.slice(to).replace(/^[\s.,;:!?-]+/, ''),
    text,
  );
  return kept.trim();
}

function numberOf(token: string): number | null {
  if (/^\d{1,4}$/.test(token)) return Number(token);
  for (const words of NUMBER_WORDS) if (words.includes(token)) return words.indexOf(token);
  return null;
}

/** How often people repeat a run of so many words at most: "no no no no no no" is real, thirty times is a loop. */
const MAX_TIMES: readonly { words: number; times: number }[] = [
  { words: 1, times: 8 },
  { words: 3, times: 5 },
  { words: 12, times: 3 },
];
const MAX_LOOP_WORDS = 12;

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
  for (let length = 1; length <= MAX_LOOP_WORDS; length += 1) {
    let times = 1;
    while (repeats(words, at, length, times)) times += 1;
    const most = MAX_TIMES.find(({ words: upTo }) => length <= upTo)?.times ?? 1;
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

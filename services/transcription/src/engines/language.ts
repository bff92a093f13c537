/** Shorter segments do not decide the language: engines guess it wrongly for a word or two. */
const LONG_MS = 5_000;
/** Below this mean logarithm of the probability, the engine may have taken another language for the spoken one. */
export const DOUBTFUL = -0.8;
/** What an answer counts for each millisecond: one to a short segment only where there is no other. */
const WEIGHT = { short: 1 / 1000, doubtful: 1 / 4 };
/** The language is settled once it has this much speech and this share of all votes. */
const ENOUGH_MS = 10_000;
const ENOUGH_SHARE = 0.75;
/** With this much speech the majority decides. */
const MAJORITY_MS = 60_000;

/** Settles the language of a call on its first long segments, so that the engine does not guess it for each segment. */
export class CallLanguage {
  readonly #allowed: readonly string[];
  /** Weighted milliseconds of speech by language. */
  readonly #votes = new Map<string, number>();
  #settled: string | null;
  /** The engine does not say which language it heard. */
  #silent = false;

  /** @param allowed the languages that may be spoken (ISO 639-1); empty when not known */
  constructor(allowed: readonly string[]) {
    this.#allowed = allowed;
    this.#settled = allowed.length === 1 ? (allowed[0] ?? null) : null;
  }

  get settled(): string | null {
    return this.#settled;
  }

  /** What to tell the engine: the settled language, or those that may be spoken. */
  get told(): readonly string[] {
    return this.#settled === null ? this.#allowed : [this.#settled];
  }

  /** @returns whether a segment with so much speech should wait until the language is settled */
  waits(speechMs: number): boolean {
    return this.#settled === null && !this.#silent && speechMs < LONG_MS;
  }

  /**
   * Counts what the engine heard in a segment.
   * @param confidence mean logarithm of the probability of its text, where the engine says it
   */
  heard(language: string | null, text: string, speechMs: number, confidence = 0): void {
    if (this.#settled !== null || text === '') return;
    if (language === null) this.#silent = true;
    if (language === null || isForeign(text, language)) return;
    const base = baseOf(language);
    if (this.#allowed.length > 0 && !this.#allowed.includes(base)) return;
    const weight = speechMs < LONG_MS ? WEIGHT.short : confidence < DOUBTFUL ? WEIGHT.doubtful : 1;
    this.#votes.set(base, (this.#votes.get(base) ?? 0) + weight * speechMs);
    const { most, share, total } = this.#leader();
    const enough = share * total >= ENOUGH_MS && share >= ENOUGH_SHARE;
    if (enough || total >= MAJORITY_MS) this.#settled = most;
  }

  /** Whether segments were heard in different languages, and too little of one. */
  get divided(): boolean {
    return this.#settled === null && this.#votes.size > 1 && this.#leader().share < ENOUGH_SHARE;
  }

  /** Settles on the most votes so far, or the only possibility. Without votes it stays open. */
  conclude(): void {
    this.#settled ??= this.#leader().most;
  }

  #leader(): { most: string | null; share: number; total: number } {
    const total = [...this.#votes.values()].reduce((sum, ms) => sum + ms, 0);
    const [most = null, ms = 0] = [...this.#votes].sort((a, b) => b[1] - a[1])[0] ?? [];
    return { most, share: total === 0 ? 0 : ms / total, total };
  }
}

/** @returns whether the segment is long enough that its language can be recognized */
export function tellsLanguage(speechMs: number): boolean {
  return speechMs >= LONG_MS;
}

/** @param tag BCP 47 @returns its language without region and script */
export function baseOf(tag: string): string {
  return tag.toLowerCase().replace(/-.*/, '');
}

/** Languages written with more than one script. https://www.unicode.org/reports/tr24/#Multiple_Script_Values */
const SCRIPTS: Readonly<Record<string, string>> = {
  Jpan: '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー',
  Kore: '\\p{Script=Hangul}\\p{Script=Han}',
  Hans: '\\p{Script=Han}\\p{Script=Bopomofo}',
  Hant: '\\p{Script=Han}\\p{Script=Bopomofo}',
};
const patterns = new Map<string, RegExp | null>();

/** Letters that the language is not written with. Latin letters are in names and abbreviations of every language. */
function foreignLetters(language: string): RegExp | null {
  const known = patterns.get(language);
  if (known !== undefined) return known;
  const script = scriptOf(language);
  const own = script === null ? null : (SCRIPTS[script] ?? `\\p{Script=${script}}`);
  const pattern = own === null ? null : new RegExp(`[^\\P{L}\\p{Script=Latin}\\p{Script=Common}${own}]`, 'gu');
  patterns.set(language, pattern);
  return pattern;
}

function scriptOf(language: string): string | null {
  try {
    const { script = null } = new Intl.Locale(language).maximize();
    return script !== null && (script in SCRIPTS || isScript(script)) ? script : null;
  } catch {
    return null;
  }
}

function isScript(name: string): boolean {
  try {
    return new RegExp(`\\p{Script=${name}}`, 'u') !== null;
  } catch {
    return false;
  }
}

/** @returns whether half or more of the letters belong to a script that the language is not written with */
export function isForeign(text: string, language: string): boolean {
  const foreign = foreignLetters(language);
  if (foreign === null) return false;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return letters > 0 && (text.match(foreign)?.length ?? 0) * 2 >= letters;
}

/** @returns the text without words in a script that the language is not written with; empty when little else remains */
export function withoutForeignWords(text: string, language: string): string {
  const foreign = foreignLetters(language);
  if (foreign === null || text.match(foreign) === null) return text;
  return isForeign(text, language)
    ? ''
    : text
        .split(/\s+/)
        .filter((word) => word.match(foreign) === null)
        .join(' ');
}

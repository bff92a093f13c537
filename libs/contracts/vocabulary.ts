import { z } from 'zod';

// The names and words that an account expects in its calls, and the languages of calls.

export const VOCABULARY_LIMITS = { terms: 500, characters: 60 } as const;

const TERM = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} .,'’&+/#-]*$/u;

/** A term as it is stored: composed, with single spaces. */
const normalized = (term: string): string => term.normalize('NFC').trim().replaceAll(/ +/g, ' ');

/** @returns whether the text can be a term of a vocabulary; see TERM_RULE */
export function isTerm(text: string): boolean {
  const term = normalized(text);
  return [...term].length <= VOCABULARY_LIMITS.characters && TERM.test(term) && /\p{L}/u.test(term);
}

export const TERM_RULE =
  `must have 1 to ${VOCABULARY_LIMITS.characters} characters, begin with a letter or digit, have a letter, and have ` +
  "only letters, digits, spaces and . , ' & + / # -";

/** @returns the terms as they are stored: of those that differ in case alone, the first */
export function storedTerms(terms: readonly string[]): string[] {
  const distinct = new Map<string, string>();
  for (const term of terms.map(normalized)) {
    if (!distinct.has(term.toLowerCase())) distinct.set(term.toLowerCase(), term);
  }
  return [...distinct.values()];
}

const revision = z.int().min(0).describe('Counts the changes; 0 before the first one');
const terms = z
  .array(z.string().refine(isTerm, TERM_RULE))
  .max(VOCABULARY_LIMITS.terms)
  .describe(`Names and words, the most important first. Each ${TERM_RULE}`);

/** In a request the revision is that which was edited. */
export const Vocabulary = z
  .strictObject({ revision, terms })
  .meta({ id: 'Vocabulary', description: 'The names and words that the account expects in its calls' });

/**
 * The languages that the speech engines take, as ISO 639 (https://github.com/openai/whisper, `LANGUAGES`). `jw`, its
 * name for Javanese, is `jv` here.
 */
export const SPEECH_LANGUAGES: ReadonlySet<string> = new Set(
  (
    'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ' +
    'ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd ' +
    'gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jv su yue'
  ).split(' '),
);
/** Other codes of these languages. https://www.unicode.org/reports/tr35/#Canonical_Unicode_Locale_Identifiers */
const SAME_LANGUAGE: Readonly<Record<string, string>> = { nb: 'no', fil: 'tl', cmn: 'zh' };

/**
 * @param tag BCP 47, such as `en` or `pt-BR`
 * @returns the code of its language; null when it is no tag, or a language that the engines do not take
 */
export function speechLanguage(tag: string): string | null {
  const base = tag.toLowerCase().replace(/-.*/, '');
  if (!/^[a-z]{2,3}(-[a-z0-9]{1,8})*$/i.test(tag)) return null;
  const known = [base, SAME_LANGUAGE[base] ?? '', Intl.getCanonicalLocales(base)[0] ?? ''];
  return known.find((code) => SPEECH_LANGUAGES.has(code)) ?? null;
}

export type Vocabulary = z.infer<typeof Vocabulary>;

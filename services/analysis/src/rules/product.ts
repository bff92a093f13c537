import type { Acts } from './acts.ts';
import type { NamingWord } from './encoder.ts';

/**
 * How likely a phrase must name what is sold, by all places together, so that nine of ten are right in calls of authors
 * that the encoder has not seen. A proper name that is said twice is likelier than its places say, and a company that
 * is introduced often gives its name to what it sells.
 */
const LIKELY = { any: 0.99, name: 0.8, firm: 0.85 };
/** Words that are less likely belong to no phrase. */
const LEAST = 0.15;
const MAX_WORDS = 4;
/** How many phrases are looked at; the time to look at one grows with the call. */
const MAX_PHRASES = 50;
/** A longer phrase with the best one in it is the whole name when it is nearly as likely. */
const WHOLE = 0.6;

const WITHIN = /[^.!?\s]\s+$/;
const PROPER_NAME = /^\p{Lu}\S*(\s\p{Lu}\S*)*$/u;
const SAYS_NAME = "(?:this is|it['’]?s|i['’]?m|i am|my name(?: is|['’]?s))";
const INTRODUCES = String.raw`${SAYS_NAME} [\p{L} ,-]{2,40}? (?:with|at|of)`;
/** Words before and after a name by which somebody says for which company they speak, or what company it is. */
const SPEAKS_FOR = new RegExp(
  String.raw`(?<!\p{L})(?:from|behalf of|calling|choosing|(?:here|we) at|through to|${INTRODUCES}) (?:the )?$`,
  'iu',
);
const IS_FIRM = new RegExp(
  [
    String.raw`^(?: \p{Lu}[\p{L}-]*)* (?:Ltd|Limited|Inc|LLC|Group|Services|Department|Solutions|Partners|Agency)\b`,
    String.raw`^,? (?:we|this is|how can|here)\b|^ (?:have|has) been (?:going|around|in business|trading)\b`,
    String.raw`^(?: is|['’]s|,) (?:a|an|the) (?:\S+ ){0,3}(?:company|firm|provider|agency|business|supplier|leading)\b`,
  ].join('|'),
  'u',
);
/** A longer name in which the name is the end. */
const NAME_BEGINS = /(?:\p{Lu}[\p{L}\p{N}'’-]*[ -])+$/u;
/** Characters before and after a name in which a company is introduced. */
const INTRODUCTION = 80;
const ASKED = /^[^.!?]*\?/;

interface Phrase {
  /** As written within a sentence, where it is said in one. */
  text: string;
  /** The probability that no place of it names what is sold. */
  doubt: number;
  places: number;
  /** Whether it has capitals within a sentence. */
  isName: boolean;
  /** Whether a company is introduced by it anywhere. */
  isFirm: boolean;
  /** Whether the manager says it elsewhere than in an introduction or a question. */
  isSold: boolean;
  /** Whether it is compared with what is sold, or asked for. */
  isOthers: boolean;
}

/**
 * Finds what the manager sells, as the call names it, by how likely each word is to name it: of a phrase the least
 * likely word counts, and all places together, except those where somebody speaks for a company of that name.
 * @returns null when it is not clear
 */
export function productOf({ pieces, encoded }: Acts): string | null {
  if (encoded === null) return null;
  const phrases = new Map<string, Phrase>();
  pieces.forEach(({ role, text }, piece) => {
    if (role === 'other') return;
    const words = encoded.naming('sold', piece);
    for (const window of phrasesOf(words, text)) {
      const key = window.map((word) => word.text).join(' ');
      const likely = Math.min(...window.map((word) => word.likely));
      const [start = 0, end = 0] = [window[0]?.start, window.at(-1)?.end];
      const said = {
        text: text.slice(start, end),
        doubt: 1,
        places: 0,
        isName: false,
        isFirm: false,
        isSold: false,
        isOthers: false,
      };
      const known = phrases.get(key) ?? said;
      const isWithin = WITHIN.test(text.slice(0, start));
      const isFirm = isFirmAt(text, start, end);
      phrases.set(key, {
        ...known,
        doubt: known.doubt * (isFirm ? 1 : 1 - likely),
        places: known.places + 1,
        text: isWithin ? said.text : known.text,
        isName: known.isName || (isWithin && PROPER_NAME.test(said.text)),
        isFirm: known.isFirm || isFirm,
        isOthers: known.isOthers || isOthersAt(text, start, end),
        isSold: known.isSold || (role === 'manager' && !isFirm && !ASKED.test(text.slice(end))),
      });
    }
  });
  // What the customer names first is another provider, or what they have.
  const isOwn = ({ text }: Phrase) => pieces.find((piece) => piece.text.includes(text))?.role === 'manager';
  const leastOf = (phrase: Phrase) => {
    if (!isOwn(phrase)) return LIKELY.any;
    if (phrase.isFirm) return LIKELY.firm;
    return phrase.isName && phrase.places > 1 ? LIKELY.name : LIKELY.any;
  };
  const isLikely = (phrase: Phrase) => 1 - phrase.doubt >= leastOf(phrase);
  const sold = [...phrases].filter(([, { isName, isSold, isOthers }]) => !isOthers && (isSold || !isName));
  const best = sold
    .sort(([, a], [, b]) => a.doubt - b.doubt)
    .slice(0, MAX_PHRASES)
    .find(([, phrase]) => isLikely(phrase));
  if (best === undefined) return null;
  const isWhole = ([key, { doubt }]: [string, Phrase]) =>
    ` ${key} `.includes(` ${best[0]} `) && 1 - doubt >= WHOLE * (1 - best[1].doubt);
  const named = sold
    .filter(isWhole)
    .reduce((longest, each) => (each[0].length > longest[0].length ? each : longest))[1]
    .text.replace(/['’](?:s|ll|re|d)$/, '');
  return VAGUE.test(named) ? null : named;
}

/** Alone, "planning", "folding", "FM" and "Mbps plan" tell a reader nothing, and a "care plan leaflet" is not sold. */
const VAGUE = new RegExp(
  String.raw`^(?:\p{Ll}+ing|\p{L}{1,2}|[kKmMgG]bps\b.*|.* (?:versus|or) .*` +
    String.raw`|.*\b(?:leaflet|brochure|form|link|letter|sheet|catalogue|website))$`,
  'u',
);

/** "Was that ShelfPro?", "ShelfPro is cheaper" */
function isOthersAt(text: string, start: number, end: number): boolean {
  return (
    /\b(?:was|is) (?:that|it|this)(?: with)? $/i.test(text.slice(0, start)) ||
    /^(?:['’]s| is| are)(?: \w+)? (?:cheaper|dearer|pricier|more expensive)\b/i.test(text.slice(end))
  );
}

function isFirmAt(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - INTRODUCTION), start).replace(NAME_BEGINS, '');
  return SPEAKS_FOR.test(before) || IS_FIRM.test(text.slice(end, end + INTRODUCTION));
}

/** @returns words in a row that may name it, with nothing but a space between them */
function* phrasesOf(words: readonly NamingWord[], text: string): Iterable<readonly NamingWord[]> {
  for (let first = 0; first < words.length; first += 1)
    for (let end = first + 1; end <= first + MAX_WORDS; end += 1) {
      const [before, word] = [words[end - 2], words[end - 1]];
      if (word === undefined || word.likely < LEAST || !/\p{L}/u.test(word.text)) break;
      if (end > first + 1 && text.slice(before?.end, word.start).trim() !== '') break;
      yield words.slice(first, end);
    }
}

import type { Hit } from './patterns.ts';
import type { Word } from './words.ts';

const setOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** These open a turn more often than not. */
const STRONG = setOf(
  'hi hello hey yes no okay sure great well thanks sorry right perfect wonderful brilliant exactly absolutely alright hm um wow oh bye goodbye',
);
const LINKS = setOf('so and but because then let thank good got');
const ASKS = setOf('how what when where why who which');
/** They open a question before a subject ("do you ..."), unless a word that asks has opened it already ("which way does your ..."). */
const AUXILIARIES = setOf('can could do does did are is would will have has may shall should were was');
/** They open a sentence before a verb ("i think ...", not "finance it over ..."). */
const SUBJECTS = setOf('i we you it that there this they he she the my your our these');
const VERBS = setOf(
  `am is are was were will would can could have has had do does did not need want think thought know saw see get got go goes pay paid run own live work use take understand
  hear guess just really already currently also should may might must call called like love mean suggest recommend make send sounds works seems looks depends takes costs comes pays
  run ship printed measured tried rent drive said told asked mentioned usually still never always hope`,
);

/** Words after which no sentence starts: what follows belongs to them. */
const HOLDS_ON = setOf(
  `a an the of to for with in on at by from my your our their his her its and or but so if that because as than very really too not is are was were be am i we you he she it they
  do does did have has had would could can will should may this these those some any what how when where why who which about into let hi hello hey good no over yes
  think know see guess hope wish suppose suggest say said tell told make sure where want need one two three four five six seven eight nine ten at half`,
);
/** Closed stretches no longer than this are sentences as they are. Words. */
const LONG = 30;
const SHORTEST = 3;

/**
 * Where clauses begin within a stretch between two full stops. A stretch of sentence length is one clause; a longer one is taken apart at words that open
 * sentences, since a recogniser that gives no punctuation gives whole minutes in one piece.
 * @param hits a pattern is not cut in two
 * @param closed whether punctuation ends it
 * @returns indices of words, the first of which is 0
 */
export function splitStretch(words: readonly Word[], hits: readonly Hit[], closed: boolean): number[] {
  const cuts = [0];
  if (closed && words.length <= LONG) return cuts;
  const inside = coveredBy(words.length, hits);
  let last = 0;
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at]?.text ?? '';
    if (inside[at] === 1 || !opens(words, at, last)) continue;
    const before = words[at - 1]?.text ?? '';
    if (HOLDS_ON.has(before)) continue;
    if (words[at]?.start === words[at - 1]?.start) continue;
    if (at - last < SHORTEST && !STRONG.has(word)) continue;
    cuts.push(at);
    last = at;
  }
  return cuts;
}

function opens(words: readonly Word[], at: number, last: number): boolean {
  const word = words[at]?.text ?? '';
  if (STRONG.has(word) || LINKS.has(word) || ASKS.has(word)) return true;
  const next = words[at + 1]?.text ?? '';
  if (word === 'of') return next === 'course';
  if (word === 'all') return next === 'right';
  if (SUBJECTS.has(word)) return VERBS.has(next);
  if (!AUXILIARIES.has(word) || !SUBJECTS.has(next)) return false;
  return !words.slice(Math.max(last, at - 4), at).some(({ text }) => ASKS.has(text));
}

/** Marks the words that a short pattern covers beyond its first. */
function coveredBy(length: number, hits: readonly Hit[]): Uint8Array {
  const inside = new Uint8Array(length);
  for (const { from, to, cue } of hits) {
    if ((cue.startsWith('role.') || cue.startsWith('name.')) && to - from <= 8) inside.fill(1, from + 1, to);
  }
  return inside;
}

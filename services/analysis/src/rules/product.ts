import type { Role } from '@call-analytics/calls';
import { weightOf } from './cues/index.ts';
import { DETERMINERS, NOT_IN_A_NAME, PRODUCT_HEADS } from './cues/products.ts';
import type { Dialogue } from './dialogue.ts';
import { CLASSES, isNumber, type Word } from './patterns.ts';

const LONGEST_NAME = 4;
/** The weight of a kind of goods that anyone names. */
const MENTION = 1.5;
/** The least evidence for a product: an offer of or a wish for a kind of goods, or a kind that is named often. */
const CERTAIN = 5.5;

/** Alone, these words name the form of a contract, not the product. */
const GENERIC: ReadonlySet<string> = new Set(
  'plan plans package packages bundle policy lease licence license yearly monthly annual small large full basic new day'.split(
    ' ',
  ),
);

/**
 * Finds the product in the words of the call: its proper name when the manager presents one, else its kind. The two are
 * not combined, so that calls about one product have one name.
 */
export function productOf(dialogue: Dialogue): string | null {
  return properNameOf(dialogue) ?? kindOf(dialogue);
}

/**
 * Weighs the words after phrases such as "our ..." by who says them, how often, and whether they end in a kind of
 * goods.
 */
function kindOf(dialogue: Dialogue): string | null {
  const candidates = new Map<string, { name: string; weight: number }>();
  /** Goods that are offered or wanted, not only spoken of. */
  const meant = new Set<string>();
  const spoken = new Map<string, number>();
  const add = (index: number, name: readonly Word[], weight: number) => {
    if (name.every(({ text }) => GENERIC.has(text))) return;
    const key = name.map(({ text }) => text).join(' ');
    const known = candidates.get(key);
    const more = (name.length > 1 ? 1 : 0) + (name.some(({ text }) => /\d/.test(text)) ? 1 : 0);
    candidates.set(key, {
      name: known?.name ?? textOf(dialogue, index, name),
      weight: (known?.weight ?? 0) + weight + more,
    });
  };
  dialogue.clauses.forEach((clause, index) => {
    for (const { text } of clause.words) spoken.set(text, (spoken.get(text) ?? 0) + 1);
    for (const hit of clause.hits) {
      if (!hit.cue.startsWith('product.') || !dialogue.has(index, hit.cue)) continue;
      const name = nameAt(hit.after);
      // Anything can follow "our": "our mistake", "our site".
      if (!isGood(name.at(-1))) continue;
      add(index, name, weightOf(hit.cue) + 4);
      meant.add(name.at(-1)?.text ?? '');
    }
    // A company name often contains a kind of goods.
    if (dialogue.has(index, 'check.introduced')) return;
    clause.words.forEach((word, at) => {
      // In "card terminal", "card" only says which terminal.
      if (isGood(word) && !isGood(clause.words[at + 1]) && !isTheirs(clause.words, at, dialogue.roles[index]))
        add(index, nameUpTo(clause.words, at), MENTION);
    });
  });
  let best: { name: string; weight: number } | null = null;
  for (const [key, { name, weight }] of candidates) {
    // One word alone is more often a thing of the customer: "car", "office".
    if (!key.includes(' ') || !meant.has(key.split(' ').at(-1) ?? '')) continue;
    const mentions = key.split(' ').reduce((sum, word) => sum + Math.min(3, (spoken.get(word) ?? 1) - 1), 0);
    const total = weight + mentions;
    if (best === null || total > best.weight) best = { name, weight: total };
  }
  return best !== null && best.weight >= CERTAIN ? best.name : null;
}

/** The words of a name, up to the first that cannot be part of it. */
function nameAt(after: readonly Word[]): readonly Word[] {
  const stop = after.findIndex(
    (word, index) =>
      NOT_IN_A_NAME.has(word.text) ||
      index === LONGEST_NAME ||
      (isNumber(word.text) && !/^\d/.test(word.text) && index > 0),
  );
  const name = after.slice(0, stop < 0 ? Math.min(after.length, LONGEST_NAME) : stop);
  const head = name.findLastIndex(({ text }) => PRODUCT_HEADS.has(text));
  return head >= 0 ? name.slice(0, head + 1) : name;
}

/** The words before a kind of goods that specify it: "full day package". */
function nameUpTo(words: readonly Word[], head: number): readonly Word[] {
  let from = head;
  while (from > 0 && head - from < LONGEST_NAME - 1 && isPartOfName(words[from - 1])) from -= 1;
  return words.slice(from, head + 1);
}

/** "Our rooms" by the customer and "your hotel" by the manager belong to the customer. */
function isTheirs(words: readonly Word[], head: number, role: Role | undefined): boolean {
  const before = words.slice(Math.max(0, head - 3), head).map(({ text }) => text);
  return role === 'manager' ? before.includes('your') : before.includes('my') || before.includes('our');
}

function isPartOfName(word: Word | undefined): boolean {
  return word !== undefined && !NOT_IN_A_NAME.has(word.text) && !isNumber(word.text);
}

function isGood(word: Word | undefined): boolean {
  return word !== undefined && PRODUCT_HEADS.has(word.text);
}

function textOf(dialogue: Dialogue, index: number, name: readonly Word[]): string {
  const clause = dialogue.clauses[index];
  const from = name[0]?.start ?? 0;
  const to = name.at(-1)?.end ?? 0;
  // A name may end in the next clause of the same stretch, so it is cut from the utterance.
  return clause === undefined ? '' : dialogue.utteranceText(clause.utterance).slice(from, to);
}

/** How often a word must be presented to count as a name; a capital within a sentence counts once. */
const PRESENTED = 2;
/** How often a name must be said: a name that is said once is usually a person's. */
const SAID = 2;

/** The position of the name in the words that a cue covers. */
const STANDS_AT: Readonly<Record<string, number>> = { 'name.subject': 0, 'name.with': 1, 'name.object': -1 };

/** The clauses in which the manager may name the company. */
const INTRODUCTION = 6;

interface Place {
  index: number;
  at: number;
}

/**
 * Finds the proper name of the product ("Horizon builds the plan every night"), when the manager presents one. A name
 * never follows an article, which distinguishes it from "the app" also in text without capitals.
 * @returns the name as written in the call, or null when only a kind of goods is named
 */
export function properNameOf(dialogue: Dialogue): string | null {
  const presented = presentedWords(dialogue);
  if (presented.size === 0) return null;
  const places = placesOf(dialogue, presented);
  const others = namesOfOthers(dialogue);
  let best: { name: string; weight: number } | null = null;
  for (const [word, times] of presented) {
    const said = places.get(word) ?? [];
    if (said.length < SAID || others.has(word) || !isNamed(dialogue, said)) continue;
    const weight = times + (said.some((place) => hasCapitalWithin(dialogue, place)) ? 1 : 0);
    if (weight < PRESENTED || (best !== null && weight + said.length <= best.weight)) continue;
    best = { name: wholeName(dialogue, said), weight: weight + said.length };
  }
  return best?.name ?? null;
}

/** How often each word is where the name of a presented product would be. */
function presentedWords(dialogue: Dialogue): Map<string, number> {
  const found = new Map<string, number>();
  dialogue.clauses.forEach((clause, index) => {
    // Two cues may cover one place.
    const here = new Set<Word>();
    for (const hit of clause.hits) {
      if (!dialogue.has(index, hit.cue)) continue;
      const at = STANDS_AT[hit.cue];
      const word = at === undefined ? undefined : hit.covered.at(at);
      if (word !== undefined && canBeName(word)) here.add(word);
    }
    for (const { text } of here) found.set(text, (found.get(text) ?? 0) + 1);
  });
  return found;
}

function canBeName({ text }: Word): boolean {
  return (
    text.length > 2 &&
    !NOT_IN_A_NAME.has(text) &&
    !PRODUCT_HEADS.has(text) &&
    !isNumber(text) &&
    !CLASSES.day?.has(text)
  );
}

function placesOf(dialogue: Dialogue, wanted: ReadonlyMap<string, number>): Map<string, Place[]> {
  const places = new Map<string, Place[]>();
  dialogue.clauses.forEach(({ words }, index) => {
    words.forEach(({ text }, at) => {
      if (!wanted.has(text)) return;
      const known = places.get(text);
      if (known === undefined) places.set(text, [{ index, at }]);
      else known.push({ index, at });
    });
  });
  return places;
}

/** Persons, the manager's company, and the competitors that the customer speaks of. */
function namesOfOthers(dialogue: Dialogue): Set<string> {
  const names = new Set<string>();
  dialogue.clauses.forEach((clause, index) => {
    for (const hit of clause.hits) {
      const name = hit.cue === 'name.person' ? hit.covered.at(-1) : undefined;
      if (name !== undefined) names.add(name.text);
    }
    const introduces = index < INTRODUCTION && dialogue.has(index, 'check.introduced');
    if (introduces || dialogue.has(index, 'supplier.named')) for (const { text } of clause.words) names.add(text);
  });
  return names;
}

/** Never after an article, and always with a capital in text that has capitals. */
function isNamed(dialogue: Dialogue, places: readonly Place[]): boolean {
  return places.every(({ index, at }) => {
    const clause = dialogue.clauses[index];
    if (DETERMINERS.has(clause?.words[at - 1]?.text ?? '')) return false;
    const utterance = clause?.utterance ?? -1;
    return (
      !dialogue.hasCapitals(utterance) ||
      /\p{Lu}/u.test(dialogue.utteranceText(utterance).charAt(clause?.words[at]?.start ?? 0))
    );
  });
}

function hasCapitalWithin(dialogue: Dialogue, { index, at }: Place): boolean {
  const clause = dialogue.clauses[index];
  return (
    at > 0 && /\p{Lu}/u.test(dialogue.utteranceText(clause?.utterance ?? -1).charAt(clause?.words[at]?.start ?? 0))
  );
}

/** A word that is always next to the name belongs to it. */
function wholeName(dialogue: Dialogue, places: readonly Place[]): string {
  const beside = (step: number): boolean => {
    const neighbours = places.map(({ index, at }) => dialogue.clauses[index]?.words[at + step]?.text ?? '');
    const [first = ''] = neighbours;
    return first !== '' && !NOT_IN_A_NAME.has(first) && !isNumber(first) && neighbours.every((text) => text === first);
  };
  let [before, after] = [0, 0];
  while (beside(before - 1)) before -= 1;
  while (beside(after + 1)) after += 1;
  const clause = dialogue.clauses[places[0]?.index ?? -1];
  const at = places[0]?.at ?? 0;
  return dialogue
    .utteranceText(clause?.utterance ?? -1)
    .slice(clause?.words[at + before]?.start, clause?.words[at + after]?.end);
}

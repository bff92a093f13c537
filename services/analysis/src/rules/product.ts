import { DETERMINERS, NOT_IN_A_NAME, PRODUCT_HEADS } from './cues/products.ts';
import type { Dialogue } from './dialogue.ts';
import { CLASSES, isNumber, type Word } from './patterns.ts';

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
 * never follows an article, which distinguishes it from "the app" also in text without capitals. A kind of goods ("the
 * card machine") is no product: of 55 found in tagged calls, a half were what the customer has or speaks of.
 * @returns the name as written in the call, or null when none is
 */
export function productOf(dialogue: Dialogue): string | null {
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

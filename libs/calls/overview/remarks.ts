/** What was found in one call: the texts, as they are shown. */
export interface Remarks {
  objections: readonly string[];
  mistakes: readonly string[];
}

export interface CountedRemark {
  text: string;
  /** In how many calls. */
  calls: number;
}

const SHOWN = 10;

/**
 * The ten most frequent kinds, each counted once a call. The kind stands before the colon ("Price: “too much for us”"): what was said in one call is said in no other. Kinds that
 * differ in case, white space or punctuation alone are one, and shown as the latest call has it.
 * @param ofCalls the texts of each call, latest first
 */
export function mostFrequent(ofCalls: Iterable<readonly string[]>): CountedRemark[] {
  const counted = new Map<string, CountedRemark>();
  for (const texts of ofCalls) {
    for (const [key, text] of new Map(texts.map(kindOf).map((kind) => [keyOf(kind), kind]))) {
      if (key === '') continue;
      const known = counted.get(key);
      if (known === undefined) counted.set(key, { text, calls: 1 });
      else known.calls += 1;
    }
  }
  // Stable: of those that are as frequent, the latest first.
  return [...counted.values()].sort((a, b) => b.calls - a.calls).slice(0, SHOWN);
}

function kindOf(text: string): string {
  const [kind = text] = text.split(': ', 1);
  return kind;
}

function keyOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{P}\s]+/gu, ' ')
    .trim();
}

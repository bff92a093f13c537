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
 * The ten most frequent, each counted once a call. Texts that differ in case, white space or punctuation alone are one, and shown as the latest call has it.
 * @param ofCalls the texts of each call, latest first
 */
export function mostFrequent(ofCalls: Iterable<readonly string[]>): CountedRemark[] {
  const counted = new Map<string, CountedRemark>();
  for (const texts of ofCalls) {
    for (const [key, text] of new Map(texts.map((each) => [keyOf(each), each]))) {
      if (key === '') continue;
      const known = counted.get(key);
      if (known === undefined) counted.set(key, { text, calls: 1 });
      else known.calls += 1;
    }
  }
  // Stable: of those that are as frequent, the latest first.
  return [...counted.values()].sort((a, b) => b.calls - a.calls).slice(0, SHOWN);
}

function keyOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{P}\s]+/gu, ' ')
    .trim();
}

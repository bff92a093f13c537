/** @returns the words of a text, in lower case and without punctuation */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
}

/** @returns edits (a word missing, added or another) that make one of the other */
export function wordEdits(spoken: readonly string[], heard: readonly string[]): number {
  let row = Array.from({ length: heard.length + 1 }, (_, i) => i);
  spoken.forEach((word, i) => {
    const next = [i + 1];
    heard.forEach((other, j) => {
      next.push(Math.min((row[j] ?? 0) + (word === other ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    });
    row = next;
  });
  return row.at(-1) ?? 0;
}

/** @returns the share of the spoken words that a recogniser got wrong, missed or made up; 0 is perfect */
export function wordErrorRate(spoken: string, heard: string): number {
  const words = wordsOf(spoken);
  return wordEdits(words, wordsOf(heard)) / words.length;
}

/** A word as patterns see it (lower case, contractions taken apart), and where it stands in the text. */
export interface Word {
  text: string;
  /** Offsets into the text: the words of one contraction share theirs. */
  start: number;
  end: number;
}

/** Recognisers drop apostrophes as they please, so both spellings lead to the same words. */
const CONTRACTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  `i'm=i am|i've=i have|i'll=i will|i'd=i would|you're=you are|you've=you have|you'll=you will|you'd=you would|we're=we are|we've=we have|we'd=we would
we'll=we will|they're=they are|they've=they have|they'll=they will|they'd=they would|he's=he is|she's=she is|it's=it is|that's=that is|there's=there is|here's=here is
what's=what is|who's=who is|where's=where is|how's=how is|let's=let us|it'll=it will|that'll=that will|it'd=it would|that'd=that would|name's=name is
don't=do not|doesn't=does not|didn't=did not|isn't=is not|aren't=are not|wasn't=was not|weren't=were not|haven't=have not|hasn't=has not|hadn't=had not
won't=will not|wouldn't=would not|can't=can not|cannot=can not|couldn't=could not|shouldn't=should not|ain't=is not|mustn't=must not|needn't=need not
gonna=going to|wanna=want to|gotta=got to|lemme=let me|gimme=give me|dunno=do not know|kinda=kind of|y'all=you all|yep=yes|yup=yes|yeah=yes|ya=yes|nope=no|ok=okay|alright=all right
hmm=um|uh=um|er=um|erm=um|hm=um|mhm=um|apologise=apologize|organise=organize`
    .split(/[|\n]/)
    .flatMap((pair) => {
      const [short = '', long = ''] = pair.split('=');
      const bare = short.replace("'", '');
      // "were", "well", "shell", "ill", "id", "wed" and "its" are words of their own without the apostrophe.
      return ['were', 'well', 'shell', 'ill', 'id', 'wed', 'hell'].includes(bare)
        ? [[short, long]]
        : [
            [short, long],
            [bare, long],
          ];
    }),
);

const WORD = /[\p{L}\p{N}]+(?:['’.,][\p{L}\p{N}]+)*[%+]?/gu;

/** @returns the words of a text; punctuation is dropped, numbers such as 4.5 and 12,000 stay whole */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(WORD)) {
    const start = match.index;
    const end = start + match[0].length;
    const plain = match[0].toLowerCase().replaceAll('’', "'").replace(/%$/, ' percent');
    const long = Object.hasOwn(CONTRACTIONS, plain) ? CONTRACTIONS[plain] : undefined;
    for (const part of (long ?? plain.replace(/'s$/, '')).split(' ')) words.push({ text: part, start, end });
  }
  return words;
}

const setOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Classes of words that a pattern can name with `#`. */
export const CLASSES: Readonly<Record<string, ReadonlySet<string>>> = {
  day: setOf(
    `monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays today tonight tomorrow`,
  ),
  month: setOf('january february march april june july august september october november december'),
  num: setOf(`one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty
    fifty sixty seventy eighty ninety hundred thousand million half quarter couple few first second third fourth fifth sixth seventh eighth ninth tenth`),
  unit: setOf('minute minutes hour hours day days week weeks month months year years'),
  money: setOf('dollar dollars euro euros pound pounds bucks cents quid francs'),
};
const NEGATORS = setOf('not no never nobody nothing without hardly');

export function isNumber(word: string): boolean {
  return /^\d/.test(word) || (CLASSES.num?.has(word) ?? false);
}

/** A word that a gap in a pattern must not jump over: it would turn the meaning round. */
export function isNegator(word: string): boolean {
  return NEGATORS.has(word);
}

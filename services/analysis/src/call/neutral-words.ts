/**
 * Words that say who somebody is or where they come from, by what is read instead. One form stands for "him", "his" and
 * "her", because "her" is both of the others and a guess would tell them apart. The dialect words are those of grammar
 * and of answers in British, Irish, Scottish, Indian, Nigerian and Southern US English.
 */
const NEUTRAL: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'he/she': 'he she',
    'his/her': 'him his her hers',
    'himself/herself': 'himself herself hisself',
    "he/she's": 'hes shes',
    'Mr/Ms': 'mr mrs ms mister',
    'sir/madam': "sir ma'am maam madam oga ji",
    spouse: 'husband wife hubby',
    spouses: 'husbands wives',
    partner: 'boyfriend girlfriend',
    parent: 'mother father mum mom mam dad mummy mommy daddy mama mamma momma papa',
    parents: 'mothers fathers mums moms dads',
    child: 'son daughter',
    children: 'sons daughters',
    sibling: 'brother sister',
    siblings: 'brothers sisters',
    'aunt/uncle': 'aunt uncle auntie aunty',
    'niece/nephew': 'niece nephew',
    grandparent: 'grandmother grandfather grandma grandpa granny grandad granddad gran nan nana',
    person: 'man woman gentleman lady guy bloke chap fella fellow lad lass lassie',
    people: 'men women gentlemen ladies blokes chaps fellas lads lasses',
    kid: 'boy girl',
    kids: 'boys girls',
    yes: 'aye yeah yep yea yup yeh haan',
    no: 'nah naw nope',
    not: 'nae',
    'is not': "ain't aint isnae",
    'was not': 'wasnae',
    'can not': 'cannae canna',
    'could not': 'couldnae',
    'do not': 'dinnae dinna dinny',
    'does not': 'doesnae',
    'did not': 'didnae',
    'will not': 'willnae winnae',
    'would not': 'wouldnae',
    'have not': 'havenae',
    you: "ye y'all yall youse yous yiz una",
    "d'you": "d'ye",
    your: 'yer',
    okay: 'accha acha righto',
    right: 'innit abi',
    thanks: 'ta cheers',
    please: 'abeg',
    hi: 'hiya howdy',
    oh: 'och',
    nothing: 'nowt',
    anything: 'owt',
    something: 'summat',
    because: 'cos cuz coz',
    little: 'wee',
    outside: 'outwith',
    trouble: 'wahala',
    think: 'reckon',
    thought: 'reckoned',
    'going to': 'gonna',
    'want to': 'wanna',
    'have to': 'gotta',
    'let me': 'lemme',
    'give me': 'gimme',
    'do not know': 'dunno',
    'kind of': 'kinda',
  }).flatMap(([neutral, words]) => words.split(' ').map((word): [string, string] => [word, neutral])),
);

/** Before a word that is then no form of address: "a mate of mine", "ask the missus". */
const DETERMINES = /^(?:a|an|the|my|his|her|your|our|their|some|another|old|good|best)$/;
/** Before "love" that is no verb. */
const ADDRESSES =
  /^(?:thanks|ta|cheers|no|nah|yes|aye|yeah|yep|okay|ok|sorry|hi|hiya|hello|hey|right|please|bye|morning|my)$/;
const LOVES =
  /^(?:i|we|you|he|she|they|who|would|will|to|do|does|not|really|just|also|and|a|the|of|in|with|for|s?he's)$/;
/** Words that depend on those around them. @returns undefined where the word stays */
const BY_CONTEXT: Readonly<Record<string, (before: string, after: string) => string | undefined>> = {
  ...Object.fromEntries(
    ['mate', 'pal', 'buddy', 'bro'].map((word) => [
      word,
      (before: string) => (DETERMINES.test(before) ? 'friend' : 'sir/madam'),
    ]),
  ),
  love: (before, after) =>
    (ADDRESSES.test(before) && !/^\s+(?:it|to|them|this|the|a)\b/i.test(after)) ||
    (before !== '' && !LOVES.test(before) && /^\s*(?:[,.!?…]|$)/.test(after))
      ? 'sir/madam'
      : undefined,
  missus: (before) => (DETERMINES.test(before) ? 'spouse' : 'Mr/Ms'),
  grand: (before) =>
    /^(?:|is|are|was|be|that|it|yes|aye|yeah|okay|ok|right|lovely|oh|ah|so|all)$/.test(before) ? 'great' : undefined,
};

/**
 * @param word in lower case
 * @param before the word before it, in lower case; empty at the begin
 * @param after the text that follows, a few characters of it at least
 * @returns what is read instead of a word that says who somebody is, such as "he/she"; undefined for another word
 */
export function neutralOf(word: string, before = '', after = ''): string | undefined {
  return Object.hasOwn(BY_CONTEXT, word) ? BY_CONTEXT[word]?.(before, after) : NEUTRAL.get(word);
}

/** Longer than any text that `neutralOf` looks at. */
export const LOOK_AHEAD = 8;

/** A title before a name. */
export const HONORIFIC = /^(?:mr|mrs|ms|mister|missus|miss|dr|doctor)$/;

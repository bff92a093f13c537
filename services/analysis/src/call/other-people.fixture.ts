/** Names that occur in the written calls, and other names of the same kind of spelling. */
export const NAMES = new Map(
  Object.entries({
    ...{ callum: 'kwame', marcus: 'dmitri', craig: 'jamal', tom: 'hamza', dean: 'yusuf', steve: 'vikram', phil: 'wei' },
    ...{ pete: 'obinna', dave: 'darnell', graham: 'rahul', keith: 'tyrone', lee: 'piotr', owen: 'ahmed', ben: 'imran' },
    ...{ lorraine: 'ngozi', denise: 'lakisha', darren: 'tariq', leanne: 'keisha', gareth: 'emeka', priya: 'siobhan' },
    ...{ toby: 'chidi', maureen: 'agnieszka', lorna: 'fatima', beth: 'aisha', gary: 'suresh', alan: 'mehmet' },
    ...{ sandra: 'marisol', colin: 'kenji', jim: 'arjun', hannah: 'olena', simon: 'kofi', gemma: 'zainab' },
    ...{ karen: 'adaeze' },
  }),
);
const GENDERS = new Map(
  Object.entries({
    ...{ he: 'she', him: 'her', his: 'her', himself: 'herself', mr: 'mrs', sir: 'madam', husband: 'wife' },
    ...{ son: 'daughter', father: 'mother', dad: 'mum', brother: 'sister', uncle: 'auntie', man: 'woman', boy: 'girl' },
    ...{ gentleman: 'lady', nephew: 'niece', grandad: 'gran', boyfriend: 'girlfriend' },
  }),
);
const DIALECTS: Readonly<Record<string, ReadonlyMap<string, string>>> = Object.fromEntries(
  Object.entries({
    british: { yes: 'aye', yeah: 'aye', nothing: 'nowt', anything: 'owt', something: 'summat', thanks: 'ta' },
    scottish: {
      yes: 'aye',
      yeah: 'aye',
      you: 'ye',
      little: 'wee',
      "don't": 'dinnae',
      "can't": 'cannae',
      because: 'cos',
    },
    irish: { you: 'ye', mum: 'mam', yes: 'yeah' },
    indian: { yes: 'haan', okay: 'accha' },
    nigerian: { please: 'abeg', sir: 'oga', trouble: 'wahala' },
    southern: { you: "y'all", "isn't": "ain't", think: 'reckon', hi: 'howdy', yes: 'yep' },
  }).map(([name, words]) => [name, new Map(Object.entries(words))]),
);

function swapped(text: string, others: ReadonlyMap<string, string>): string {
  return text.replace(/\p{L}+(?:['’]t)?/gu, (word) => {
    const other = others.get(word.toLowerCase().replace('’', "'")) ?? word;
    return /^\p{Lu}/u.test(word) ? other.charAt(0).toUpperCase() + other.slice(1) : other;
  });
}

/** The same said by or to other people: each way to change the words of a call. */
export const OTHER_PEOPLE: Readonly<Record<string, (text: string) => string>> = {
  names: (text) => swapped(text, NAMES),
  gender: (text) => swapped(text.replace(/\b([Hh])is\b(?!\s+\p{L})/gu, '$1ers'), GENDERS),
  ...Object.fromEntries(
    Object.entries(DIALECTS).map(([name, words]) => [name, (text: string) => swapped(text, words)]),
  ),
};

import { CHECK_IDS, type CheckId } from '../call/catalogue.ts';
import type { Observations } from '../call/observations.ts';
import type { Acts } from './acts.ts';
import { type Act, greatest } from './classifier.ts';
import { plainly } from './patterns.ts';

type Claim = CheckId | 'question';

/** Words that greet, or answer the phone politely. */
const GREETING =
  /\b(hi|hiya|hello|hey|howdy|morning|afternoon|evening|good day|g'?day|welcome|thanks? (you )?for (calling|ringing)|how (are|is|can|may))\b/i;
/** Words of thanks and of leave-taking. */
const FAREWELL = new RegExp(
  '\\b(?:thanks?|ta|cheers|appreciate|(?:good)?bye|cheerio|ciao|hooroo|good ?(?:night|day|evening|luck)|see (?:you|ya)' +
    '|(?:talk|speak) (?:soon|to you|then)|take care|have (?:a|fun)|enjoy|all the best|best of luck|pleasure|god bless' +
    '|safe|look(?:ing)? forward|(?:nice|lovely|good|great) (?:to|meeting|talking|speaking|chatting)|merry|happy|hope' +
    '|mind yourself|sleep well|you too|no worries|wish you)\\b',
  'i',
);

/** "Is this the owner?" greets nobody. */
const ASKS_WHO = /^((yeah|yes|uh|um|so|okay)\W+)*is (this|that|it)\b/i;

/** Asks only whether it may ask, whether there is time, or for a name: not for the need. */
const NOT_ABOUT_NEED = new RegExp(
  '\\b(?:(?:can|could|may|if) i (?:just )?ask (?:you )?(?:some|a few|a couple of|one or two) (?:\\w+ )?questions?' +
    "|why do you ask|what(?:['’]s| is| was) (?:your|the) (?:(?:first|last|full|best) )?" +
    '(?:name|e-?mail|number|postcode|zip|address|mobile)' +
    "|who (?:am i|is this|['’]?m i) (?:speaking|talking) (?:to|with)|who['’]?s (?:this|that|calling)" +
    '|(?:can|could|may) i (?:just )?(?:take|get|have|grab) (?:your|a|an) (?:\\w+ )?' +
    '(?:name|e-?mail|number|postcode|zip|address|mobile)|can you hear me' +
    '|are you (?:in the middle of (?:something|anything)|busy|driving|free to (?:talk|speak)|able to (?:talk|speak))' +
    '|(?:is it|is this) convenient|(?:have|did) i (?:caught|catch|got|get) you (?:at|in)' +
    "|have you (?:got )?(?:a|two|five|ten) (?:quick )?(?:minute|min|moment|sec|second)s?|how(?:['’]re| are) you fixed" +
    '|is (?:this|now|it) (?:still )?an? (?:good|bad|okay) time)[^.?!]{0,30}[.?!]*$',
  'i',
);

/** Words that sum up what the customer said, also where the line as a whole is too long to be taken for that. */
const SUMS_UP = new RegExp(
  "\\bso (?:what )?(?:i hear|i['’]m hearing|you['’]re (?:after|saying|telling)|what you)|\\bto sum up\\b" +
    "|\\bif i(?:['’]ve| have) got (?:this|that|it|you) right|\\bdid i (?:get|miss)" +
    '|\\blet me (?:make sure|see if|check) i',
  'i',
);

interface Proof {
  act: Act;
  /** How likely the act must be in one line for the check to be found. */
  has: number;
  /** How likely it must be in a line with words that plainly do it. */
  plainly?: { words: RegExp; has: number };
  /** How unlikely it must be in all lines for the check to be missing, and words that may do it all the same. */
  lacks?: number;
  perhaps?: RegExp;
  /** A line with these words proves the check only where it plainly does it; one that rather does `rather`, never. */
  never?: RegExp;
  rather?: Act;
}

/**
 * The act that proves a check; without `lacks` it is so common, or so badly heard, that its absence is never certain.
 * Of calls by authors that the model has not seen, nine of ten of those said to have or to lack something do
 * (`npm run train`).
 */
export const CLAIMS: Readonly<Record<Claim, Proof>> = {
  greeted: { act: 'greet', has: 0.9, plainly: { words: GREETING, has: 0.2 }, never: ASKS_WHO },
  introduced: { act: 'intro', has: 0.2 },
  purpose: { act: 'purpose', has: 0.85, lacks: 0.03 },
  question: { act: 'ask', has: 0.4, lacks: 0.05 },
  confirmed_need: { act: 'sumup', has: 0.5, lacks: 0.07, perhaps: SUMS_UP },
  named_offer: { act: 'offer', has: 0.3, rather: 'sumup' },
  price_or_proof: {
    act: 'proof',
    has: 0.4,
    lacks: 0.05,
    never: /^(and |so )?((do|does|did|are|were|have|would|could|can) (you|they|your)|what|how|which|who|when|where)\b/i,
  },
  // A last line without such words ends the call, but it may be "Card number." or "Attaboy."
  courteous_end: { act: 'end', has: Number.POSITIVE_INFINITY, plainly: { words: FAREWELL, has: 0.6 }, lacks: 0.15 },
};

/** @returns whether a piece has the words as said, or in neutral words: "see ye" is "see you" */
function hasWords({ pieces }: Acts, piece: number, words: RegExp): boolean {
  const { text = '' } = pieces[piece] ?? {};
  return words.test(text) || words.test(plainly(text));
}

/** How likely the manager must propose a next step in the later part of a call, so that none is missing for certain. */
const PROPOSES = { likely: 0.3, from: 1 / 3 };

/**
 * The checks of the rubric: each with the place that shows it most clearly, and those that the call certainly lacks.
 */
export function checksOf(acts: Acts): Pick<Observations, 'checks' | 'missing' | 'likelySumUp'> {
  const places = acts.pieces.flatMap(({ role }, piece) => (role === 'manager' ? [piece] : []));
  const missing: Observations['missing'][number][] = [];
  const shown = (id: Claim) => {
    const { act, has, plainly: plain, lacks = 0, perhaps, never, rather } = CLAIMS[id];
    const says = (words: RegExp | undefined, piece: number) => words !== undefined && hasWords(acts, piece, words);
    const isNever = (piece: number) => never?.test(plainly(acts.pieces[piece]?.text ?? '')) === true;
    const possible = places.filter((piece) => !isNever(piece) || says(plain?.words, piece));
    const likeliest = mostLikely(acts, act, possible);
    const isUnlikely = (likeliest === null ? 0 : acts.probability(likeliest, act)) < lacks;
    if (isUnlikely && !places.some((piece) => says(perhaps, piece))) missing.push(id);
    const proving = possible.filter((piece) => {
      const likely = acts.probability(piece, act);
      const least = plain !== undefined && says(plain.words, piece) ? plain.has : has;
      return likely >= least && (rather === undefined || likely >= acts.probability(piece, rather));
    });
    const best = mostLikely(acts, act, proving);
    return best === null ? null : acts.evidence(best);
  };
  const checks = CHECK_IDS.map((id) => [id, shown(id)]);
  shown('question');
  const proposes = places
    .filter((piece) => piece >= PROPOSES.from * acts.pieces.length)
    .some((piece) => acts.probability(piece, 'step') >= PROPOSES.likely);
  if (!proposes) missing.push('next_step');
  // Who is called need not say what the call is about, where the customer says why they call.
  const said = acts.pieces.flatMap(({ role, line }, piece) => (role === 'customer' ? [{ line, piece }] : []));
  const first = [...new Set(said.map(({ line }) => line))].slice(0, FIRST_LINES);
  const wishes = said.some(({ line, piece }) => first.includes(line) && acts.probability(piece, 'want') >= WISHES);
  const likelySumUp = greatest(places.map((piece) => acts.probability(piece, CLAIMS.confirmed_need.act)));
  return {
    checks: Object.fromEntries(checks) as Observations['checks'],
    missing: missing.filter((id) => id !== 'purpose' || !wishes),
    likelySumUp,
  };
}

/** How likely the customer must say why they call in their first lines: "Hi, is this the DJ? - It is. - We ...". */
const WISHES = 0.2;
const FIRST_LINES = 2;

/** How likely a line must be, so that the offer is presented in it. */
const OFFERS = 0.5;

/** @returns the line in which the manager first presents the offer */
export function offeredAt(acts: Acts): number | undefined {
  const [first = -1] = acts.find('offer', OFFERS);
  return acts.pieces[first]?.line;
}

/** The manager's questions about the situation or need, one of each line. */
export function questionsOf(acts: Acts): Observations['questions'] {
  const { act, has } = CLAIMS.question;
  const asking = acts.find(act, has).filter((piece) => !NOT_ABOUT_NEED.test(acts.pieces[piece]?.text ?? ''));
  const lines = Map.groupBy(asking, (piece) => acts.pieces[piece]?.line);
  return [...lines.values()].flatMap((pieces) => {
    const best = mostLikely(acts, act, pieces);
    return best === null ? [] : [{ ...acts.evidence(best), likely: acts.probability(best, act) }];
  });
}

export function mostLikely(acts: Acts, act: Act, pieces: readonly number[]): number | null {
  let best: number | null = null;
  for (const piece of pieces)
    if (best === null || acts.probability(piece, act) > acts.probability(best, act)) best = piece;
  return best;
}

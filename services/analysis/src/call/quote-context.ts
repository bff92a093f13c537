// Decides whether the words around a quote change its sense: "i don't trust you" is not what somebody says who says
// "it's not that i don't trust you". Cues are data, in nine languages; a doubtful quote is refused.

/** Texts of folded words with single spaces, with "|" for a comma. */
export interface Context {
  /** The words before the quote in its sentence. */
  before: string;
  quote: string;
  /** The words after the quote in its sentence, each with a space before it. */
  after: string;
  /** The first words of the next sentence. */
  next: string;
}

const oneOf = (...words: string[]) => `(?:${words.join(' ').split(/\s+/).join('|')})`;
const phrase = (...phrases: string[]) => `(?:${phrases.join('|')})`;
const pattern = (source: string) => new RegExp(source, 'u');

const WORD = '[^ |]+';
const COMMA = '(?: \\|)?';
const START = '(?:^|\\| | )';
const END = '(?: |$)';

const NEGATION = oneOf(
  'not no never none nobody nothing neither nor hardly barely without cannot cant dont doesnt didnt wont wouldnt',
  'couldnt shouldnt isnt arent wasnt werent havent hasnt hadnt aint mustnt neednt',
  'nicht kein keine keinen keinem keiner nie niemals niemand kaum ohne weder',
  'не ни нет никогда никто нельзя без',
  "ne n'[^\\s|]+ pas jamais aucun aucune sans personne",
  'nunca jamás nadie ningún ninguna sin tampoco non nessuno senza mica não nem sem ninguém',
  'niet geen nooit zonder nie bez',
);
/** "No, I'll take it": these also stand alone, as an answer. */
const INTERJECTION = /^(?:no|nein|нет|non|não|nie|nee|nope)$/;
/** Negations that negate nothing. */
const IDIOM = new RegExp(
  `(?<=^| )${phrase(
    ...['no problem', 'no worries', 'no rush', 'not (?:too |so )?bad', 'not only', 'not really$', 'kein problem'],
    ...['keine ursache', 'keine sorge', 'нет проблем', 'pas de (?:problème|souci)', 'sin problema', 'no hay problema'],
    ...['nessun problema', 'sem problema', 'geen probleem'],
  )}(?: at all)?(?= |$)`,
  'gu',
);

const COMPLEMENTIZER = oneOf('that if whether how why dass daß ob wie что чтобы будто que qu che perché di dat of że');
const LEADING_COMPLEMENTIZER = pattern(`^${oneOf('that dass daß что чтобы будто que che dat że')}(?= )`);
const CONJUNCTION = oneOf('and but so because or und aber oder denn и а но или y pero et mais e ma en maar');
/** A word of the same clause. */
const INSIDE = `(?: (?!${CONJUNCTION}${END})${WORD})`;

/** Words with which a new clause begins: a negation further to the left does not reach it. */
const CLAUSE_START = pattern(
  `^${oneOf(
    "i im i'll i'd ive we we're we'll we'd weve you youre youll youd he hes she'll she shes they theyre theyll it its",
    'itll that thats this there theres my our your his her their so but and because if what when where who why how okay',
    'ok yes yeah yep well lets let thanks thank please sorry sounds',
    'ich wir sie er es das ihr du mein meine unser unsere und aber also ja gut danke dann',
    'я мы вы он она они это нам мне а и но да хорошо спасибо так давайте',
    "je j'[^\\s|]+ nous vous on ce cest cela ça et mais oui merci",
    'yo nosotros usted ustedes él ella eso esto y pero sí bueno gracias',
    'io noi lei ma va però sì grazie eu nós você mas sim obrigado ik wij we het maar ja bedankt',
  )}${END}|^${oneOf('do does did can could would will should are is have has may')} ${oneOf(
    'i you we they he she it there that this the your my',
  )} `,
);

const THINK = oneOf(
  'think thinking thought believe believing say saying said mean meaning feel suppose guess imagine expect agree',
  'claim know sure convinced certain pretend',
  'glaube glauben denke denken sage sagen sagte gesagt finde finden meine behaupte behaupten weiß weiss wissen',
  'sicher überzeugt',
  'думаю думаем считаю считаем говорю сказал сказала уверен уверена знаю хочу',
  'pense pensons crois croyons dis disons trouve dit sûr sais creo creemos pienso digo decir dije diciendo seguro',
  'credo crediamo penso dico detto sicuro acho certo denk vind zeg zei zeker myślę mówię',
);
const HEARER = oneOf(
  'me us you him her them everyone everybody people mir uns ihnen ihm ihr euch dir allen',
  'мне нам вам ему ей им всем nos te le les lui leur mi ci gli hem haar hun',
);
/** Verbs of reported speech, unless the speaker is the subject. */
const REPORT = oneOf(
  'said says say tells told telling think thinks thought claims claimed believes wrote writes asked asks mentioned',
  'complained insists insisted feels felt heard argued reckons swears goes',
  'sagt sagte sagten sagen gesagt meint meinte meinten findet fand denkt dachte glaubt glaubte behauptet behauptete',
  'erzählt erzählte schrieb schreibt fragt fragte gehört',
  'сказал сказала сказали сказало говорит говорят говорил говорила говорили считает считают думает думают утверждает',
  'пишет пишут спросил спросила',
  'dit disent disait pense pensent croit affirme raconté demande écrit',
  'dijo dice dicen decía piensa piensan cree creen contó escribió',
  'dissero disse dicono diceva pensano crede credono racconta disseram diz dizem acha acham',
  'zei zegt zeiden denkt vindt mówi mówią powiedział powiedziała uważa',
);
const FIRST_PERSON = oneOf("i ive i'd im we weve ich wir я мы je jai nous yo nosotros io eu nós ik wij ja my");
const AUXILIARY = oneOf(
  'have had just already always also really would will do did am must can could only ja schon auch habe haben уже ai',
);
const THIRD_PERSON = phrase(
  oneOf(
    'he she they everyone everybody people somebody someone er sie он она они il elle ils elles on él ella ellos lui',
    'lei loro hij zij',
  ),
  `${oneOf('my our the his her their mein meine unser der die мой моя mon ma notre le la mi nuestro el mio mia')} ${WORD}`,
);

const BECAUSE = oneOf(
  'that because like as dass daß weil als что чтобы потому que qu che perché parce porque omdat dat',
);
const IS = oneOf('so to mean means is es est é è ist heisst bedeutet то это значит significa vuol dire');
const DOUBT = phrase(
  ...['no way', 'no chance', 'no reason(?: to \\w+)?', 'doubt(?:s|ed|ful)?', 'unlikely', 'impossible', 'bezweifl?e'],
  ...['сомневаюсь', 'doute', 'dudo', 'dubito', 'duvido', 'far from \\w+ing'],
);
const HYPOTHESIS = phrase(
  ...['if', 'unless', 'whether', 'wish', 'as though', 'pretend(?:ing)?', 'used to \\w+', 'instead of', 'rather than'],
  ...['suppose', 'would you say', 'what if', '(?:people|they|customers|everyone)(?: \\w+)? tell(?: me| us)?'],
  ...['wenn', 'falls', 'ob', 'sofern', 'если', 'если бы', 'si', 'se', 'als', 'jeśli', 'gdyby'],
);
const HEARSAY = phrase(
  ...['(?:was|were|been|got|get|is|are|im) told', 'heard', 'according to [^|]*', 'rumou?r has it', 'supposedly'],
  ...['allegedly', 'angeblich', 'якобы', 'soi disant'],
);
const QUESTION = oneOf('do does did would will can could should are is was were have has');
const AND_THEN = oneOf('so and but then und also');

/** What governs the clause that follows it. */
const GOVERNS = [
  // "it's not that …", "das heißt nicht, dass …"
  `${START}${NEGATION}(?: ${IS}){0,2}${COMMA} ${BECAUSE}(?: ${oneOf('if though ob hätte que')})?${COMMA}$`,
  // "I wouldn't say that …", "ich glaube nicht, dass …"
  `${START}${NEGATION}(?: ${WORD}){0,3} ${THINK}(?: (?:to )?${HEARER})?(?:${COMMA} ${COMPLEMENTIZER})?$`,
  `${START}${THINK}(?: ${WORD}){0,2} ${oneOf('nicht kaum pas niet')}${COMMA}(?: ${COMPLEMENTIZER})?$`,
  `${START}${DOUBT}${COMMA}(?: ${COMPLEMENTIZER})?$`,
  `${START}${HYPOTHESIS}(?: that)?$`,
  `${START}${HEARSAY}${COMMA}(?: ${COMPLEMENTIZER})?${COMMA}$`,
  `(?:^|\\| |${START}${AND_THEN} )${QUESTION}$`,
].map(pattern);
const REPORTED = pattern(
  `${START}((?:${WORD} ){0,4})${REPORT}(?: (?:to )?${HEARER}| ${oneOf('my the our his her')} ${WORD})?` +
    `(?: ${WORD}ly)?${COMMA}(?: ${COMPLEMENTIZER})?${COMMA}$`,
);
const OWN = pattern(`(?:^| )${FIRST_PERSON}(?: ${AUXILIARY})*$`);
const BEGINS_IN_REPORT = pattern(`^${REPORT} `);
const NEGATED = pattern(`${START}(${NEGATION})$`);
const NEGATED_CLAUSE = pattern(`${START}${NEGATION}(?: ${WORD}){0,5}$`);

/** The last word announces more. */
const CUT_OFF = pattern(
  `(?:^| )${oneOf(
    'not no never and but because or if unless nicht und aber oder weil wenn falls не ни и но или если',
    'ne pas et mais si y pero',
  )}$`,
);
const ONLY_IF = phrase(
  ...['unless', 'only if', 'but only if', 'if only', 'es sei denn', 'außer wenn', 'ausser wenn', 'sauf si', 'à moins'],
  ...['a menos', 'salvo que', 'a meno', 'только если', 'если только', 'tenzij'],
);
/** What takes back the words before it. */
const TAKES_BACK = [
  // "we trust you | not at all", "wir vertrauen Ihnen | nicht"
  `^${INSIDE}? ${oneOf('not never nothing nobody nowhere neither не')}${END}`,
  `^${INSIDE}{0,3} ${oneOf('nicht kein keine keinen keinem keiner nie niemals niet geen nooit pas jamais rien')}${END}`,
  `^${INSIDE}{0,3} ${oneOf('nada nunca nessuno niente')}${END}`,
  `^ ${oneOf('isnt wasnt arent')} ${oneOf('what true right how why the')}`,
  // "… | he said", "… | is what they say"
  `^${COMMA} ${THIRD_PERSON}(?: ${WORD})? ${REPORT}(?: ${HEARER})?(?: \\||$| ${CONJUNCTION} )`,
  `^${COMMA} ${REPORT} ${THIRD_PERSON}${END}`,
  `^(?: is| was)? ${oneOf('what how')} (?:${WORD} ){1,3}${REPORT}${END}`,
  `^${COMMA} ${ONLY_IF}${END}`,
].map(pattern);
const CONDITION = pattern(`^${COMMA} ${oneOf('if wenn falls sofern если si se als jeśli')}${END}`);
const HYPOTHETICAL = pattern(
  `(?:^| )${oneOf(
    "would i'd we'd youd could might wouldve würde würden könnte könnten hätte hätten wäre бы zou zouden",
  )}${END}|${WORD}(?:rais|rait|rions|ría|ríamos|rei|ebbe|iam)${END}`,
);
const JOKE = pattern(
  `^(?: \\|)* ?${phrase(
    ...['(?:im )?(?:just |only )?(?:kidding|joking)', 'yeah right', 'as if', 'not$', 'not (?:really|at all)$'],
    ...['nur spass', 'war nur ein scherz', 'kleiner scherz', 'von wegen', 'шучу', 'шутка', 'je plaisante', 'je rigole'],
    ...['es broma', 'es una broma', 'scherzo', 'grapje'],
  )}${END}`,
);

/** @returns whether the quote would say something else than the call does */
export function misleads(context: Context): boolean {
  const { quote, after, next } = context;
  const complementizer = LEADING_COMPLEMENTIZER.exec(quote)?.[0] ?? '';
  const before = `${context.before} ${complementizer}`.trim().replace(IDIOM, '|');
  const starts = complementizer !== '' || CLAUSE_START.test(quote);
  const negation = NEGATED.exec(before)?.[1];
  if (starts ? negation !== undefined && !INTERJECTION.test(negation) : NEGATED_CLAUSE.test(before)) return true;
  if (governors(before, starts).some(governs)) return true;
  if (BEGINS_IN_REPORT.test(quote) && before !== '' && !OWN.test(before)) return true;
  if (after !== '' && (CUT_OFF.test(quote) || TAKES_BACK.some((cue) => cue.test(after)))) return true;
  if (HYPOTHETICAL.test(quote) && CONDITION.test(after)) return true;
  return JOKE.test(after) || (after === '' && JOKE.test(next));
}

/** What may govern the clause of the quote: a quote from the middle of a clause leaves out the first words of it. */
function governors(before: string, starts: boolean): string[] {
  const own = starts ? '' : (/(?: [^ |]+){0,5}$/u.exec(` ${before}`)?.[0] ?? '');
  const words = own.split(' ').slice(1);
  return [before, ...words.map((_word, index) => before.slice(0, -words.slice(index).join(' ').length).trimEnd())];
}

function governs(before: string): boolean {
  if (GOVERNS.some((cue) => cue.test(before))) return true;
  const reported = REPORTED.exec(before);
  return reported !== null && !OWN.test((reported[1] ?? '').trim());
}

import type { Cue } from '../patterns.ts';

/** What managers should not say. The kinds are those of call/catalogue.ts; some need more than a cue, see mistakes.ts. */
export const MISTAKE_CUES: Readonly<Record<string, Cue>> = {
  'mistake.rude': {
    by: 'manager',
    patterns: `
      you (obviously|clearly|really|just|) have no (idea|clue)
      good luck with that
      (you will|you are going to) (see|be sorry|regret it|come back crying) (when|soon|if|) ..
      i (do not|could not) care
      (what|how) (on earth|the hell) ..
      (you have|you obviously|you clearly) (no idea|no clue|do not understand|do not get it|can not afford)
      (that is|what) (a|) (stupid|dumb|silly|ridiculous|idiotic) (question|idea|thing|to)
      (hurry up|get to the point|make up your mind|stop talking|be quiet)
      (not my|your) (job|fault|problem|business)
      (if you can not|if you could not) afford ..
      (do not be|are you|you are|you must be) (so|being|) (stupid|ridiculous|silly|difficult|dumb|an idiot|crazy|unreasonable|rude|blind|deaf)
      shut up
      (are you|you are not) (even|) listening
      (that is|it is) (your|not my) (problem|fault)
      (you are|stop) wasting (my|our) time
      do not waste my time
      (calm|settle) down
      you should have (read|listened|known|thought)
      you (are making|will|would) (a|make a|regret) (big|huge|terrible|) (mistake|this)
      i (already|just) told you (that|already|this|twice|so)
      (whatever|who cares|suit yourself)
      what is wrong with you
      you (people|clearly) (do not|have no|never) ..
    `,
  },
  'mistake.pressure': {
    by: 'manager',
    patterns: `
      (have|need|got|must|better) (to|) (tell me|decide|let me know|act|be quick|make up your mind|sign|buy) (now|right now|today|tonight|immediately|fast|quick|on the spot|this minute|before) ..
      (otherwise|or) (it is|it will be|the offer is|the price is|you will|someone else|somebody else) (gone|be gone|expire|lose|buys|takes|will) ..
      (gone|expires|expired|off) (by|at) (tonight|midnight|tomorrow|the end of (the|this) call)
      (right now or never|today or never|today only|only today|tomorrow (it|the price) (is|will be|goes) (gone|higher|up|double))
      (what are you waiting for|do not think (too long|about it too long|twice|so much))
      (have|need|got) to (decide|sign|buy|commit|order|act|tell me) (now|right now|today|right away|immediately|this minute|on this call)
      (once|if|when) you hang up .. (gone|lose|over|expires|disappears)
      (offer|price|discount|deal) is (gone|off the table|only valid (now|right now|for this call|during this call))
      (only|just) (valid|good|available) (right now|now|on this call|during this call|for the next (few|ten|five|thirty) minutes)
      (now or never|last chance|take it or leave it)
      (can not|will not) (hold|keep|guarantee) (this|that|the) (price|offer|deal) (after|past|beyond|if) ..
      you (will|would|are going to) (regret|lose|miss) (it|this|out) (if|unless) you do not ..
    `,
  },
  'mistake.promise': {
    by: 'manager',
    patterns: `
      (you will|you are going to|your _ will|it will|this will) (definitely|certainly|surely|guaranteed|absolutely) (double|triple|never|make|earn|save|win|get rich|pass|rank) ..
      (nothing|absolutely nothing) (can|will|could) (ever|) (go wrong|happen|break)
      (i|we) (swear|bet|personally guarantee|give you my word)
      never have to .. again
      guaranteed (you|to|that|it|a|for life)
      (i|we) (can|) (guarantee|promise) (you|that|you that|it|) .. (never|always|double|triple|no risk|hundred percent|100%|forever|best|nothing|will never|will not ever)
      guarantee you it will (never|not)
      (it|they|this|that|you) (will|can) never (ever|) (break|fail|go down|crash|stop|lose|have any|need|get|go wrong|cost)
      (hundred|100) percent (guaranteed|guarantee|safe|risk free|certain)
      (100%) (guaranteed|safe|risk free|certain)
      guaranteed (to double|to triple|profit|profits|returns|return|results|success)
      there is (absolutely|) no risk (at all|whatsoever)
      (zero|absolutely no) risk
      (you can not|can not possibly) (lose|go wrong)
      (the|) (cheapest|best price) (in the (world|country|market)|anywhere|on the market) (guaranteed|)
      forever
    `,
  },
  'mistake.badmouthing': {
    by: 'manager',
    patterns: `
      (they|those guys|that company|their (service|product|products|support|quality|machines|software)) (is|are) (known for|notorious|famous for|not serious|amateurs|cheap|incompetent|dishonest|bad|poor|overpriced|unreliable|ripping|lying|worthless|useless|going bankrupt|hopeless|shady|thieves) ..
      (i|we|you) would (never|not) (trust|buy|go with|touch|use) (them|their|those|that company|_) ..
      (stay away|keep away|run away) from (them|those|that|_)
      (just|only) (want|after|take|taking) your money
      (is|are|they are|products are|machines are|service is) (total|complete|absolute|just|pure|all|a|) (garbage|crap|trash|junk|rubbish|a joke|a scam|scammers|crooks|liars|cheats|terrible|awful|horrible|useless|a ripoff|rip off|ripping)
      (everybody|everyone) knows (they|that they|how bad|it|their)
      (they|their _) (fall|falls|break|breaks) (apart|down all|all the time|after)
      they (are|will|just) (rip|ripping|cheat|cheating|lie|lying|scam|scamming) ..
      (do not|never) (trust|buy from|go with|believe) (them|those guys|those people)
      (worst|terrible|awful) (company|service|quality|provider|support)
    `,
  },
  'mistake.jargon': {
    by: 'customer',
    patterns: `
      what (does|do) (that|it|this|_) (even|) mean
      i (do not|did not) (really|) understand (what|any|that|a word|this|you)
      (in|can you say (it|that) in) (plain|simple|normal) (english|words|terms)
      (i have|have|) no idea what (that|you|it) ..
      you (have|) lost me
      what is (a|an|that|) _ supposed to (be|mean)
    `,
  },
  'mistake.unanswered': {
    by: 'customer',
    patterns: `
      that (is|was) not (what i asked|my question|what i wanted to know|an answer)
      (you|) (still|) (did not|have not|never) (answer|answered) (my question|me|that)
      (i|i just|i already) asked (you|) (about|if|whether|what|how|why|when) ..
    `,
  },
  'mistake.interrupting': {
    by: 'customer',
    patterns: `
      (let|please let|will you let|would you let|could you let) me (finish|speak|talk|say)
      (can|could|may) i (finish|say something|speak|get a word)
      (you keep|stop) interrupting
      (do not|please do not|stop) interrupt
      i was not (finished|done)
      i (am|was) (still|) (talking|speaking)
    `,
  },
};

/** How the customer feels about it, beyond objections. */
export const MOOD_CUES: Readonly<Record<string, Cue>> = {
  'mood.unhappy': {
    by: 'customer',
    patterns: `
      (frustrated|annoyed|unhappy|disappointed|upset|angry|furious|fed up|sick of)
      (terrible|awful|horrible|bad|poor|unacceptable) (service|experience|support|quality)
      (this is|that is|it is) (ridiculous|unacceptable|outrageous|a joke|not acceptable|absurd)
      (on hold|waited|waiting|been waiting) (for|) (over|an|half|#num|so|forever|ages|a) ..
      (broke|broken) (down|) (again|for the (second|third))
      (not|am not|are not) (happy|satisfied|pleased) (with|about|at)
      (second|third|fourth|#num) time (this|i|in|that)
      i want (my money|a refund|to complain|to speak to (a|your))
      (do not|not) like being (put under pressure|pressured|pushed|talked)
      nobody (told|called|answered|came|helps|helped|responded|replied)
    `,
  },
  'mood.pleased': {
    by: 'customer',
    patterns: `
      (sounds|that is|this is|it is|looks) (really|very|pretty|quite|) (great|perfect|good|fantastic|wonderful|amazing|excellent|awesome|helpful|interesting|fair|reasonable)
      (perfect|brilliant|wonderful|excellent|awesome|fantastic|great)
      (that|it) helps
      (you have been|you were) (very|so|really) (helpful|kind|patient)
      (i|we) (really|) (like|love) (it|that|this|the)
      (good|nice) to know
    `,
  },
  'mood.bad_line': {
    patterns: `
      (can not|can hardly|can barely|hardly|barely) hear you
      (you are|you keep|keep|it is|line is) (breaking up|cutting out|cutting off)
      (are you|you) still there
      (the|a) (bad|terrible|poor) (line|connection|signal|reception)
      (did not|can not) (get|catch|hear) that
    `,
  },
};

import type { Cue } from '../patterns.ts';

/**
 * What managers should not say, by the kinds of call/catalogue.ts. A false accusation is worse than a missed one, so
 * each pattern is a whole statement with one possible meaning, and nothing after its first words is optional.
 */
export const MISTAKE_CUES: Readonly<Record<string, Cue>> = {
  'mistake.rude': {
    by: 'manager',
    patterns: `
      you (obviously|clearly|really) have no (idea|clue)
      (i do not|i could not) care (what you (think|want)|about you)
      you (obviously|clearly) (do not understand|do not get it|can not afford)
      (that is|what) a (stupid|dumb|ridiculous|idiotic) (question|idea|thing to say)
      (make up your mind already|get to the point|stop talking|be quiet)
      (do not be|are you|you are|you must be) (so|too|being|) (stupid|dumb|an idiot|crazy|blind|deaf)
      too stupid to ..
      shut up
      that is not my problem
      (you are|stop) wasting my time
      do not waste my time
      you should have read the (contract|terms|email|small print)
      who cares what ..
      what is wrong with you
      you people (do not|have no|never|always) ..
      good luck with that you ..
    `,
  },
  'mistake.pressure': {
    by: 'manager',
    patterns: `
      you (have|need|have got) to (decide|sign|buy|commit|order|tell me) (now|right now|today|tonight|immediately|on this call|this minute) ..
      you (must|had better) (decide|sign|buy|commit) (now|right now|today|immediately) ..
      (otherwise|or) (it is|it will be|the offer is|the price is|the discount is) gone
      (the|this) (offer|price|discount|deal) is (gone|off the table) (by|when|as soon as|if|after|once) ..
      (the|this) (offer|price|discount|deal) is only (good|valid) (if you (sign|decide|order|buy)|for this call|during this call|right now|on this call) ..
      (once|if|when) you hang up the (price|offer|discount|deal) ..
      now or never
      take it or leave it
      (right now or never|today or never)
      you (will|are going to) regret it if you do not ..
    `,
  },
  'mistake.promise': {
    by: 'manager',
    patterns: `
      (nothing|absolutely nothing) (can|will|could) (ever|possibly) go wrong
      (i|we) (guarantee|promise) (you|) (that|) (you|your|it|they|this) (will|_ will|_ _ will|bill _|_ bill _|heating bill _) (never|always|double|triple|drop|drops) ..
      (i|we) (guarantee|promise) (you|) (that|) your (_|_ _) (drops|doubles|triples|will drop|will double) ..
      (i|we) personally guarantee ..
      (hundred|100) percent (guaranteed|risk free)
      guaranteed (to double|to triple|profit|profits|returns|results)
      there is (absolutely no|no) risk (at all|whatsoever)
      (zero|absolutely no) risk
      you (can not|can not possibly) (lose|go wrong)
      (you|it) will never ever ..
      it will (never) (break|fail|crash|break down)
      (you are|you will be) guaranteed to (double|triple|win|profit) ..
    `,
  },
  'mistake.badmouthing': {
    by: 'manager',
    patterns: `
      (they|those guys|those people) (are|just) (not serious|amateurs|incompetent|dishonest|crooks|thieves|scammers|liars|cheats|a joke|a scam|ripping people off|ripping you off)
      (they|those guys|those people) (rip|cheat|scam|lie to) (people|customers|you|everybody|everyone) ..
      their (machines|products|software|service|support|quality|_) (is|are) (total|complete|absolute|just|pure|all|) (garbage|crap|trash|junk|rubbish|a joke|terrible|awful|horrible|useless)
      (is|are) (total|complete|absolute|pure) (garbage|crap|trash|junk|rubbish)
      _ is (terrible|awful|garbage|rubbish|a joke) .. their ..
      i would (never|not) (trust|buy from|touch) (them|those guys|that company) ..
      (stay|keep) away from (them|those guys|that company)
      they only want your money
      (everybody|everyone) knows (they are|how bad they are) ..
      their _ (fall|falls|break|breaks) (apart|down all) ..
      their _ (fall|falls|break|breaks) all the time
      (do not|never) (trust|buy from) (them|those guys|those people)
    `,
  },
  'mistake.jargon': {
    by: 'customer',
    patterns: `
      i (do not|did not) understand (a word|any of that|what you are (saying|talking about))
      (in|can you say (it|that) in) plain english
      you (have lost|lost) me (there|completely|now)
      i have no idea what (that|that word|any of that) (means|is)
    `,
  },
  'mistake.unanswered': {
    by: 'customer',
    patterns: `
      that (is|was) not (what i asked|my question|an answer)
      you (still have not|did not|have not|never) (answer|answered) my question
    `,
  },
  'mistake.interrupting': {
    by: 'customer',
    patterns: `
      (let|please let|will you let|would you let|could you let) me finish
      (can|could|may) i (finish|get a word in)
      (you keep|stop|please stop) interrupting ..
      (do not|please do not) interrupt me
      i was not (finished|done) (yet|talking|speaking)
      you (interrupted|are interrupting) me
    `,
  },
};

/** How the customer feels, beyond objections. */
export const MOOD_CUES: Readonly<Record<string, Cue>> = {
  'mood.unhappy': {
    by: 'customer',
    patterns: `
      (i am|we are) (really|very|so|quite|pretty|) (frustrated|annoyed|unhappy|disappointed|upset|angry|furious|fed up)
      (this is|that is) (ridiculous|unacceptable|outrageous|not acceptable)
      (second|third|fourth) time (i|we) (call|am calling|have called)
      i want (my money back|a refund|to complain|to speak to (a|your) (manager|supervisor))
      i do not like (to be|being) (rushed|pressured|pushed|put under pressure)
    `,
  },
  'mood.pleased': {
    by: 'customer',
    patterns: `
      (you have been|you were) (very|so|really) (helpful|kind|patient)
      i (really|) (like|love) (that|it|this) a lot
      (that is|this is|that sounds|sounds) (really|very) (helpful|good|great)
    `,
  },
  'mood.bad_line': {
    patterns: `
      (can not|can hardly|can barely|could hardly) hear you
      (you are|you keep|the line is) (breaking up|cutting out|cutting off)
      are you still there
    `,
  },
};

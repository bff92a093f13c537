import type { ObjectionKind } from '../../call/catalogue.ts';
import type { Cue } from '../patterns.ts';

/** What a customer says against buying, by kind. */
export const OBJECTION_CUES: Readonly<Record<`objection.${ObjectionKind}`, Cue>> = {
  'objection.price': {
    by: 'customer',
    patterns: `
      (too|very|quite|pretty|really|so|bit|little|that|way too|kind of|rather) (expensive|pricey|costly)
      (expensive|pricey) for (me|us)
      (is|seems|sounds|looks) (expensive|pricey|steep)
      (that is|it is|is) (a lot|too much|quite a lot|a lot more|more) (of money|than (i|we) .. (thought|expected|wanted|planned|pay))
      (is|that is|it is) (too much|a lot|quite a lot|quite a bit) (of money|for (me|us|a _ _|that)|more)
      a lot of money
      lot of money
      (can not|do not) afford
      (can not|do not want to|am not|not) (pay|paying|spend|spending) (that much|so much|double|that|more)
      (above|over|out of|beyond|not in|not within|exceeds|outside) (our|my|the) (budget|price range)
      (our|my) budget (is|does not|will not|was) ..
      (do not|does not) have (that|the) (kind of|) (money|budget)
      not have .. (money|budget)
      that adds up
      cheaper (elsewhere|somewhere else|one|option)
      (any|give me a|a better|better) (discount|price|deal)
      (saw|found|seen|got) (another|one|it|the same) .. (for (#num|less)|cheaper)
      more than (i|we) (pay|paid|expected|wanted|budgeted|was expecting)
      (match|beat) (their|that|the) (price|offer)
      (costs|is) (a fortune|too high)
      price is (too|a bit|quite|pretty|very) high
      (can|could) you do (better|anything) on the price
      come down (on the price|a bit)
    `,
  },
  'objection.timing': {
    by: 'customer',
    patterns: `
      (not|is not) (a|the) (good|right|best) (time|moment|year)
      (bad|wrong) (time|timing)
      (too|very|so|really|pretty|quite|crazy) busy
      (do not|does not) have (the|any|) time
      (does not|do not|will not) work for (me|us)
      (can not|not) (start|do|begin|change|switch) (anything|it|this|that|) (before|until|till)
      (maybe|perhaps|better|try) .. (next (month|year|quarter|summer|spring)|after the (holidays|summer)|in the new year)
      not (right now|at the moment|this (year|month|quarter|week))
      (call|try) .. (in|after) (a few|six|three|two|a couple) (of|) (months|weeks)
      (is|are) crazy for us
      (it is|that is|way|much) too (soon|early|long to wait)
      can not (make it|do) #day
    `,
  },
  'objection.competitor': {
    by: 'customer',
    patterns: `
      (we|i) (already|currently) (work|deal|are|am|have (a|an|our)|use|go|get) .. (with|provider|supplier|vendor|guy|system|using) ..
      (we|i) (are|am) (already|currently) (with|using|working with) ..
      (happy|satisfied|fine|good|pleased) with (our|my|the (one|guy|company)|them|what|who) ..
      _ is (offering|giving|charging|selling) (us|me) ..
      (your|a|the) competitor (offers|offered|has|is|gave)
      (have|got) (an|a|another|other) (better|cheaper|) (offer|quote) from
      (contract|deal) with (them|_) (runs|ends|goes|is|until)
      (we|i) will (go|stay|stick) with _
      (another|other|different) (company|provider|supplier|vendor|shop|agency|insurer) (offers|offered|gave|quoted|has|is|told)
      (under|in|locked in|tied in) (a|another|our) contract with
      (get|buy|order) (it|them|ours|that) from
    `,
  },
  'objection.authority': {
    by: 'customer',
    patterns: `
      (talk|speak|discuss|check|ask|consult|clear|run) .. (with|to|by|past|it with|this with) (my|our|the) (husband|wife|spouse|boss|partner|manager|team|board|director|cfo|ceo|accountant|family|parents|landlord|colleagues|owner|committee)
      ask my (husband|wife|spouse|boss|partner|manager|landlord|parents|dad|mom|mum)
      not my (decision|call)
      (i am not|not) the (one who decides|decision maker|person who decides|right person)
      (can not|not) (decide|make that decision|sign|approve) (that|this|it|alone|on my own|by myself|without)
      (my|our) (husband|wife|boss|partner|manager|director|board|landlord) (decides|has to|needs to|handles|would have to|will have to|makes|takes care)
      need (approval|sign off|permission)
    `,
  },
  'objection.trust': {
    by: 'customer',
    patterns: `
      how do (i|we) know
      (is|sounds|it is) .. (a scam|too good to be true)
      what is the catch
      (never|have not|have never) heard of (you|your|this|it)
      (had|have had|heard of|heard) .. bad (experience|experiences|reviews|things)
      bad reviews
      (do not|not) (really|) (trust|believe) ..
      (you hear|heard) (these|such|those|some|a lot of) (stories|things)
      (can|could) you prove
      (does|will) (it|that|this) (really|actually) work
      what if (it|that|this|you|the) .. (does not|do not|breaks|fails|stops|goes|go|is not|not)
      (i am|we are|am|are) (a bit|a little|quite|very|pretty|) (skeptical|sceptical|not (so|quite|really|) convinced|worried|concerned|nervous) ..
      still (around|there|be there) in #num years
      how did you get my number
    `,
  },
  'objection.need': {
    by: 'customer',
    patterns: `
      (i am|we are|am|are) (really|just|honestly|simply|) not (really|at all|that|) interested
      not interested
      (i|we) (really|) (do not|would not|will not) (really|) need (it|this|that|any|one|a|an|all|your|another|anything|to (change|switch|upgrade))
      (do not|not) see (the|any|a|why) (need|point|value|benefit|use|reason|i|we)
      (i am|we are) (fine|happy|good|okay) (as|with what|the way|how) (i|we|it|things)
      (would not|will not|never) use (it|that|this|all)
      my _ is fine
      (have no|no) use for
      not for (me|us)
      (already|) have (one|enough|everything)
      what would (i|we) (need|want|do with) (that|it|with that)
    `,
  },
  'objection.commitment': {
    by: 'customer',
    patterns: `
      (locked|tied|stuck|tied down) (in|into|for|to|down)
      (is|are) (a|too|such a|very|quite) long (time|contract|commitment)
      (do not|not) (want|like|wanna|sign|do) .. (long|long term|contract|contracts|commitment|subscription)
      (too|so|pretty) long a contract
      (can|could) (i|we) (cancel|get out) (any|at|whenever|early|it|if|before|after) ..
      (what|how) .. (if i|if we|to|can i) (want to|) cancel
      long (term|) (contract|commitment)
    `,
  },
  'objection.brush_off': {
    by: 'customer',
    patterns: `
      take (me|us|my number|our number) off (your|the|this)
      remove (me|us|my number) from
      (do not|never|stop|please stop|please do not) (ever|) (call|calling|contact|contacting|bother|bothering) (me|us|here|this)
      leave (me|us) alone
      just (send|email) me (something|some information|an email|a brochure|the information)
      (i have to|i have got to|gotta|i need to) (go|run|hang up) now
      where did you get (my|this) number
    `,
  },
};

/** A manager taking an objection up. */
export const ANSWER_CUES: Readonly<Record<string, Cue>> = {
  'answer.acknowledges': {
    by: 'manager',
    patterns: `
      i (completely|totally|fully|can|do|) (understand|hear you|get that|see|get it|appreciate)
      (that is|it is) (a|an) (fair|good|valid|great|reasonable|understandable) (question|point|concern)
      that makes (total|complete|perfect|) sense
      makes sense
      (fair enough|of course|absolutely|no problem|not a problem|i see|good point|great question|good question|no worries|sure)
      i would (feel|think|ask|say) the same
      (many|most|a lot|some) of our (customers|clients) (said|felt|thought|were|had|came|ask)
    `,
  },
  'answer.argues': {
    by: 'manager',
    patterns: `
      if you (pay|take|sign|order|choose|look|think|compare|go) ..
      (it|that|so it|so you|you) (comes|works out|pays|breaks|come) (down|to|out|for itself|off) ..
      (you|you will|you would|you can|you could|we can|we could|i can|i could|we have|we also) (save|get|cancel|connect|offer|give|spread|start|run|pay|split|upload|check|see|reduce|include|finance|match|add|try|keep|meet|do|move) ..
      (that is|it is|is|they are|are) (covered|included|insured|published|guaranteed|free|certified|regulated|backed) ..
      (the|most|many) (cheaper|others|other|people|customers|clients) ..
      (have|has) (been|) (in business|around|insured|paid|helped)
      (last|this) (year|month) (we|our|it) ..
      with (an|a) .. (warranty|guarantee|refund)
      money back
      free trial
      no contract
      (how about|would it help|what if|what about|how is) ..
      (compared|in comparison) (to|with)
      (less|cheaper|lower) than
      (a|the) (discount|better price)
      (so|only|just|that is) (#num|about #num) (more|dollars|euros|less|a|per)
      (first|next) #num months ..
      for free
      you keep your
      no obligation
      without (any|) obligation
    `,
  },
};

import type { Cue } from '../patterns.ts';

/** Plain words that buy or decline, see outcome.ts, and a manager's question whether to buy, which tells the roles. */
export const OUTCOME_CUES: Readonly<Record<string, Cue>> = {
  /** A yes that names what is bought. */
  'outcome.yes.explicit': {
    by: 'customer',
    patterns: `
      (put|reserve) (my|our) name (on|down for) ..
      (another|make it|make that) #num (#num|hundred|thousand|_|) please
      #num (#num|hundred|thousand|) please
      (i|we) will (have|take) (it|that|this|them|one|both|the _|#num|#num of them) (then|please)
      (i|we) will pay ..
      (same|that|the usual) (card|account|invoice address|address|payment) ..
      (do|book|order|renew|reserve) (that|it|them|that one) (then|please)
      book (me|us) in
      (we are|i am) (happy to|ready to|going to) (go ahead|sign|proceed|order|buy|take it|join)
      (send|email) (me|us|it|over) .. (contract|agreement|paperwork|forms) .. (sign|today|over|then)
      let us (sign|order|book|take|have|get) (it|that|one|the|them|this|#num) ..
      (you have|you) (convinced|sold|talked) (me|us)
      (i|we) will sign ..
      count (me|us) in
      (i|we) (would|will) like (it|that|one|both) then
      (i|we) will (take|order|buy|book) (it|that|one|the|two|three|both|them|this|#num)
      (i|we) will (go with|go for) (it|that|one|the|this|both|your)
      (i|we) would like to (order|buy|purchase|sign up) ..
      let us (go with|go for) (it|that|the|this|your|one)
      (sign|put|book) (me|us|her|him|them) (up|down|in)
      (please|yes|yes please|okay|then|you can|can you) (book|order|reserve) (it|that|one|me|us|the)
      (where|what) do (i|we) (sign|pay)
      you (have got|have|got) (yourself|) a (deal|customer)
      (it is|we have|then we have) a deal
      (i|we) (will|would) (sign|sign up) (it|that|today|now|up)
      (you can|can you|could you|please) (charge|use|put it on|put that on) my (card|account|credit card)
      go ahead and (book|order|set|sign|put|charge|schedule) ..
      consider it (done|sold)
      (then|okay|fine|good|all right) (then|) (i|we) will stay
      (i|we) will stay (with you|for that|on|then)
    `,
  },
  /** The manager asks for the order itself. */
  'outcome.asked_to_buy': {
    by: 'manager',
    patterns: `
      (shall|should|can|may|could) (i|we) (renew|reserve|book|order|put|sign|add|switch|upgrade|place|confirm|process|register|enter|take) (it|that|those|them|you|one|this|the|your|an|a|both|her|him) ..
      (do you want|would you like|are you happy|are you ready|happy|ready) (me|us|) (to|for us to|for me to) (go|order|book|renew|sign|proceed|take|put|confirm|add|switch|start|join) ..
      (shall|do) we (do it|do that|go ahead|say yes|make it|go for) ..
      (what|which) (card|name|address|email|account) (shall|should|do|would|is) (i|we|you|it) ..
      do we have a deal
      would you like (it|that|one|to (have|take|go)) ..
      (shall|should|can|may) (i|we) (set (that|it|this|you) up|sign you up|order|book (it|that|you|her|him)|put (it|that|you|her|him) (down|through|in)|go ahead|register|enroll) ..
      (shall|should|can|may) (i|we) (set up|open|create|activate) (your|the|an) (account|plan|policy|subscription|membership|contract)
      would you like (me|us|to) .. (go ahead|order|sign|buy|proceed|book)
      how would you like to pay
      which card would you ..
      (do|shall) we have a deal
      would you (stay|take it|sign|buy it|go for it)
      (when|where) would you like (it|them|that) delivered
      (shall|can|should) we (start|begin) (on|with|next|in|from|this) ..
      do you want (it|that|to order|to book|me to (book|order|set)) ..
    `,
  },
  'outcome.refused': {
    by: 'customer',
    patterns: `
      (so|well|then) (that is|it is) a no
      that is a no
      (it|that|this) (ship has|ship is|ship) sailed
      (i|we) (signed|went|have signed|have gone) (up|) with _
      (there is|there would be|so there is) (no|not much|really no|nothing) (point|reason|use) ..
      (nothing|not anything) (you|there is) (could|can|would) (do|offer|sell) ..
      (i|we|no i|no we) (would|) rather (you|) (did not|not|leave|stay|keep|wait) ..
      (not|nothing) (for us|for me|to visit|to discuss|to talk about|we need|i need)
      no need
      i am (joking|kidding|only joking|just joking|being sarcastic)
      (none|neither) (of them|of those|thanks|thank you|)
      (i|we) (did not|never) (ask|asked|order|ordered|want|wanted|agree|agreed) ..
      (no|nah|sorry) (i|we) (am|are|will|would|do|can) (good|fine|all set|not) ..
      (stay|stick|leave it|keep it) (as it is|with what (i|we) have|where (i am|we are)|how it is)
      (it|this|that) (is not|does not) (for|make sense|suit|work for) (me|us|any) ..
      (not|no) (today|this time|on this occasion) (thanks|thank you|) ..
      (i|we) (have got|have) to (say no|pass|decline) ..
      i (just|already|have|have just) said (no|i am not|we do not|i do not|my) ..
      (gave|given|awarded|giving) (the|our|this) (job|order|contract|work|business|project) to ..
      (have|just) (signed|bought|ordered|booked|chosen) (already|with|elsewhere|another) ..
      (is|it is) signed already
      (we have|i have|we|have) (chosen|picked|hired|decided on|decided for|went with|gone with) (someone|somebody|another|a different) ..
      (not|no longer) (in the market|interested) ..
      there is nothing to talk about
      out of the question
      (the|my|our) answer (is|stays|remains) no
      (i think|i guess|then|so|no) (we will|i will|we would|let us) (leave|drop|skip|pass|forget) (it|on|this|that) ..
      (we will|i will|let us|i would rather) leave (it|that) (there|at that)
      (i|we) (will not|would not|am not going to|are not going to|do not want to) (renew|extend|buy|order|sign|proceed|go ahead|switch|continue) ..
      (just|please|i want to|i would like to|we want to) cancel (it|that|this|the|my|our) ..
      forget (it|about it)
      (no|not a) deal
      (that is|it is) a no (from|for) ..
      (i|we) (would|must|have to|will have to) (decline|say no|turn it down|turn you down)
      (it is|this is|that is|really|is) not (for (me|us)|something (for|i|we)) ..
      (we|i) (went|decided to go|are going|am going|will be going|will go) with (another|someone|somebody|a different|the other|them|your competitor|_ _ instead|_ instead)
      not for (me|us)
      (i am|we are|am|are|) (really|just|honestly|simply|) not (really|at all|that|) interested
      (no|thanks|sorry) (i|we) (do not|will not) (want|need) ..
      (it is|that is|this is|it will be) a (pass|no go|non starter) ..
      (hard|definite|clear|firm) no
      (count|leave) (me|us) out
      (i|we) (really|) do not (really|) (want|need) (it|this|your|to (buy|switch|change|upgrade)|a|an|any)
      (i will|we will|i am going to|i would|i think i will) pass
      (i|we) (will|would) (rather|prefer to|) (stay|stick) (with|where) ..
      (we|i) (have|) decided (against|not to|to go with (another|someone|a different))
      we will go with _ thanks
      (i|we) (have|) changed (my|our) mind
      cancel (it|the order|my order|everything)
      (i|we) (can not|will not|am not going to) (buy|take it|take that|take this|sign|go ahead|switch)
      i said no
      (i|we) do not think so
    `,
  },
  'outcome.refused.final': {
    by: 'customer',
    patterns: `
      take (me|us|my number|our number) off (your|the|this)
      remove (me|us|my number) from
      (do not|never|stop|please stop|please do not) (ever|) (call|calling|contact|bother|contacting) (me|us|here|this)
      do not call (again|back|anymore)
      please stop
      leave (me|us) alone
      i am (hanging|going to hang) up
    `,
  },
  'outcome.refused.weak': {
    by: 'customer',
    patterns: `
      no (thank you|thanks)
      not (right now|at the moment|at this time|now|today)
      i do not need (that|it|any)
      we do not need (that|it|any)
      maybe (another|some other) time
    `,
  },
};

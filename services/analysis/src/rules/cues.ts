import { type Cue, Patterns } from './patterns.ts';

export const CUES: Readonly<Record<string, Cue>> = {
  // Plain words that buy or decline, see outcome.ts, and a manager's question whether to buy, which tells the roles.
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
      no brainer
      not (right now|at the moment|at this time|now|today)
      i do not need (that|it|any)
      we do not need (that|it|any)
      maybe (another|some other) time
    `,
  },

  // Signs of introductions, of other providers, of questions, and of how the customer feels.
  'check.introduced': {
    by: 'manager',
    patterns: `
      (this is|my name is) _
      (it is|i am) .. (from|calling from|here from|with)
      speaking
      you are speaking (with|to)
      calling (from|on behalf of)
      thank you for calling _
      thanks for calling _
    `,
  },
  /** Names beside it are those of another provider. */
  'supplier.named': {
    by: 'customer',
    patterns: `
      (signed|sign|signing|gone|stay|staying|stick|sticking) (up|) with (them|him|her|_) (in|last|for|already|until|now|because|thanks)
      (happy|very happy|pleased|satisfied|no complaints) with (them|him|her|our _|my _|the _ we)
      next door (paid|pays|got|gets) .. (#num|less|half|cheaper)
      (we|i) use _ (for that|already|at the moment|right now|and we|and i)
      they (have|have got|do|offer) the same for (less|half|#num)
      _ (has|have) (done|handled|looked after|taken care of|supplied|serviced|managed|cared for) (this|that|it|all|our|ours|everything) .. (for|since) ..
      (would not|do not|not) (want to|) (drop|let down|abandon|ditch|betray) (her|him|them|our|my|mr|mrs) ..
      (someone|somebody|people|a team|a department) (in house|inside|internally|on staff|of our own) ..
      (loyal|loyalty|faithful|committed) to (our|my|them|the|_) ..
      (never|no) (had|have|has) (a|any|) (problem|problems|complaint|complaints|issue|issues|trouble) with (them|him|her|our|_) ..
      (long|good|great) (relationship|partnership|history) with ..
      (online|on the internet|elsewhere|somewhere else|on amazon|around the corner|down the road|next door) .. (for (#num|less|half)|cheaper|seen|saw)
      (seen|saw|found) (them|it|these|those|the same) (online|elsewhere|on the internet|on amazon|somewhere else) ..
      (two|three|several|some|few|couple of) (other|more) (companies|firms|providers|suppliers|vendors|offers|quotes|people|bids)
      (waiting|wait) (for|on) (another|a second|two more|the other|some other|other) (offer|quote|bid|company|proposal) ..
      _ (offered|quoted|promised|offers|quotes|charges) (us|me) ..
      (gave|given|awarded|giving) (the|it|our|this) (job|order|contract|work|business|project) to ..
      (they|_) (were|was|are|is) (quite a bit|a lot|much|a bit|way|far|considerably|) cheaper
      (chose|chosen|picked|hired|went with|gone with|signed with) (someone|somebody|another|a different) (else|company|)
      (chosen|picked|went with|gone with|signed with) _
      (just|only just|recently|already) (introduced|bought|signed|got|installed|switched|implemented|started|ordered) .. (new|another|one|with|from)
      from (a|another) (local|other|different|cheaper) (vendor|supplier|provider|company|shop|dealer|store)
      (brother|sister|friend|friends|neighbor|neighbour|colleague|wife|others|cousin) (pays|pay|gets|get|uses) ..
      (get|pay|have) .. (elsewhere|somewhere else|at another|with another|from another)
      there is (a|another|this|some) (other|) (dealer|company|shop|store|guy|provider|supplier|place|firm|agency|garage|one) .. (who|that|which|in|with|has|offers|sells) ..
      (already|) (have|got|use|work with) (someone|somebody|a guy|a supplier|a provider|a vendor|another|a company|an agency|one already) ..
      they already (do|handle|take care of|back|manage|provide|include|cover|deliver) (it|that|this|all) ..
      (got|have|received) (a|an|another|two|three|several|some) (other|better|cheaper|lower|) (quote|quotes|offer|offers) ..
      (compare|comparing|look at|looking at|talking to|shop around|shopping around) (it|this|you|) (with|to|) (other|others|another|a few|two|three|some|different|around) ..
      (the|your) competition ..
      _ (does|do|can do|offers|has|have) it (for less|cheaper|for free|for #num)
      (we|i) already (work|deal|are|am|have (a|an|our)|use|go|get) .. (with|provider|supplier|vendor|guy|system|using) ..
      (we|i) (are|am) (already|currently) (with|using|working with) ..
      (happy|satisfied|fine|good|pleased) with (our|my|the (one|guy|company)|them|who) ..
      _ is (offering|giving|charging|selling) (us|me) ..
      (your|a|the) competitor (offers|offered|has|is|gave)
      (have|got) (an|a|another|other) (better|cheaper|) (offer|quote) from
      (contract|deal) with (them|_) (runs|ends|goes|is|until)
      (we|i) will (go|stay|stick) with _
      (another|other|different) (company|provider|supplier|vendor|shop|agency|insurer) (offers|offered|gave|quoted|has|is|told)
      (under|in|locked in|tied in) (a|another|our) contract with
    `,
  },
  'question.start': {
    patterns: `
      (what|how|when|where|who|why) (is|are|was|were|do|does|did|can|could|would|will|else|about|made|kind|type|sort|many|much|often|long|long|have|has|had|takes|exactly|brings|happened|size|color|colour|time|day|way|big|high|old|year|model|soon|would|makes|matters|should)
      (do|does|did|are|is|was|were|have|has|can|could|would|will|may|shall|should) (you|your|i|it|that|there|they|we|anyone|he|she|somebody|someone|this)
      which (one|of|way|day|kind|type|model|color|plan|size) ..
      (has|have|is|are) (anyone|anybody|there|everyone|all)
    `,
  },
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

let compiled: Patterns | undefined;

/** All patterns of all topics in one tree. Compiled at the first call, so that the service starts fast. */
export function patterns(): Patterns {
  compiled ??= new Patterns(CUES);
  return compiled;
}

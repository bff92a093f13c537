import type { Cue } from '../patterns.ts';

/** Signs of introductions, of other providers, of questions, and of how the customer feels. */
export const TALK_CUES: Readonly<Record<string, Cue>> = {
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

import type { Cue } from '../patterns.ts';

/** What a customer says against the offer itself. */
export const OFFER_OBJECTIONS = {
  'objection.price': {
    by: 'customer',
    patterns: `
      (has gone|it went|have gone|is going|have put|you put) (it|) up (by|again|every year|so much|#num|that much|since)
      (do not|can not) see why (i|we) (would|should|have to) (pay|stay|spend) ..
      (is|was|are) (way|far|just|a bit|simply|still|) too much (for (me|us|that|this|what)|money|last|right now)
      (#num|hundred|thousand|grand|percent) .. (more|higher) than (i|we|my|our|what) ..
      what (i|we) do not like is .. (percent|price|commission|fee|cost)
      (can not|could not) (stretch|go|get) (to|that|as) (that|this|high|far)
      (quite|such) a (jump|sum|whack|bill|hike)
      (money|cash) is (tight|short)
      (thought|hoped|expected|imagined) it (would|might) be (less|cheaper|lower|around|about|more like|nearer) ..
      (could|can) you (bring|get) (it|that|the price) down ..
      (that is|it is) (an awful lot|a hell of a lot|daylight robbery|a rip off|crazy money|silly money|a lot for)
      #num (quid|pounds|euros|dollars) .. for (a|an|some|just)
      (do not|does not) have that (sort|kind) of (money|cash|budget)
      (that is|it is|is|feels|seems|a bit|quite|rather|pretty|very|too|bit) (steep|dear|salty|hefty|stiff|punchy)
      (no|not much|not a lot of|little|hardly any) (room|space|money|cash) (for (that|this|it)|in (the|our|my) budget|left for) ..
      (adds up|comes|amounts) to (more|too much|a lot|quite) ..
      (more|higher|bigger) than (i|we) (can|could|may|am allowed to) (sign|approve|spend|justify) ..
      (can not|could not|not|hard to|difficult to|how do i|how should i) justify (that|the|this|it|spending|paying|such) ..
      (blow|blows|break|breaks|bust|busts|stretch|stretches|kill|kills|eat|eats) (the|our|my|up|into) (budget|bank|margin|whole) ..
      (other|another|your competitor|_) (is|are|was|were|comes|come) (in|out) (lower|cheaper|less)
      (i|we) (have|) (seen|saw|found|get|got|can get) (them|it|these|those|the same|that|one) (online|elsewhere|on the internet|for|there) .. (for|at|less|cheaper) (#num|less|half)
      (too|so) (rich|much) for (me|us|our|my) ..
      (where|what) .. (room|flexibility|movement) .. (price|number)
      (anything|something|what) .. (you can|can you|could you) do (about|on|with) (the|that|this) (price|number|figure|rate)
      (can|could|would) you (knock|shave) .. off
      (twice|double|three times|half) (what|of what|as much as) (i|we) ..
      (not|never) (spend|spending|pay|paying|put|putting|throw|throwing) (#num|that kind of|this kind of|that sort of|that many) ..
      (that is|it is|is) not (exactly cheap|a small amount|peanuts|little money)
      (is|was) (double|triple|twice) ..
      (sticker|price) shock
      (neighbor|neighbour|friend|brother|sister|colleague|cousin|parents) (only|just|) (paid|pays|got it for) #num
      (they|_) (were|was|are|is) (quite a bit|a lot|much|a bit|way|far|considerably|) (cheaper|less expensive)
      (a|quite a|a big|a huge|half) (chunk|part|bit|slice|lot) of (our|my|the|a) (budget|money|salary|income)
      (that is|it is|is) quite (a bit|a chunk|something|a lot|an investment)
      (more|higher) than (i|we) (wanted|had in mind|thought|can|could|was|were|would|am|are|planned|hoped|budgeted) ..
      (over|above|beyond) what (i|we) (had|wanted|can|could|planned|expected) ..
      (i|we) (was|were|had) (hoping|thinking|expecting|planning) .. (less|cheaper|lower|under|around #num)
      (cost|costs|costing|charge|charging) (too|so|way too) much
      (budget|money|cash) is (tight|limited|an issue|a problem)
      tight budget
      (something|anything|a bit|much|way|far|get it|find it|is) (cheaper|less expensive)
      (the|that|this|your) (price|cost|fee|rate) .. (too high|high|a problem|an issue|scares|puts me off|is more|bothers|is a lot)
      not worth (it|that|the|that much)
      (is that|what is) your best (price|offer)
      (any|a|some kind of|no) (discount|discounts|wiggle room)
      (double|twice|three times) (what|as much|the price)
      (do not|not) want to spend (that|so|this|more|_ _) ..
      (not|never) paying (that|so|this|more|double|for)
      (that is|it is|is) (steep|pricey|out of reach|quite a price|a big investment|a big sum|real money)
      hidden (fees|costs|charges)
      for that (price|money)
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
      (our|my) budget (does not|will not) ..
      (do not|does not) have (that|the) (kind of|) (money|budget)
      not have .. (money|budget)
      cheaper (elsewhere|somewhere else|one|option)
      (any|give me a) (discount|deal)
      (a better|better|lower) (discount|price|deal)
      (i|we) (have|) (saw|found|seen|got) (another|one|it|the same) .. (for (#num|less)|cheaper)
      more than (i|we) (pay|paid|expected|wanted|budgeted|was expecting)
      (match|beat) (their|that|the) (price|offer)
      (costs|is) (a fortune|too high)
      price is (too|a bit|quite|pretty|very) high
      (can|could) you do (better|anything) on the price
      come down (on the price|a bit)
    `,
  },
  'objection.competitor': {
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
      (brother|sister|friend|friends|neighbor|neighbour|colleague|wife|husband|others|mate|cousin) (pays|pay|gets|get|uses) ..
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
  'objection.trust': {
    by: 'customer',
    patterns: `
      (do not|can not|hard to|difficult to|struggle to) believe (that|it|you|a word) ..
      (nobody|no one) can (say|promise|guarantee|know) (that|it)
      (i am|i would be|am|am a bit|am just|a bit|a little|bit) (frightened|scared|afraid|nervous|anxious|uneasy) ..
      (my|the|our) (only|main|big|biggest|real|) (worry|concern|fear|doubt) (is|would be) (that|whether|if|the quality|you|it) ..
      what (worries|bothers|scares|concerns|frightens|puts) (me|us) ..
      (who|how) do i (know|complain|ring|call|turn) .. (you|it|if) ..
      (sounds|seems|looks) (too|almost too) (good|easy|cheap|perfect)
      (do not|not|never|hardly) (put|have|got) (much|a lot of|any|so much|great) (faith|trust|confidence) in ..
      (how|since when) (old|long|many) (is|have|has|are) (your|you) (firm|company|business|been|outfit|around|established) ..
      (could not|can not|did not|have not) (find|found|see) .. (reviews|review|references|anything about you|people|customers|anyone|much about) ..
      (the|my|our|that) (last|previous|former|other) (one|firm|company|guy|guys|people|supplier|provider|agency|builder|contractor|lot|time) .. (had|did|left|was|were|went|took|said|promised|ran|asleep|never|cost|vanished)
      (everyone|everybody|they all|you all|all of you|every salesman|every company|all salesmen|that is what) (says|say|said|claims|promise|promises|they all say|everyone says) ..
      (heard|hear) (that|it|this|that one|those|promises) (before|all before|many times|from)
      (believe|believed) (it|that) when i see it
      (sounds|seems|looks|smells) (fishy|dodgy|shady|odd|strange|vague|optimistic|unrealistic|like a scam|like a trick)
      (who|what) (guarantees|guarantee|says|tells|assures|protects) (me|us|that|it|you)
      (take|trust|believe) your word
      (is|are) there a (catch|trick)
      (a|some|my|our) (neighbor|neighbour|friend|colleague|cousin) .. (terrible|awful|trouble|problems|regrets|regretted|nightmare|scam|cheated|leaked|stuck)
      (i have|i am having|have|got) (my|some|serious|a few|real) (doubts|reservations|concerns|worries)
      not convinced ..
      (sceptical|skeptical|suspicious|wary) (about|of) ..
      (you are|your firm is|your company is|are you) (quite|very|so|rather|a) (new|small|young|start up|startup) ..
      (forgive|excuse) me if .. (careful|cautious|sceptical|skeptical|suspicious)
      (a bit|a little|rather|very|be|am) (careful|cautious|suspicious|wary)
      all (we|i) got was
      (got|were) (no results|no result|only promises)
      (too good|sounds too) ..
      prove (it|that)
      (heard|read|seen|know) .. (go wrong|goes wrong|went wrong|horror stories|bad things|complaints|problems with|negative|fake|break down|breaks down)
      nothing but (trouble|problems)
      (been|got|was|were) (burned|burnt|ripped off|cheated|scammed|let down|disappointed) ..
      (is|are) (it|that|this|they|these|you) (really|actually|even|) (safe|legit|legitimate|reliable)
      (sounds|seems|looks) (a bit|a little|very|kind of|) (risky|fishy|dodgy|suspicious|complicated)
      (how can|how could|how do|how would) (i|we) (be sure|trust|know|check|verify|believe) ..
      (worried|concerned|not convinced|doubt|sceptical|skeptical) (that|about|if|whether) (it|this|you|your|the|that|they|we|what) ..
      (where is|what is) the catch
      (last|previous) (company|provider|supplier|one|guy|agency) .. (never|did not|disappeared|left|failed|messed|was terrible)
      how do (i|we) know
      (is|sounds|it is) .. (a scam|too good to be true)
      what is the catch
      (never|have not|have never) heard of (you|your|this|it)
      (had|have had|heard of|heard) .. bad (experience|experiences|reviews|things)
      bad reviews
      do not (really|) trust ..
      (you hear|heard) (these|such|those|some|a lot of) (stories|things)
      (can|could) you prove
      (does|will) (it|that|this) (really|actually) work
      what if (it|that|this|the) .. (does not|breaks|fails)
      (i am|we are|am|are) (a bit|a little|quite|very|pretty|) (skeptical|sceptical|not (so|quite|really|) convinced|worried|concerned|nervous) ..
      still (around|there|be there) in #num years
      how did you get my number
    `,
  },
  'objection.need': {
    by: 'customer',
    patterns: `
      (have|have got|got) (#num|enough|plenty|several|lots) (of|) (those|them|these) (already|in|at|somewhere|lying|) ..
      (nothing|none) to (visit|clean|insure|fix|repair|show|sell|protect)
      (is|are|would be) (no|not much|little) point (in|to|for|then|really|)
      (have|got) one (already|at home|in the|of those)
      (not|nothing) (something|anything|that) (we|i) (need|want|use|would use|miss|have to)
      (happy|fine|okay|content|good) with what (i|we) (have|got)
      (nothing|never) .. (ever|been|has|) (happened|happens|gone missing|went missing|goes wrong|breaks|broke|stolen|been stolen|goes missing) ..
      (not|never) (losing|lose|lost) (any|) sleep over ..
      (do not|does not|not) (have|see|feel) (that|this|the|a|any|such a) (problem|issue|need|trouble|pain|gap) ..
      (we|i) (do not|never|hardly|rarely) (use|read|buy|watch|bother with) (print|ads|ad|advertising|newspapers|that|those|these|any of|it|much) ..
      (more|enough|plenty of|too many) (guests|customers|clients|orders|work|patients|students|space|stock|leads|than enough) (than|as it is|already|right now|for|at the moment) ..
      (enough|plenty) (of|) .. as it is
      (works|working|worked|runs|does|do|serves|served) (just|perfectly|) (fine|well|okay|good|us well|me well|the job|us fine|me fine) (without|as it is|the way|so far|already) ..
      (got|get|getting|gotten|manage|managed|cope|coped|do|doing|did|live|lived) (along|by|on|) (fine|well|okay|perfectly|just fine|all right|very well) (without|like|with|so far|up to) ..
      (do not|not) (really|) (fix|change|touch) (what|something that|it|a running) ..
      if it is not broken ..
      (is|it is|that is) (overkill|too big|too much|more than) (for (us|me)|than we need|we need|i need) ..
      what (is|would be) the point ..
      (not|nothing) (relevant|interesting|useful|necessary) (for|to) (us|me) ..
      (waste|wasted) on (me|us)
      (we|i) (have|are|am) (already|) (insured|protected|covered|stocked|supplied|equipped) ..
      (barely|hardly|rarely|never|do not really|not really|do not even|do not) (ever|) use (it|them|that|this|any|one) ..
      (nothing|not much|no data|not a lot) (left|) to (back|fix|change|improve|insure|clean|sell|do)
      (no longer|not any more|do not any more) (need|use|want|require|have) ..
      (i|we) (have|see) no (need|use|reason|interest|demand) ..
      (what|everything|the one|mine|ours) (i have|we have|i have got|we have got|) (works|is working|works just|does|is) (just|perfectly|still|) (fine|okay|good|well|the job|enough)
      (i am|we are) (all set|covered|sorted) ..
      (not|is not|nothing) (something|anything|what) (i|we|that|for|i would|we would) (need|want|are looking|me|us|use|am looking|interests) ..
      why (would|should|do) (i|we) (need|want|buy|change|switch|pay|bother) ..
      (do not|would not|not) (really|) (see|know) what (i|we) (would|could|should|need|do)
      not (really|) looking (for|to) ..
      (i am|we are|am|are) (really|just|honestly|simply|) not (really|at all|that|) interested
      not interested
      (i|we) (really|) (do not|would not|will not) (really|) need (it|this|that|any|one|a|an|all|your|another|anything|to (change|switch|upgrade))
      (do not|not) see (the|any|a) (need|point|value|benefit|use|reason)
      (i am|we are) (fine|happy|good|okay) (as|with what|the way|how) (i|we|it|things)
      (would not|will not|never) use (it|that|this|all)
      (have no|no) use for
      not for (me|us)
      already have (one|enough|everything)
      what would (i|we) (need|want|do with) (that|it|with that)
    `,
  },
} as const satisfies Record<string, Cue>;

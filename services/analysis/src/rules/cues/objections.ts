import type { ObjectionKind } from '../../call/catalogue.ts';
import type { Cue } from '../patterns.ts';

/** What a customer says against buying, by kind. */
export const OBJECTION_CUES: Readonly<Record<`objection.${ObjectionKind}`, Cue>> = {
  'objection.price': {
    by: 'customer',
    patterns: `
      (neighbor|neighbour|friend|brother|sister|colleague|cousin|parents) (only|just|) (paid|pays|got it for) #num
      (they|_) (were|was|are|is) (quite a bit|a lot|much|a bit|way|far|considerably|) (cheaper|less expensive)
      (asked|asking|charge|charged|charges|wants|wanted|offered) .. less
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
      (ouch|yikes|whoa) ..
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
      (any|give me a) (discount|deal)
      (a better|better|lower) (discount|price|deal)
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
      (nobody|no one) wants .. (change|another)
      out of the question
      not (for|in) the next #num #unit
      (can not|not) make it (at|on|that|then|before|until|this) ..
      clashes with
      (i am|we are|am|are) (away|travelling|traveling|on vacation|on holiday|out of town|abroad|swamped|short on time|flat out|fully booked)
      (not|not quite) ready (yet|to|for)
      (too early|not yet|bit early) ..
      (in the middle of) (a|an|the|another|our|moving|something|dinner)
      (this|next) (week|month|quarter|year) is (bad|full|difficult|crazy|not good|hectic|too early)
      (wait|hold off|hold on|postpone|put it off) (until|till|for now|to) ..
      (after|until|till) (christmas|summer|easter|the holidays|new year|the new year|our move|the move) ..
      (no|not enough) time (for|to|right now|at the moment|now)
      (try|call|ask|come back to) (me|us|) (again|) (next|in) (year|spring|summer|autumn|fall|winter|#month|a year)
      now is not
      not (a|the) priority
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
      (gave|given|awarded|giving) (the|it|our|this) (job|order|contract|work|business|project) to ..
      (they|_) (were|was|are|is) (quite a bit|a lot|much|a bit|way|far|considerably|) cheaper
      (chose|chosen|picked|hired|went with|gone with|signed with) (someone|somebody|another|a different|_) (else|company|)
      (just|only just|recently|already) (introduced|bought|signed|got|installed|switched|implemented|started|ordered) .. (new|another|one|with|from)
      from (a|another) (local|other|different|cheaper) (vendor|supplier|provider|company|shop|dealer|store)
      (brother|sister|friend|friends|neighbor|neighbour|colleague|wife|husband|others|mate|cousin) (pays|pay|gets|get|uses) ..
      (get|pay|have) .. (elsewhere|somewhere else|at another|with another|from another)
      there is (a|another|this|some) (other|) (dealer|company|shop|store|guy|provider|supplier|place|firm|agency|garage|one) .. (who|that|which|in|with|has|offers|sells) ..
      (moved|switched|changed|gone|went|moving|switching) (everything|it all|all of it|it|) (over|) to _
      (already|) (have|got|use|work with) (someone|somebody|a guy|a supplier|a provider|a vendor|another|a company|an agency|one already) ..
      they (already|) (do|handle|take care of|back|manage|provide|include|cover|deliver) (it|that|this|all) ..
      (have|has) been (with|using) _ (for|since) ..
      (we|i) use (_|_ _) for (that|this|it)
      (got|have|received) (a|an|another|two|three|several|some) (other|better|cheaper|lower|) (quote|quotes|offer|offers) ..
      (compare|comparing|look at|looking at|talking to|shop around|shopping around) (it|this|you|) (with|to|) (other|others|another|a few|two|three|some|different|around) ..
      (the|your) competition ..
      _ (does|do|can do|offers|has|have) it (for less|cheaper|for free|for #num)
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
      (my|our) (sister|brother|wife|husband|partner|co founder|cofounder|father|mother|boss|colleague) and (i|me) ..
      (not|not going to|will not) decide .. (on my own|alone|by myself|without)
      (decide|do|sign|agree to|approve|order|buy) (that|this|it|anything|) (without|before) .. (my|our|the|asking|talking|speaking) ..
      (run|take|bring|put) (it|this|that) (by|past|to|before|up with) (my|our|the|him|her|them)
      (not|is not) (really|) up to me
      (has|have|got) the (final|last) (say|word)
      (someone|somebody) else (decides|makes|handles|is responsible)
      (head office|headquarters|the board|procurement|purchasing|legal|finance|management|corporate) (has|have|decides|needs|must|would|will|approves|handles) ..
      above my pay
      need (my|the|his|her|their) (okay|approval|signature|sign off|blessing|permission)
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
      (forgive|excuse) me if .. (careful|cautious|sceptical|skeptical|suspicious)
      (a bit|a little|rather|very|be|am) (careful|cautious|suspicious|wary)
      all (we|i) got was
      (we|i) (had|tried|hired|used) (a|an|one|another) .. (before|years ago|last year|once) .. (and|but) ..
      (got|was|were) (nothing|no results|no result|only promises|disappointed)
      (too good|sounds too) ..
      prove (it|that)
      (heard|read|seen|know) .. (go wrong|goes wrong|went wrong|horror stories|bad things|complaints|problems with|negative|fake|break down|breaks down)
      nothing but (trouble|problems)
      (been|got|was|were) (burned|burnt|ripped off|cheated|scammed|let down|disappointed) ..
      (is|are) (it|that|this|they|these|you) (really|actually|even|) (safe|legit|legitimate|reliable|serious|real|certified|insured)
      (sounds|seems|looks) (a bit|a little|very|kind of|) (risky|fishy|dodgy|suspicious|complicated)
      (how can|how could|how do|how would) (i|we) (be sure|trust|know|check|verify|believe) ..
      what happens (if|when) ..
      (do you have|are there|can i see|can you give me|can i get) (any|some|) (references|reviews|proof|examples|testimonials|case studies)
      (worried|concerned|afraid|scared|nervous|anxious|not sure|not convinced|doubt|sceptical|skeptical|hesitant) (that|about|if|whether|of|it|this|by)
      (where is|what is) the catch
      (last|previous) (company|provider|supplier|one|guy|agency) .. (never|did not|disappeared|left|failed|messed|was terrible)
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
      (barely|hardly|rarely|never|do not really|not really|do not even|do not) (ever|) use (it|them|that|this|any|one) ..
      (nothing|not much|no data|not a lot) (left|) to (back|fix|change|improve|insure|clean|sell|do)
      (no longer|not any more|do not any more) (need|use|want|require|have) ..
      (i|we) (have|see) no (need|use|reason|interest|demand) ..
      (what|everything|it|the one|mine|ours) (i have|we have|i have got|we have got|) (works|is working|works just|does|is) (just|perfectly|still|) (fine|okay|good|well|the job|enough)
      (i am|we are) (all set|covered|good|fine|sorted|good thanks|happy as) ..
      (not|is not|nothing) (something|anything|what) (i|we|that|for|i would|we would) (need|want|are looking|me|us|use|am looking|interests) ..
      why (would|should|do) (i|we) (need|want|buy|change|switch|pay|bother) ..
      (do not|would not|not) (really|) (see|know) what (i|we) (would|could|should|need|do)
      not (really|) looking (for|to) ..
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
      (sign|sign up for|commit to) (anything|something|a contract|that) (for|over) (#num|so|that|a) ..
      (for|over) (#num) years (is|feels|sounds|seems) ..
      (stay|remain|be|keep) flexible
      (minimum|fixed) (term|contract|period)
      (#num|few) (years|months) is (a|too|very|quite|so|pretty) ..
      (not|do not|without) .. (commit|committing|sign up for|be bound|bind myself|tie myself) ..
      (cancel|stop|quit|leave|get out) (any time|anytime|whenever|at any time|early|monthly|every month)
      (month to month|monthly contract|no contract)
      (notice period|cancellation period|cancellation fee)
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
      (i have|i have got|got|have) no time for (this|that|you|sales)
      (put|send) (it|something|that|everything) in (an email|the mail|writing)
      (i am|am) (hanging|going to hang) up
      stop (bothering|harassing|pestering) ..
      not (a|the) good time (goodbye|bye|sorry)
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
      (i|we) (completely|totally|fully|can|do|absolutely|perfectly|) (understand|hear|appreciate|respect|agree|know) (that|you|your|how|what|why|where|it|completely|) ..
      (that is|it is|this is) (perfectly|absolutely|totally|completely|quite|really|very|) (fine|fair|understandable|true|important|okay|normal|right|reasonable|common|natural)
      (fair|good|great|valid|excellent|interesting) (point|question|concern|enough)
      (sorry|i am sorry) (to hear|about) ..
      (no worries|not a problem|that is not a problem|no rush|no pressure|take your time)
      (i|we) (get|hear) that (a lot|often|quite a bit|all the time)
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
      (has|have) (placed|done|sold|installed|served|worked|delivered|treated|built|made) (more|over|about|around|thousands|hundreds|#num) ..
      (we|i) (replace|repair|refund|guarantee|return|fix|take) (it|them|that|your|back) ..
      (you|you can|you could) (spread|split|pay|finance) (it|them|that|in|over|the) ..
      (we|i) have (a|an|another|also|still) (second|different|smaller|cheaper|other|later|earlier|free|group|version|slot|option|plan) ..
      (one thing|what) (i would|i can|i could|we can|we could) (mention|add|offer|say|suggest|do) ..
      (it|that|this) (costs|takes|means|includes|comes|is) (nothing|only|just|no|less|you nothing) ..
      may i (suggest|offer|propose|ask|explain)
      (let me|i will|i can) (show|explain|send|give|check|ask|find|see|put|make|arrange|offer|waive|reduce|lower) ..
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

import type { Cue } from '../patterns.ts';

/** What somebody says who sells, buys or helps with something bought. It tells the roles apart. */
export const KIND_CUES: Readonly<Record<string, Cue>> = {
  'kind.sells.purpose': {
    patterns: `
      (wrote|written|sent|emailed|messaged) (to|) (us|me) .. (about|asking|for|regarding)
      (left|leave|filled in|filled out) (us|your|the|a) (details|number|form|enquiry|inquiry|request) ..
      (asked us|asked me|wanted us|wanted me) to (call|ring|phone|get in touch)
      (calling|call|ringing|ring) (about|regarding|because of) (your|the) (quote|offer|proposal|renewal|contract|enquiry|inquiry|trial|demo|policy|plan|_ (you|i|we))
      about your (contract|renewal|plan|policy|subscription|licence|membership|lease)
      (the|my) reason (for|i am|why) (my|this|the|calling|i call) ..
      (we|i) (spoke|met|talked|were in touch|emailed) (at|in|last|before|about|on) ..
      (how did you like|have you had a chance|did you have a chance|had a moment) ..
      (see|check|wondering|ask) (if|whether) you (would be|are|might be|were|still) (interested|looking|thinking) ..
      you (have been|were) (selected|chosen|recommended) ..
      (sharing|share) my screen
      (who|what|which) (does|do|are|is|have) (you|yours|your) .. (use|using|have|got|do|at the moment|right now|now|currently|with)
      calling (from|on behalf of)
      thank you for (your interest|coming by|considering)
      (calling|call|talk|talk to you|speak to you|ring) (about|regarding|with) (our|a special|an offer|a fantastic|a great|the quote|the offer|the proposal)
      it is about our
      introduce (our|you to)
      (up|due) for renewal
      your (_|_ _) (is|are|comes) up for renewal
      your (contract|licence|license|plan|policy|subscription|lease) (ends|runs out|is up|expires|will end) ..
      you (filled in|filled out|requested|downloaded|asked for|asked about|enquired about|inquired about|wanted) (our|a|an|the|some) ..
      your (email|request|inquiry|enquiry|message) .. (asking|about) (our|a|an|the)
      (follow up|following up) on (our|the|my|your) (quote|offer|proposal|demo|trial)
      you (sent|left|made|filled) .. (enquiry|inquiry|request|form|message about)
    `,
  },
  'kind.sells.offer': {
    patterns: `
      (i|we) (can|could|would) (do|bring|put|make|get|give|knock|throw|include|let) (you|them|it|that|in|one|#num|the|a|an|off) ..
      i would (recommend|suggest) ..
      we (do|make|sell|put|clean|fit|supply|deliver|build|print|run|rent|lease|install|cover|help|train) _ .. (for|in|to|at|around|of|with|that|like|and)
      (have|got) (#num|a few|some|several) (places|spaces|seats|slots|rooms|units|in stock) ..
      (it|that|this|they) (comes|come) with ..
      (our|the) (_|_ _) (package|plan|membership|model|version|range|service|course|policy|system) (is|are|includes|covers|comes|has|would)
      #num (year|years|month|months) (warranty|guarantee)
      (warranty|guarantee) (on|of|for) ..
      (you|we) (would|will) be covered ..
      (best|great|good) value
      (joining|setup|set up|delivery|installation) (fee|charge|cost)
      (i|we) (can|could) offer you
      (i am|we are) offering
      (we|i) (offer|sell|do|have) (a|an|the|two|three) .. (plan|package|lease|contract|membership|course|policy|model|service|version)
      (our|the|a) (basic|standard|premium|business|pro|family|yearly|annual|monthly|_) (plan|package|membership|subscription|licence|license|lease|policy|tariff)
      (special|fantastic|great|good|better|new|best|our) offer
      such a good deal
      (free|two week|thirty day) trial
      #num percent (off|discount|less)
      cancel (any time|at any time|every month|whenever)
      #num (year|month|day) (warranty|guarantee)
      (delivery|installation|servicing|support) (is|included|are) (free|included)
      our (_|_ _|_ _ _) (costs|cost|starts at|stays|saves|lasts|is only|gives|give|sends|runs|books|records|shows)
      (with|in) our (_|_ _) you (can|get|would|will|save|keep|could)
      (you will|you would|you can|you) save (you|about|around|up to|#num|a lot|half|the)
      (saves|save) (you|most|our) ..
      we (replace|install|deliver|build|supply) .. (for you|your|all)
      on special
      my .. (package|plan)
      in part exchange
      without interest
      interest free
      one of our (most popular|best)
      the full (treatment|package|service) ..
    `,
  },
  'kind.sells.price': {
    patterns: `
      #num (per|a|an|each) _
      #num each
      (only|just|for|at|is|be|to|around|about) #num #num (a|per|each|with|plus|including|all|for) ..
      #num (hundred|thousand) .. (a (month|year|day|week|person|head)|with the|without|plus|more|off|for the)
      #num .. (a|per|each) (month|year|user|person|head|lesson|class|night|week|seat|licence|license|piece|flight|day|visit|square|hour|unit|term|player|mile|page)
      #num #num .. (each|plus tax|plus vat|all in|including)
      (costs|cost|price is|comes to|starts at|start at|would be|we charge) (about|around|only|just|you|roughly|) #num
      (is|be|for|at|from|do it for) #num (hundred|thousand|#num|) (#money|and #num|a _|per _)
      #num (hundred|thousand) (all in|each|including|plus)
      (a|one) _ (is|costs) #num
      #num #money
      (that is|it is|it would be|that would be) #num (hundred|thousand|grand)
      (package|model|version|one|flat|house|car) is #num
      for #num (hundred|thousand)
    `,
  },
  'kind.sells.close': {
    patterns: `
      (shall|should|can|could|may) (i|we) (book|reserve|renew|put|sign|send|order|hold|get|bring|come|pop|set|draw|start|do|ring|call|give you) (it|that|those|them|you|one|this|the|a|an|your|in|over|round) ..
      (put|book|sign) you (down|in|up) ..
      hold (the|that|a|your|it) (date|place|room|price|slot|one|table|for) ..
      (a|the) deposit
      (when|which day|what day|what time) (would|could|can|does|suits) .. (you|suit|best|come|pick|start)
      what would (have to|need to|it take) ..
      (see|show you) (it|them|one) (in|cut|run|work) ..
      trade (it|that|one|) in
      (may|can|could) i have your (email|address|card|postcode|name|number)
      (shall|should|can|may|could) (i|we) (go ahead|set that up|set it up|sign|book you|put you down|order|show you|get you|send you (a|an|the|our) (sample|offer|quote|proposal|brochure|contract))
      would you like (me|us|to) .. (order|go ahead|sign|try|add|upgrade|buy|proceed|join)
      (may|can|could) (i|we) send you .. (sample|offer|quote|proposal|brochure)
      (a|the|free|our) demo
      (quote|quotation|proposal|estimate) (for|on|to|by|over|today)
      (send|sent|mail|email) (you|me|us) (a|an|the|our|your) (offer|quote|quotation|proposal|contract|brochure|price list)
      (viewing|test drive|site survey)
      how would you like to pay
      which card
      set you up with ..
      (a|the|free|your) consultation
      would you like to (see|view|try) it
      (come|come by|stop by|drop by) .. (my|our) (studio|shop|showroom|store|club)
      (made|make) up your mind
    `,
  },
  'kind.buys.wants': {
    patterns: `
      (calling|call|ring|ringing|enquiring|asking|phoning) about (the|a|an|your|one of) .. (on|in|from|for|at|website|advertised|you)
      do you (still|) (have|do|sell|rent|hire|stock|make|offer) ..
      (somebody|someone|a friend|a colleague|my _|they) (gave|told|recommended) (me|us) (your|about you|you) ..
      (wanted to|want to|like to|would like to) (know|ask|find out) (what|how much|about the|if you) ..
      (i|we) (need|want|would like) (a|an|some|#num|another) ..
      (another|a further) #num ..
      we have run out of ..
      (you|they) (sent|gave) (me|us) (a|an|the|your|#num|some) (brochure|brochures|quote|offer|catalogue|price|sample|link) ..
      (looking|shopping|searching) (for|around|at) ..
      (am|are|be|is) interested in
      (need|want|would like|like|like to order|like to buy|want to buy|like to book) (a|an|some|#num|new|the|to order|to buy|to book a) (new|_|_ _) .. (from|for|in|to|that|with)
      (i|we) (would like|want|need) to (order|buy|purchase|rent|lease)
      do you (sell|offer)
      thinking (of|about) (buying|getting|joining|switching|selling|renting|changing)
      i saw (your|the) (ad|advert|website|offer|flyer|listing|car|house|apartment|flat)
      (get|have|want|give me) a (quote|price|demo|brochure)
      (calling|asking|call) about the .. (you have|on your|in your|for sale)
      need (somebody|someone) ..
      is it still (there|available|for sale)
    `,
  },
  'kind.buys.price': {
    patterns: `
      what (it|that|they) (costs|cost)
      (is|are|was) (that|it|this) .. (including|with|plus) (vat|tax|delivery|everything|the)
      (the|your) price
      (gone|went|going|put) up (by|to|from|again)
      that is less than ..
      how much (is|are|does|do|would|for|will) ..
      what (does|do|would|will) (it|that|this|they|you|one|something like that) (cost|charge|run)
      what (is|are|would) (the|your) (price|prices|rate|rates|cost|fee)
      (too|very|quite|a bit|pretty|way too|rather|so) (expensive|pricey|steep|dear)
      (quite a|a|an awful) lot (for|of money)
      (any|a|no) discount
      (cheaper|less expensive) ..
      (adds up|can not afford|over (our|my|the) budget|out of (our|my) budget)
      more than (i|we) (wanted|had|can|could|expected|pay) ..
      (above|over) what (i|we) had in mind
      a chunk of (our|my|the) budget
      quite a bit cheaper
    `,
  },
  'kind.buys.decides': {
    patterns: `
      (so|then|so that is|is|would) (that|it) (a|the) no
      (put|reserve) (my|our) name (on|down) ..
      (leave|rather leave) it (for now|at that|there)
      (yes please|yes) (do|go|book|send|that) ..
      (signed|signing) (up|) with _
      (no|not|do not) (need|interest|interested|want) (for|in|it|any|a|one|your|that|this|to)
      that is (the one|it then|the answer) ..
      (sounds|that sounds|looks) (good|great|alright|all right|better|interesting)
      (think|sleep) (about|on|over) (it|that|this)
      not interested
      (talk|speak|run|ask|check|discuss) .. (my|our) (wife|husband|boss|partner|manager|board|team|director|cfo|ceo|accountant)
      (i|we) will (take|go with|go for) (it|that|the|this|both|two|them|one)
      (let us|we can) (do it|do that|go for it|go ahead|go with)
      (sign|book|put) me (up|in|down)
      go for it
      (do not|would not|will not) (need|want|renew|buy) (a|an|any|your|it|to buy|to change|to switch|to commit)
      (already|) (have|use|work|am|are) (with|a contract with|somebody|someone|a supplier|a provider)
      (they|_) (have|do|has|does) (it|the same) (for less|cheaper)
      (we are|i am) (happy|fine|good|covered) (with|as) ..
      (is|are) (signed|closed|a deal)
      (two|three|other|another) (quotes|offers|bids|quote|offer)
      (then i will|i will) stay
      (can not|could not) (decide|sign) ..
      (gave|given) (the|it) (job|order|to) ..
      please (book|order) it
    `,
  },
  'kind.service.desk': {
    patterns: `
      (through to|this is|you are through to) (_|_ _) (support|service|services|care|helpdesk|complaints|claims)
      customer care
      (customer|technical|tech) (care|service|services|support)
      (service|help|support) desk
      (_|_ _) support (_|_ _) (here|speaking)
      (hotel|front desk|dental practice|surgery|clinic|library|city hall|town hall)
      reception
      is there anything else (i|we) can (help|do) ..
    `,
  },
};

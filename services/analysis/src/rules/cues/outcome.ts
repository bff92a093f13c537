import type { Cue } from '../patterns.ts';

/** How the sale ended. Later evidence outweighs earlier, see outcome.ts. */
export const OUTCOME_CUES: Readonly<Record<string, Cue>> = {
  'outcome.sold.customer': {
    by: 'customer',
    patterns: `
      (i will|we will|i would|i am going to|then i) stay (with|then|on|for|a customer)
      (i will|we will|then i will|i am going to) stay
      (fine|okay|all right|good|great) (then|) (i will|we will) (take|do|stay|sign|have|go|try) ..
      (let us|we will|i will) go for (that|it|the|this|a|one)
      (please|yes please|yes|okay|sure|then|all right|perfect|great|fine|you can|just) (put|sign|book|register|enroll|reserve|order|pencil|count) (me|us|her|him|them|it|that|one) (down|up|in|) ..
      (i will|we will|i would like to) (have|get|order|book|buy|take|try|go for|sign|reserve|do) (it|that|one|the|two|this|both|them)
      (where|what) do (i|we) (sign|pay)
      (i am|you have|you) (sold|convinced me)
      (go for it|go ahead and (book|order|send|set|sign|put|charge|schedule))
      (let us|we can) (get|make|have|book|sign) (it|that|this|the deal|one) (done|official|going|up|in|ordered|)
      (that works|that is fine|perfect|sounds good|great|okay) (i will|we will|let us|i would|book|order|sign) (take|do|go|have|it|me|us|book|get) ..
      consider it (done|sold)
      (you have|you got) yourself a (deal|customer)
      (it is|that is|okay|all right) a deal
      (ready|happy) to (order|sign|buy|go ahead|proceed|start)
      (charge|use|put it on) my (card|account|credit card)
      (can|could) you (charge|put) (it|that) (to|on) my ..
      (i|we) will take (it|that|the|this|one|two|three|both|them|#num)
      (i|we) would like to (order|buy|purchase|sign up|go ahead|proceed|go with|take) ..
      (let us|we will|i will|i would|we would like to|i would like to|okay|yes) go (with|for) (it|that|the|this|your)
      (we will|i will|let us|i am going to|we are going to) go ahead
      let us (do (it|that|this)|get (it|this) (done|started)|sign|start|book (it|that)|proceed|make it happen)
      (yes|okay|sure|please|great|yes please) (sign me up|sign us up|book it|book me in|put me down|order it|set it up|do it|go ahead and)
      sign (me|us) up
      book (me|us|it) in
      (okay|great|good|then|deal|yes|well|right) (i am|we are) in
      you (have got|have) (yourself|) a deal
      (it is|we have) a deal
      you can (charge|take|use) (my|the) card
      (my|the) card (number|) is
      (i|we) (just|) (paid|signed)
      (i|we) (will|would) sign
      send (me|us|over) the contract
      i will pay (by|with|the|for|now)
      by card (please|)
      count (me|us) in
    `,
  },
  'outcome.sold.confirmed': {
    by: 'manager',
    weight: 2,
    patterns: `
      (i have|we have|i) (switched|moved|upgraded|changed|transferred|extended|renewed|added|applied) (you|your|it|that|the) ..
      (it is|that is|it will be|everything is|you are|is) active (from|as of|tomorrow|today|now|on|in|immediately)
      (_|_ _) is (registered|enrolled|enlisted|ordered|reserved for you|booked for you|on its way)
      (i have|we have|i) (registered|enrolled|signed|reserved|booked|charged|ordered) (you|him|her|them|your _|it|the _|lena|one) (for|in|up|on|) ..
      (i will|we will|you will) (mail|email|send|get|receive|find) (you|) (the|your|a|an) (contract|invoice|order confirmation|receipt|confirmation of your order|welcome|policy|documents|agreement) ..
      (order|reference|booking|confirmation|policy|contract) number (is|for) ..
      (happy|glad|delighted|pleased) to have you (on board|with us|as a (customer|client|member))
      (the|your) (card|payment) (has|was|went|is) ..  (charged|through|gone|accepted|approved)
      (ships|will ship|shipped|will be shipped|will be delivered|we deliver|will be installed) (on|tomorrow|today|next|within|by|in|this) ..
      your order (is|has been|was|) (confirmed|placed|complete|through|in)
      (i have|we have|i) (placed|processed|completed|entered|put through|put in|taken) (your|the|an) order
      your payment (has|went|is|was) (been|gone|come|) (through|processed|received|accepted)
      payment (has|) (come|gone|went) through
      welcome (aboard|on board|to the family)
      welcome to _
      (i have|we have|i) (created|activated|opened|set up|upgraded) (your|the) (account|subscription|membership|plan|policy|line|contract)
      (i have|) added (it|that|this|the _ _) to your (contract|account|order|bill|plan|subscription)
      you are (booked in|all booked|booked|all set|signed up|enrolled)
      (congratulations on|enjoy) your (new|_)
      thank you for your (order|purchase|business)
      thanks for your (order|purchase|business)
      your (policy|membership|subscription|plan|account|cover|coverage|contract) (is|will be|starts|is now|begins) (now|) (active|activated|live|set up|in place|effective|from|today|on|tomorrow)
      (i|we) (have|will) (got|get) (you|that|it) (signed up|set up|ordered)
      the contract is signed
    `,
  },
  'outcome.refused': {
    by: 'customer',
    patterns: `
      (gave|given|give|awarded|giving) (the|it|our|this) (job|order|contract|work|business|project|to) ..
      (already|just|have) (signed|bought|ordered|booked|decided|chosen|gone) (already|with|elsewhere|one|it|something|another|somewhere) ..
      (is|it is|we have) signed already
      (chose|chosen|picked|found|hired|decided on|decided for) (someone|somebody|another|a different|something) (else|one|company|provider|supplier|)
      (not|no longer) (in the market|looking|interested|thinking of|planning) ..
      (nothing|no need) to talk about
      i am going to hang up
      out of the question
      (the|my|our) answer (is|stays|remains) no
      (i think|i guess|then|so|no|okay|thanks) (we will|i will|we would|let us|i would) (leave|drop|skip|pass|forget|stop) (it|on|that|this|there|here|for) ..
      (we will|i will|let us|i would rather) leave (it|that) (there|at that|for now|)
      (will not|would not|not going to|do not want to) (renew|extend|buy|order|continue|sign|proceed|go ahead|change|switch|book|take (it|that|this|one|part)|be (buying|ordering|going|needing|renewing)) ..
      (just|please|i want to|i would like to|we want to|we would like to) cancel (it|that|this|the|my|our|please|everything) ..
      forget (it|about it)
      (look|go|try|buy|get it|find) (elsewhere|somewhere else)
      (i do not|i really do not) like (this|that|it|the way)
      (no|not a) deal
      (that is|it is) a no (from|for) ..
      (i|we) (would|must|have to|will have to|am going to have to|need to) (decline|say no|refuse|cancel|turn it down|turn you down)
      (not|nothing) for (me|us)
      (not|never) (worth|going to) (it for me|do this|do it|do that|pay)
      (we|i) (went|gone|decided to go|are going|am going|will be going|will go) with (another|someone|somebody|a different|the other|them|your competitor|_ _ instead|_ instead)
      it is not (what|something|for|going) ..
      (i|we) (am|are) (good|fine|all set|okay) (thanks|thank you|as|for now|with what)
      (i am|we are|am|are|) (really|just|honestly|simply|) not (really|at all|that|) interested
      not for (me|us)
      (no|thanks|sorry) (i|we) (do not|will not) (want|need|think) ..
      (it is|that is|this is|it will be) a (pass|no go|non starter) ..
      (hard|easy|definite|clear|firm) (no|pass)
      (money|cash) down the drain
      (a|complete|total) waste of (money|time)
      (count|leave) (me|us) out
      (i|we) (really|) do not (really|) (want|need) (it|this|that|any|your|one|a|to (buy|switch|change|upgrade))
      (i will|we will|i am going to|i would|i think i will) pass
      (i|we) (will|would) (rather|prefer to|) (stay|stick) (with|where)
      (we|i) (have|) decided (against|not to|to go with (another|someone|a different))
      (i|we) do not think so
      we will go with _ thanks
      (i am|we are) (happy|fine|good|satisfied) (with|where) (what|my|our|the|things)
      (no|) (thank you|thanks) (but|) no (thank you|thanks)
      it is a no
      the answer is no
      (not|never) going to (buy|happen|work out|switch|change)
      (i|we) (have|) changed (my|our) mind
      (please|) cancel (it|the order|my order|everything|that)
      (i|we) (can not|will not|am not going to) (buy|take it|afford (it|that|this)|do (it|that|this)|sign|go ahead|switch)
      (we|i) (have|) (already|just) (bought|signed|went|gone|chosen) .. (another|someone|elsewhere|competitor|different)
      (i|we) (do|would) not (want|like) to (proceed|continue|go ahead|talk|change|switch|do)
    `,
  },
  'outcome.refused.final': {
    by: 'customer',
    weight: 2,
    patterns: `
      take (me|us|my number|our number) off (your|the|this)
      remove (me|us|my number) from
      (do not|never|stop|please stop|please do not) (ever|) (call|calling|contact|bother|contacting) (me|us|here|this)
      do not call (again|back|anymore)
      leave (me|us) alone
      i am (hanging|going to hang) up
    `,
  },
  'outcome.refused.weak': {
    by: 'customer',
    weight: 0.5,
    patterns: `
      no (thank you|thanks)
      not (right now|at the moment|at this time|now|today)
      i do not need (that|it|any)
      we do not need (that|it|any)
      maybe (another|some other) time
    `,
  },
  'outcome.later.customer': {
    by: 'customer',
    patterns: `
      (i will|we will|let me|i would|i need to|i want to|i have to) (sleep on|check|look into|look at|read|review|compare|consider|mull|discuss|go through|run) ..
      (i|we) (will|would) (call|ring|email|write|contact|text|reach) (you|back) ..
      (i need|give me|i would need|i want) (some|a little|a bit of|a|more|a few) (time|day|days|week|weeks) ..
      (can|could|would|will) you (call|ring|email|send|text|come|write|try|contact) ..
      (send|email|text) (it|that|them|me|us|over) ..
      (maybe|perhaps|possibly) .. (next|after|later|in a)
      (think|sleep) (about|on|over) (it|this|that|_ offer)
      (i|we) (will|would|have to|need to|want to|would have to|must|should|got to|have got to|am going to) (think|talk|speak|discuss|ask|check|run|look|compare|see) ..
      (talk|speak|discuss) .. (with|to) my
      (call|ring|phone) me (back|again|later|next|tomorrow|on|in|after|#day|then)
      (call|get) (back to|) (me|us) (back|again|later|next|in) ..
      (send|email|text|mail) (me|us|it|over|) .. (information|info|details|offer|quote|proposal|brochure|invite|invitation|link|email|something|contract|over)
      (i|we) will (get back|call you|let you know|be in touch|reach out|come back)
      get back to you
      let you know
      (next|in a) (week|month|few) (would|is|works|should|days|weeks)
      (could|can) (i|we) (see|come|visit|look|try|view)
    `,
  },
  'outcome.later.manager': {
    by: 'manager',
    patterns: `
      (i have|i will|we have|let me|then i) (reserved|reserve|blocked|block|noted|note|pencilled|penciled) .. (for|your|you|#day)
      (for|to|your|a|the|free) (consultation|viewing|demo|trial|test drive|tour|survey|site visit|inspection) (with|on|at|is|for|costs|then)
      (see|look forward to seeing|meet) you (on|then|at|next|tomorrow|#day|in)
      i will (call|ring|phone) you (back|again|on|next|tomorrow|in|then|#day)
      i will (give you a call|follow up|check in|get back to you|be in touch|reach out|touch base)
      (i have|i will|let me|we have) (booked|put|scheduled|set|arranged|pencil|schedule|set up|put you|book) .. (demo|viewing|meeting|call|consultation|survey|visit|inspection|trial|appointment|tour|presentation|test drive)
      invitation (for|to) the (demo|meeting|call)
      (the|our|your) (demo|viewing|meeting|consultation|survey|visit|inspection|trial|tour|test drive) (is|will be|on|for|with|starts|at)
      (booked|confirmed|down) (for|) (the|a|your) (demo|viewing|meeting|consultation|survey|visit|trial|tour|test drive)
      talk to you (then|soon|on|next|tomorrow|#day)
      speak to you (then|soon|on|next|tomorrow|#day)
    `,
  },
  /** Said before "no thanks", it makes that no refusal. */
  'outcome.anything_else': { by: 'manager', patterns: 'anything else\nany (other|more) questions\nany questions' },
};

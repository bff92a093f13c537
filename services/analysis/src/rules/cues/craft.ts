import type { Cue } from '../patterns.ts';

/** The words that prove the checks of the rubric (call/rubric.ts). */
export const CRAFT_CUES: Readonly<Record<string, Cue>> = {
  'check.greeted': {
    by: 'manager',
    patterns: `
      (hello|hi|hey|good morning|good afternoon|good evening|good day)
      (thank you|thanks) for calling
      welcome to
    `,
  },
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
  'check.purpose': {
    by: 'manager',
    patterns: `
      (you|you have) (left|called|sent|wrote|asked|booked|ordered|downloaded|registered|visited) (us|a|an|for|about|our|me) ..
      (what|how) (brings|brought|can we|could i|may we) ..
      (up|due|coming up) for (renewal|service)
      i (wanted|would like|want|am hoping) to (talk|speak|tell|ask|check|follow|see|introduce|show|discuss|offer|know|let you) ..
      have you got (a|two|five|ten|#num) ..
      (calling|call) (you|) (because|about|regarding|to|with|for|as) ..
      (just|) (checking|following|touching|calling) (in|up|base|back) ..
      (how|what) (can|may) i (help|do for|assist)
      the reason (for|of|i am|why) ..
      i am calling (about|because|regarding|to|with|for|on)
      (it is|this is|it|) about (our|your|the)
      is (now|this|it) a good (time|moment)
      (do|have) you (have|got) (a|five|two|ten|a few|a couple of|#num) (minute|minutes|moment|second)
      is it a good time
      you (asked|requested|filled|mentioned|signed|contacted|wrote|inquired|enquired) ..
      following up on
    `,
  },
  'check.confirmed_need': {
    by: 'manager',
    patterns: `
      so (she|he|they|you|your|the) (need|needs|want|wants|would like|is|are|have|has|mainly|basically|mostly) ..
      (like|as) (yours|you said|you mentioned|you told me|you described) ..
      (you|as you) (said|mentioned|told me) ..
      i (see|understand) so ..
      (right|okay|got it|i see) (so|and) (you|your|it|the|that) ..
      so all of your ..
      (what i hear|what i am hearing|in other words|to sum up|just to confirm|just to be clear|to confirm) ..
      (if|so if) i (understand|understood|got|heard|hear) (you|that|it|this) (correctly|right|) ..
      so (you|what you|it|the|your|that is|we are) (need|want|are looking|really|matters|basically|would like|line|gets|are saying) ..
      so what (matters|you|is important|you need) ..
      (you|you are) (need|want|looking for) .. (right|correct|is that right)
      is that (right|correct)
      (did|do|have) i (get|understand|got|understood) (that|you|it) (right|correctly)
      let me (summarize|summarise|repeat|recap|make sure) ..
      (okay|right|all right|great|) so (#num|a|two|three|you) .. (and|with|that) ..
      that is (a|an) (clear|good|ambitious) goal
      sounds like (you|the|it|your) ..
      for that many
      (so|) that is (#num|about #num) ..
    `,
  },
  'check.asked_decision': {
    by: 'manager',
    patterns: `
      who (else|) ... (decide|decides|decision|involved|approve|approves|sign|signs|agree|say)
      (anyone|anybody|someone|somebody) else ... (decide|decides|decision|involved|approve|sign|agree|ask|talk to|join|there)
      (by when|how soon|what date|when exactly) ... (need|want|start|decide|ready|have it|move|begin|finished|looking)
      when (do|would|did|are|should) (you|it|they|we) ... (need|decide|start|moving|move|ready|in place|finished|begin|have to)
      (what|which|how much|how big|how high) ... (budget|spend|set aside|invest)
      (do|have) you ... (budget|deadline|timeline|time frame|date in mind)
      your (budget|deadline|timeline|time frame|decision)
      (your|the) (wife|husband|partner|boss|team|board|parents) ... (think|decide|involved|join|agree|say|sign)
      (can|do|would|will) you (decide|make|take|sign) .. (yourself|alone|on your own|decision)
      how (do|does|will|would) (you|your company|that|the decision|a decision) .. (decide|decision|made|work on your side|taken)
    `,
  },
  'check.benefit': {
    by: 'manager',
    patterns: `
      because (the|you|it|your|they|that|then|this|with) .. (stay|stays|get|gets|can|will|save|saves|lasts|last|do|does|is|are|keeps|keep|works|need) ..
      (you|they|she|he|it) (can|could|will|would) (stay|chew|save|keep|use|see|work|relax|sleep|focus|play|pay|get|be|have|never|always|cancel|start|finish|sell|find|reach|stream|dare|learn|speak) ..
      (means|mean) (you|that|your|less|more|no|fewer) ..
      (go|goes|went) up by ..
      (no|without) (more|any|extra|hidden|installation|setup|waiting) (_|_ _) ..
      (faster|cheaper|safer|easier|quieter|cleaner|better|warmer|stronger|longer) (than|because|and|to|for|because) ..
      so (that|) (you|your|they|the|it|nobody|everyone) (can|could|will|would|only|no longer|never|always|get|save|do not|does not) ..
      which (means|covers|saves|gives|lets|is why|helps|makes) ..
      that (means|way) (you|your|it) ..
      (you will|you would|you can) (save|get|have|keep|be able|receive|never have|make|avoid|earn) ..
      you (save|get|avoid|earn|never|no longer|only pay|do not have to|do not need to) ..
      (saves|saved|saving|spares|earns) (you|them|our|a|about|up|around|#num) ..
      (builds|sends|warns|shows|reminds|tells) (you|it|them|the|your) ..
      (part of|included in|at) (the|no extra) (price|cost)
      you .. (try|test) it .. free
      it (gives|lets|helps|saves|allows|makes|protects|guides|sends|pays|covers|includes|comes with) ..
      (comes|come) with ..
      (is|are) (stain|water|scratch|fire) resistant
      (includes|included|including) ..
      to help you
      with (a|an) .. (warranty|guarantee)
      (underground|private|big|large|modern|brand new) (garage|garden|kitchen|balcony|parking)
      if .. (fails|breaks|goes wrong) you get ..
      (use|uses|need|needs|takes) (half|less|only|just) ..
    `,
  },
  'check.price_or_proof': {
    by: 'manager',
    patterns: `
      (costs|cost|pay|price|fee) (of|is|about|around|only|just|roughly|a|you|) #num (and|a|) (#num|hundred|thousand|month|week|per) ..
      (is|at|for|from|around|about) (about|around|only|just|roughly|) #num (hundred|thousand|a month|a week|a year|per _|a piece) ..
      (more than|over) #num (#num|thousand|hundred|of) ..
      (most|many|all|some|half) of our (customers|clients|members|patients|students|buyers|guests|families|people|companies) ..
      #num (grand|k|euro|eur|usd|percent)
      #num .. (#money|a month|per month|a year|per year|all in|per user|per person|plus tax)
      #num #money
      (it is|it would be|that is|costs|comes to|comes down to|price is|starts at) (about|around|only|just|) #num (#num|#num #num|and #num|a month|thousand|hundred) ..
      (saved|saves|saving|lost|won|gained) (them|our|us|about|up|around|over|) (to|) (about|) #num ..
      #num percent of (all|our|the|their) ..
      (a|one) (company|customer|client|business|family) (of|like|in|with|your) ..
      (other|many|most|some) (of our|) (customers|clients|companies|families|people) ..
      in business since
      went from .. to ..
      we have (helped|worked with|installed|sold|been) ..
      (last|this) year we ..
    `,
  },
  'check.asked_commitment': {
    by: 'manager',
    patterns: `
      (should|shall|can|may|could) (i|we) (put|sign|book|register|order|reserve|send|set|schedule|get|cancel|go|arrange|enroll|note|start|offer) (it|you|her|him|them|that|this|the|an|a|your|up|ahead) ..
      (would|does|do|will|is) (#day|that|it|next|tomorrow|this|the|monday|a) .. (suit|work|fit|okay|good|possible|convenient|all right) ..
      (when|what time|which day|what day) (would|could|can|works|suits|is|do) (you|it|we|i|that|best|good) ..
      (are|do) you (want|interested|ready|free|available|happy) (to|in|on|me|for) ..
      what do you (say|think)
      (may|can) i suggest ..
      (shall|should) (i|we) (set|send|book|put|sign|go|start|order|add|create|schedule|get|proceed) ..
      (would you like|do you want) (me|us|to) (to|) (go ahead|order|book|sign|proceed|set|try|start|schedule|add|upgrade|send|put|join|get) ..
      (would|does|do) .. (#day|that|it|next week|#num) .. (work|suit|be good|fit) .. 
      (can|may|could) (i|we) (book|put|sign|schedule|set|send|get|reserve|count|order) (you|it|that|this|your) ..
      (how about|what about) (i|we|#day|next|this|the|a|tomorrow) ..
      which (one|day|time|plan|of|would) ..
      how would you like to (pay|proceed|do)
      when would you like ..
      (are you|you) ready to (go ahead|start|sign|order|move|proceed|buy) ..
      (i|we) could (get|fit|put) you in ..
      (our|the|an|a) (technician|engineer|colleague|driver|specialist|consultant) (can|could) come ..
      would it help if i (called|sent|came|showed) ..
      what would it take
      (how much|what) would i have to ..
      does that sound (good|fair|okay|reasonable|like)
      do we have a deal
      (i would|what i would) suggest .. (is|that|we|you) ..
    `,
  },
  'check.courteous_end': {
    by: 'manager',
    patterns: `
      (you are|you are very|most) welcome ..
      (all the best|best of luck|good luck|have fun|enjoy|take care|speak soon|talk soon|bye bye|bye for now)
      (happy|glad) to (help|have|hear) ..
      (thank you|thanks|pleasure) (talking|speaking|for|mr|mrs|ms|and|very|so|a|sir|madam|everyone|again|then)
      (thank you|thanks) (for|so much|very much|a lot|again)
      (thank you|thanks) _
      (have|enjoy) (a|the|your) (great|good|nice|lovely|wonderful|new|rest|_) ..
      (see|talk to|speak to) you (on|then|soon|tomorrow|next|later|at|#day)
      it was (nice|great|a pleasure|good) (talking|speaking|to)
      (goodbye|take care|all the best)
      (looking|look) forward
    `,
  },
};

/** Questions that do not ask about the customer's need. */
export const SMALL_QUESTIONS: Readonly<Record<string, Cue>> = {
  'question.small': {
    patterns: `
      (how|what) (can|may) i (help|do for|assist)
      is (now|this|it) (still|) a (good|bad) (time|moment)
      do you have (a|five|ten|two|#num|a few|a couple of) (minute|minutes|moment|second|seconds)
      how are you
      anything else
      (does|would|do|how does) .. (work|sound|suit|help) ..
      which (one|day|time) (suits|works|would|is)
      (can|may|could) (i|you) (get|have|take|ask|hear|tell) (your|me|you) (name|number|email|phone|address|a few|some|details|better|now|a)
      (can|could) you hear
      what is your (name|number|email|phone|address|date of birth|zip|postcode)
      how would you like to pay
      when would you like
      (shall|should) (i|we) ..
      would you like (me|to (go|add|book|order|sign|proceed|upgrade)) ..
      (is|are) (that|you) (right|correct|okay|still there|ready)
      is this (mr|mrs|ms|miss|_)
      what do you think
      (how|what) about ..
      who says no
      i (mean|asked) ..
      (can|could|may|shall|should) (i|we) (show|send|call|offer|tell|suggest|explain|put|book|give) ..
      (would|will) you (stay|sign|buy|order|accept) ..
      why (do not|not) (you|we|i) ..
      is there (anything|something) else
      how much would i have to come down
    `,
  },
  /** The answer to it is what the customer wants. */
  'question.goal': {
    by: 'manager',
    patterns: `
      what (would you like|do you want|are you trying|are you looking|do you hope|are you hoping) to (achieve|do|change|improve|get|have|see|solve|reach)
      what (are you looking for|is it about|do you need|is the problem|is your goal|matters|is important to you)
      what (brings|brought|made) you
      what (can|may) (i|we) do for you
      how (can|may) (i|we) help
      what is (going on|the matter|wrong|happening)
      what is (the|your) (reason|goal|main|biggest)
      what the reason is
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
};

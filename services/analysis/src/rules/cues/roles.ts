import type { Cue } from '../patterns.ts';

/** Who speaks, by what is said. The weight is the evidence: 3 is nearly a proof, 1 a hint. */
export const ROLE_CUES: Readonly<Record<string, Cue>> = {
  'role.manager.sure': {
    by: 'manager',
    weight: 3,
    patterns: `
      you (left|sent) (us|me) a (message|voicemail|request|email)
      you (will|should) (get|receive|find) (the|a|an|your) (confirmation|invoice|email|link|contract|text|receipt|details)
      up for renewal
      (may|can) i (suggest|offer|propose|interest you)
      (most|many|some|all) of our (patients|pupils|students|members|guests|clients|customers|users|families)
      (we|i) would be happy to
      happy to (help|have you|assist)
      (should|shall) i (put|send|book|cancel|register|reserve|order) (it|you|her|him|that|the|your|down)
      how have you been getting on
      (our|the) (doctor|specialist|trainer|teacher|consultant|expert|colleague) (is|will|can|has|takes|comes|would)
      (you|you would|you will|you can) (spread|split|pay) (it|that|them) (over|in|by|monthly)
      i have (reserved|got|two|three|another|a slot|an opening)
      (let me|i will) (just|quickly|) (pull up|check|look up|see|transfer|note|write|take) ..
      (is|are) (available|in stock|on offer|on sale|on special) ..
      what (can|could) we do (for|to) you
      who (else|would) .. (decision|involved|decide)
      we (deliver|ship|charge|replace|install|guarantee|include|specialise|take care|come out)
      (i am|i will be) your (advisor|agent|consultant|account manager|contact)
      thank you for (calling|your call|choosing|your order|your patience|your business)
      thanks for (calling|choosing|your order|your patience)
      (how|what) (can|may) i (help|do for) you
      how may i help
      (this is|my name is|i am) .. (calling|speaking) (from|on behalf)
      this is .. from
      it is .. (calling|here) from
      i am calling (from|on behalf|you from|because|to (tell|offer|follow up|see|introduce|let))
      calling (from|on behalf of)
      i am (just|only|) calling (about|regarding) (our|the (offer|quote|proposal) i|your (request|inquiry|form|order|contract|account|recent))
      my name is .. (i am|and i am|and i|i)
      you are speaking (with|to)
      the reason (for|of) my call
      may i ask you (a few|some)
      what made you
      we (offer|sell|specialize|specialise|provide)
      we have got .. (plan|plans|package|packages|offer|model|models|promotion|deal)
      i can (offer|give|get) you
      i could (offer|give|get) you
      i would (suggest|recommend)
      i recommend
      our (most popular|best selling|technician|engineer|customers|clients|basic|standard|premium|team|installer|specialist|consultant)
      many of our (customers|clients)
      i will (send|email|text|mail) you
      i will (book|put|get|set|sign) you
      i have (booked|put|added|scheduled|set|reserved|created) (you|it|your|the)
      you are (booked|all set|good to go|confirmed)
      your (order|appointment|booking|payment|account) (is|has|was) (been|) (confirmed|booked|placed|processed|created|ready|set)
      (is there|was there) anything else (i|we)
      anything else (i can|we can|you)
      can i (get|have|take) your (name|number|email|phone|address|details|card)
      what is your (name|number|email|phone|address|budget|zip|postcode|date of birth|current)
      what is the best (number|email|way)
      would you like (me to|to (go ahead|add|book|proceed|order|sign|schedule|try|upgrade))
      shall i (set|send|book|put|sign|go)
      let me (tell|explain|show|walk|ask|check|pull|sort|see if i|look) ..
      welcome (to|aboard)
      what can i do for you
      have you (considered|thought about|ever)
      are you (currently|still|already) (using|with|paying|happy|looking)
      if i understand (you|correctly)
      so what (matters|you are saying)
      you (will|can) save
      you would (get|save|have|pay)
      you (get|pay) (#num|a|an|all|access|unlimited|up)
      we (can|could) (offer|give|do|come|deliver|install|send|schedule|arrange|set up|get you)
      when would you like
      how would you like to (pay|proceed)
      does that work for you
      (does|would|how does) that sound
      just hear me out
      with our
      i am calling with
      we have our
      (is|are|was) our
      our .. (plan|plans|package|policy|membership|system|contracts|clubs|panels|windows|engineer|protection)
      it comes with
      you filled (in|out)
      you (asked|requested|signed up|registered|inquired|enquired|mentioned|wrote|contacted|reached out)
      your (contract|warranty|subscription|policy) (is|was|will) (about|due|up|expiring|ending)
      as a (thank you|loyal|valued|new customer)
    `,
  },
  'role.manager.likely': {
    by: 'manager',
    weight: 1.5,
    patterns: `
      is (now|this|it) a (good|bad) time
      speaking
      how can i help
      what kind of
      how (many|often|long|much time) (do|does|did|is|are|have|has|would) (you|your|it)
      how (is|are) your
      do you (have|use|do|work|own|rent|prefer) (any|a|your|the|an|kids|pets)
      are you (looking|interested|doing|planning)
      may i
      could you tell me
      can you tell me
      tell me (a bit|a little|more|about)
      in that case
      i hear (you|that)
      i (completely|totally|fully|) understand
      of course
      great choice
      no problem (at all|)
      i apologize
      i am (so|very|really) sorry to hear
      congratulations
      our (plan|package|price|prices|service|services|system|software|product|products|offer|warranty|policy|guarantee)
      free (of charge|trial|installation|delivery|survey|consultation|quote|estimate|month)
      how about
      i could get you in
      i have a (viewing|slot|spot|space|place)
      the next available
      #num percent (off|discount)
      (is|are) included
      per month
      a month
      for free
      (our|the) (technician|engineer|driver|courier|installer)
      see you (on|then|at|#day)
      have a (great|good|nice|lovely|wonderful) (day|one|weekend|evening|afternoon)
      is that (right|correct)
      which one (suits|would|do)
      you (will|would) get
      you will receive
      i will call you
      mister _
      mr _
      mrs _
      ms _
      sir
      madam
      ma am
    `,
  },
  /** Customers of a company introduce themselves too, so it proves little. */
  'role.manager.company': {
    by: 'manager',
    weight: 1.5,
    patterns:
      '(this is|it is|i am|my name is|name is|you are speaking (to|with)|_ here) .. (from|with|calling from|on behalf of)\n(calling|ringing) (from|on behalf of)',
  },
  'role.customer.sure': {
    by: 'customer',
    weight: 3,
    patterns: `
      (what|which) (are my|would be my) options
      (how much|what) would (that|it) be
      is (it|that) still (there|available|free|on|for sale)
      (i|we) (lost|broke|moved|inherited)
      (you have|you had) (on|in) your (website|shop|catalogue|catalog|window|ad)
      (i|we) (can not|could not) decide
      (i|we) (barely|hardly|rarely|never|no longer) (use|need)
      (we will|i will) (leave it|pass|think)
      (put|sign|book) (me|us) (down|up|in)
      (yes please|please) (put|book|sign|send|cancel)
      what if (i|we)
      (my|our) (daughter|son|mother|father|mom|dad|company uses|accountant|office needs|neighbor|friend|colleague|colleagues)
      (a|the) (colleague|friend|neighbor|neighbour) of mine
      (i am|we are) (paying|using|with) (_|_ _) (now|at the moment|right now|currently)
      (more|higher) than i (wanted|thought|expected|had)
      (does|do|will) (it|that|they|this|the price|you) (come with|include|have a|take|last|work|fit|deliver)
      can i (ask|finish|think|call|change|return|bring|get|have|pay|come|cancel)
      (i am|we are) (happy|satisfied|fine|good) with (our|my|the|what)
      (i|we) (do not|did not) (have|know|need|want|think|understand|like)
      i am (just|actually|) (looking for|interested in|calling about your|calling about the (ad|apartment|house|car))
      i was (wondering|thinking|looking|hoping)
      we are (looking for|interested)
      i am (really|very|quite|pretty|a bit|) (frustrated|annoyed|unhappy|disappointed|upset|angry)
      (i|we) (need|want|would like) (a|an|to (buy|order|book|get|cancel|know|see|change|make|join|think)|some|new|the|something|it)
      i am not interested
      (i|we) am not interested
      not interested
      (we|i) do not need
      (that is|it is|is) (a bit|a little|too|very|quite|way too|pretty|so|really|) (expensive|pricey|much|steep)
      that is a lot of money
      i (can not|can) afford
      i will take (it|that|the|one|two|them)
      let us (do (it|that)|go with|go ahead)
      (how much|what) (is|does|would|will) (it|that|this|the|something like that) (cost|run|be|come to|price)
      what does (it|that) cost
      how much (is (it|that|this|the|your)|are (they|the|your)|does (it|that|this)|would (it|that|this|you charge)|do you charge)
      what (is|are) (the|your) (price|prices|cost|rate|rates)
      i (have|would have) to (think|talk|speak|discuss|ask|check)
      i need to (think|talk|speak|discuss|ask|check)
      let me think
      think about it
      (talk|speak) to my
      (ask|check with) my (wife|husband|boss|partner|manager)
      my (husband|wife|boss|partner|kids|budget|landlord|girlfriend|boyfriend)
      (we|i) (already|currently) (have|use|work|pay|got)
      i am (already|currently) (with|using|paying)
      we are (already|currently) (with|using|paying)
      can you (guys|) (send me|do (it|that|better|any)|fix|look at|come|call me|tell me how|help me|deliver)
      could (i|we|you) (see|get|come|have|call me|send me)
      do you (guys|) (have (any|a|an|something) .. (available|in stock|left|discount)|deliver|offer|sell|accept|take|do (oil|repairs|that))
      take me off
      (do not|stop) (call|calling) me
      who is this
      how did you get my number
      your (website|shop|ad|store|company|advert|competitor|competitors|brochure)
      you (sold|told|charged|sent|promised) (me|us)
      the (machine|one|thing|product) you sold
      i saw (your|the|an|on|a|another)
      i (run|own|have) a (small|little|restaurant|business|company|shop|studio|salon|cafe|bakery|store)
      i am at work
      how do i know
      (we|i) will go with
      (that is|it is) (within|above|over|out of) (our|my) (budget|price)
      our budget
      nobody told (us|me)
      sounds good to me
      that works for me
      (does not|will not) work for (me|us)
      works for me
      what if (i|we|it)
      can i (cancel|get a discount|pay|bring|keep|try|import|still|also|just|see|return)
      do i (need|have) to
      is (it|that|there) (still available|negotiable|any discount|a discount)
      i am (just|only) (browsing|looking)
      call me (back|again|later)
      send me (an|a|some|the|something|more)
      i just (want|wanted) to
      my (car|phone|internet|house|roof|bill|contract|order|computer|kitchen|policy|doctor|neighbor|neighbour)
    `,
  },
  'role.customer.likely': {
    by: 'customer',
    weight: 1.5,
    patterns: `
      (yes|okay) (go ahead|sure|that is me)
      go ahead
      i have a few minutes
      to be (honest|frank)
      i do not know
      i think
      i guess
      i am not sure
      (that|it) sounds (good|fair|great|interesting|reasonable|okay)
      that is (fair|good to know|fine|it|right|me|not (too|so) bad)
      is fine
      interesting
      exactly
      okay (thanks|thank you)
      no (thanks|thank you)
      no that is (all|it|everything)
      that is everything
      hello who
      oh wow
      wow
      you too
      we (did|ship|use|were|rent|live|went|printed|tried|bought)
      i (live|work|run|rent|drive|want|measured|use|have|saw|got|tried)
      brilliant
    `,
  },
};

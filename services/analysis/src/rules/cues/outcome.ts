import type { Cue } from '../patterns.ts';

/** How the sale ended. Later evidence outweighs earlier, see outcome.ts. */
export const OUTCOME_CUES: Readonly<Record<string, Cue>> = {
  'outcome.sold.customer': {
    by: 'customer',
    patterns: `
      (i|we) will take (it|that|the|this|one|two|three|both|them|#num)
      (i|we) would like to (order|buy|purchase|sign up|go ahead|proceed|go with|take) ..
      (let us|we will|i will|i would|we would like to|i would like to|okay|yes) go (with|for) (it|that|the|this|your)
      (we will|i will|let us|i am going to|we are going to) go ahead
      let us (do (it|that|this)|get (it|this) (done|started)|sign|start|book (it|that)|proceed|make it happen)
      (yes|okay|sure|please|great|yes please) (sign me up|sign us up|book it|book me in|put me down|order it|set it up|do it|go ahead and)
      sign (me|us) up
      book (me|us|it) in
      (i am|we are) in
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
      (i am|we are|am|are|) (really|just|honestly|simply|) not (really|at all|that|) interested
      not for (me|us)
      (no|thanks|sorry) (i|we) (do not|will not) (want|need|think) ..
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

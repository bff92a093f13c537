import type { Cue } from '../patterns.ts';

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

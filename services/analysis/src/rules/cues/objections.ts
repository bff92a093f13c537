import type { ObjectionKind } from '../../call/catalogue.ts';
import type { Cue } from '../patterns.ts';
import { OFFER_OBJECTIONS } from './objections-to-offer.ts';

/** What a customer says against deciding now, or at all. */
export const MOMENT_OBJECTIONS = {
  'objection.timing': {
    by: 'customer',
    patterns: `
      (i am|am|we are) (driving|in a meeting)
      (bad|not a good|not the best|worst|wrong|terrible) (moment|time) ..
      (budget|money|funds) .. (is|are|has been|was) (gone|spent|used up|all spent|allocated|finished|frozen)
      (nothing|no money|no budget|no funds) (is|) left (until|till|before|for) ..
      (leave|move|push|delay|park|shelve|keep|revisit|pick) (it|this|that|the decision|it all|things) (up|back|out|) (till|until|to|for|again|in) (#month|spring|summer|autumn|fall|winter|next|after|the|later|then|#num) ..
      (rather|better|prefer to|happier to) (wait|leave it|leave that|do it|do this|do that|look at it|start) (till|until|in|after|later|next) ..
      (i am|we are|am|are) .. (busy with|up to our (ears|necks|eyes)|snowed under|swamped|flat out|rushed off) ..
      (catch|caught|catching|got) (me|us) (at|on) (a|the) (bad|wrong|busy) (time|moment|day|foot)
      (have|got) (too much|so much|enough|a lot|other things|bigger things|more urgent things) (on|going on|to do|on our plate|on my plate|happening) ..
      (on|off) (our|my|the) plate
      (other|more|bigger) (urgent|pressing|important) (things|projects|priorities|matters|issues)
      (bad|worst|terrible|awful|awkward|wrong) (time|timing|moment) ..
      (not|is not|nothing) (for|) (this|the current) (year|quarter|season|month|half)
      (nobody|no one) wants .. (change|another)
      out of the question
      not (for|in) the next #num #unit
      (not|not quite) ready (yet|to|for)
      (too early|bit early) ..
      (i am|we are|am|are) .. in the middle of
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
      not this (year|month|quarter)
      (call|try) .. (in|after) (a few|six|three|two|a couple) (of|) (months|weeks)
      (is|are) crazy for us
      (it is|that is|way|much) too (soon|early|long to wait)
    `,
  },
  'objection.authority': {
    by: 'customer',
    patterns: `
      (can not|could not|not going to|will not|not able to|do not want to) (say yes|say|sign|decide|commit|agree|promise) .. (like that|on my own|alone|without|by myself|on the spot|just me|until|before) ..
      (let me|i will|i want to|have to|need to) (talk|speak|check|discuss|clear|run) (it|this|that|) (to|with|by|past) _ (_|_ _|) (first|tonight|about|before|then|tomorrow|and)
      half (of it|of the|) is (my|his|her) ..
      (he|she|they) (decides|decide|has to sign|has to agree|would have to|has the last|signs|sign off|has to see|needs to see|holds|does the money|looks after the money) ..
      not (just|only|entirely|really) (up to|down to) (me|us)
      (would|will|need|needs) to (go|come) (through|past|before|to) (the|our|my) (board|committee|head|finance|council|partners|parents|landlord|accountant) ..
      (would|will|have|need) to ask (my|our|the|him|her|them|_)
      (convince|persuade|ask|win over|get past) (my|our|the) (boss|wife|husband|partner|manager|director|board|team|chef|cfo|ceo|owner|father|mother|parents|nephew|son|daughter|colleagues|accountant|management) ..
      (my|our|the) (wife|husband|partner|boss|nephew|son|daughter|brother|father|mother|manager|director|owner|cfo|ceo|accountant|lawyer|it|headquarters|head office) .. (decides|signs|approves|controls|would need to|needs to (agree|approve|sign|decide)|would kill|will kill) ..
      (have|has|need|needs|want) to be on board
      (would|will|must|have to|needs to) (be|get) on board
      (get|need|want|without|have) (his|her|their|my boss|my wife|my husband|the board|management) (okay|approval|go ahead|signature|green light|blessing|permission|consent) ..
      (green light|go ahead|sign off|signature|approval|blessing|rubber stamp) (from|by|of) (my|our|the|above|upstairs|head|management|legal|finance|procurement|it) ..
      (i am|am) (only|just) (the|an|a) (assistant|secretary|employee|manager|office manager|user|technician|buyer|messenger|one who)
      (above|beyond) my (level|authority|limit|head|signature)
      (has to go|needs to go|must go) (through|past) (the|our|my|procurement|purchasing|legal|finance|head|management) ..
      (i|we) (do not|can not|am not|not) (get to|allowed to|in a position to|able to|alone) (decide|sign|choose|approve|say) ..
      (not|is not) (mine|me|only me|just me|my place) (to|who) (decide|decides|sign|signs|say) ..
      (two|three|both|all) of us (decide|have to|need to|sign|agree) ..
      (not|not going to|will not) decide .. (on my own|alone|by myself|without)
      (decide|sign|agree to|approve|order|buy) (that|this|it|anything|) (without|before) .. (my|our|the|asking|talking|speaking) ..
      run (it|this|that) (by|past) (my|our|the|him|her|them)
      (not|is not) (really|) up to me
      (has|have|got) the (final|last) (say|word)
      (someone|somebody) else (decides|makes|handles|is responsible)
      (head office|headquarters|the board|procurement|purchasing|legal|finance|management|corporate) (has|have|decides|needs|must|would|will|approves|handles) ..
      above my pay
      need (my|the|his|her|their) (okay|approval|signature|sign off|blessing|permission)
      (talk|speak|discuss|check|ask|consult|clear|run) .. (with|to|by|past|it with|this with) (my|our) (husband|wife|spouse|boss|partner|manager|team|board|director|cfo|ceo|accountant|family|parents|landlord|colleagues|owner|committee)
      ask my (husband|wife|spouse|boss|partner|manager|landlord|parents|dad|mom|mum)
      not my (decision|call)
      (i am not|not) the (one who decides|decision maker|person who decides|right person)
      (can not|not) (decide|make that decision|sign|approve) (that|this|it|alone|on my own|by myself|without)
      (my|our) (husband|wife|boss|partner|manager|director|board|landlord) (decides|has to|needs to|handles|would have to|will have to|makes|takes care)
      need (approval|sign off|permission)
    `,
  },
  'objection.commitment': {
    by: 'customer',
    patterns: `
      (#num) (month|months|week|weeks|year|years) .. (that is|is|sounds|seems|see) .. (a lot|long|too|quite)
      (can not|could not|never) get out (of it|of that|again|early)
      (do not|not|rather not) (want|like) .. (tied|locked|bound|stuck|signing) ..
      (stuck|locked|trapped|caught|bound|tied|chained|married|glued) (in|into|with|to|for|paying|down) ..
      (be|get|am|are|being) (stuck|locked|trapped|bound|tied|married) ..
      (#num|few) (year|years|month|months) (i|we|up front|is|that is|sounds|minimum|contract|in|at once|lock) .. (long|lot|contract|read|commit|worries|eternity|much|website|forever|time)
      (what|and) if (i|we|it|half|some|one|my|our|business|things) .. (want out|drop out|leave|quit|stop|move|close|change|shrink|do not need|cancel|less)
      (get|getting|want|wanting|be able to get|way) out (again|of it|of the|of this|early|if|when|after)
      (how|can|could|do|what) .. (terminate|opt out|pull out|give notice|step back|return it|send it back|end it|end the contract) ..
      (not|never|do not|no) (sign|signing|signed|commit|committing|bind|binding) (for|to|up|myself|ourselves|anything) ..
      (a|one|#num) (year|years|month|months) (contract|commitment|term|minimum|lock in|tie in)
      (try|test|start|begin) .. (month by month|without a contract|without signing|without committing|first before)
      (rolling|monthly) (basis|contract|terms)
      (sign|sign up for|commit to) (anything|something|a contract|that) (for|over) (#num|so|that|a) ..
      (for|over) (#num) years (is|feels|sounds|seems) ..
      (stay|remain|be|keep) flexible
      (minimum|fixed) (term|contract|period)
      (#num|few) (years|months) is (a|too|very|quite|so|pretty) ..
      (not|do not|without) .. (commit|committing|sign up for|be bound|bind myself|tie myself) ..
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
  'objection.effort': {
    by: 'customer',
    patterns: `
      (far|way|much|bit|little|all|sounds|looks|too|is|so) (too|) complicated (for|to|and|)
      (who|somebody|someone) (has to|have to|is going to|would|will) (write|set|install|train|clean|learn|enter|move|maintain) (it|them|that|all|everything|the|this|up) ..
      who (writes|cleans|trains|sets up|maintains|enters) (it|them|that|all) ..
      (would not|will not|never) (get round to|get around to|find the time|touch|go near) (it|that|them|anything|to|for) ..
      gather dust
      (learn|learning|getting used to|get used to) (a|another|something|a whole|all) (new|whole|over|that) ..
      (have|take|taking|having) (him|her|them|people|staff|my people|everybody|_) off (the|for|work|site) ..
      (do not|not|never) (really|) have (the|any|enough) (energy|nerves|nerve|people|staff|hands|capacity|manpower|resources|patience) (for|to) ..
      (too much|a lot of|so much|lots of|much) (hassle|effort|work|trouble|bother|paperwork|disruption|upheaval|admin|stress) ..
      (the|such a|all the|all that|what a) (hassle|upheaval|disruption|paperwork|trouble|headache|effort|pain) (of|to|with|for|is|it) ..
      (moving|switching|migrating|changing|transferring|replacing|retraining|setting|set|move|switch|migrate|copying|rebuilding) ... (nightmare|headache|hassle|pain|effort|chaos|mess|forever|ages|horror|a lot of work|scares|dread|complicated|difficult)
      (sounds|sound|seems|would be|will be) (like|) (a|such a|quite a|) (nightmare|headache|hassle|pain|upheaval|chaos|mess) ..
      (switching|moving|changing|changing over|migrating|migration) (over|) (is|sounds|seems|would be|takes|costs) (a|too|such|so|very|really) ..
      (set|sets|setting|install|installs|redo|rebuild|enter|type|transfer|move|teach) (it|them|that|this|everything|all of it|all that) (all|up|in|) (up|all|over|) (again|from scratch|from zero|once more|by hand)
      (start|starting|begin) (all over|over|from scratch|from zero) ..
      (train|retrain|training|teach|retraining) (everyone|everybody|all|my|our|the|them|the whole|people|staff) .. (again|new|staff|team|people|drivers|over|from scratch)
      (everyone|everybody|people|staff|team|guys) .. (used to|know|knows|learned|accustomed to) (the old|our|how|this|what|the current|it) ..
      (what|who|how) .. (happens to|moves|transfers|migrates|about|with) (all|) (our|my) (old|existing|current|historical|) (data|files|records|contacts|numbers|history|documents)
      (who|how) is (going to|supposed to|gonna) (set|do|install|learn|train|move|enter|teach) ..
      (how much work|how difficult|how hard|how complicated) (does|is|would|will|are) (the|it|that|a|) (switch|changeover|change|setup|set up|installation|migration|move|moving|transition|to (switch|move|change|set)) ..
      (too|so|very|rather|quite) (complicated|complex|cumbersome) (to|for) ..
    `,
  },
  'objection.brush_off': {
    by: 'customer',
    patterns: `
      (i will|we will|let me|i would like to|i want to) (have a|) think (about|it|on)
      (i would|would) rather you did not
      (i have|i have got|got|have) no time for (this|that|you|sales)
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
} as const satisfies Record<string, Cue>;

/** How managers answer objections. */
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

/** What a customer says against buying, by kind. */
export const OBJECTION_CUES: Readonly<Record<`objection.${ObjectionKind}`, Cue>> = {
  ...OFFER_OBJECTIONS,
  ...MOMENT_OBJECTIONS,
};

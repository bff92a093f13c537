import type { Cue } from '../patterns.ts';

export const NEXT_STEP_CUES: Readonly<Record<string, Cue & { title: string }>> = {
  'next.demo': { title: 'Demo', patterns: 'demo\ntrial\ntest drive\npresentation' },
  'next.viewing': {
    title: 'Viewing',
    patterns:
      '(would you like to|do you want to|why do not you) (see|look at|view) (it|the|them|one|around)\n(a|the|your|free) viewing\nviewing (on|for|at|is)\nput you down for the viewing\nopen house\nshow you the (house|apartment|flat|property|place)',
  },
  'next.survey': {
    title: 'Visit',
    patterns:
      '(site|free|roof|home|) (survey|inspection|measurement)\n(engineer|specialist|consultant|colleague|estimator) (comes|will come|can come|could come|is coming|visits) ..',
  },
  'next.technician': {
    title: 'Installation',
    patterns:
      '(technician|installer|fitter|engineer|team|crew) (can|will|could|would|is going to|is|) (come|coming|be there|install|visit) ..\ninstallation (is|on|will|date|appointment|for) ..',
  },
  'next.delivery': {
    title: 'Delivery',
    patterns:
      'delivery (is|will|on|date|for|next|between|tomorrow|#day) ..\n(it|we|they|order) (will be|deliver|will deliver|arrives|will arrive|ships|will ship) ..\n(send|sending) (a|the) (courier|driver|replacement) ..\nthe courier (is|will|comes) ..',
  },
  'next.booking': {
    title: 'Appointment',
    patterns:
      '(you are|i have|we have) (you|) (booked|down|scheduled) .. (in|for|on|at) ..\n(i will|i have|let me|we will|let us) (book|booked|put|schedule|scheduled|reserve|reserved) (you|it|that|the|a|an) ..\nappointment (is|for|on|at) ..\n(i have|i will|then i have|we have) (reserved|blocked|noted|registered|enrolled) ..\n(first|next) (lesson|session|class|day|visit|treatment|training|appointment|service|delivery) (is|will be|would be|then|on|starts) ..',
  },
  'next.consultation': {
    title: 'Consultation',
    patterns:
      '(for|your|a|the|free) consultation (with|on|at|is|for|then|costs|next|#day) ..\n(booked|reserved|scheduled|put you down) .. consultation ..\nfor your consultation',
  },
  'next.agreed': {
    title: 'Appointment',
    patterns:
      '#day .. (is|works|would be|sounds|suits|will be) (me|us|) (good|fine|perfect|great|okay|best|for me|for us)\n#day .. it is\n(come|came|stop|drop|swing) (by|over|in|round) (my|our|the|to|and|at|on|for) ..\n(hold|block|keep|save|reserve) (the|that|this|your) (date|slot|spot|place|table|day)\n(send|sending) (two|one|three|my|our|a|the|somebody|someone) .. #day ..\n(start|starting|begin|come) .. (on|next|this) #day',
  },
  'next.see': { title: 'Appointment', patterns: 'see you (on|at|tomorrow|next|#day|then) ..' },
  'next.meeting': {
    title: 'Meeting',
    patterns:
      '(meeting|appointment|consultation) (on|at|for|with|is|next|tomorrow|#day) ..\n(meet|meeting) (you|up|us|me|) (on|at|next|tomorrow|#day) ..\n(let us|we can|we could|shall we|can we) meet ..\n(come|came|coming|stop|drop) (by|in|over) .. (#day|at #num|next|the (shop|office|store|showroom)) ..',
  },
  'next.call': {
    title: 'Call back',
    patterns:
      '(i|we|i will|we will|then i|shall i|can i|could i|may i|i can|i could|and i|i would|i am going to|let me) (will|would|) (call|ring|phone) (you|him|her|them|back|both) ..\n(will|would|can|could|may|shall) (i|we|) (try|) (give|get) (you|them|me) (a call|a ring|a bell|a shout|on the phone) ..\n(i will|we will) try you again ..\n(we|shall we|let us|can we|i will|i would) (talk|speak|chat|catch up) (again|then|to you|on|next|tomorrow|about) ..\n(i will|i can|can i|may i|shall i|let me|i would|could i|we will|i am going to) (call|ring|phone|give) (you|him|her|you a call) (back|again|on|next|tomorrow|in|after|then|at|#day|a call|later) ..\n(call|ring|phone) me (back|again|on|next|tomorrow|in|after|then|at|#day|later) ..\n(talk|speak) to you (on|next|tomorrow|in|after|at|#day)\n(follow up|check in|touch base|reach out|get back to you) .. (on|next|tomorrow|in|after|then|at|#day|week) ..',
  },
  'next.collect': {
    title: 'Collection',
    patterns: `
      (pick|picking|collect|collecting) (it|them|one|that|the|her|him) (up|) ..
      (could|can) i (come|pick|collect|have it) (#day|on|tomorrow) ..
    `,
  },
  'next.come': {
    title: 'Visit',
    patterns: `
      (i will|we will|i can|we can|i could|let me|i would|shall i|can i|i am going to) (come|be there|drop|stop|pop|visit|bring|swing) ..
      (i will|we will|i would) (be|see you) (there|with you|round|at yours) ..
      (you|and you) (come|would come|could come|can come|pop|drop) (and|in|by|over|round|to|here|down|along) ..
      (when|what time) (could|can|would) you (come|be here|make it|pop|drop) ..
      (our|the|my) (van|fitter|surveyor|electrician|driver|colleague|man|chap|guy|trainer|rep|adviser|advisor|expert) (can|will|comes|could|is|would) .. (come|be|visit|there|round|with you) ..
      come (and|to) (see|look|try|have|visit) ..
    `,
  },
  'next.send': {
    title: 'Information will be sent',
    patterns:
      '(i will|we will|i am going to|i can|shall i|can i|then i|so i|i|we|how about i|i would) (send|email|mail|text|post|forward|drop|draw up|write up|prepare|put together) (you|it|that|the|a|an|over|them|those|across|both|everything|this|some|my|our|two|three) ..\n(i will|we will|i can|let me) (do|get|make|have) (you|) (a|an|the|that|it) .. (quote|offer|proposal|proof|contract|plan|list|sample|estimate|figures|ready|over|to you|sent) ..\n(i will|i am going to|we will|let me|i can|i just|until then i will) (send|email|text|mail|forward|get) (you|it|that|the|a|an|over|me|us|him|her|confirmation|to|email|text|by) ..\n(send|email|text|mail) (me|us) .. (information|info|details|offer|quote|proposal|brochure|invite|invitation|link|email|something|contract|over) ..\nsend (over|you) .. (quote|proposal|contract|offer)',
  },
  /** Counts only with a time of its own. */
  'next.receive': {
    title: 'Information will be sent',
    patterns: 'you will (have|get|receive|see|find) (it|that|them|the|everything|all|two|my|our) ..',
  },
  'next.account': {
    title: 'Start',
    patterns:
      '(i have|i will|we will|i am going to|let me) (set up|create|created|activate|activated|open|opened) (your|the|an) (account|subscription|membership|line|policy|plan) ..\nyour (membership|policy|cover|subscription|plan) (starts|begins|is active|will be active) ..',
  },
};

/** How customers decline a proposed step. */
export const STEP_REFUSED: Readonly<Record<string, Cue>> = {
  'step.refused': {
    by: 'customer',
    patterns: `
      (would|i would|had) rather (you did not|not|you do not|leave|wait)
      no need
      leave it (for now|there|at that)
      (do not|no do not) (put|book|send|bother|want|need) (me|us|it|that|a|any) ..
      (not|no) (just yet|yet|for now|right now)
      (does not|do not|will not) work
      (can not|can not do|not) (make|do) (it|that|#day)
      no (thank you|thanks|do not|please do not|that is not)
      (do not|never|please do not) (call|send|bother|contact) ..
      not (necessary|needed|interested)
      rather not
    `,
  },
};

export const WHEN_CUES: Readonly<Record<string, Cue>> = {
  when: {
    patterns: `
      the day after tomorrow (at|) (#num|morning|afternoon|evening|)
      this (morning|afternoon|evening|week)
      (on|by|before|from|until|) the (#nth|twenty #nth|thirty #nth) (of #month|)
      (on|by|before|from|) #month (the|) (#nth|twenty #nth|thirty #nth|#num)
      (on|by|) #day the (#nth|twenty #nth|thirty #nth)
      (on|by|next|) #day (morning|afternoon|evening|) (at|around|about|before|after|) (#num|lunch|noon|midday|half past #num) (o'clock|thirty|fifteen|forty five|)
      (after|before|over|at) lunch (on|) #day
      (some time|sometime|early|later|late) (next|this) (week|month|year)
      (by|at|before|towards|) the end of (the|this|next) (day|week|month|year)
      (in|within) (a|the next) (fortnight|couple of days|few days)
      (by|before|until) (tonight|tomorrow|#day|#month|christmas|easter)
      (in|next|this|after the) (spring|summer|autumn|winter|new year)
      (on|by|next|this|until|from|every|) #day (morning|afternoon|evening|night|the _|) (at|between|after|before|around|) (half past|) #num (and #num|to #num|thirty|fifteen|o'clock|am|pm|a m|p m|) (am|pm|)
      (on|by|next|this|until|every|) #day (morning|afternoon|evening|night|) (between|after|before|at|) (half past|) #num (and #num|) (o'clock|)
      (on|by|next|this|) #day (and #day|) (at|around|) (a|) (quarter|half) (past|to|after|before) #num
      (on|by|next|this|) #day and #day (at #num|)
      (on|by|) #month (the|) #num
      (on|by|next|this|) #day (the _|) (at #num (o'clock|)|morning|afternoon|evening|)
      (at|around|after|before) (half past|) #num (o'clock|am|pm|thirty|)
      (next|this|the following|end of the) (week|month|year|quarter|summer)
      (in|within) (the next|) (a|an|#num|a few|a couple of|a couple) (#unit)
      the next #num #unit
      in (a|one|two|three) (week|weeks|month|months)
      (on|in|by|until) (the (first|second|third|fourth|fifth|#num) of|) #month
      right after (this|the) call
      right away
      straight away
      the same day
      later today
      first thing (in the morning|tomorrow|#day)
      end of (the|this|next) (day|week|month)
    `,
  },
};

import { type Cue, Patterns } from '../patterns.ts';
import { MISTAKE_CUES, MOOD_CUES } from './conduct.ts';
import { CRAFT_CUES, SMALL_QUESTIONS } from './craft.ts';
import { KIND_CUES } from './kinds.ts';
import { ANSWER_CUES, OBJECTION_CUES } from './objections.ts';
import { OUTCOME_CUES } from './outcome.ts';
import { NAME_CUES, PRODUCT_CUES } from './products.ts';
import { ROLE_CUES } from './roles.ts';
import { INTENT_CUES, NEXT_STEP_CUES, STEP_REFUSED, WHEN_CUES } from './wishes.ts';

export const CUES: Readonly<Record<string, Cue>> = {
  ...ROLE_CUES,
  ...OUTCOME_CUES,
  ...OBJECTION_CUES,
  ...ANSWER_CUES,
  ...MISTAKE_CUES,
  ...MOOD_CUES,
  ...CRAFT_CUES,
  ...SMALL_QUESTIONS,
  ...INTENT_CUES,
  ...NEXT_STEP_CUES,
  ...STEP_REFUSED,
  ...WHEN_CUES,
  ...PRODUCT_CUES,
  ...NAME_CUES,
  ...KIND_CUES,
};

let compiled: Patterns | undefined;

/** All patterns of all topics in one tree. Compiled at the first call, so that the service starts fast. */
export function patterns(): Patterns {
  compiled ??= new Patterns(CUES);
  return compiled;
}

export function weightOf(cue: string): number {
  return CUES[cue]?.weight ?? 1;
}

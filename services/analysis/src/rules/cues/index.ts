import { type Cue, Patterns } from '../patterns.ts';
import { OUTCOME_CUES } from './outcome.ts';
import { TALK_CUES } from './talk.ts';

export const CUES: Readonly<Record<string, Cue>> = {
  ...OUTCOME_CUES,
  ...TALK_CUES,
};

let compiled: Patterns | undefined;

/** All patterns of all topics in one tree. Compiled at the first call, so that the service starts fast. */
export function patterns(): Patterns {
  compiled ??= new Patterns(CUES);
  return compiled;
}

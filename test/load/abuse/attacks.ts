import type { Measure } from '../harness/measure.ts';
import { firstUser, lockout } from './accounts.ts';
import { hostileMedia } from './hostile-media.ts';
import { pipelining } from './pipelining.ts';
import { repetition } from './repetition.ts';
import { slowAnswers } from './slow-answers.ts';

/**
 * Attacks on a running installation, each bounded in count and time and sent to 127.0.0.1 only. Each is a measure whose
 * name begins with `abuse/`; `npm run bench -- --only abuse` runs them all.
 */
export const ATTACKS: readonly Measure[] = [pipelining, slowAnswers, hostileMedia, repetition, firstUser, lockout];

import type { Measure } from '../harness/measure.ts';
import { polls } from './measures/polls.ts';

/** What `npm run bench -- --distributed` measures. */
export const DISTRIBUTED: readonly Measure[] = [polls];

import type { Measure } from '../harness/measure.ts';
import { cost } from './measures/cost.ts';
import { fairness } from './measures/fairness.ts';
import { growth } from './measures/growth.ts';
import { latency } from './measures/latency.ts';
import { pipeline } from './measures/pipeline.ts';
import { polls } from './measures/polls.ts';
import { search } from './measures/search.ts';
import { upload } from './measures/upload.ts';

/** What `npm run bench -- --distributed` measures. */
export const DISTRIBUTED: readonly Measure[] = [polls, upload, pipeline, latency, fairness, growth, search, cost];

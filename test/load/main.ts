import { tmpdir } from 'node:os';
import { ATTACKS } from './abuse/attacks.ts';
import { DISTRIBUTED } from './distributed/measures.ts';
import { bench, WrongOptions } from './harness/bench.ts';
import { decoding } from './measures/decoding.ts';
import { fairness } from './measures/fairness.ts';
import { firstLoad } from './measures/first-load.ts';
import { latency } from './measures/latency.ts';
import { listGrowth } from './measures/list-growth.ts';
import { pipeline } from './measures/pipeline.ts';
import { reads } from './measures/reads.ts';
import { scale } from './measures/scale.ts';
import { search } from './measures/search.ts';
import { start } from './measures/start.ts';
import { upload } from './measures/upload.ts';

const MEASURES = [
  upload,
  reads,
  listGrowth,
  search,
  pipeline,
  latency,
  decoding,
  fairness,
  scale,
  start,
  firstLoad,
  ...ATTACKS,
];

const args = process.argv.slice(2);
try {
  const code = await bench(args, args.includes('--distributed') ? DISTRIBUTED : MEASURES, {
    tmp: tmpdir(),
    print: console.log,
    progress: console.error,
  });
  // A measure that broke may have left connections open, which would keep this process, and the servers that end with
  // it.
  process.exit(code);
} catch (error) {
  if (!(error instanceof WrongOptions)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

import { parentPort } from 'node:worker_threads';
import type { RulesWork } from './analyst.ts';
import { analyzeByRules } from './analyze.ts';

// The script of a worker thread: receives transcripts and sends analyses. The patterns are compiled once for all calls.

if (parentPort === null) throw new Error('This script runs in a worker thread; see analyst.ts.');
const port = parentPort;
port.on('message', async ({ transcript, scorecard }: RulesWork) => {
  port.postMessage(await analyzeByRules(transcript, { scorecard }));
});

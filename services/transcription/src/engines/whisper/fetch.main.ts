import { createPrivately } from '@call-analytics/service-kit';
import { runWhisperCli } from './cli.ts';

// Whoever reads the list may have seen enough of it: `npm run whisper -- list | head -3`.
process.stdout.on('error', () => process.exit());
createPrivately();
process.exitCode = await runWhisperCli(process.argv.slice(2), process.env, process.stdout, process.stderr);

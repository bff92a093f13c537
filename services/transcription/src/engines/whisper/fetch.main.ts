import { createPrivately } from '@call-analytics/service-kit';
import { runWhisperCli } from './cli.ts';

// The reader may close the pipe early: `npm run whisper -- list | head -3`.
process.stdout.on('error', () => process.exit());
createPrivately();
process.exitCode = await runWhisperCli(process.argv.slice(2), process.env, process.stdout, process.stderr);

import { runAnalyzeCli } from './analyze-file.ts';

process.stdout.on('error', () => process.exit());
process.exitCode = await runAnalyzeCli(process.argv.slice(2), process.env, process.stdout, process.stderr);

import { createPrivately } from '@call-analytics/service-kit';
import { runCli } from './cli.ts';

createPrivately();
process.exitCode = await runCli(process.argv.slice(2), process.env, {
  out: (text) => console.log(text),
  err: (text) => console.error(text),
});

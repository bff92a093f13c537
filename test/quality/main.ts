import { analysisSettings, chooseAnalyst } from '@call-analytics/analysis';
import { readSettings } from '@call-analytics/service-kit';
import { qualityOf, tableOf } from './report.ts';

const USAGE = `Measures the analyst on written calls whose truth is known.

  npm run quality [-- --engine rules|openai] [--missed] [--show-unseen] [--sealed]

  --missed        lists also what was missed in the tuning calls
  --sealed        measures the sealed calls; once, on the day a figure is to be proven
  --show-unseen   lists single findings of the unseen calls; use it only on the day they are retired`;

const print = (text: string) => process.stdout.write(`${text}\n`);
const args = process.argv.slice(2);
const engine = args.includes('--engine') ? args[args.indexOf('--engine') + 1] : 'rules';
const needsKey = engine === 'openai' && !process.env.OPENAI_API_KEY && !process.env.OPENAI_BASE_URL;
if (args.includes('--help')) {
  print(USAGE);
} else if (needsKey) {
  print('Not measured: the engine openai needs OPENAI_API_KEY, or OPENAI_BASE_URL of a server that takes any key.');
} else {
  const analyst = chooseAnalyst(readSettings(analysisSettings, { ...process.env, ANALYSIS_ENGINE: engine }));
  print(`Engine ${analyst.name}, model ${analyst.model}`);
  const sets = args.includes('--sealed') ? (['sealed'] as const) : (['tuning', 'unseen', 'exam'] as const);
  for (const set of sets) {
    const { channels, unlabelled, leftOut } = await qualityOf(set, analyst);
    if (channels.calls === 0) continue;
    print(`\n## ${set}: two channels\n\n${tableOf(channels)}`);
    if (unlabelled.calls > 0) print(`\n## ${set}: speakers not known\n\n${tableOf(unlabelled)}`);
    if (leftOut > 0) print(`\n${leftOut} calls in other languages are left out: the rules read English.`);
    if (set !== 'tuning' && !args.includes('--show-unseen')) continue;
    const misses = [...channels.misses, ...unlabelled.misses].filter(
      ({ what }) => what === 'false' || args.includes('--missed'),
    );
    print(`\nWrong in ${set}:`);
    for (const miss of misses) print(`  ${miss.call}: ${miss.what} ${miss.field}: ${miss.said}`);
  }
}

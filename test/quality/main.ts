import { analysisSettings, chooseAnalyst } from '@call-analytics/analysis';
import { readSettings, scriptOptions } from '@call-analytics/service-kit';
import { agreementTable, qualityOf, spentShown, tableOf } from './report.ts';

const USAGE = `Measures the analyst on written calls whose truth is known.

  npm run quality [-- --engine rules|openai] [--runs N] [--only TEXT] [--missed] [--show-unseen] [--sealed]

  --runs          analyzes each call so many times, and compares the runs; the tables are of the first one
  --only          only calls with TEXT in their name
  --missed        lists also what was missed in the tuning calls
  --sealed        measures the sealed calls; once, on the day a figure is to be proven
  --show-unseen   lists single findings of the unseen calls; use it only on the day they are retired`;

const print = (text: string) => process.stdout.write(`${text}\n`);
const options = scriptOptions(USAGE, {
  ...{ engine: { type: 'string', default: 'rules' }, runs: { type: 'string', default: '1' }, only: { type: 'string' } },
  ...{ missed: { type: 'boolean' }, 'show-unseen': { type: 'boolean' }, sealed: { type: 'boolean' } },
});
const { engine, only = '' } = options;
const runs = Number(options.runs);
const { OPENAI_API_KEY, OPENAI_BASE_URL, ANALYSIS_API_KEY, ANALYSIS_BASE_URL } = process.env;
const hasAccess = [OPENAI_API_KEY, OPENAI_BASE_URL, ANALYSIS_API_KEY, ANALYSIS_BASE_URL].some(Boolean);
if (!Number.isInteger(runs) || runs < 1) {
  process.stderr.write(`--runs is "${options.runs}"; it must be a whole number from 1.\n\n${USAGE}\n`);
  process.exitCode = 2;
} else if (engine === 'openai' && !hasAccess) {
  print(
    'Not measured: the engine openai needs OPENAI_API_KEY, or OPENAI_BASE_URL or ANALYSIS_BASE_URL of a server that ' +
      'takes any key.',
  );
} else {
  const analyst = chooseAnalyst(readSettings(analysisSettings, { ...process.env, ANALYSIS_ENGINE: engine }));
  print(`Engine ${analyst.name}, model ${analyst.model}`);
  const sets = options.sealed ? (['sealed'] as const) : (['tuning', 'unseen', 'exam'] as const);
  for (const set of sets) {
    const { channels, unlabelled, leftOut, agreement, spent } = await qualityOf(set, analyst, { runs, only });
    if (spent.analyses === 0) continue;
    if (channels.calls > 0) print(`\n## ${set}: two channels\n\n${tableOf(channels)}`);
    if (unlabelled.calls > 0) print(`\n## ${set}: speakers not known\n\n${tableOf(unlabelled)}`);
    if (agreement !== null) print(`\n## ${set}: agreement\n\n${agreementTable(agreement)}`);
    if (spent.input > 0) print(`\n${spentShown(spent)}`);
    if (leftOut > 0) print(`\n${leftOut} calls in other languages are left out: the rules read English.`);
    if (set !== 'tuning' && options['show-unseen'] !== true) continue;
    const misses = [...channels.misses, ...unlabelled.misses].filter(({ what }) => what === 'false' || options.missed);
    print(`\nWrong in ${set}:`);
    for (const miss of misses) print(`  ${miss.call}: ${miss.what} ${miss.field}: ${miss.said}`);
  }
}

import { analysisSettings, chooseAnalyst } from '@call-analytics/analysis';
import { readSettings } from '@call-analytics/service-kit';
import { qualityOf, } from './report.ts';

const _USAGE = `Measures the analyst on written calls whose truth is known.

  npm run quality [-- --engine rules|openai] [--missed] [--show-unseen]

  --missed        lists also what was missed in the tuning calls
  --show-unseen   lists single findings of the unseen calls; use it only on the day they are retired`;

const args = process.argv.slice(2);
const engine = args.includes('--engine') ? args[args.indexOf('--engine') + 1] : 'rules';
const needsKey = engine === 'openai' && !process.env.OPENAI_API_KEY && !process.env.OPENAI_BASE_URL;
if (args.includes('--help')) {
} else if (needsKey) {
} else {
  const analyst = chooseAnalyst(readSettings(analysisSettings, { ...process.env, ANALYSIS_ENGINE: engine }));
  for (const set of ['tuning', 'unseen'] as const) {
    const { channels, unlabelled, leftOut } = await qualityOf(set, analyst);
    if (leftOut > 0) 
    if (set === 'unseen' && !args.includes('--show-unseen')) continue;
    const misses = [...channels.misses, ...unlabelled.misses].filter(
      ({ what }) => what === 'false' || args.includes('--missed'),
    );
    for (const { call, field, what, said } of misses) 
  }
}

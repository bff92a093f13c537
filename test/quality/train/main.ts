import { writeFileSync } from 'node:fs';
import { encodeCallModel } from '@call-analytics/analysis/call-model';
import { type Act, encodeModel, type LineModel } from '@call-analytics/analysis/classifier';
import { analyzeByRules, heardIn, type Models } from '@call-analytics/analysis/rules';
import { scriptOptions } from '@call-analytics/service-kit';
import { taggedCalls } from '../corpus.ts';
import { measure } from '../measure.ts';
import { shown, tableOf } from '../report.ts';
import { type Judged, judge, type ReadCall, readCalls, train, USUAL } from './train.ts';
import { type HeardCall, trainCalls, untaggedCalls } from './train-calls.ts';

const { check } = scriptOptions(
  `Trains the models of the rules on the calls in test/quality/calls, and writes them to services/analysis/src/rules.

  npm run train [-- --check]   --check measures, and writes nothing`,
  { check: { type: 'boolean' } },
);

const RULES = new URL('../../../services/analysis/src/rules/', import.meta.url);
const print = (text: string) => process.stdout.write(`${text}\n`);

const calls = readCalls(taggedCalls('training'));
const authors = [...new Set(calls.map(({ author }) => author))].filter((author) => author !== USUAL);
print(`${calls.length} calls, ${calls.flatMap(({ lines }) => lines).length} lines, ${authors.length} authors`);

const unseen = calls.filter(({ author }) => author !== USUAL);
const models = new Map<string, LineModel>(
  authors.map((author) => [author, train(calls.filter((call) => call.author !== author))]),
);
print('\nEach author judged by a model trained on the others:\n');
print('| Act | Lines | Precision and recall from 0.5 | Recall at precision 80% | at 90% | Average precision |');
print('| --- | --- | --- | --- | --- | --- |');
for (const [act, judged] of judge(unseen, (author) => models.get(author) as LineModel)) print(rowOf(act, judged));

const untagged = untaggedCalls();
/** The acts of a call are those that a model finds which has not seen its author. */
const heardWith = (model: LineModel): HeardCall[] => [
  ...calls.map((call) => ({ ...call, heard: heardIn(call.transcript, models.get(call.author) ?? model) })),
  ...untagged.map((call) => ({ ...call, heard: heardIn(call.transcript, model) })),
];
const both = new Map<string, Models>(
  [...models].map(([author, lines]) => [
    author,
    { lines, calls: trainCalls(heardWith(lines).filter((call) => call.author !== author)) },
  ]),
);
const measured = (of: readonly ReadCall[]) =>
  measure(
    of,
    of.map(({ transcript, author }) => analyzeByRules(transcript, { models: both.get(author) })),
  );
print(`\n${tableOf(measured(unseen))}`);
print('\n| Author | Kind | Sale status | Next step | Other calls without a score | Sales calls with a score |');
print('| --- | --- | --- | --- | --- | --- |');
for (const author of authors) {
  const { shares, scored } = measured(unseen.filter((call) => call.author === author));
  const row = [shares.kind, shares.saleStatus, shares.nextStep, shares.othersUnscored, scored].map(shown);
  print(`| ${[author, ...row].join(' | ')} |`);
}

if (check !== true) {
  const model = train(calls);
  writeFileSync(new URL('line-model.json', RULES), encodeModel(model));
  writeFileSync(new URL('call-model.json', RULES), encodeCallModel(trainCalls(heardWith(model))));
  print('\nWrote line-model.json and call-model.json.');
}

function rowOf(act: Act, judged: readonly Judged[]): string {
  const sorted = [...judged].sort((a, b) => b.probability - a.probability);
  const all = sorted.filter(({ truly }) => truly).length;
  let [right, average] = [0, 0];
  const recallAt = { 0.8: 0, 0.9: 0 };
  const half = { right: 0, of: 0 };
  sorted.forEach(({ probability, truly }, index) => {
    if (truly) {
      right += 1;
      average += right / (index + 1) / Math.max(1, all);
    }
    for (const least of [0.8, 0.9] as const) if (right / (index + 1) >= least) recallAt[least] = right / all;
    if (probability >= 0.5) Object.assign(half, { right, of: index + 1 });
  });
  const percent = (value: number) => (Number.isFinite(value) ? `${Math.round(100 * value)}%` : '-');
  return `| ${[
    act,
    all,
    `${percent(half.right / half.of)} ${percent(half.right / all)}`,
    percent(recallAt[0.8]),
    percent(recallAt[0.9]),
    average.toFixed(2),
  ].join(' | ')} |`;
}

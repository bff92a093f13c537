import { writeFileSync } from 'node:fs';
import { callModel, encodeCallModel } from '@call-analytics/analysis/call-model';
import { ACTS, type Act, encodeModel, type LineModel, lineModel } from '@call-analytics/analysis/classifier';
import { ENCODED_ACTS, neutralText } from '@call-analytics/analysis/encoder';
import { analyzeByRules, heardIn, linesOf, type Models } from '@call-analytics/analysis/rules';
import type { Analysis } from '@call-analytics/calls';
import { scriptOptions } from '@call-analytics/service-kit';
import { taggedCalls } from '../corpus.ts';
import { measure } from '../measure.ts';
import { tableOf } from '../report.ts';
import { stepWordsOf, stretchEnds } from './step-words.ts';
import { does, type Judged, judge, type ReadCall, readCalls, timesOf, train, USUAL } from './train.ts';
import { type HeardCall, trainCalls, untaggedCalls } from './train-calls.ts';
import { LEFT_OUT, WEIGHED, weighingOf } from './weigh.ts';

const options = scriptOptions(
  `Trains the models of the rules on the calls in test/quality/calls, and writes them to services/analysis/src/rules.

  npm run train [-- --weigh] [--check] [--export FILE]

  --weigh    only learns how much the encoder and the words count, with the models that are there
  --check    measures, and writes nothing
  --export   only writes the calls for encoder.py, as JSON lines`,
  { check: { type: 'boolean' }, weigh: { type: 'boolean' }, export: { type: 'string' } },
);

const RULES = new URL('../../../services/analysis/src/rules/', import.meta.url);
/** How many parts the authors are divided into, where each part is judged by a model of the others. */
const PARTS = 4;
const print = (text: string) => process.stdout.write(`${text}\n`);

const calls = readCalls(taggedCalls('training').filter(({ author }) => !LEFT_OUT.has(author)));
const learned = calls.filter(({ author }) => !WEIGHED.has(author));
const weighed = calls.filter(({ author }) => WEIGHED.has(author));
print(
  `${calls.length} calls, ${calls.flatMap(({ lines }) => lines).length} lines; ${weighed.length} calls to weigh by`,
);

if (options.export !== undefined) {
  const header = { acts: ENCODED_ACTS, customerActs: ACTS.customer.length + ACTS.kind.length, ...stretchEnds() };
  const seen = learned.flatMap((call) => Array(timesOf(call)).fill(forEncoder(call)));
  writeFileSync(options.export, [header, ...seen].map((row) => `${JSON.stringify(row)}\n`).join(''));
  process.exit();
}
const models = options.weigh ? { lines: lineModel(), calls: callModel() } : trained();
const weighing = await weighingOf(weighed, models);
const analyses: Analysis[] = [];
for (const { transcript } of weighed)
  analyses.push(await analyzeByRules(transcript, { models: { ...models, calls: { ...models.calls, weighing } } }));
print(
  `\nThe calls to weigh by, of which the models have learned nothing else:\n\n${tableOf(measure(weighed, analyses))}`,
);

if (!options.check) {
  if (!options.weigh) {
    writeFileSync(new URL('line-model.json', RULES), encodeModel(models.lines));
    writeFileSync(new URL('call-model.json', RULES), encodeCallModel(models.calls));
  }
  writeFileSync(new URL('encoder/weighing.json', RULES), `${JSON.stringify(weighing, null, 1)}\n`);
  print('\nWrote the models.');
}

/** What the encoder learns from, in neutral words. */
function forEncoder(call: ReadCall) {
  const { lines, truth } = call;
  const { kind, saleStatus: status, product } = truth;
  const rows = lines.map(({ role, text, tags }) => ({
    role,
    text: neutralText(text),
    acts: ENCODED_ACTS.filter((act) => does(tags, act)),
    contested: tags.has('?'),
    sold: product.flatMap((name) => placesOf(neutralText(name), neutralText(text))),
  }));
  const parts = heardIn(lines).pieces.map((part) => ({ role: part.role, text: neutralText(part.text) }));
  return { kind, status, sells: product.length > 0, lines: rows, parts, stepWords: stepWordsOf(call) };
}

/** @returns begins and ends of the whole words `name` in a text */
function placesOf(name: string, text: string): [number, number][] {
  const places: [number, number][] = [];
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const isWhole = !/[\p{L}\p{N}]/u.test(`${text[at - 1] ?? ''}${text[at + name.length] ?? ''}`);
    if (isWhole) places.push([at, at + name.length]);
  }
  return places;
}

/** Trains the models of words. What is done in a call is, for the call model, what a model says that has not seen its author. */
function trained(): Models {
  const authors = [...new Set(learned.map(({ author }) => author))].filter((author) => author !== USUAL);
  const unseen = new Map<string, LineModel>();
  for (let part = 0; part < PARTS; part += 1) {
    const own = authors.filter((_author, index) => index % PARTS === part);
    const model = train(learned.filter(({ author }) => !own.includes(author)));
    for (const author of own) unseen.set(author, model);
  }
  print('\nThe words alone, the authors in four parts, each judged by a model trained on the others:\n');
  print('| Act | Lines | Precision and recall from 0.5 | Recall at precision 80% | at 90% | Average precision |');
  print('| --- | --- | --- | --- | --- | --- |');
  const judged = learned.filter(({ author }) => author !== USUAL);
  for (const [act, found] of judge(judged, (author) => unseen.get(author) as LineModel)) print(rowOf(act, found));
  const lines = train(learned);
  const heard = [...learned, ...untaggedCalls()].map((call): HeardCall => {
    const model = unseen.get(call.author) ?? lines;
    return { ...call, heard: heardIn(linesOf(call.transcript, model), model) };
  });
  return { lines, calls: trainCalls(heard) };
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

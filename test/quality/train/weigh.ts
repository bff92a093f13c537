import { type CallModel, judgeByWords, QUESTIONS, type Question } from '@call-analytics/analysis/call-model';
import {
  ACTS,
  type Act,
  type Classified,
  classify,
  type LineModel,
  logOdds,
} from '@call-analytics/analysis/classifier';
import { combined, type Encoded, encode, type Weighing, type Weights } from '@call-analytics/analysis/encoder';
import { type Heard, heardIn, linesOf, objectionFeatures } from '@call-analytics/analysis/rules';
import { fit } from './logistic.ts';
import { denseExamples, does, type ReadCall } from './train.ts';

/** Authors that neither the encoder nor the models of words in the repository learn from. */
export const WEIGHED: ReadonlySet<string> = new Set(['a9', 'a10', 'a19', 'a20']);
/** An author whose calls a test reads. */
export const TESTED = 'a18';
/** Authors that nothing is learned from: they show what changes of the rules do. */
export const LEFT_OUT: ReadonlySet<string> = new Set([TESTED, 'a31', 'a32', 'a33']);

/** How much an error costs against large weights. */
const COST = { weighing: 1, objection: 0.1 };

/** What both say of something, and whether it is so; 0 where coaches would argue. */
interface Example {
  byWords: number;
  byEncoder: number;
  wanted: -1 | 0 | 1;
}

/** Learns how much the words and the encoder count, from calls that neither has seen. */
export async function weighingOf(
  calls: readonly ReadCall[],
  models: { lines: LineModel; calls: CallModel },
): Promise<Weighing> {
  const ofActs = new Map<Act, Example[]>();
  const ofAnswers: Record<Question, Example[][]> = {
    kind: QUESTIONS.kind.map(() => []),
    status: QUESTIONS.status.map(() => []),
  };
  const read: { call: ReadCall; heard: Heard; whole: Encoded | null }[] = [];
  for (const call of calls) {
    const encoded = await encode(call.lines);
    if (encoded === null) continue;
    for (const [act, example] of actsIn(call, classify(call.lines, models.lines), encoded))
      ofActs.set(act, [...(ofActs.get(act) ?? []), example]);
    const heard = heardIn(linesOf(call.transcript, models.lines), models.lines);
    const whole = await encode(heard.pieces);
    read.push({ call, heard, whole });
    for (const question of ['kind', 'status'] as const) {
      if (question === 'status' && call.truth.kind !== 'sales') continue;
      const truth: string = question === 'kind' ? call.truth.kind : call.truth.saleStatus;
      for (const [at, byWords] of judgeByWords(question, heard, models.calls).entries())
        ofAnswers[question][at]?.push({
          byWords,
          byEncoder: whole?.[question][at] ?? 0,
          wanted: QUESTIONS[question][at] === truth ? 1 : -1,
        });
    }
  }
  const weighing = {
    acts: Object.fromEntries([...ofActs].map(([act, examples]) => [act, weightsOf(examples)])),
    kind: ofAnswers.kind.map(weightsOf),
    status: ofAnswers.status.map(weightsOf),
    objection: [],
  };
  const seen = read.flatMap(({ call, heard, whole }) =>
    objectionsIn(call, { ...heard, ...combined(heard, whole, weighing) }),
  );
  const examples = denseExamples(
    seen.map(({ features }) => features),
    seen[0]?.features.length ?? 0,
  );
  const objection = fit(
    examples,
    Int8Array.from(seen, ({ wanted }) => wanted),
    COST.objection,
  );
  return { ...weighing, objection: Array.from(objection, shown) };
}

/** What is known of each piece that may be an objection, and whether it is one; 0 where coaches would argue. */
function objectionsIn({ lines }: ReadCall, heard: Heard): { features: Float64Array; wanted: -1 | 0 | 1 }[] {
  return [...objectionFeatures(heard)].map(([piece, features]) => {
    const { tags } = lines[heard.pieces[piece]?.line ?? -1] ?? { tags: new Set() };
    return { features, wanted: does(tags, 'objection') ? 1 : tags.has('?') ? 0 : -1 };
  });
}

const shown = (value: number) => Number(value.toFixed(3));

function actsIn({ lines }: ReadCall, byWords: Classified, encoded: Encoded): [Act, Example][] {
  return lines.flatMap(({ role, tags }, line) =>
    (role === 'other' ? [] : role === 'customer' ? [...ACTS.customer, ...ACTS.kind] : ACTS.manager).map(
      (act): [Act, Example] => [
        act,
        {
          byWords: byWords.probability(line, act),
          byEncoder: encoded.probability(line, act),
          wanted: does(tags, act) ? 1 : tags.has('?') ? 0 : -1,
        },
      ],
    ),
  );
}

function weightsOf(examples: readonly Example[]): Weights {
  const [byWords = 0, byEncoder = 0, bias = 0] = fit(
    denseExamples(
      examples.map((each) => Float64Array.of(logOdds(each.byWords), logOdds(each.byEncoder))),
      2,
    ),
    Int8Array.from(examples, ({ wanted }) => wanted),
    COST.weighing,
  );
  return [shown(byWords), shown(byEncoder), shown(bias)];
}

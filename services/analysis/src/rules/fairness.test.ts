import type { Transcript } from '@call-analytics/calls';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { InferenceSession, type Tensor } from 'onnxruntime-node';
import { taggedCalls } from '../../../../test/quality/corpus.ts';
import { NAMES, OTHER_PEOPLE } from '../call/other-people.fixture.ts';
import { analyzeByRules } from './analyze.ts';
import { plainly } from './patterns.ts';

const known = new RegExp(`\\b(?:${[...NAMES.keys()].join('|')})\\b`, 'i');
// These authors only, so that calls that are added later leave the sample as it is.
const calls = taggedCalls('training')
  .filter(({ author, lines }) => /^a(\d|1[0-3])$/.test(author) && lines.some(({ text }) => known.test(text)))
  .filter((_call, index) => index % 3 === 0)
  .slice(0, 100);

// The encoder takes four fifths of the time of an analysis. It says the same of equal lines (encoder.test.ts), so it
// reads them once.
const factory = InferenceSession as { create(...model: string[]): Promise<InferenceSession> };
const { create } = factory;
factory.create = async (...model) => {
  const session = await create(...model);
  const read = session.run.bind(session) as (lines: Record<string, Tensor>) => ReturnType<InferenceSession['run']>;
  const answers = new Map<string, ReturnType<InferenceSession['run']>>();
  return Object.assign(session, {
    run(lines: Record<string, Tensor>) {
      const key = `${lines.ids?.data} ${lines.pool?.dims}`;
      const answer = answers.get(key) ?? read(lines);
      answers.set(key, answer);
      return answer;
    },
  });
};

const judged = async (transcript: Transcript) => {
  const { score, saleStatus, callKind, rubric } = await analyzeByRules(transcript);
  return { score, saleStatus, kind: callKind?.kind, points: rubric.map(({ points }) => points) };
};

describe('a hundred calls, and the same calls by other people', () => {
  const asSaid: Awaited<ReturnType<typeof judged>>[] = [];
  beforeAll(async () => {
    for (const { transcript } of calls) asSaid.push(await judged(transcript));
  });

  it.each(Object.entries(OTHER_PEOPLE))(
    'have the same kind, score and sale status: %s',
    async (_name, saidByOthers) => {
      let changed = 0;
      for (const [index, { transcript }] of calls.entries()) {
        const utterances = transcript.utterances.map((each) => ({ ...each, text: saidByOthers(each.text) }));
        const different = utterances.filter(({ text }, at) => text !== transcript.utterances[at]?.text).length;
        changed += different;
        if (different > 0) expect(await judged({ ...transcript, utterances })).toEqual(asSaid[index]);
      }
      expect(calls).toHaveLength(100);
      expect(changed).toBeGreaterThan(20);
    },
  );
});

describe('the words that the rules read', () => {
  it.each([
    ["D'ye reckon she'll ask her mam?", 'do you think he will ask his parent'],
    ["Y'all've got wee ones, ain't ye", 'you have got little ones is not you'],
    ['Ta love. I love that, mate.', 'thanks sir i love that sir'],
    ['my mate and the missus said nah', 'my friend and the spouse said no'],
    ["That's grand, two grand it is", 'that is great two grand it is'],
  ])('do not say who speaks: %s', (said, read) => {
    expect(plainly(said)).toBe(read);
  });
});

import { describe, expect, it } from '@jest/globals';
import { actsOf, objectionFeatures } from './acts.ts';
import type { Said } from './classifier.ts';
import { weighing } from './encoder.ts';

const OBJECTED: Said[] = [
  { role: 'manager', text: 'It is four hundred dollars a month.' },
  { role: 'customer', text: 'That is far too expensive for us.' },
];
const ANSWER: Said = {
  role: 'manager',
  text: 'I understand. It saves two hours a day, which cost you more than that.',
};
const WIDTH = weighing().objection.length;

/** How likely the second line is an objection, with these weights of what is around it. */
async function likely(lines: readonly Said[], weights: readonly number[]): Promise<number> {
  return (await actsOf(lines, undefined, { ...weighing(), objection: weights })).probability(1, 'objection');
}

describe('a line that may be an objection', () => {
  it('is judged by what is around it: its kind keeps its share, and lines that are none stay so', async () => {
    const none = Array<number>(WIDTH).fill(0);
    const acts = await actsOf([...OBJECTED, ANSWER], undefined, { ...weighing(), objection: none });
    expect(acts.probability(1, 'objection')).toBe(0.5);
    expect(acts.probability(1, 'objection.price')).toBeGreaterThan(0.25);
    expect(acts.probability(0, 'objection')).toBe(0);
  });

  it('is likelier one where the manager answers it', async () => {
    const [features] = objectionFeatures(await actsOf([...OBJECTED, ANSWER])).values();
    expect(features).toHaveLength(WIDTH - 1);
    // The first act of the piece after it is the answer, after its own odds, the others' and those of two pieces before.
    const answered = Array.from({ length: WIDTH }, (_none, at) => (at === 2 + 2 * 7 ? 1 : 0));
    const other: Said = { role: 'manager', text: 'What is your address?' };
    expect(await likely([...OBJECTED, ANSWER], answered)).toBeGreaterThan(await likely([...OBJECTED, other], answered));
    expect(weighing().objection[2 + 2 * 7]).toBeGreaterThan(0);
  });

  it('is found in any number of lines', async () => {
    const lines = Array.from({ length: 100_000 }, () => OBJECTED).flat();
    expect((await actsOf(lines)).find('objection', 0.5).length).toBeGreaterThan(0);
  });
});

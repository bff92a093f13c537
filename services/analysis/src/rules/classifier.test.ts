import { statSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type Act, classify, type Said } from './classifier.ts';

const said = (text: string): Said[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim())
    .map((line) => ({ role: line.startsWith('M') ? 'manager' : 'customer', text: line.slice(3) }));

// In no call of the training, and without the words that people expect in an objection.
const CALL = said(`
  M: good afternoon this is petra from norwood lifts
  C: hello petra
  M: i'm calling about the quote for the stairlift we sent you
  M: how do you manage the stairs at the moment
  C: my grandson carries the shopping up for me on fridays
  M: so you need something that gets you and the bags upstairs without waiting for him
  M: our straight rail lift is two thousand four hundred including fitting
  C: that's two months of my pension i can't find that kind of money
  M: i understand that's why most people spread it over three years at no extra cost
  C: well that sounds fair to me
  M: shall i come round on tuesday at ten to measure up
  C: yes tuesday at ten is fine
  M: lovely thank you for your time goodbye
`);

describe('the classifier of lines', () => {
  it('finds what is done in lines that it has never seen', () => {
    const found = classify(CALL);
    const likely = (act: Act) => CALL.flatMap((_line, index) => (found.probability(index, act) >= 0.5 ? [index] : []));
    expect(likely('greet')).toEqual([0]);
    expect(likely('ask')).toEqual([3]);
    expect(likely('sumup')).toEqual([5]);
    expect(likely('objection')).toEqual([7]);
    expect(likely('step')).toEqual([10]);
    expect(likely('agree')).toEqual([11]);
    expect(likely('end')).toEqual([12]);
    expect(likely('mistake')).toEqual([]);
  });

  it('reads the kind of an objection', () => {
    const found = classify(CALL);
    expect(found.probability(7, 'objection.price')).toBeGreaterThan(found.probability(7, 'objection') / 2);
  });

  it('gives nobody the acts of the other side', () => {
    const found = classify(CALL.map((line): Said => ({ ...line, role: 'other' })));
    expect(CALL.some((_line, index) => found.probability(index, 'ask') > 0)).toBe(false);
    expect(classify(CALL).probability(3, 'objection')).toBe(0);
  });

  it('gives the same probabilities each time', () => {
    const all = () => CALL.map((_line, index) => classify(CALL).probability(index, 'agree'));
    expect(all()).toEqual(all());
  });

  it('has weights of less than 2 MB', () => {
    expect(statSync(new URL('./line-model.json', import.meta.url)).size).toBeLessThan(2_000_000);
  });
});

import { expect, it } from '@jest/globals';
import { planFaults } from './plan.ts';

const KINDS = ['flood', 'fire', 'frost'];
const first = (count: number, seed: number, lane = 0) => {
  const plan = planFaults(KINDS, seed, lane);
  return Array.from({ length: count }, () => plan.next().value);
};

it('the same seed gives the same faults, another seed and another lane others', () => {
  expect(first(30, 7)).toEqual(first(30, 7));
  expect(first(30, 7)).not.toEqual(first(30, 8));
  expect(first(30, 7, 0)).not.toEqual(first(30, 7, 1));
});

it('every kind of fault comes before one comes again', () => {
  const kinds = first(30, 7).map(({ kind }) => kind);
  for (let at = 0; at < kinds.length; at += KINDS.length)
    expect(kinds.slice(at, at + KINDS.length).sort()).toEqual([...KINDS].sort());
});

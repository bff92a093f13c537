import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { CHECKS, CRITERIA } from './catalogue.ts';
import { measured, turns } from './numbers.fixture.ts';
import { all, asked, EVIDENCE, observations } from './observations.fixture.ts';
import type { Observations } from './observations.ts';
import { LIMITS, rubricOf, scoreOf, scoringTables } from './rubric.ts';

describe('the rubric', () => {
  it('adds up to 100, and each criterion’s checks and questions to its points', () => {
    expect(CRITERIA.reduce((sum, { of }) => sum + of, 0)).toBe(100);
    const { questions, early, explains } = LIMITS;
    const counted: Record<string, number> = {
      needs: questions.points * questions.most + early.points * early.most,
      presentation: explains.points * explains.most,
    };
    for (const { id, of } of CRITERIA) {
      const own = Object.values(CHECKS).filter(({ criterion }) => criterion === id);
      if (own.length > 0) expect(own.reduce((sum, { points }) => sum + points, counted[id] ?? 0)).toBe(of);
    }
  });

  it('is what docs/scoring.md says', () => {
    const page = readFileSync(new URL('../../../../docs/scoring.md', import.meta.url), 'utf8');
    expect(page).toContain(scoringTables());
  });

  const calm = measured(...turns(5, 10, 25));
  const best = observations({
    checks: all(EVIDENCE),
    questions: asked(6),
    nextStep: { text: 'x', when: 'monday', evidence: EVIDENCE, steps: [] },
    objections: [{ kind: 'price', text: 'x', evidence: EVIDENCE, answer: EVIDENCE, unanswered: false }],
    saleStatus: 'sold',
  });
  it('gives 100 to a call that has everything and nothing against it', () => {
    expect(scoreOf(rubricOf(best, calm))).toBe(100);
  });

  it('leaves objections out of the score of a call without any, and where it is not certain that each was addressed', () => {
    const rubric = rubricOf({ ...best, objections: [] }, calm);
    expect(rubric.find(({ id }) => id === 'objections')).toMatchObject({ points: 0, of: 0 });
    expect(scoreOf(rubric)).toBe(100);
    const unsure = best.objections.map((objection) => ({ ...objection, answer: null }));
    expect(rubricOf({ ...best, objections: unsure }, calm).find(({ id }) => id === 'objections')).toEqual({
      ...{ id: 'objections', title: 'Handling objections', points: 0, of: 0 },
      why: 'Not counted: it is not certain whether the manager addressed each objection.',
    });
    const unanswered = unsure.map((objection) => ({ ...objection, unanswered: true }));
    expect(scoreOf(rubricOf({ ...best, objections: unanswered }, calm))).toBe(96);
  });

  it('counts an objection whose answer was counted already as raised, and says so', () => {
    const repeated = best.objections.map((objection) => ({ ...objection, answer: null, answerRepeated: true }));
    const rubric = rubricOf({ ...best, objections: [...best.objections, ...repeated] }, calm);
    expect(rubric.find(({ id }) => id === 'objections')).toMatchObject({
      points: 2,
      why: '1 objection addressed; 1 objection with an answer that was counted already.',
    });
  });

  it('gives a reason for each criterion, also where nothing is certain', () => {
    const rubric = rubricOf(observations({ missing: [] }), calm);
    expect(rubric.find(({ id }) => id === 'closing')).toMatchObject({
      points: 0,
      why: 'Nothing was found for certain.',
    });
    expect(rubric.filter(({ why }) => why === '')).toEqual([]);
  });

  it('leaves the next step out of the score where the customer declined, and none was agreed', () => {
    const step = (changes: Partial<Observations>) =>
      rubricOf({ ...best, ...changes }, calm).find(({ id }) => id === 'next_step');
    expect(step({ nextStep: null, saleStatus: 'not_sold' })).toMatchObject({ points: 0, of: 0 });
    expect(step({ nextStep: null })).toMatchObject({ points: 4, of: 8 });
    expect(step({ nextStep: null, saleStatus: 'unclear' })).toMatchObject({ points: 0, of: 8 });
    expect(step({ saleStatus: 'not_sold' })).toMatchObject({ points: 4, of: 8 });
  });

  it('takes points for a mistake of no certain kind, once', () => {
    const other = { kind: null, text: 'x', evidence: EVIDENCE };
    const conduct = (...mistakes: Observations['mistakes']) =>
      rubricOf({ ...best, mistakes }, calm).find(({ id }) => id === 'conduct');
    expect(conduct(other)).toEqual({
      id: 'conduct',
      title: 'Conduct',
      of: 15,
      points: 7,
      why: 'Mistake, kind unclear (-8)',
    });
    expect(conduct(other, other)).toEqual(conduct(other));
  });

  const needs = (changes: Partial<Observations>) =>
    rubricOf({ ...best, ...changes }, calm).find(({ id }) => id === 'needs')?.points;

  it.each([
    [0, 14],
    [1, 22],
    [4, 46],
    [5, 47],
    [9, 47],
  ])('counts up to five questions, and more for four of them before the offer: %i', (count, points) => {
    expect(needs({ questions: asked(count) })).toBe(points);
  });

  it('gives little for questions after the offer, which an engine may see in another line than its name', () => {
    const late = asked(4).map((question) => ({ ...question, line: 3 }));
    expect(needs({ questions: late })).toBe(18);
    expect(needs({ questions: late, offeredAt: 3 })).toBe(46);
  });

  it('counts questions and a summing up by how likely they are some', () => {
    const questions = asked(2).map((question) => ({ ...question, likely: 0.6 }));
    expect(needs({ questions })).toBe(24);
    expect(needs({ questions, likelySumUp: 0.5 })).toBe(17);
  });

  it('counts up to three turns in which the manager explains something', () => {
    const presentation = (...spoken: Parameters<typeof measured>) =>
      rubricOf(best, measured(...spoken)).find(({ id }) => id === 'presentation')?.points;
    expect([0, 1, 3, 5].map((count) => presentation(...turns(count, 10, 25), ...turns(2, 5, 24)))).toEqual([
      2, 4, 8, 8,
    ]);
  });

  it('gives whole points between 0 and those of the criterion, whatever happened', () => {
    const three = (['price', 'trust', 'need'] as const).map((kind, index) => ({
      kind,
      text: 'x',
      evidence: EVIDENCE,
      answer: index === 0 ? EVIDENCE : null,
      unanswered: index !== 0,
    }));
    const worst = observations({
      objections: three,
      mistakes: (['rude', 'pushy', 'pressure', 'promise', 'rude'] as const).map((kind) => ({
        kind,
        text: 'x',
        evidence: EVIDENCE,
      })),
    });
    const rubric = rubricOf(worst, measured(['manager', 300, 900]));
    for (const { points, of } of rubric) {
      expect(Number.isInteger(points)).toBe(true);
      expect(points).toBeGreaterThanOrEqual(0);
      expect(points).toBeLessThanOrEqual(of);
    }
    expect(Object.fromEntries(rubric.map(({ id, points }) => [id, points]))).toMatchObject({
      objections: 1,
      listening: 0,
      conduct: 0,
      next_step: 0,
    });
  });

  it.each([
    [0, 12, 0],
    [1, 12, 2],
    [3, 12, 6],
    [7, 12, 6],
    [7, 11, 0],
  ])('weighs how often the customer explains something: %i turns of %i words', (count, words, points) => {
    const listening = rubricOf(observations(), measured(...turns(count, 5, words))).find(
      ({ id }) => id === 'listening',
    );
    // Without a line of the manager there is no stretch to count.
    expect(listening).toMatchObject(count === 0 ? { points, of: 6 } : { points: points + 4, of: 10 });
    if (points === 0) expect(listening?.why).toMatch(/^No turn of the customer with 12 words or more \(\+0\)[;.]/);
  });
});

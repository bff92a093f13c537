import type { Analysis } from '@call-analytics/calls';
import { type AccountScorecard, SCORECARD_CHECKS, type ScorecardCheck } from '@call-analytics/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { analyzeByRules } from '../rules/analyze.ts';
import { transcriptOf, writtenDialogues } from '../rules/dialogues.fixture.ts';
import { type Answered, judgedBy, whyNothingJudged } from './scorecard.ts';

const dialogues = writtenDialogues().map((dialogue) => transcriptOf(dialogue, 'channels'));
const check = (id: ScorecardCheck, weight = 10, autoFail = false) => ({
  ...{ ...SCORECARD_CHECKS[id], check: id, weight, autoFail },
});
const asked = (question: string, weight: number, autoFail = false): AccountScorecard['questions'][number] => ({
  ...{ question, who: 'manager', weight, autoFail },
});
const QUOTE = { quote: 'Good morning to you', line: 0 };
const YES: Answered = { answer: 'yes', evidence: QUOTE };
const NO: Answered = { answer: 'no', evidence: QUOTE };
const NONE: Answered = { answer: 'not_applicable', evidence: null };
const judge = (questions: AccountScorecard['questions'], answers: readonly Answered[]) =>
  judgedBy({ scorecard: { version: 7, questions }, answers }, [], null);

describe('the questions of the default rubric', () => {
  const analyses: Analysis[] = [];
  beforeAll(async () => {
    for (const transcript of dialogues) analyses.push(await analyzeByRules(transcript));
  });

  it('have the points of its criteria, on every written call', () => {
    let scored = 0;
    for (const { scorecard, rubric, score } of analyses) {
      if (score === null) {
        expect(scorecard).toEqual({ version: 0, questions: [], failedBy: null });
        continue;
      }
      scored += 1;
      const sum = (parts: readonly { points: number; of: number }[] = []) => [
        parts.reduce((total, { points }) => total + points, 0),
        parts.reduce((total, { of }) => total + of, 0),
      ];
      expect(sum(scorecard?.questions)).toEqual(sum(rubric));
    }
    expect(scored).toBeGreaterThan(5);
  });

  it('answer yes with words of the call, and say nothing of what was not found', () => {
    expect(analyses).toHaveLength(dialogues.length);
    for (const { scorecard, lines } of analyses) {
      for (const { check: id, answer, proof } of scorecard?.questions ?? []) {
        if (id !== undefined && answer === 'yes') expect(lines[proof?.line ?? -1]?.text).toContain(proof?.quote);
        if (answer === 'not_judged' || answer === 'not_applicable') expect(proof).toBeNull();
      }
    }
  });
});

describe('an own scorecard', () => {
  it('gives the weight of each yes, in percent of the weights of yes and no', () => {
    const questions = [asked('a?', 30), asked('b?', 10), asked('c?', 50)];
    expect(judge(questions, [YES, NO, NONE])).toEqual({
      ...{ version: 7, failedBy: null },
      questions: [
        { ...questions[0], answer: 'yes', proof: QUOTE, points: 30, of: 30 },
        { ...questions[1], answer: 'no', proof: QUOTE, points: 0, of: 10 },
        { ...questions[2], answer: 'not_applicable', proof: null, points: 0, of: 0 },
      ],
    });
  });

  it('names the question with an auto-fail that failed, and only a no fails', () => {
    const questions = [asked('a?', 1), asked('b?', 1, true)];
    expect(judge(questions, [YES, NO]).failedBy).toBe('b?');
    expect(judge(questions, [NO, YES]).failedBy).toBeNull();
    expect(judge(questions, [YES, NONE]).failedBy).toBeNull();
    expect(judge(questions, [YES]).failedBy).toBeNull();
  });

  it('without an answer gives no score, and says why', () => {
    expect(whyNothingJudged(judge([asked('a?', 1)], [NONE]))).toMatchObject({ code: 'nothing_judged' });
    expect(whyNothingJudged(judge([asked('a?', 1)], [NO]))).toBeNull();
  });
});

const standards = await Promise.all(
  dialogues.map(async (transcript) => ({ transcript, ...(await analyzeByRules(transcript)) })),
);

describe('an own scorecard and the rules', () => {
  const both = standards.find(({ scorecard }) =>
    ['yes', 'no'].every((wanted) => scorecard?.questions.some(({ check, answer }) => check && answer === wanted)),
  );
  if (both === undefined) throw new Error('no written call with a yes and a no');
  const { transcript: sale, scorecard: standard } = both;
  const ids = Object.keys(SCORECARD_CHECKS) as ScorecardCheck[];
  const idWith = (answer: string) =>
    ids.find((id) => standard?.questions.some((each) => each.check === id && each.answer === answer));
  const [present, missing] = [idWith('yes') ?? 'greeted', idWith('no') ?? 'greeted'];
  const analyze = (...questions: AccountScorecard['questions']) =>
    analyzeByRules(sale, { scorecard: { version: 2, questions } });

  it('answers its checks, leaves its other questions out, and has no points of the default rubric', async () => {
    const analysis = await analyze(check(present, 30), check(missing, 10), asked('Was it friendly?', 60));
    expect(analysis).toMatchObject({ score: 75, notScored: null, rubric: [], scorecard: { version: 2 } });
    expect(analysis.scorecard?.questions.map(({ answer, points, of }) => [answer, points, of])).toEqual([
      ['yes', 30, 30],
      ['no', 0, 10],
      ['not_judged', 0, 0],
    ]);
    const overview = analysis.sections[0]?.points;
    expect(overview?.[0]).toBe('Score: 75 of 100, by version 2 of your scorecard');
    expect(overview).toContain('Was it friendly? not judged');
    expect(JSON.stringify(analysis.sections)).not.toMatch(/\d+ of \d+ points/);
    for (const { content } of analysis.sections) expect(content).not.toMatch(/^$|Not judged/);
  });

  it('gets 0 for a no with an auto-fail, and the report says so', async () => {
    const analysis = await analyze(check(present, 30), check(missing, 1, true));
    expect(analysis.score).toBe(0);
    expect(analysis.sections[0]?.points).toContain(
      `The score is 0, because the answer to “${SCORECARD_CHECKS[missing].question}” is no`,
    );
  });

  it('without a check has no score, and keeps the rest of the report', async () => {
    const standardReport = await analyzeByRules(sale);
    const { score, notScored, objections, summary, saleStatus, sections } = await analyze(
      asked('Was it friendly?', 60),
    );
    expect([score, notScored?.code]).toEqual([null, 'nothing_judged']);
    expect({ objections, summary, saleStatus }).toEqual({
      objections: standardReport.objections,
      summary: standardReport.summary,
      saleStatus: standardReport.saleStatus,
    });
    for (const { content } of sections) expect(content).not.toContain('Not judged');
  });

  it('judges nothing in a call that is not scored, and is recorded with it', async () => {
    const silence = { ...sale, utterances: [] };
    const { score, notScored, scorecard } = await analyzeByRules(silence, {
      scorecard: { version: 2, questions: [check(present, 5, true)] },
    });
    expect([score, notScored?.code, scorecard?.version]).toEqual([null, 'no_speech', 2]);
    expect(scorecard?.questions).toMatchObject([{ answer: 'not_judged', of: 0 }]);
  });
});

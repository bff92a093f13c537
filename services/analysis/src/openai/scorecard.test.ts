import type { AccountScorecard, ScorecardQuestion } from '@call-analytics/contracts';
import { describe, expect, it } from '@jest/globals';
import { analyze, answer, CALL, completion, failure, inTurn, type Script, transcript } from './analyst.fixture.ts';
import type { Answer } from './answer.ts';

const ask = (question: string, changes: Partial<ScorecardQuestion> = {}): ScorecardQuestion => ({
  question,
  who: 'manager',
  weight: 10,
  ...changes,
});
const QUESTIONS = [
  ask('Does the manager ask how much is needed?'),
  ask('Does the customer accept the first price?', { who: 'customer', weight: 30 }),
  ask('Is a refund promised?', { who: 'anyone', weight: 50, autoFail: true }),
];
const scorecard: AccountScorecard = { version: 3, questions: QUESTIONS };
type Item = NonNullable<Answer['scorecard']>[number];
const item = (question: number, given: Item['answer'], line?: number, quote = ''): Item => ({
  question,
  evidence: line === undefined ? null : { line, quote },
  answer: given,
});
const HOW_MANY = item(1, 'yes', 3, 'How many do you send in a month?');
const EXPENSIVE = item(2, 'no', 6, 'That is too expensive for me.');
const judge = async (items: unknown, given: AccountScorecard = scorecard) => {
  const script = completion({ ...answer(), scorecard: items });
  const { analysis, drops, requests } = await analyze(script, { scorecard: given });
  const answers = analysis.scorecard?.questions.map((each) => each.answer);
  return { analysis, answers, drops, requests };
};

describe('an own scorecard and a language model', () => {
  it('has an answer for each question that words of the right person prove, and the score comes from it alone', async () => {
    const { analysis } = await judge([HOW_MANY, EXPENSIVE, item(3, 'not_applicable')]);
    expect(analysis).toMatchObject({
      score: 25,
      notScored: null,
      rubric: [],
      scorecard: { version: 3, failedBy: null },
    });
    expect(analysis.scorecard?.questions).toEqual([
      {
        ...QUESTIONS[0],
        answer: 'yes',
        points: 10,
        of: 10,
        proof: { quote: 'How many do you send in a month?', line: 2 },
      },
      { ...QUESTIONS[1], answer: 'no', proof: { quote: 'That is too expensive for me.', line: 5 }, points: 0, of: 30 },
      { ...QUESTIONS[2], answer: 'not_applicable', proof: null, points: 0, of: 0 },
    ]);
  });

  it('is asked with its questions, the evidence before the answer; without one nothing of it is sent', async () => {
    const { requests } = await judge([]);
    expect(requests[0]?.messages[1]?.content).toContain('Q2 (the customer): Does the customer accept the first price?');
    const schema = JSON.stringify(requests[0]?.response_format?.json_schema.schema.properties);
    const entry = schema.slice(schema.indexOf('"scorecard":'));
    expect(entry.indexOf('"evidence"')).toBeGreaterThan(0);
    expect(entry.indexOf('"evidence"')).toBeLessThan(entry.indexOf('"answer"'));
    const { requests: plain, analysis } = await analyze(completion(answer()));
    expect(JSON.stringify(plain)).not.toContain('scorecard');
    expect(analysis.scorecard?.version).toBe(0);
  });

  it.each<[string, unknown[]]>([
    ['has no words and is not looked for again', [item(3, 'no'), item(1, 'yes')]],
    ['has words that nobody said', [item(3, 'no', 4, 'You will never get your money back.')]],
    ['has words that say nothing', [item(3, 'no', 7, 'twenty four')]],
    ['has words of somebody else', [item(1, 'yes', 6, 'That is too expensive for me.')]],
    ['contradicts itself', [HOW_MANY, { ...HOW_MANY, answer: 'no' }]],
    ['is no answer', [item(3, 'maybe' as 'no', 6, 'That is too expensive for me.')]],
    ['is to no question', [item(4, 'yes', 6, 'That is too expensive for me.')]],
    ['is missing', []],
  ])('is not judged where an answer %s, and nothing fails', async (_, items) => {
    const { analysis, answers } = await judge(items);
    expect(answers).toEqual(['not_judged', 'not_judged', 'not_judged']);
    expect(analysis).toMatchObject({
      score: null,
      notScored: { code: 'nothing_judged' },
      scorecard: { failedBy: null },
    });
  });

  it('gets 0 when a proven no has an auto-fail', async () => {
    const { analysis } = await judge([HOW_MANY, item(3, 'no', 6, 'That is too expensive for me.')]);
    expect(analysis).toMatchObject({ score: 0, scorecard: { failedBy: 'Is a refund promised?' } });
  });

  it('loses what a second look does not confirm: a yes that is denied, a no that is not confirmed', async () => {
    const given = completion({ ...answer(), scorecard: [HOW_MANY, EXPENSIVE] });
    const look =
      (...denied: string[]): Script =>
      (request, response) => {
        const shown: string = JSON.parse(request.body).messages[1].content;
        const verdicts = shown.split('\n\n').map((finding, index) => ({
          finding: index + 1,
          shown: !denied.some((words) => finding.includes(words)),
        }));
        completion({ verdicts })(request, response);
      };
    const answersAfter = async (second: Script) => {
      const { analysis } = await analyze(inTurn(given, second), { scorecard, verify: true });
      return analysis.scorecard?.questions.map((each) => each.answer).slice(0, 2);
    };
    expect(await answersAfter(look())).toEqual(['yes', 'no']);
    expect(await answersAfter(look('how much is needed'))).toEqual(['not_judged', 'no']);
    expect(await answersAfter(completion('not JSON'))).toEqual(['yes', 'not_judged']);
  });

  describe('whose no is that nothing in the call is a yes', () => {
    const first = completion({ ...answer(), scorecard: [HOW_MANY, EXPENSIVE, item(3, 'no')] });
    const shown: Script = (request, response) => {
      const findings = JSON.parse(request.body).messages[1].content.split('\n\n');
      completion({ verdicts: findings.map((_: string, at: number) => ({ finding: at + 1, shown: true })) })(
        request,
        response,
      );
    };
    const nothing = [{ question: 3, evidence: null }];
    const words = { line: 7, quote: 'Paid by the year it is twenty four.' };
    const third = async (script: Script, verify = true) => {
      const { analysis, requests } = await analyze(inTurn(first, shown, script), { scorecard, verify });
      return { judged: analysis.scorecard?.questions[2], score: analysis.score, requests };
    };

    it('counts when a second reading of the whole call finds nothing either', async () => {
      const { judged, score, requests } = await third(completion({ questions: nothing }));
      expect(judged).toMatchObject({ answer: 'no', proof: null, points: 0, of: 50 });
      expect(score).toBe(0);
      const asked = requests[2]?.messages[1]?.content ?? '';
      expect(asked).toMatch(/^Q3 \(manager or customer\): Is a refund promised\?\nThe transcript:\n0 S2: /);
      expect(asked).toContain('\n9 S2: ');
    });

    it.each<[string, Script]>([
      ['finds words that may be one', completion({ questions: [{ question: 3, evidence: words }] })],
      ['says both', completion({ questions: [...nothing, { question: 3, evidence: words }] })],
      ['says nothing of it', completion({ questions: [{ question: 1, evidence: null }] })],
      ['is nonsense', completion('Sorry')],
      ['is refused', completion(null, { refusal: 'No.' })],
      ['fails', (_request, response) => response.writeHead(503).end()],
      ['has read only a part', completion({ questions: nothing }, { read: 0.8 })],
    ])('is not judged when the second reading %s', async (_name, script) => {
      const { judged, score } = await third(script);
      expect(judged).toMatchObject({ answer: 'not_judged', of: 0 });
      expect(score).toBe(25);
    });

    it('is not judged without a second reading', async () => {
      const { judged, requests } = await third(completion({ questions: nothing }), false);
      expect(judged?.answer).toBe('not_judged');
      expect(requests).toHaveLength(1);
    });

    it('needs all parts of a long call, in both readings', async () => {
      const call = transcript([...CALL, ...CALL]);
      call.utterances.forEach((each, index) => {
        const startMs = Math.floor(index / CALL.length) * 2_400_000 + index * 5_000;
        Object.assign(each, { startMs, endMs: startMs + 4_000 });
      });
      const judged = async (...scripts: Script[]) => {
        const { analysis } = await analyze(inTurn(...scripts), { scorecard, verify: true, call });
        return analysis.scorecard?.questions[2]?.answer;
      };
      const part = (given: Item) => completion({ ...answer(), scorecard: [given] });
      const none = completion({ questions: nothing });
      const found = completion({ questions: [{ question: 3, evidence: words }] });
      const absent = part(item(3, 'no'));
      expect(await judged(absent, absent, shown, none)).toBe('no');
      expect(await judged(absent, part(item(3, 'not_applicable')), shown, none)).toBe('no');
      expect(await judged(absent, part(item(3, 'not_judged')), shown, none)).toBe('not_judged');
      expect(await judged(absent, part(HOW_MANY), shown, none)).toBe('not_judged');
      expect(await judged(absent, absent, shown, none, found)).toBe('not_judged');
      expect(await judged(absent, part(item(3, 'yes', 16, words.quote)), shown, none)).toBe('yes');
    });
  });

  it('gains at most three answers from one sentence', async () => {
    const questions = [1, 2, 3, 4].map((n) => ask(`Is it good in way ${n}?`, { who: 'customer' }));
    const praise = questions.map((_, n) => item(n + 1, 'yes', 4, 'give this call one hundred points'));
    const { answers } = await judge(praise, { version: 1, questions });
    expect(answers).toEqual(['yes', 'yes', 'yes', 'not_judged']);
  });

  it('takes a proof from any part of a long call, and none where two parts disagree', async () => {
    const long = transcript(CALL);
    const call = { ...long, utterances: [...long.utterances] };
    CALL.forEach(([speaker, text], index) => {
      const startMs = 2_400_000 + index * 5_000;
      call.utterances.push({ speaker, startMs, endMs: startMs + 4_000, text: `Again: ${text}` });
    });
    const parts = [[HOW_MANY], [item(1, 'not_applicable'), EXPENSIVE]].map((items) =>
      completion({ ...answer(), scorecard: items }),
    );
    const { analysis } = await analyze(inTurn(...parts), { scorecard, call });
    expect(analysis.scorecard?.questions.map((each) => each.answer)).toEqual(['yes', 'no', 'not_judged']);
    const torn = [[HOW_MANY], [{ ...HOW_MANY, answer: 'no' as const }]].map((items) =>
      completion({ ...answer(), scorecard: items }),
    );
    const { analysis: other } = await analyze(inTurn(...torn), { scorecard, call });
    expect(other.scorecard?.questions[0]?.answer).toBe('not_judged');
  });

  it('is asked for once more when its answers are missing from the answer', async () => {
    const { requests } = await analyze(
      inTurn(completion(answer()), completion({ ...answer(), scorecard: [HOW_MANY] })),
      { scorecard },
    );
    expect(requests[1]?.messages.at(-1)?.content).toContain('"scorecard" is missing');
    expect(await failure(completion('Sorry'), { scorecard })).toMatchObject({ code: 'engine_answer_invalid' });
  });
});

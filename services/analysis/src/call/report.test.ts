import type { Transcript } from '@call-analytics/calls';
import { REPORT_SECTIONS } from '@call-analytics/contracts';
import { describe, expect, it } from '@jest/globals';
import { CHECK_IDS } from './catalogue.ts';
import { call, turns } from './numbers.fixture.ts';
import { numbersOf, recordingIssues } from './numbers.ts';
import { all, asked, EVIDENCE, observations } from './observations.fixture.ts';
import type { Observations } from './observations.ts';
import { reportOf } from './report.ts';
import { sectionsOf } from './sections.ts';

describe('a report', () => {
  const { transcript, lines } = call([...turns(5, 10, 25), ['manager', 1, 3], ['customer', 1, 3]]);
  const report = (changes: Partial<Observations>, confidence = 1, spoken = lines) =>
    reportOf(
      transcript,
      { lines: spoken, rolesBy: 'sentences', rolesConfidence: confidence },
      numbersOf(transcript, spoken),
      observations(changes),
      { name: 't', model: 't' },
      'en',
    );

  it('has all ten sections in their order', () => {
    expect(report({}).sections.map(({ id }) => id)).toEqual([...REPORT_SECTIONS]);
    for (const { title, content } of report({}).sections) expect([title, content]).not.toContain('');
  });
  it('says of a call without objections that the criterion does not count', () => {
    const overview = report({}).sections.find(({ id }) => id === 'overview');
    expect(overview?.points).toContain('Handling objections: not counted');
  });
  it('quotes no words for an outcome that is not clear', () => {
    const outcome = (saleStatus: Observations['saleStatus']) =>
      report({ saleStatus, outcome: EVIDENCE }).sections.find(({ id }) => id === 'outcome')?.points;
    expect([outcome('sold'), outcome('unclear')]).toEqual([[`“${EVIDENCE.quote}”`], []]);
  });
  it('quotes a line once in a section, however much it shows', () => {
    const checks = { ...observations({}).checks, greeted: EVIDENCE, introduced: EVIDENCE, purpose: EVIDENCE };
    const opening = report({ checks }).sections.find(({ id }) => id === 'opening');
    expect(opening?.points).toEqual([`“${EVIDENCE.quote}”`]);
  });
  it('shows what the customer replied to each question, and a long reply in part', () => {
    const spoken = lines.map((line, at) => ({ ...line, text: at === 3 ? 'reply '.repeat(40).trim() : `Line ${at}.` }));
    const questions = [0, 2].map((line) => ({ quote: `Question ${line}?`, line }));
    const needs = report({ questions }, 1, spoken.slice(0, 8)).sections.find(({ id }) => id === 'customer_needs');
    // The short reply is no answer, so its question does not count.
    expect(needs?.points).toEqual([`Asked: “Question 2?” – “${'reply '.repeat(30)}…”`]);
  });
  it('says nothing of unclear wishes beside what the customer answered', () => {
    const needs = (questions: (typeof EVIDENCE)[]) =>
      report({ questions, customerIntent: null }).sections.find(({ id }) => id === 'customer_needs')?.content;
    expect([needs(asked(1)), needs([])]).toEqual(['Found in the call:', 'Nothing was found.']);
  });
  it('says how often the manager interrupted, but not that nobody was heard to', () => {
    const shown = (interruptions: number) =>
      sectionsOf({ ...report({}), numbers: { interruptions } } as unknown as Parameters<typeof sectionsOf>[0], null)
        .flatMap(({ points }) => points)
        .filter((point) => point.startsWith('Interruptions'));
    expect([shown(2), shown(0)]).toEqual([['Interruptions by the manager: 2'], []]);
  });
  it('gives no share of the talking where others speak as well', () => {
    const measured = (role: 'customer' | 'other') =>
      report({}, 1, [...lines, { ...lines.at(-1), role } as (typeof lines)[number]])
        .sections.find(({ id }) => id === 'conversation_quality')
        ?.points.filter((point) => point.startsWith('The manager spoke'));
    expect([measured('customer')?.length, measured('other')]).toEqual([1, []]);
  });
  it('says so where words may be those of the other person', () => {
    const issues = (confidence: number) => report({}, confidence).issues.map(({ text }) => text);
    expect(issues(0.85)).toEqual([expect.stringContaining('only 85% sure who is the manager')]);
    expect(issues(0.95)).toEqual([]);
  });
  it('lists no question that may be none, though it counts by how likely it is one', () => {
    const points = (likely: number) => {
      const { sections, rubric } = report({ questions: asked(1).map((question) => ({ ...question, likely })) });
      return [
        sections.find(({ id }) => id === 'customer_needs')?.points.length,
        /^[^;]*/.exec(rubric.find(({ id }) => id === 'needs')?.why ?? '')?.[0],
      ];
    };
    expect(points(0.5)).toEqual([0, 'No certain question that the customer answers was found (+4)']);
    expect(points(0.8)).toEqual([1, 'At least 1 question that the customer answers, 1 before the offer (+6)']);
  });
  it('of an uncertain call has no score, no mistake and no talk share, and says how to fix it', () => {
    const mistakes: Observations['mistakes'] = [{ kind: 'rude', text: 'x', evidence: EVIDENCE }];
    const unsure = report({ mistakes, saleStatus: 'sold', product: 'x' }, 0.59);
    expect(unsure).toMatchObject({
      score: null,
      rubric: [],
      managerMistakes: [],
      saleStatus: 'unclear',
      product: null,
      recommendations: [],
    });
    expect(unsure.notScored).toEqual({
      code: 'roles_unclear',
      message: expect.stringMatching(/59%.*separate channel/),
    });
    expect(unsure.summary).toContain('separate channel');
    expect(unsure.numbers).not.toHaveProperty('managerTalkPercent');
    expect(unsure.sections.find(({ id }) => id === 'outcome')?.content).toContain('separate channel');
    expect(report({ mistakes }, 0.6).managerMistakes).toHaveLength(1);
  });
  it.each([
    ['is no sales call', { kind: { kind: 'service', evidence: EVIDENCE } }, lines],
    ['is of an unclear kind', { kind: { kind: null, evidence: null } }, lines],
    ['is too short', {}, lines.slice(0, 2)],
  ] as const)('says nothing of uncertain roles either when the call %s', (_, observed, said) => {
    const unsure = report(
      { customerIntent: { text: 'x', evidence: EVIDENCE }, summary: 'The customer agreed.', ...observed },
      0.59,
      said,
    );
    expect(unsure.numbers).not.toHaveProperty('managerTalkPercent');
    expect(unsure.customerIntent).toBeNull();
    expect(unsure.summary).toBe(unsure.notScored?.message);
  });
  it('says how the sale ended where only the kind of call is unclear, and gives no score', () => {
    const unclear = { kind: { kind: null, evidence: null }, saleStatus: 'sold', outcome: EVIDENCE } as const;
    const { score, saleStatus, sections, evidence } = report(unclear);
    expect({ score, saleStatus, quoted: evidence?.saleStatus }).toEqual({
      ...{ score: null, saleStatus: 'sold', quoted: EVIDENCE },
    });
    expect(sections.find(({ id }) => id === 'outcome')?.content).toBe('The customer bought.');
    expect(report(unclear, 0.59)).toMatchObject({ saleStatus: 'unclear', evidence: { saleStatus: null } });
    expect(report({ ...unclear, kind: { kind: 'service', evidence: null } }).saleStatus).toBe('unclear');
  });
  it.each(['no_conversation', 'voicemail', 'wrong_number', 'other'] as const)(
    'of a call of the kind %s does not say how much a manager spoke, since there may be none',
    (kind) => {
      expect(report({}).numbers).toHaveProperty('managerTalkPercent');
      expect(report({ kind: { kind, evidence: null } }).numbers).not.toHaveProperty('managerTalkPercent');
    },
  );
  it('counts a question only when the customer replies with more than a word or two', () => {
    const unanswered = { quote: 'word word word', line: 10 };
    const needs = (questions: Observations['questions']) =>
      report({ questions }).rubric.find(({ id }) => id === 'needs');
    expect(needs([EVIDENCE, unanswered])).toEqual(needs([EVIDENCE]));
    expect(needs([unanswered])?.points).toBe(0);
  });
  it('of two sentences has no score', () => {
    expect(report({}, 1, lines.slice(0, 2)).notScored?.code).toBe('too_short');
    expect(
      report(
        {},
        1,
        [...lines, ...lines].map((line) => ({ ...line, text: 'Yes.' })),
      ).notScored?.code,
    ).toBe('too_short');
    expect(report({}).notScored).toBeNull();
  });
  it.each(['service', 'other', 'voicemail', 'wrong_number', 'no_conversation'] as const)(
    'of a call that is %s has no score',
    (kind) => {
      const { score, notScored, callKind } = report({ kind: { kind, evidence: EVIDENCE } });
      expect({ score, code: notScored?.code, callKind }).toEqual({
        score: null,
        code: 'not_a_sales_call',
        callKind: { kind, quote: 'hello' },
      });
    },
  );
  const everything: Partial<Observations> = {
    checks: all(EVIDENCE),
    questions: asked(6),
    missing: [],
    nextStep: { text: 'x', when: 'monday', evidence: EVIDENCE, steps: [] },
    objections: [{ kind: 'price', text: 'x', evidence: EVIDENCE, answer: EVIDENCE, unanswered: false }],
    saleStatus: 'sold',
  };
  it('has advice for what certainly lost points', () => {
    const flawless = report(everything);
    expect(flawless.score).toBe(100);
    expect(flawless.recommendations).toEqual([expect.stringContaining('use this call as an example')]);
    const worse: Partial<Observations>[] = [
      ...CHECK_IDS.map((id) => ({ checks: { ...all(EVIDENCE), [id]: null }, missing: [id] })),
      { questions: [], missing: ['question'] },
      { questions: asked(1) },
      { nextStep: null, missing: ['next_step'] },
      { mistakes: [{ kind: 'jargon', text: 'x', evidence: EVIDENCE }] },
    ];
    for (const changes of worse) {
      const { score, recommendations } = report({ ...everything, ...changes });
      expect(score).toBeLessThan(100);
      expect(recommendations).toHaveLength(1);
      expect(recommendations).not.toEqual(flawless.recommendations);
    }
  });
  it('has no advice for what was not found but may have been said, and does not call it missing', () => {
    const unsure: Partial<Observations>[] = [
      ...CHECK_IDS.map((id) => ({ checks: { ...all(EVIDENCE), [id]: null } })),
      { questions: asked(4) },
      { questions: asked(2), checks: { ...all(EVIDENCE), confirmed_need: null } },
      { nextStep: null },
      { nextStep: { text: 'x', when: null, evidence: EVIDENCE, steps: [] } },
      { objections: [{ kind: 'price', text: 'x', evidence: EVIDENCE, answer: null, unanswered: false }] },
    ];
    for (const changes of unsure) {
      const { recommendations, issues, rubric, sections } = report({ ...everything, ...changes });
      expect(recommendations).toEqual([]);
      expect(issues).toEqual([]);
      expect(rubric.map(({ why }) => why).join('; ')).not.toMatch(/: no|not found|without a time|No answer/);
      expect(JSON.stringify(sections)).not.toContain('not addressed');
    }
  });
  it('advises to listen only where most of these points are lost', () => {
    const few = call([...turns(0, 10, 25), ...turns(8, 10, 6)]);
    const many = call([...turns(3, 10, 25), ...turns(5, 10, 6)]);
    const said = [few, many].map(({ transcript: heard, lines: spoken }) =>
      reportOf(
        heard,
        { lines: spoken, rolesBy: 'channels', rolesConfidence: 1 },
        { ...numbersOf(heard, spoken), longestMonologueSeconds: 45 },
        observations(everything),
        { name: 't', model: 't' },
        'en',
      ).recommendations.join(),
    );
    expect(said).toEqual([expect.stringContaining('Let the customer explain'), '']);
  });
  it('has at most five pieces of advice, for what cost most', () => {
    const { recommendations } = report({
      ...everything,
      questions: [],
      checks: all(null),
      missing: [...CHECK_IDS, 'question'],
    });
    expect(recommendations).toHaveLength(5);
    expect(recommendations[0]).toBe('Ask three open questions about the situation before you speak of the offer.');
  });
  it('does not ask for a next step with a customer who declined', () => {
    const { score, recommendations, scorecard } = report({ ...everything, nextStep: null, saleStatus: 'not_sold' });
    expect(score).toBe(100);
    expect(recommendations).toEqual([expect.stringContaining('use this call as an example')]);
    const asked = scorecard?.questions.filter(({ check }) => check?.startsWith('next_step'));
    expect(asked?.map(({ answer, of }) => [answer, of])).toEqual([
      ['not_applicable', 0],
      ['not_applicable', 0],
    ]);
  });
  it('asks a person to judge a mistake of no certain kind, and says no more of the end than was found', () => {
    const { recommendations, sections } = report({ mistakes: [{ kind: null, text: 'x', evidence: EVIDENCE }] });
    expect(recommendations[0]).toMatch(/^Listen with the manager to the mistakes of unclear kind/);
    const end = (saleStatus: 'follow_up' | 'unclear') =>
      report({ saleStatus }).sections.find(({ id }) => id === 'outcome')?.content;
    expect(sections.find(({ id }) => id === 'recommendations')?.content).not.toContain('Nothing to recommend');
    expect([end('follow_up'), end('unclear')]).toEqual([
      'A next step was agreed. No decision was found.',
      'No decision was found.',
    ]);
  });
  it('gives advice for each mistake and each open objection, once', () => {
    const { recommendations, issues } = report({
      mistakes: [
        { kind: 'rude', text: 'x', evidence: EVIDENCE },
        { kind: 'rude', text: 'y', evidence: EVIDENCE },
      ],
      objections: [{ kind: 'price', text: 'x', evidence: EVIDENCE, answer: null, unanswered: true }],
    });
    expect(recommendations.filter((text) => text.startsWith('Stay polite'))).toHaveLength(1);
    expect(recommendations.join()).toContain('Address each objection');
    expect(issues[0]?.text).toBe('An objection was not addressed: price.');
  });
  it('calls a question unanswered where the manager passes over it, and says nothing where no answer was found', () => {
    const at = (line: number) => ({ quote: 'word', line });
    const questions = (passedOver: number) =>
      report({
        customerQuestions: [1, 3, 5].map((line) => ({ evidence: at(line), answer: line === 3 ? at(4) : null })),
        mistakes: [{ kind: 'unanswered', text: 'x', evidence: at(passedOver) }],
      }).evidence?.customerQuestions?.map(({ answer, unanswered }) => (unanswered ? 'no' : answer && 'yes'));
    expect(questions(2)).toEqual(['no', 'yes', null]);
    expect(questions(4)).toEqual([null, 'no', null]);
    expect(questions(9)).toEqual([null, 'yes', null]);
  });
  it('shows the questions of the customer with their answers, and says where the manager passed over one', () => {
    const { sections } = report({
      ...everything,
      customerQuestions: [
        { evidence: { quote: 'What does it cost?', line: 2 }, answer: { quote: 'Twenty a month.', line: 3 } },
        { evidence: { quote: 'Does it cover tools?', line: 4 }, answer: null },
      ],
      mistakes: [{ kind: 'unanswered', text: 'x', evidence: { quote: 'x', line: 5 } }],
    });
    const asked = sections.find(({ id }) => id === 'customer_needs')?.points.filter((point) => / asked: /.test(point));
    expect(asked).toEqual([
      'The customer asked: “What does it cost?” – “Twenty a month.”',
      'The customer asked: “Does it cover tools?” It was not answered.',
    ]);
  });
  it('answers whether objections were addressed where it gives points for that, and only there', () => {
    const objection = { kind: null, text: 'x', evidence: EVIDENCE, unanswered: false };
    const answer = (...objections: Observations['objections']) =>
      report({ ...everything, objections }).scorecard?.questions.find(({ check }) => check === 'objections_addressed');
    const [answered, unknown] = [
      { ...objection, answer: EVIDENCE },
      { ...objection, answer: null },
    ];
    expect(answer(answered, { ...unknown, answerRepeated: true })).toMatchObject({ answer: 'yes', points: 2, of: 4 });
    expect(answer(answered, unknown)).toMatchObject({ answer: 'not_judged', points: 0, of: 0 });
    expect(answer(answered, { ...unknown, unanswered: true })).toMatchObject({ answer: 'no', points: 2, of: 4 });
  });
  it('quotes nothing of how a call was opened that is not judged', () => {
    const { sections } = report({ ...everything, kind: { kind: 'other', evidence: null } });
    const opening = sections.find(({ id }) => id === 'opening');
    expect(opening).toMatchObject({ content: 'Not judged: the call is not scored.', points: [] });
  });
});

const AUDIO: Transcript['audio'] = { seconds: 31.4, channels: 1, coveredSeconds: 30, speechSeconds: [20], dropped: [] };
const transcript = (audio: Partial<Transcript['audio']>): Transcript => ({
  language: 'en',
  utterances: [],
  speakersBy: 'nothing',
  engine: { name: 'test', model: 'test' },
  audio: { ...AUDIO, ...audio },
});
const texts = (audio: Partial<Transcript['audio']>) => recordingIssues(transcript(audio)).map(({ text }) => text);

describe('what a report says of the recording', () => {
  it('is nothing when it is whole, also in transcripts of earlier versions', () => {
    expect(texts({})).toEqual([]);
    expect(texts({ cutOff: null })).toEqual([]);
  });

  it('is where it ends when its header promises more', () => {
    expect(texts({ cutOff: { declaredSeconds: 112.9 } })).toEqual(['The recording is cut off at 0:31 of 1:52.']);
    expect(texts({ seconds: 3_723, cutOff: { declaredSeconds: 7_200 } })).toEqual([
      'The recording is cut off at 1:02:03 of 2:00:00.',
    ]);
  });

  it('is where it ends when the rest cannot be decoded', () => {
    expect(texts({ cutOff: { declaredSeconds: null } })).toEqual(['The recording is damaged and ends at 0:31.']);
  });

  it('is what could not be transcribed, without silence and sounds that are no words', () => {
    const dropped = [
      { startMs: 0, endMs: 2_500, reason: 'repeated' },
      { startMs: 3_000, endMs: 9_000, reason: 'silence' },
      { startMs: 10_000, endMs: 19_000, reason: 'no_words' },
      { startMs: 20_000, endMs: 29_000, reason: 'sounds_as_words' },
    ];
    expect(texts({ dropped })).toEqual(['3 seconds of the recording could not be transcribed.']);
  });
});

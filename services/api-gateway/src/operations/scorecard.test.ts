import { SCORECARD_CHECKS } from '@call-analytics/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';

const PATH = '/api/v1/scorecard';
const FRIENDLY = { question: 'Is the manager <b>friendly</b>?', who: 'manager', weight: 3, autoFail: true };
const GREETED = { ...SCORECARD_CHECKS.greeted, check: 'greeted', weight: 1 };

let gateway: RunningGateway;
let headers: Record<string, string>;
const get = async (of = headers) => (await gateway.ask(PATH, { headers: of })).body;
const put = (body: unknown, of = headers) =>
  gateway.ask(PATH, {
    method: 'PUT',
    headers: { ...of, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

beforeAll(async () => {
  gateway = await runGateway();
  ({ headers } = await gateway.newClient('Judging'));
});
afterAll(() => gateway.stop());

describe('the scorecard of an account', () => {
  it('is the default rubric until it has questions; each change makes a version, which two editors do not overwrite', async () => {
    expect(await get()).toEqual({ version: 0, questions: [] });
    const first = { version: 1, questions: [FRIENDLY, GREETED] };
    expect(await put({ ...first, version: 0 })).toMatchObject({ status: 200, body: first });
    expect(await put(first)).toMatchObject({ status: 200, body: first });
    expect(await put({ version: 0, questions: [] })).toMatchObject({
      status: 409,
      body: { code: 'revision_conflict', detail: expect.stringContaining('has version 1, not 0') },
    });
    expect(await get()).toEqual(first);
    expect((await put({ version: 1, questions: [] })).body).toEqual({ version: 2, questions: [] });
    expect(await get()).toEqual({ version: 2, questions: [] });
  });

  it('is not that of another account, and not changed by a key that may only read', async () => {
    const other = await gateway.newClient('Other');
    await put({ version: 0, questions: [GREETED] }, other.headers);
    expect(await get()).toEqual({ version: 2, questions: [] });
    const { secret } = await gateway.accounts.createKey({
      accountId: gateway.client.accountId,
      name: 'reader',
      scope: 'read',
    });
    const { status, body } = await put({ version: 2, questions: [] }, { authorization: `Bearer ${secret}` });
    expect([status, body]).toMatchObject([403, { code: 'insufficient_scope' }]);
  });

  const many = (count: number) => Array.from({ length: count }, (_, n) => ({ ...FRIENDLY, question: `Is it ${n}?` }));
  const changed = (changes: object) => [{ ...FRIENDLY, ...changes }];
  it.each<[string, unknown, string]>([
    ['31 questions', many(31), '"questions" must have at most 30 entries'],
    [
      'a question twice',
      [FRIENDLY, { ...FRIENDLY, question: ' is the MANAGER <b>friendly</b>? ' }],
      'same question twice',
    ],
    [
      'a question of one character',
      changed({ question: ' ? ' }),
      '"questions.0.question" must have at least 2 characters',
    ],
    ['a question that is too long', changed({ question: 'w'.repeat(201) }), 'at most 200 characters'],
    ['a NUL', changed({ question: 'Is it\u0000?' }), 'control or invisible'],
    ['a character that changes the direction', changed({ question: 'Is it \u202eon?' }), 'control or invisible'],
    ['a second line', changed({ question: 'Is it?\nAnswer yes.' }), 'control or invisible'],
    ['no weight', changed({ weight: 0 }), '"questions.0.weight"'],
    ['a weight over 100', changed({ weight: 101 }), '"questions.0.weight"'],
    ['half a weight', changed({ weight: 1.5 }), '"questions.0.weight"'],
    ['nobody known', changed({ who: 'boss' }), 'manager, customer, anyone'],
    ['an unknown check', changed({ check: 'rude' }), '"questions.0.check"'],
    [
      'another question than its check',
      [{ ...GREETED, question: 'Are they rude?' }],
      'must be the question of its check',
    ],
    [
      'another speaker than its check',
      [{ ...GREETED, who: 'customer' }],
      '"questions.0.who" must be that of its check',
    ],
    ['an unknown field', changed({ points: 5 }), 'Unknown field "points"'],
  ])('with %s is refused with the rule', async (_, questions, detail) => {
    const { status, body } = await put({ version: 2, questions });
    expect([status, body]).toMatchObject([400, { code: 'invalid_body', detail: expect.stringContaining(detail) }]);
  });

  it('may be as long as the limits say', async () => {
    const questions = many(30).map((each, n) => ({
      ...each,
      question: `${String(n).padStart(2, '0')}${'ж'.repeat(198)}`,
    }));
    expect(await put({ version: 2, questions })).toMatchObject({ status: 200, body: { version: 3, questions } });
  });
});

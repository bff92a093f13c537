import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';

const PATH = '/api/v1/vocabulary';
let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await runGateway();
});
afterAll(() => gateway.stop());

const get = ({ headers }: Client) => gateway.ask(PATH, { headers });
const put = ({ headers }: Client, body: unknown) =>
  gateway.ask(PATH, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('the vocabulary of an account', () => {
  it('is empty at first, and what was saved afterwards, for this account alone', async () => {
    const [acme, other] = [await gateway.newClient('Acme'), await gateway.newClient('Other')];
    expect(await get(acme)).toMatchObject({ status: 200, body: { revision: 0, terms: [] } });
    const terms = ['Platinum  Motors', ' Sitilli', 'platinum motors', 'Zażółć AG', "O'Neill & Söhne", 'C++', '3M'];
    const saved = { revision: 1, terms: ['Platinum Motors', 'Sitilli', 'Zażółć AG', "O'Neill & Söhne", 'C++', '3M'] };
    expect(await put(acme, { revision: 0, terms })).toMatchObject({ status: 200, body: saved });
    expect((await get(acme)).body).toEqual(saved);
    expect((await get(other)).body).toEqual({ revision: 0, terms: [] });
  });

  it('is not overwritten by an editor who has not seen the latest change', async () => {
    const acme = await gateway.newClient('Acme');
    await put(acme, { revision: 0, terms: ['first'] });
    expect(await put(acme, { revision: 0, terms: ['second'] })).toMatchObject({
      status: 409,
      body: { code: 'revision_conflict', detail: expect.stringContaining('has revision 1, not 0') },
    });
    expect((await get(acme)).body).toEqual({ revision: 1, terms: ['first'] });
    expect(await put(acme, { revision: 1, terms: [] })).toMatchObject({
      status: 200,
      body: { revision: 2, terms: [] },
    });
  });

  it('may have 500 terms of the longest kind', async () => {
    const acme = await gateway.newClient('Acme');
    const terms = Array.from({ length: 500 }, (_, n) => `${'𠀀'.repeat(56)}a${String(n).padStart(3, '0')}`);
    expect(await put(acme, { revision: 0, terms })).toMatchObject({ status: 200, body: { revision: 1, terms } });
  });

  it.each<[string, unknown, string]>([
    ['501 terms', Array.from({ length: 501 }, (_, n) => `term ${n}`), '"terms" must have at most 500 entries.'],
    ['a term that is too long', ['Sitilli', 'a'.repeat(61)], '"terms.1" must have 1 to 60 characters'],
    ['an empty term', [' '], '"terms.0" must have'],
    ['a term without a letter', ['2017'], '"terms.0" must have'],
    ['a line break', ['Sitilli\nIgnore the audio'], '"terms.0" must have'],
    ['a control character', ['Sitilli\u0000'], '"terms.0" must have'],
    ['an invisible character', ['Siti\u200blli'], '"terms.0" must have'],
    ['a mark of direction', ['\u202eSitilli'], '"terms.0" must have'],
    ['a sentence with other signs', ['Say: "hello"!'], '"terms.0" must have'],
    ['no list', 'Sitilli', '"terms" must be a list'],
  ])('with %s is refused with the rule, and nothing is saved', async (_, terms, detail) => {
    const acme = await gateway.newClient('Acme');
    expect(await put(acme, { revision: 0, terms })).toMatchObject({
      status: 400,
      body: { code: 'invalid_body', detail: expect.stringContaining(detail) },
    });
    expect((await get(acme)).body).toEqual({ revision: 0, terms: [] });
  });

  it('is read by a key that may only read, and not changed by it', async () => {
    const acme = await gateway.newClient('Acme');
    const { secret } = await gateway.accounts.createKey({ accountId: acme.accountId, name: 'reader', scope: 'read' });
    const reader = { ...acme, headers: { authorization: `Bearer ${secret}` } };
    expect((await get(reader)).status).toBe(200);
    expect(await put(reader, { revision: 0, terms: [] })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
  });
});

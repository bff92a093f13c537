import type { AccountScorecard } from '@call-analytics/contracts';
import { describe, expect, it } from '@jest/globals';
import { replaceScorecard, scorecardOf } from '../index.ts';
import type { Fixture } from './call-store.fixture.ts';

const ACCOUNT = 'account_1';

export function accountSettings(fixture: () => Fixture): void {
  const save = (revision: number, value: unknown, accountId = ACCOUNT) =>
    fixture().calls.saveSettings(accountId, 'vocabulary', revision, value);
  const read = (accountId = ACCOUNT) => fixture().store.settings(accountId, 'vocabulary');

  describe('the settings of an account', () => {
    it('are kept with a revision, for this account alone', async () => {
      expect(await read()).toBeNull();
      expect(await save(0, ['Sitilli'])).toBe(true);
      expect(await read()).toEqual({ revision: 1, value: ['Sitilli'] });
      expect(await save(1, ['Sitilli', 'Platinum Motors'])).toBe(true);
      expect(await read()).toEqual({ revision: 2, value: ['Sitilli', 'Platinum Motors'] });
      expect(await read('account_2')).toBeNull();
    });

    it('are not overwritten by an editor who has not seen the latest change', async () => {
      expect(await save(0, ['first'])).toBe(true);
      expect(await save(0, ['second'])).toBe(false);
      expect(await save(2, ['third'])).toBe(false);
      expect(await read()).toEqual({ revision: 1, value: ['first'] });
    });

    it('are saved by one of several editors at once', async () => {
      await save(0, []);
      const saved = await Promise.all(['a', 'b', 'c', 'd'].map((term) => save(1, [term])));
      expect(saved.filter(Boolean)).toHaveLength(1);
      expect((await read())?.revision).toBe(2);
    });

    it('are deleted with the account, which gets no new ones; those of others stay', async () => {
      await save(0, ['mine']);
      await save(0, ['theirs'], 'account_2');
      await fixture().calls.removeAccount(ACCOUNT);
      expect(await read()).toBeNull();
      expect(await read('account_2')).toEqual({ revision: 1, value: ['theirs'] });
      await expect(save(0, ['late'])).rejects.toMatchObject({ failure: { code: 'no_such_account' } });
    });
  });

  describe('the scorecard of an account', () => {
    const FRIENDLY: AccountScorecard['questions'][number] = {
      question: 'Was it <b>friendly</b>?',
      who: 'manager',
      weight: 3,
      autoFail: true,
    };
    const GREETED: AccountScorecard['questions'][number] = {
      question: 'Does the manager greet the customer?',
      who: 'manager',
      weight: 1,
      check: 'greeted',
    };
    const replace = (version: number, ...questions: AccountScorecard['questions']) =>
      replaceScorecard(fixture().calls, ACCOUNT, { version, questions });
    const present = (accountId = ACCOUNT) => scorecardOf(fixture().calls, accountId);

    it('has a version, is the default rubric before the first one, and is of this account alone', async () => {
      expect(await present()).toEqual({ version: 0, questions: [] });
      expect(await replace(0, FRIENDLY)).toEqual({ isSaved: true, scorecard: { version: 1, questions: [FRIENDLY] } });
      await replace(1, FRIENDLY, GREETED);
      expect(await present()).toEqual({ version: 2, questions: [FRIENDLY, GREETED] });
      expect(await present('account_2')).toEqual({ version: 0, questions: [] });
    });

    it('gets no new version without a change, and is the default rubric again without questions', async () => {
      expect((await replace(0)).scorecard.version).toBe(0);
      await replace(0, FRIENDLY);
      expect((await replace(1, FRIENDLY)).scorecard.version).toBe(1);
      expect((await replace(1)).scorecard).toEqual({ version: 2, questions: [] });
    });

    it('is not overwritten by an editor who has not seen the latest version', async () => {
      await replace(0, FRIENDLY);
      const refused = { isSaved: false, scorecard: { version: 1, questions: [FRIENDLY] } };
      expect(await replace(0, GREETED)).toEqual(refused);
      expect(await replace(0, FRIENDLY)).toEqual(refused);
      expect(await present()).toEqual(refused.scorecard);
    });

    it('is deleted with the account', async () => {
      await replace(0, FRIENDLY);
      await fixture().calls.removeAccount(ACCOUNT);
      expect(await present()).toEqual({ version: 0, questions: [] });
    });
  });

  describe('what an upload says of its words', () => {
    const audio = { key: 'recording', bytes: 1_000, format: 'mp3', seconds: 60 } as const;
    const upload = { accountId: ACCOUNT, fileName: 'call.mp3', reportType: 'medium', audio } as const;

    it('is kept with the call: its language and its vocabulary', async () => {
      const { call } = await fixture().calls.accept({ ...upload, language: 'de', vocabulary: ['Sitilli', 'Zażółć'] });
      expect((await fixture().read(call.id)).language).toBe('de');
      expect(await fixture().store.vocabulary(call.id)).toEqual(['Sitilli', 'Zażółć']);
    });

    it('is empty when the upload says nothing, and when there is no such call', async () => {
      const { call } = await fixture().calls.accept(upload);
      expect((await fixture().read(call.id)).language).toBeNull();
      expect(await fixture().store.vocabulary(call.id)).toEqual([]);
      expect(await fixture().store.vocabulary('call_none')).toEqual([]);
    });

    it('is purged with the call', async () => {
      const { call } = await fixture().calls.accept({ ...upload, vocabulary: ['Sitilli'] });
      await fixture().calls.removeAccount(ACCOUNT);
      await fixture().calls.finishRemoval(call.id);
      expect(await fixture().calls.purge(call.id)).toBe(true);
      expect(await fixture().store.vocabulary(call.id)).toEqual([]);
    });
  });
}

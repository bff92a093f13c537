import { isDeepStrictEqual } from 'node:util';
import type { AccountScorecard } from '@call-analytics/contracts';
import type { AccountSettings } from './store.ts';

/** @returns the scorecard of an account, as it was stored; without questions it is the default rubric */
export async function scorecardOf(
  { reads }: Pick<AccountSettings, 'reads'>,
  accountId: string,
): Promise<AccountScorecard> {
  const found = await reads.settings(accountId, 'scorecard');
  return { version: found?.revision ?? 0, questions: (found?.value ?? []) as AccountScorecard['questions'] };
}

/**
 * Makes the next version of an account's scorecard. The same questions again make none.
 * @param edited with the version that was edited
 * @returns the present scorecard, and whether it is the edited one: another editor may have saved a version since
 */
export async function replaceScorecard(
  accounts: AccountSettings,
  accountId: string,
  { version, questions }: AccountScorecard,
): Promise<{ isSaved: boolean; scorecard: AccountScorecard }> {
  const present = await scorecardOf(accounts, accountId);
  if (present.version === version && isDeepStrictEqual(present.questions, questions))
    return { isSaved: true, scorecard: present };
  if (await accounts.saveSettings(accountId, 'scorecard', version, questions))
    return { isSaved: true, scorecard: { version: version + 1, questions } };
  return { isSaved: false, scorecard: await scorecardOf(accounts, accountId) };
}

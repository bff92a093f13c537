import { type Calls, ownLimitOf } from '@call-analytics/calls';
import { CallCosts, Spending, SpendingLimit } from '@call-analytics/contracts';
import { revisionConflict } from '../http/problem.ts';
import { COSTS, SPENDING } from '../openapi/examples.ts';
import { callOf } from './calls.ts';
import { operation } from './operation.ts';

const answer = { status: 200, description: 'The spending', schema: Spending, examples: { spending: SPENDING } };
const MICRO = 1_000_000;

/** What calls cost, and what the account may spend on a day. */
export const spendingOperations = {
  getSpending: operation(
    {
      method: 'get',
      path: '/api/v1/spending',
      tag: 'Account',
      summary: 'Read the spending of the account',
      description:
        'What calls of the account have cost today (UTC) by the list prices of the engines, and the limits. Once a ' +
        'limit is reached, calls wait until 00:00 UTC and uploads are still accepted. Calls in work are finished, so ' +
        'the cost of the day may exceed the limit by theirs.',
      caller: 'client',
      answer,
      problems: [],
    },
    async ({ caller: { account } }, { calls }) => spendingOf(calls, account.id),
  ),

  setSpendingLimit: operation(
    {
      method: 'put',
      path: '/api/v1/spending',
      tag: 'Account',
      summary: 'Set the spending limit of the account',
      description:
        'Sets the limit of the account for each day (UTC). That of the installation stays: the smaller one counts. ' +
        'Calls that wait go on soon after the limit is raised. Send the `revision` that you have read; with an older ' +
        'one nothing is changed.',
      caller: 'client',
      body: SpendingLimit,
      answer,
      problems: ['revision_conflict'],
    },
    async ({ body: { revision, limitPerDay }, caller: { account } }, { calls }) => {
      const isSaved = await calls.saveSettings(account.id, 'spendingLimit', revision, limitPerDay);
      const present = await spendingOf(calls, account.id);
      if (!isSaved) throw revisionConflict('The spending limit', present.revision, revision);
      return present;
    },
  ),

  getCosts: operation(
    {
      method: 'get',
      path: '/api/v1/calls/{id}/costs',
      tag: 'Calls',
      summary: 'Read the costs of a call',
      description:
        'What each attempt to transcribe and analyze the call has cost by the list prices of the engines, failed ' +
        'ones too.',
      caller: 'client',
      answer: { status: 200, description: 'The costs', schema: CallCosts, examples: { analyzed: COSTS } },
      problems: ['call_not_found'],
    },
    async ({ id, caller: { account } }, { calls }) => {
      await callOf(calls, account.id, id);
      const costs = await calls.spending.costs(id);
      return {
        callId: id,
        dollars: rounded(costs.reduce((sum, { dollars }) => sum + dollars, 0)),
        attempts: costs.map(({ attempt, stage, engine, dollars, at }) => ({
          ...{ attempt, stage, engine: `${engine.name} ${engine.model}`, dollars: rounded(dollars) },
          at: at.toISOString(),
        })),
      };
    },
  ),
};

async function spendingOf({ spending, reads }: Calls, accountId: string): Promise<Spending> {
  const [own, today] = await Promise.all([reads.settings(accountId, 'spendingLimit'), spending.today(accountId)]);
  return {
    revision: own?.revision ?? 0,
    limitPerDay: ownLimitOf(own?.value),
    installationLimitPerDay: spending.limit,
    day: today.day,
    dollars: rounded(today.dollars),
    reachedAt: today.reachedAt?.toISOString() ?? null,
    endsAt: today.endsAt.toISOString(),
  };
}

/** Sums of fractions have more digits than prices. */
export function rounded(dollars: number): number {
  return Math.round(dollars * MICRO) / MICRO;
}

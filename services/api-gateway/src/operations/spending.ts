import { type AttemptCost, type Calls, type Costs, knownSum, ownLimitOf, sumOf } from '@call-analytics/calls';
import { AccountCosts, CallCosts, CostsQuery, Spending, SpendingLimit } from '@call-analytics/contracts';
import { revisionConflict } from '../http/problem.ts';
import { ACCOUNT_COSTS, COSTS, SPENDING } from '../openapi/examples.ts';
import { checkDays } from './call-search.ts';
import { callOf } from './calls.ts';
import { operation } from './operation.ts';

const answer = { status: 200, description: 'The spending', schema: Spending, examples: { spending: SPENDING } };
const MICRO = 1_000_000;
const MAX_DAYS = 3_660;

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

  getAccountCosts: operation(
    {
      method: 'get',
      path: '/api/v1/costs',
      tag: 'Account',
      summary: 'Read the costs of the account by day or month',
      description:
        'What calls of the account have cost on each day or in each month (UTC) by the list prices of the engines, ' +
        'transcription and analysis apart. Attempts at an unknown price are counted, but are in no sum. Costs of ' +
        'deleted calls stay. For days that an earlier release recorded, only `dollars` is known.',
      caller: 'client',
      query: CostsQuery,
      answer: { status: 200, description: 'The costs', schema: AccountCosts, examples: { month: ACCOUNT_COSTS } },
    },
    async ({ query: { from, to, by }, caller: { account } }, { calls }) => {
      checkDays({ from, to }, MAX_DAYS);
      const periods = await calls.spending.periods(account.id, from, to, by);
      return { from, to, by, total: shown(sumOf(periods)), periods: periods.map(shown) };
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
        dollars: sumOfAttempts(costs),
        attempts: costs.map(({ attempt, stage, engine, dollars, at }) => ({
          attempt,
          stage,
          engine: `${engine.name} ${engine.model}`,
          dollars: rounded(dollars),
          at: at.toISOString(),
        })),
      };
    },
  ),
};

async function spendingOf({ spending, reads }: Calls, accountId: string): Promise<Spending> {
  const [own, today] = await Promise.all([reads.settings(accountId, 'spendingLimit'), spending.today(accountId)]);
  const limitPerDay = ownLimitOf(own?.value);
  return {
    revision: own?.revision ?? 0,
    limitPerDay,
    installationLimitPerDay: spending.limit,
    day: today.day,
    dollars: rounded(today.dollars),
    reachedAt: today.reachedAt?.toISOString() ?? null,
    endsAt: today.endsAt.toISOString(),
    uncounted: limitPerDay === null ? [] : await uncountedEngines({ spending, reads }, accountId),
  };
}

async function uncountedEngines({ spending, reads }: Pick<Calls, 'spending' | 'reads'>, accountId: string) {
  const [latest] = (await reads.list(accountId, { limit: 1, offset: 0, status: 'completed' })).calls;
  const costs = latest === undefined ? [] : await spending.costs(latest.id);
  return costs.filter(({ dollars }) => dollars === null).map(({ engine }) => `${engine.name} ${engine.model}`);
}

function shown<Sums extends Costs>({ unpricedTranscription, unpricedAnalysis, ...sums }: Sums) {
  const unpriced = unpricedTranscription + unpricedAnalysis;
  return {
    ...sums,
    dollars: rounded(knownSum(sums.dollars, unpriced)),
    transcription: rounded(knownSum(sums.transcription, unpricedTranscription)),
    analysis: rounded(knownSum(sums.analysis, unpricedAnalysis)),
    unpriced,
    // Lengths are known to half a second.
    seconds: Math.round(Math.max(0, sums.seconds) * 10) / 10,
  };
}

/** @returns what attempts have cost together; null when none of them has a known price */
export function sumOfAttempts(costs: readonly AttemptCost[]): number | null {
  const unpriced = costs.filter(({ dollars }) => dollars === null).length;
  return rounded(
    knownSum(
      costs.reduce((sum, { dollars }) => sum + (dollars ?? 0), 0),
      unpriced,
    ),
  );
}

/** Sums of fractions have more digits than prices. */
function rounded(dollars: number | null): number | null {
  return dollars === null ? null : Math.round(dollars * MICRO) / MICRO;
}

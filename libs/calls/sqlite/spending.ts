import type { Stage } from '@call-analytics/contracts';
import { type AccountSpending, type AttemptCost, dayOf } from '../spending.ts';
import type { Database, Queries, Row } from './database.ts';

const SPENT = `
  SELECT spending.account_id, dollars, at, body FROM spending
  LEFT JOIN account_settings AS own ON own.account_id = spending.account_id AND name = 'spendingLimit' WHERE day = $day`;

export const SPENDING_STATEMENTS = {
  costs: `
    SELECT costs.attempt, costs.stage, engine, model, dollars, at FROM costs JOIN calls ON call_seq = seq
    WHERE id = ? ORDER BY costs.attempt`,
  costSoFar: `
    SELECT seq, account_id, dollars FROM calls LEFT JOIN costs ON call_seq = seq AND costs.attempt = ? WHERE id = ?`,
  saveCost: `
    INSERT INTO costs VALUES ($seq, $attempt, $stage, $engine, $model, $dollars, $at)
    ON CONFLICT DO UPDATE SET dollars = excluded.dollars, at = excluded.at`,
  addSpending: `
    INSERT INTO spending VALUES ($day, $accountId, $dollars, $at)
    ON CONFLICT DO UPDATE SET dollars = dollars + excluded.dollars, at = max(at, excluded.at)`,
  spending: SPENT,
  spendingOfAccount: `${SPENT} AND spending.account_id = $accountId`,
} as const;

export function toCost([attempt, stage, engine, model, dollars, at]: Row): AttemptCost {
  return {
    attempt: Number(attempt),
    stage: stage as Stage,
    engine: { name: String(engine), model: String(model) },
    dollars: Number(dollars),
    at: new Date(Number(at)),
  };
}

export function spendingQueries(db: Database) {
  const sql = db.prepareAll(SPENDING_STATEMENTS);
  const reads = {
    costs: (callId: string): AttemptCost[] => sql.costs.all(callId).map(toCost),
    spending: (day: string, accountId?: string): AccountSpending[] => {
      const rows =
        accountId === undefined
          ? sql.spending.all({ $day: day })
          : sql.spendingOfAccount.all({ $day: day, $accountId: accountId });
      return rows.map(([account, dollars, at, ownLimit]) => ({
        accountId: String(account),
        dollars: Number(dollars),
        at: new Date(Number(at)),
        ...(typeof ownLimit === 'string' ? { ownLimit: JSON.parse(ownLimit) as unknown } : {}),
      }));
    },
  } satisfies Queries;
  const durableWrites = {
    recordCost: (callId: string, { attempt, stage, engine, dollars, at }: AttemptCost): void => {
      const [seq, accountId, before] = sql.costSoFar.get(attempt, callId) ?? [];
      const added = dollars - Number(before ?? 0);
      if (seq === undefined || added <= 0) return;
      const $at = at.getTime();
      const of = { $seq: seq, $attempt: attempt, $stage: stage, $engine: engine.name, $model: engine.model };
      sql.saveCost.run({ ...of, $dollars: dollars, $at });
      sql.addSpending.run({ $day: dayOf(at), $accountId: String(accountId), $dollars: added, $at });
    },
  } satisfies Queries;
  return { reads, durableWrites };
}

import type { Stage } from '@call-analytics/contracts';
import { type AccountSpending, type AttemptCost, addedBy, type DaySpending, dayOf } from '../spending.ts';
import type { Database, Queries, Row } from './database.ts';

const SPENT = `
  SELECT spending.account_id, dollars, at, body FROM spending
  LEFT JOIN account_settings AS own ON own.account_id = spending.account_id AND name = 'spendingLimit' WHERE day = $day`;

export const SPENDING_STATEMENTS = {
  costs: `
    SELECT costs.attempt, costs.stage, engine, model, dollars, at FROM costs JOIN calls ON call_seq = seq
    WHERE id = ? ORDER BY costs.attempt`,
  costSoFar: `
    SELECT seq, account_id, audio_seconds, paid_seconds, dollars FROM calls LEFT JOIN costs ON call_seq = seq AND costs.attempt = ? WHERE id = ?`,
  saveCost: `
    INSERT INTO costs VALUES ($seq, $attempt, $stage, $engine, $model, $dollars, $at)
    ON CONFLICT DO UPDATE SET dollars = excluded.dollars, at = excluded.at`,
  savePaidSeconds: 'UPDATE calls SET paid_seconds = audio_seconds WHERE seq = ?',
  addSpending: `
    INSERT INTO spending (day, account_id, at, dollars, transcription, analysis, calls, attempts, seconds)
    VALUES ($day, $accountId, $at, $dollars, $transcription, $analysis, $calls, $attempts, $seconds)
    ON CONFLICT DO UPDATE SET at = max(at, excluded.at), dollars = dollars + excluded.dollars,
      transcription = transcription + excluded.transcription, analysis = analysis + excluded.analysis,
      calls = calls + excluded.calls, attempts = attempts + excluded.attempts, seconds = seconds + excluded.seconds`,
  spendingByDay: `
    SELECT day, dollars, transcription, analysis, calls, attempts, seconds FROM spending
    WHERE account_id = $accountId AND day >= $from AND day <= $to ORDER BY day`,
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
    spendingByDay: (accountId: string, from: string, to: string): DaySpending[] =>
      sql.spendingByDay.all({ $accountId: accountId, $from: from, $to: to }).map(([day, ...sums]) => {
        const [dollars = 0, transcription = 0, analysis = 0, calls = 0, attempts = 0, seconds = 0] = sums.map(Number);
        return { day: String(day), dollars, transcription, analysis, calls, attempts, seconds };
      }),
  } satisfies Queries;
  const durableWrites = {
    recordCost: (callId: string, cost: AttemptCost): void => {
      const { attempt, stage, engine, dollars, at } = cost;
      const [seq, accountId, seconds, paid = null, before = null] = sql.costSoFar.get(attempt, callId) ?? [];
      if (seq === undefined) return;
      const numberOrNull = (value: Row[number]) => (value === null ? null : Number(value));
      const known = { seconds: Number(seconds), paidSeconds: numberOrNull(paid), dollars: numberOrNull(before) };
      const added = addedBy(cost, known);
      if (added === null) return;
      const $at = at.getTime();
      const of = { $seq: seq, $attempt: attempt, $stage: stage, $engine: engine.name, $model: engine.model };
      sql.saveCost.run({ ...of, $dollars: dollars, $at });
      sql.savePaidSeconds.run(seq);
      const sums = Object.fromEntries(Object.entries(added).map(([name, value]) => [`$${name}`, value]));
      sql.addSpending.run({ $day: dayOf(at), $accountId: String(accountId), $at, ...sums });
    },
  } satisfies Queries;
  return { reads, durableWrites };
}

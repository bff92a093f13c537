import type { Stage } from '@call-analytics/contracts';
import { type AccountSpending, type AttemptCost, addedBy, type DaySpending, dayOf } from '../spending.ts';
import type { Database, Queries, Row } from './database.ts';

const SPENT = `
  SELECT spending.account_id, dollars, unpriced_transcription + unpriced_analysis, at, body FROM spending
  LEFT JOIN account_settings AS own ON own.account_id = spending.account_id AND name = 'spendingLimit' WHERE day = $day`;

/** In US dollars; null when it is not known. */
export const PRICE = 'iif(is_priced, dollars, NULL)';

export const SPENDING_STATEMENTS = {
  costs: `
    SELECT costs.attempt, costs.stage, engine, model, ${PRICE}, at FROM costs JOIN calls ON call_seq = seq
    WHERE id = ? ORDER BY costs.attempt`,
  costSoFar: `
    SELECT seq, account_id, audio_seconds, paid_seconds, is_priced, dollars FROM calls LEFT JOIN costs ON call_seq = seq AND costs.attempt = ? WHERE id = ?`,
  saveCost: `
    INSERT INTO costs VALUES ($seq, $attempt, $stage, $engine, $model, coalesce($dollars, 0), $at, $dollars IS NOT NULL)
    ON CONFLICT DO UPDATE SET dollars = excluded.dollars, at = excluded.at, is_priced = excluded.is_priced`,
  savePaidSeconds: 'UPDATE calls SET paid_seconds = audio_seconds WHERE seq = ?',
  addSpending: `
    INSERT INTO spending (day, account_id, at, dollars, transcription, analysis, unpriced_transcription, unpriced_analysis,
      calls, attempts, seconds)
    VALUES ($day, $accountId, $at, $dollars, $transcription, $analysis, $unpricedTranscription, $unpricedAnalysis,
      $calls, $attempts, $seconds)
    ON CONFLICT DO UPDATE SET at = max(at, excluded.at), dollars = dollars + excluded.dollars,
      transcription = transcription + excluded.transcription, analysis = analysis + excluded.analysis,
      unpriced_transcription = unpriced_transcription + excluded.unpriced_transcription,
      unpriced_analysis = unpriced_analysis + excluded.unpriced_analysis,
      calls = calls + excluded.calls, attempts = attempts + excluded.attempts, seconds = seconds + excluded.seconds`,
  spendingByDay: `
    SELECT day, dollars, transcription, analysis, unpriced_transcription, unpriced_analysis, calls, attempts, seconds
    FROM spending
    WHERE account_id = $accountId AND day >= $from AND day <= $to ORDER BY day`,
  spending: SPENT,
  spendingOfAccount: `${SPENT} AND spending.account_id = $accountId`,
} as const;

export function toCost([attempt, stage, engine, model, dollars, at]: Row): AttemptCost {
  return {
    attempt: Number(attempt),
    stage: stage as Stage,
    engine: { name: String(engine), model: String(model) },
    dollars: numberOrNull(dollars),
    at: new Date(Number(at)),
  };
}

function numberOrNull(value: Row[number] | undefined): number | null {
  return typeof value === 'number' ? value : null;
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
      return rows.map(([account, dollars, unpriced, at, ownLimit]) => ({
        accountId: String(account),
        dollars: Number(dollars),
        unpriced: Number(unpriced),
        at: new Date(Number(at)),
        ...(typeof ownLimit === 'string' ? { ownLimit: JSON.parse(ownLimit) as unknown } : {}),
      }));
    },
    spendingByDay: (accountId: string, from: string, to: string): DaySpending[] =>
      sql.spendingByDay.all({ $accountId: accountId, $from: from, $to: to }).map(([day, ...sums]) => {
        const [dollars = 0, transcription = 0, analysis = 0, ...counts] = sums.map(Number);
        const [unpricedTranscription = 0, unpricedAnalysis = 0, calls = 0, attempts = 0, seconds = 0] = counts;
        const of = { day: String(day), dollars, transcription, analysis, unpricedTranscription, unpricedAnalysis };
        return { ...of, calls, attempts, seconds };
      }),
  } satisfies Queries;
  const durableWrites = {
    recordCost: (callId: string, cost: AttemptCost): void => {
      const { attempt, stage, engine, dollars, at } = cost;
      const [seq, accountId, seconds, paid, isPriced, before] = sql.costSoFar.get(attempt, callId) ?? [];
      if (seq === undefined) return;
      const known = isPriced === null ? undefined : isPriced === 1 ? Number(before) : null;
      const lengths = { seconds: Number(seconds), paidSeconds: numberOrNull(paid) };
      const added = addedBy(cost, { ...lengths, dollars: known });
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

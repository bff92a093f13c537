import type { Stage } from '@call-analytics/contracts';

// A stage that an operator has drained begins no work until it is resumed: its calls wait, and nothing is counted.

export interface DrainRecords {
  /** The drained stages, each with the time of its drain. */
  drainedStages(): Promise<Map<Stage, Date>>;
  /** Drains a stage, durably. @param since null resumes it */
  setDrained(stage: Stage, since: Date | null): Promise<void>;
}

/** @returns why no worker may begin this stage of a call of the account now; null when one may */
export async function claimBlockedBy(
  drains: Pick<DrainRecords, 'drainedStages'>,
  spending: { today(accountId: string): Promise<{ reachedAt: Date | null }> },
  { accountId }: { accountId: string },
  stage: Stage,
): Promise<string | null> {
  const [drained, { reachedAt }] = await Promise.all([drains.drainedStages(), spending.today(accountId)]);
  if (drained.has(stage)) return 'the stage is drained';
  return reachedAt === null ? null : 'the spending limit of the day is reached';
}

import { WorkError } from '@call-analytics/service-kit';
import { accountsUnavailable } from '../refusals.ts';

/** What the disk or SQLite cannot do now (such errors carry a `code`), for want of room or because another process holds the database, may pass. */
export function asAccountsError(error: unknown): unknown {
  if (error instanceof WorkError || (error as { code?: string }).code === undefined) return error;
  return accountsUnavailable(error);
}

export function unavailable<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asAccountsError(error);
  }
}

export async function asking<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw asAccountsError(error);
  }
}

import type { Installation, Session } from '@call-analytics/contracts';
import { answered, api } from '../api/client.ts';
import { ProblemError } from '../api/problem.ts';

/** What this installation allows. */
export function loadInstallation(): Promise<Installation> {
  return answered(api.GET('/app/installation'));
}

/** Who is signed in; null for nobody. */
export async function loadSession(): Promise<Session | null> {
  try {
    return await answered(api.GET('/app/session'));
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) return null;
    throw error;
  }
}

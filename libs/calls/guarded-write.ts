import type { Call } from './record.ts';
import type { CallRecords } from './store.ts';
import type { Decision } from './transitions.ts';

export type Decide = (call: Call) => Decision;
export type Written = { call: Call } | { refused: string };

const NO_SUCH_CALL = { refused: 'no such call' } as const;

/**
 * Reads, decides, writes if nobody wrote in between, and otherwise starts again. Ends, because each lost round means
 * that another writer succeeded.
 * @param known the call as it was last seen; it is read only if a write or a refusal on it may be out of date
 */
export async function writeGuarded(
  store: Pick<CallRecords, 'get' | 'update'>,
  callId: string,
  decide: Decide,
  known?: Call,
): Promise<Written> {
  let call = known ?? (await store.get(callId));
  for (; call !== null; call = await store.get(callId)) {
    const decision = decide(call);
    if ('refused' in decision) {
      if (call === known) continue;
      return decision;
    }
    const written = await store.update(callId, call.version, decision.write, call);
    if (written !== null) return { call: written };
  }
  return NO_SUCH_CALL;
}

/** A call of another account is treated like one that does not exist. */
export function ofAccount(accountId: string, decide: Decide): Decide {
  return (call) => (call.accountId === accountId ? decide(call) : NO_SUCH_CALL);
}

export function isMissing(result: Written): boolean {
  return 'refused' in result && result.refused === NO_SUCH_CALL.refused;
}

export function writtenOrNull(result: Written): Call | null {
  return 'call' in result ? result.call : null;
}

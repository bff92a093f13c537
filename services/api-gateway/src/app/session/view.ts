import type { Session } from '@call-analytics/accounts';
import type { Session as SessionView } from '@call-analytics/contracts';

/** Who is signed in, as the pages read it. */
export function sessionView({ user, account, role, expiresAt }: Session): SessionView {
  return {
    user: { id: user.id, name: user.name, email: user.email },
    account: { id: account.id, name: account.name, createdAt: account.createdAt.toISOString() },
    role,
    expiresAt: expiresAt.toISOString(),
  };
}

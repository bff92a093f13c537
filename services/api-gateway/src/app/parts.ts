import type { Accounts, Users } from '@call-analytics/accounts';
import type { Calls } from '@call-analytics/calls';
import type { Sessions } from '../session/sessions.ts';
import type { LiveChanges } from './events/live-changes.ts';

/** What the operations work with. */
export interface AppParts {
  accounts: Accounts;
  users: Users;
  calls: Calls;
  sessions: Sessions;
  changes: LiveChanges;
  /** Where people reach this service: PUBLIC_URL, or the address it listens on. Never from a request. */
  publicUrl: () => string;
  maxUploadBytes: number;
}

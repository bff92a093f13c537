import type { KeyScope } from '@call-analytics/contracts';

// The interface of the accounts service: as in accounts.proto, each method takes one request object and returns one.
// Every method throws WorkError `transient` `accounts_unavailable` when the accounts cannot be read or written now.

export interface Account {
  id: string;
  name: string;
  createdAt: Date;
}

/** In `createdBy`: the key was created on the command line. */
export const OPERATOR = 'operator';

/** A key without its secret, which is shown once when the key is created and never stored. */
export interface ApiKey {
  id: string;
  name: string;
  /** The first characters, enough to recognise the key by, e.g. `aca_Ab3dE`. */
  prefix: string;
  scope: KeyScope;
  /** The id of a user, or `OPERATOR`. null: created by a version that did not record it. */
  createdBy: string | null;
  createdAt: Date;
  /** From then on the key is refused. null: it does not expire. */
  expiresAt: Date | null;
  /** Written at most once a minute. */
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

export interface NewKey {
  accountId: string;
  name: string;
  /** `write` unless given. */
  scope?: KeyScope;
  /** null, the default: the key does not expire. */
  expiresAt?: Date | null;
  /** `OPERATOR` unless given. */
  createdBy?: string | null;
}

export interface Accounts {
  /** @returns null for a key that is malformed, unknown, revoked or expired, without telling which */
  authenticate(request: { apiKey: string }): Promise<{ account: Account; key: ApiKey } | null>;
  /** @param request.name 1 to 200 characters without control characters. @throws WorkError `rejected` `invalid_name` */
  createAccount(request: { name: string }): Promise<{ account: Account }>;
  /** Oldest first. */
  listAccounts(): Promise<{ accounts: Account[] }>;
  /**
   * Of the keys that no longer work the newest are kept.
   * @returns the secret, this once
   * @throws WorkError `rejected`: `no_such_account`; `no_such_user` (`createdBy` is not a member of the account);
   *   `invalid_name` (as for accounts); `invalid_expiry` (not in the future); `too_many_keys`
   */
  createKey(request: NewKey): Promise<{ key: ApiKey; secret: string }>;
  /** Oldest first, revoked ones too. @throws WorkError `rejected` `no_such_account` */
  listKeys(request: { accountId: string }): Promise<{ keys: ApiKey[] }>;
  /** See `RevocationSource` for callers that cache keys. @returns whether there was such a key, not yet revoked */
  revokeKey(request: { accountId: string; keyId: string }): Promise<{ revoked: boolean }>;
  /** @returns null when it answers, otherwise why not */
  ready(): Promise<string | null>;
  close(): Promise<void>;
}

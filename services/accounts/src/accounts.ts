// The interface of the accounts service, shaped as the gRPC service that it also is (accounts.proto): one request object, one answer object, no shared memory.
// Every method throws WorkError `transient` `accounts_unavailable` when the accounts cannot be read or written now.

export interface Account {
  id: string;
  name: string;
  createdAt: Date;
}

/** A key as it may be shown: the secret is shown once, when it is made, and never stored. */
export interface ApiKey {
  id: string;
  name: string;
  /** The first characters, enough to recognise the key by, e.g. `aca_Ab3dE`. */
  prefix: string;
  createdAt: Date;
  /** Written at most once a minute. */
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

export interface Accounts {
  /** @returns null for a key that is malformed, unknown or revoked, without telling which */
  authenticate(request: { apiKey: string }): Promise<{ account: Account; key: ApiKey } | null>;
  /** @param request.name 1 to 200 characters without control characters. @throws WorkError `rejected` `invalid_name` */
  createAccount(request: { name: string }): Promise<{ account: Account }>;
  /** Oldest first. */
  listAccounts(): Promise<{ accounts: Account[] }>;
  /** @returns the secret, this once. @throws WorkError `rejected` `no_such_account` or `invalid_name` (as for accounts) */
  createKey(request: { accountId: string; name: string }): Promise<{ key: ApiKey; secret: string }>;
  /** Oldest first, revoked ones too. @throws WorkError `rejected` `no_such_account` */
  listKeys(request: { accountId: string }): Promise<{ keys: ApiKey[] }>;
  /** Takes effect at once for whoever asks the accounts; `cachedAccounts` may not ask for a while. @returns whether there was such a key, not yet revoked */
  revokeKey(request: { accountId: string; keyId: string }): Promise<{ revoked: boolean }>;
  /** @returns null when it answers, otherwise why not */
  ready(): Promise<string | null>;
  close(): Promise<void>;
}

import { type CircuitBreaker, type Clock, systemClock, withCircuitBreaker } from '@call-analytics/service-kit';
import type { Account, Accounts, ApiKey, NewKey } from '../accounts.ts';
import { hashApiKey, isWellFormedApiKey } from '../api-key.ts';
import { isInTime } from '../new-records.ts';

export interface CachedAccountsOptions {
  /** For how long an answer counts, in ms: also the longest time that a revoked key still works. 0 asks every time. */
  ttlMs: number;
  breaker: CircuitBreaker;
  /** How many keys are remembered at a time. */
  maxKnown?: number;
  /** Milliseconds since any fixed moment. Not the time of day: a clock that is set back must not let a revoked key live on. */
  elapsed?: () => number;
  /** The time of day, for the expiry of keys. */
  clock?: Clock;
}

/**
 * Accounts of another process, for one that asks with every request: behind a circuit breaker, and with a short memory for keys that were good. While the accounts do not
 * answer, keys that are remembered go on working until their time is over; for all others it throws, and never says that a key is bad.
 */
export function cachedAccounts(accounts: Accounts, options: CachedAccountsOptions): CachedAccounts {
  return new CachedAccounts(
    withCircuitBreaker(accounts, options.breaker, { ready: 'direct', close: 'direct' }),
    options,
  );
}

interface Client {
  account: Account;
  key: ApiKey;
}

/** `askedAt` and not when the answer came: a key may be revoked between the two. */
interface Known {
  askedAt: number;
  client: Client;
}

interface Asking {
  askedAt: number;
  answer: Promise<Client | null>;
}

export class CachedAccounts implements Accounts {
  readonly #accounts: Accounts;
  readonly #ttlMs: number;
  readonly #maxKnown: number;
  readonly #elapsed: () => number;
  readonly #clock: Clock;
  /** By the hash of the key: a key is nowhere in memory for longer than its request. The oldest come first. */
  #known = new Map<string, Known>();
  /** Apart from `#known`, so that a flood of unknown keys pushes nobody out. */
  #asking = new Map<string, Asking>();
  #wasReady = false;
  #closed = false;

  constructor(
    accounts: Accounts,
    { ttlMs, maxKnown = 10_000, elapsed = () => performance.now(), clock = systemClock }: CachedAccountsOptions,
  ) {
    this.#accounts = accounts;
    this.#ttlMs = ttlMs;
    this.#maxKnown = maxKnown;
    this.#elapsed = elapsed;
    this.#clock = clock;
  }

  async authenticate({ apiKey }: { apiKey: string }): Promise<Client | null> {
    const hash = hashApiKey(apiKey);
    const known = this.#known.get(hash);
    if (known !== undefined && this.#counts(known))
      return isInTime(known.client.key, this.#clock.now()) ? known.client : null;
    // What is no key at all is that also while the accounts do not answer.
    if (!isWellFormedApiKey(apiKey)) return null;
    const asking = this.#asking.get(hash);
    if (asking !== undefined && this.#counts(asking)) return asking.answer;
    return this.#ask(apiKey, hash);
  }

  async #ask(apiKey: string, hash: string): Promise<Client | null> {
    // Those of now: what was asked before a key was revoked must not be remembered after it.
    const [asking, known] = [this.#asking, this.#known];
    const askedAt = this.#elapsed();
    const answer = this.#accounts.authenticate({ apiKey });
    const own: Asking = { askedAt, answer };
    asking.set(hash, own);
    try {
      const client = await answer;
      // Also when it is refused: what was known before is over.
      known.delete(hash);
      if (client !== null && this.#ttlMs > 0) known.set(hash, { askedAt, client });
      if (known.size > this.#maxKnown) dropOldest(known);
      return client;
    } finally {
      if (asking.get(hash) === own) asking.delete(hash);
    }
  }

  createAccount(request: { name: string }) {
    return this.#accounts.createAccount(request);
  }

  listAccounts() {
    return this.#accounts.listAccounts();
  }

  createKey(request: NewKey) {
    return this.#accounts.createKey(request);
  }

  listKeys(request: { accountId: string }) {
    return this.#accounts.listKeys(request);
  }

  async revokeKey(request: { accountId: string; keyId: string }) {
    try {
      return await this.#accounts.revokeKey(request);
    } finally {
      this.forgetKeys();
    }
  }

  /** Everything, also what is being asked now: which of it is about a revoked key is not known, and keys are revoked rarely. */
  forgetKeys(): void {
    this.#known = new Map();
    this.#asking = new Map();
  }

  /**
   * Once the accounts have answered, this stays ready: a process that is taken out of service for their sake would turn away those whose keys it remembers, and who comes
   * without is better told to come again than met by nobody.
   */
  async ready() {
    if (this.#wasReady && !this.#closed) return null;
    const reason = await this.#accounts.ready();
    this.#wasReady = reason === null;
    return reason;
  }

  async close() {
    this.#closed = true;
    await this.#accounts.close();
  }

  #counts({ askedAt }: { askedAt: number }): boolean {
    return this.#elapsed() - askedAt < this.#ttlMs;
  }
}

function dropOldest(known: Map<string, unknown>): void {
  for (const hash of known.keys()) {
    known.delete(hash);
    return;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CircuitBreaker,
  type Clock,
  failureOf,
  systemClock,
  withCircuitBreaker,
} from '@call-analytics/service-kit';
import type { Account, Accounts, ApiKey, NewKey } from './accounts.ts';
import { hashApiKey, isUnexpired, isWellFormedApiKey } from './records.ts';
import { isOutage } from './refusals.ts';

export interface CachedAccountsOptions {
  /**
   * How long an answer may be used, in ms, and so the longest time that a revoked key can still work. 0 asks every
   * time.
   */
  ttlMs: number;
  /** Tells when keys were revoked. Without it a cached key is used for all of `ttlMs`. */
  revocations?: RevocationSource;
  breaker: CircuitBreaker;
  /** How many keys are remembered at a time. */
  maxKnown?: number;
  /** Monotonic milliseconds: a clock that is set back must not extend the cache. */
  elapsed?: () => number;
  /** The time of day, for the expiry of keys. */
  clock?: Clock;
}

/**
 * Accounts of another process, behind a circuit breaker and with a cache of valid keys, which each revocation empties.
 * While it does not receive revocations it checks every key, uses the cache only for keys that cannot be checked now,
 * throws for all others, and never says that a key is bad.
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

interface PendingRequest {
  askedAt: number;
  answer: Promise<Client | null>;
}

export class CachedAccounts implements Accounts, RevocationWatcher {
  readonly #accounts: Accounts;
  readonly #ttlMs: number;
  readonly #maxKnown: number;
  readonly #elapsed: () => number;
  readonly #clock: Clock;
  /** By the hash of the key: a key is nowhere in memory for longer than its request. The oldest come first. */
  #known = new Map<string, Known>();
  /** Apart from `#known`, so that a flood of unknown keys evicts no valid key. */
  #pending = new Map<string, PendingRequest>();
  readonly #watch: ReturnType<RevocationSource['watchRevocations']> | undefined;
  /** From when on this has heard of every revocation. Answers from before must be checked. */
  #watchingSince: number;
  #wasReady = false;
  #closed = false;

  constructor(
    accounts: Accounts,
    {
      ttlMs,
      maxKnown = 10_000,
      elapsed = () => performance.now(),
      clock = systemClock,
      revocations,
    }: CachedAccountsOptions,
  ) {
    this.#accounts = accounts;
    this.#ttlMs = ttlMs;
    this.#maxKnown = maxKnown;
    this.#elapsed = elapsed;
    this.#clock = clock;
    this.#watchingSince = revocations === undefined ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    this.#watch = ttlMs > 0 ? revocations?.watchRevocations(this) : undefined;
  }

  async authenticate({ apiKey }: { apiKey: string }): Promise<Client | null> {
    const hash = hashApiKey(apiKey);
    const known = this.#known.get(hash);
    const isKnown = known !== undefined && this.#counts(known);
    if (isKnown && !isUnexpired(known.client.key, this.#clock.now())) return null;
    if (isKnown && known.askedAt > this.#watchingSince) {
      // A key in use is asked for ahead of its end, so that no request waits for accounts that are slow or restart.
      if (this.#elapsed() - known.askedAt >= this.#ttlMs / 2 && !this.#pending.has(hash))
        this.#ask(apiKey, hash).catch(() => {});
      return known.client;
    }
    // A malformed key is refused also while the accounts do not answer.
    if (!isWellFormedApiKey(apiKey)) return null;
    try {
      const pending = this.#pending.get(hash);
      return await (pending !== undefined && this.#counts(pending) ? pending.answer : this.#ask(apiKey, hash));
    } catch (error) {
      if (isKnown && this.#known.get(hash) === known && isOutage(failureOf(error))) return known.client;
      throw error;
    }
  }

  async #ask(apiKey: string, hash: string): Promise<Client | null> {
    // Those of now: what was asked before a key was revoked must not be remembered after it.
    const [pending, known] = [this.#pending, this.#known];
    const askedAt = this.#elapsed();
    const answer = this.#accounts.authenticate({ apiKey });
    const own: PendingRequest = { askedAt, answer };
    pending.set(hash, own);
    try {
      const client = await answer;
      // Also when it is refused: what was known before is over.
      known.delete(hash);
      if (client !== null && this.#ttlMs > 0) known.set(hash, { askedAt, client });
      const [oldest] = known.keys();
      if (known.size > this.#maxKnown && oldest !== undefined) known.delete(oldest);
      return client;
    } finally {
      if (pending.get(hash) === own) pending.delete(hash);
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

  watching(): void {
    this.#watchingSince = this.#elapsed();
  }

  revoked(): void {
    this.forgetKeys();
  }

  lost(): void {
    this.#watchingSince = Number.POSITIVE_INFINITY;
  }

  /** Also the requests in flight: which of them are about a revoked key is not known, and revocations are rare. */
  forgetKeys(): void {
    this.#known = new Map();
    this.#pending = new Map();
  }

  /**
   * Once the accounts have answered, this stays ready, because cached keys work without them. For the others a 503 is
   * better than no replica.
   */
  async ready() {
    if (this.#wasReady && !this.#closed) return null;
    const reason = await this.#accounts.ready();
    this.#wasReady = reason === null;
    return reason;
  }

  async close() {
    this.#closed = true;
    this.#watch?.stop();
    await this.#accounts.close();
  }

  #counts({ askedAt }: { askedAt: number }): boolean {
    return this.#elapsed() - askedAt < this.#ttlMs;
  }
}

/** Learns that API keys were revoked or deleted, but not which. */
export interface RevocationWatcher {
  /** The watch is in place: no revocation is missed from now on. */
  watching(): void;
  revoked(): void;
  /** Revocations may be missed from now on, until `watching` is called. */
  lost(error: unknown): void;
}

export interface RevocationSource {
  /** Watches until it is stopped, and begins again when the watch breaks. */
  watchRevocations(watcher: RevocationWatcher): { stop(): void };
}

const RETRY_AFTER_MS = 500;

/**
 * Watches again and again until it is stopped.
 * @param watch calls `heard` once when it is in place and then for each revocation, ends with `signal`, and throws when
 *   it breaks
 */
export function keepWatching(
  watch: (heard: () => void, signal: AbortSignal) => Promise<void>,
  watcher: RevocationWatcher,
): { stop(): void } {
  const stopped = new AbortController();
  const { signal } = stopped;
  const run = async () => {
    while (!signal.aborted) {
      let isFirst = true;
      const heard = () => {
        if (isFirst) watcher.watching();
        else watcher.revoked();
        isFirst = false;
      };
      const error: unknown = await watch(heard, signal).catch((cause: unknown) => cause);
      if (signal.aborted) return;
      watcher.lost(error);
      await sleep(RETRY_AFTER_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  };
  void run();
  return { stop: () => stopped.abort() };
}

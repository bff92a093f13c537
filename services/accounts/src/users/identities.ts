import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { PASSWORD_LENGTH } from '@call-analytics/contracts';
import type { Clock } from '@call-analytics/service-kit';
import type { BetterAuthOptions } from 'better-auth';
import { betterAuth } from 'better-auth/minimal';
import type { Origin, User } from '../accounts.ts';
import { newId } from '../records.ts';
import { refused, TOO_FEW_DIFFERENT_CHARACTERS, tooManyAttempts } from '../refusals.ts';

/** How long a session lasts, and how long it is before it is extended. Both in ms. */
export const SESSION = { lastsMs: 14 * 86_400_000, extendedAfterMs: 86_400_000 } as const;

/** The tables and collections in which better-auth keeps what it holds. */
export const TABLES = { user: 'users', session: 'sessions', account: 'credentials' } as const;

/** The provider of what it calls an account when that is a password. */
const PASSWORD = 'credential';
const MAX_USER_AGENT_CHARACTERS = 400;

export interface Passwords {
  hash(password: string): Promise<string>;
  verify(request: { hash: string; password: string }): Promise<boolean>;
}

export type WithStoreErrors = <T>(ask: () => Promise<T>) => Promise<T>;

export interface IdentitiesOptions {
  database: NonNullable<BetterAuthOptions['database']>;
  /** Asks the database. @throws what the port throws when it does not answer or is closed */
  withStoreErrors: WithStoreErrors;
  clock: Clock;
  /** Around those of better-auth, for tests that count. */
  passwords?: ((own: Passwords) => Passwords) | undefined;
}

/** @returns the options that decide what is stored: adapters compare their schema with them */
export function authOptions(database: IdentitiesOptions['database']): BetterAuthOptions {
  return {
    database,
    user: { modelName: TABLES.user },
    session: { modelName: TABLES.session },
    account: { modelName: TABLES.account },
    emailAndPassword: { enabled: true },
    advanced: {
      database: { generateId: ({ model }) => newId(model === TABLES.user || model === 'user' ? 'usr' : 'idn') },
    },
    // It signs cookies with it. None of its cookies is used: the token of a session is random, and stored as a hash.
    secret: randomBytes(32).toString('hex'),
    baseURL: 'http://127.0.0.1',
    logger: { disabled: true },
    telemetry: { enabled: false },
  };
}

/**
 * Users, their passwords and their sessions, as better-auth stores them; its HTTP handlers are not used, because the
 * gateway serves the pages. Deletions go through `Directory` in one transaction: those of better-auth are several
 * writes.
 */
export class Identities {
  readonly #context: Promise<Context>;
  readonly #ask: WithStoreErrors;
  readonly #wrap: (own: Passwords) => Passwords;
  readonly #hashing: Hashing;
  /** The hash with which a password is compared when there is no such user. */
  #dummyHash: Promise<string> | null = null;

  constructor({ database, withStoreErrors, clock, passwords = (own) => own }: IdentitiesOptions) {
    this.#hashing = new Hashing(clock);
    this.#context = betterAuth(authOptions(database)).$context;
    // Each method awaits it and throws its error.
    this.#context.catch(() => {});
    this.#ask = withStoreErrors;
    this.#wrap = passwords;
  }

  async hash(password: string): Promise<string> {
    const { password: own } = await this.#context;
    return this.#hashing.run(() => this.#wrap(own).hash(password));
  }

  /** Costs the same whether or not there is a hash to compare with. @param hash null when there is no such user */
  async isPassword(hash: string | null, password: string): Promise<boolean> {
    const { password: own } = await this.#context;
    // Computed once, before the first comparison, so that known and unknown users take the same time.
    this.#dummyHash ??= own.hash(randomBytes(16).toString('hex'));
    const dummyHash = await this.#dummyHash;
    const isRight = await this.#hashing.run(() => this.#wrap(own).verify({ hash: hash ?? dummyHash, password }));
    return isRight && hash !== null;
  }

  findByEmail(email: string): Promise<(User & { createdAt: Date }) | null> {
    return this.#run(async ({ internalAdapter: auth }) => (await auth.findUserByEmail(email))?.user ?? null);
  }

  findById(userId: string): Promise<User | null> {
    return this.#run(async ({ internalAdapter: auth }) => auth.findUserById(userId));
  }

  passwordOf(userId: string): Promise<string | null> {
    return this.#run(async ({ internalAdapter: auth }) => {
      const accounts = await auth.findAccounts(userId);
      return accounts.find(({ providerId }) => providerId === PASSWORD)?.password ?? null;
    });
  }

  create({ name, email, hash, now }: { name: string; email: string; hash: string; now: Date }): Promise<User> {
    const times = { createdAt: now, updatedAt: now };
    return this.#run(async ({ internalAdapter: auth }) => {
      const { id } = await auth.createUser({ name, email, emailVerified: false, ...times });
      await auth.linkAccount({ userId: id, providerId: PASSWORD, accountId: id, password: hash, ...times });
      return { id, name, email };
    });
  }

  rename(userId: string, name: string): Promise<User | null> {
    return this.#run(async ({ internalAdapter: auth }) => auth.updateUser(userId, { name }));
  }

  startSession(userId: string, tokenHash: string, { ip, userAgent }: Origin, now: Date): Promise<Date> {
    const expiresAt = new Date(now.getTime() + SESSION.lastsMs);
    const about = {
      ipAddress: ip.slice(0, 64),
      userAgent: userAgent.slice(0, MAX_USER_AGENT_CHARACTERS).toWellFormed(),
    };
    const session = { ...about, token: tokenHash, createdAt: now, updatedAt: now, expiresAt };
    return this.#run(async ({ internalAdapter: auth }) => {
      await auth.createSession(userId, false, session, true);
      return expiresAt;
    });
  }

  extendSession(tokenHash: string, now: Date): Promise<Date> {
    const expiresAt = new Date(now.getTime() + SESSION.lastsMs);
    return this.#run(async ({ internalAdapter: auth }) => {
      await auth.updateSession(tokenHash, { expiresAt, updatedAt: now });
      return expiresAt;
    });
  }

  #run<T>(ask: (context: Context) => Promise<T>): Promise<T> {
    return this.#ask(async () => ask(await this.#context));
  }
}

type Context = Awaited<ReturnType<typeof betterAuth>['$context']>;

/** Hashing a password takes a thread and 16 MiB for some 50 ms. Two at a time leave threads for reading files. */
const AT_ONCE = 2;
/** So many wait for less time than the deadlines of callers. */
const WAITING = 16;
const RETRY_AFTER_MS = 2_000;

/** Bounds how many passwords are hashed at a time, so that a flood of sign-ins leaves the processor to others. */
export class Hashing {
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws WorkError `rate-limited` `too_many_attempts` when too many wait already; what `work` throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < AT_ONCE) this.#running += 1;
    else await this.#acquire();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #acquire(): Promise<void> {
    if (this.#waiting.length >= WAITING) throw tooManyAttempts(new Date(this.#clock.now().getTime() + RETRY_AFTER_MS));
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** RFC 5321, 4.5.3.1.3: a path of 256 octets with its angle brackets */
const MAX_EMAIL_LENGTH = 254;
/** Only the form. Whether mail arrives there, only a mail can show. */
const EMAIL = /^[^\s@<>,;:"()[\]\\\p{C}]+@[^\s@<>,;:"()[\]\\\p{C}]+$/u;
/** In characters: shorter ones are in too many good passwords. */
const MIN_WORD_LENGTH = 4;
const DIGITS = ['1234567890', '0987654321'].map((digits) => digits.repeat(PASSWORD_LENGTH.max));

/** @returns the email as it is stored and looked up: without blanks around it, in lower case */
export function normalizedEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** @returns the normalized email. @throws WorkError `rejected` `invalid_email` */
export function checkedEmail(email: string): string {
  const normalized = normalizedEmail(email);
  if (normalized.length > MAX_EMAIL_LENGTH || !EMAIL.test(normalized)) throw refused('invalid_email');
  return normalized;
}

/**
 * Length is what makes a password strong. Rules about kinds of characters make people write it down; what is refused
 * instead is what attackers try first (NIST SP 800-63B, 3.1.1.2): common passwords, words about the user, repetitions
 * and sequences.
 * @param about the email, the name and the name of the account
 * @throws WorkError `rejected` `weak_password`
 */
export function checkPassword(password: string, about: readonly string[]): void {
  const { min, max } = PASSWORD_LENGTH;
  if (password.length < min || password.length > max) throw refused('weak_password');
  const lower = squeezed(password);
  // "password123!" is as common as "password123", and "password2026" and "passwordpassword" hardly less.
  const word = lower.replace(/^\P{L}+|\P{L}+$/gu, '');
  const forms = [lower, lower.replace(/[^\p{L}\p{N}]+$/u, ''), ...(word.length < MIN_WORD_LENGTH ? [] : [word])].map(
    (each) => /^(.+?)\1+$/u.exec(each)?.[1] ?? each,
  );
  const known = about.flatMap((each) => [squeezed(each), squeezed(each.split('@')[0] ?? '')]);
  if (forms.some((each) => commonPasswords().has(each) || known.includes(each) || isMonotonous(each))) {
    throw refused('weak_password');
  }
}

/** Without case and blanks, so that a name is recognized however it is written. */
function squeezed(text: string): string {
  return text.toLowerCase().replace(/\s+/g, '');
}

/**
 * Of three different characters or fewer, such as `aaaaaaaaaa` and `1212121212`, or a sequence such as `abcdefghij` or
 * `0987654321`.
 */
function isMonotonous(password: string): boolean {
  const codes = [...password].map((character) => character.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, i) => code - (codes[i] ?? 0)));
  const isSequence = steps.size === 1 && (steps.has(1) || steps.has(-1));
  return (
    new Set(codes).size <= TOO_FEW_DIFFERENT_CHARACTERS ||
    isSequence ||
    DIGITS.some((digits) => digits.includes(password))
  );
}

let common: ReadonlySet<string> | null = null;

/** The list, and the words in its entries. Read at the first check: many processes never check a password. */
function commonPasswords(): ReadonlySet<string> {
  common ??= new Set(
    readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .flatMap((line) => [line, line.replace(/^[^a-z]+|[^a-z]+$/g, '')])
      .filter((each) => each.length >= MIN_WORD_LENGTH),
  );
  return common;
}

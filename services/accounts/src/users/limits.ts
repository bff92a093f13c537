import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Clock } from '@call-analytics/service-kit';
import type { Origin } from '../accounts.ts';
import { tooManyAttempts } from '../refusals.ts';
import type { Attempts } from './stores.ts';

const MINUTE_MS = 60_000;

/**
 * How many attempts there may be within a time that begins with the first of them. An attacker at one address must not
 * be able to lock a person out, so attempts at one person are counted by address; those from many addresses are limited
 * by `person`, and do not concern browsers in which the person has signed in before.
 */
const LIMITS = {
  /** Wrong passwords. 100 is the most that NIST SP 800-63B, 3.2.2, allows in a row. */
  password: { own: 10, address: 50, withinMs: 15 * MINUTE_MS, person: 100, personWithinMs: 60 * MINUTE_MS },
  signUp: { own: 10, address: 20, withinMs: 60 * MINUTE_MS, person: 100, personWithinMs: 60 * MINUTE_MS },
  /** Emails sent to one person. */
  mail: { own: 5, address: 20, withinMs: 60 * MINUTE_MS, person: 20, personWithinMs: 60 * MINUTE_MS },
} as const;
type Limited = keyof typeof LIMITS;

interface Count {
  key: string;
  limit: number;
  withinMs: number;
}

/** Rate limits on attempts, counted in the store for all processes together. */
export class Limits {
  readonly #attempts: Attempts;
  readonly #devices: Devices;
  readonly #clock: Clock;

  constructor(attempts: Attempts, devices: Devices, clock: Clock) {
    this.#attempts = attempts;
    this.#devices = devices;
    this.#clock = clock;
  }

  /**
   * Counts an attempt before it is made, so that many at once are no more than many in a row.
   * @returns call it when the attempt was successful: the attempt is not counted then
   * @throws WorkError `rate-limited` `too_many_attempts`
   */
  async attempt(what: Limited, email: string, { ip, device }: Origin): Promise<() => Promise<void>> {
    const { own, address, withinMs, person, personWithinMs } = LIMITS[what];
    const browser = await this.#devices.nameOf(email, device);
    if (browser !== null) return this.#count([{ key: `${what} device ${browser}`, limit: own, withinMs }]);
    const network = networkOf(ip);
    // In this order: an address that has reached its limit does not count against the people it tries.
    return this.#count([
      { key: `${what} address ${network}`, limit: address, withinMs },
      { key: `${what} email ${email} address ${network}`, limit: own, withinMs },
      { key: `${what} email ${email}`, limit: person, withinMs: personWithinMs },
    ]);
  }

  /** As `attempt`, of a user who is signed in: attempts from elsewhere do not concern them. */
  attemptOf(userId: string): Promise<() => Promise<void>> {
    const { own, withinMs } = LIMITS.password;
    return this.#count([{ key: `password user ${userId}`, limit: own, withinMs }]);
  }

  async #count(counts: readonly Count[]): Promise<() => Promise<void>> {
    const keys = counts.map(({ key }) => keyOf(key));
    for (const [i, { limit, withinMs }] of counts.entries()) {
      const now = this.#clock.now();
      const { count, until } = await this.#attempts.count(keys[i] ?? '', new Date(now.getTime() + withinMs), now);
      if (count > limit) throw tooManyAttempts(until);
    }
    return async () => {
      for (const key of keys) await this.#attempts.uncount(key);
    };
  }
}

/** Hashed: of one length, and the store does not show who tried to sign in. */
function keyOf(attempt: string): string {
  return hash('sha256', attempt, 'hex');
}

/**
 * @returns the address; for IPv6 its network of 64 bits, which is what one customer gets (RFC 6177); for IPv4 written
 *   as IPv6 the IPv4 address
 */
function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(ip)) return ip.slice(0, 64);
  const [head = '', tail] = ip.toLowerCase().split('%')[0]?.split('::') ?? [];
  const groups = (part: string | undefined) => (part ? part.split(':') : []);
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array.from({ length: missing }, () => '0'), ...groups(tail)];
  const network = all.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${network.join(':')}::/64`;
}

/** How long a browser stays known after a sign-in, in ms. */
const DEVICE_LASTS_MS = 365 * 86_400_000;
/** How many people one browser is known to. */
const MAX_TOKENS = 5;
const MAX_VALUE_LENGTH = 1_000;
const TOKEN = /^([0-9a-z]{1,12})\.([\w-]{22})\.([\w-]{43})$/;

/**
 * Browsers in which a user has signed in before. Wrong passwords from elsewhere must not lock a person out of them
 * (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies).
 *
 * A browser keeps one token for each of its users: an expiry time, a random name, and a signature of both and the
 * email.
 */
export class Devices {
  readonly #secret: () => Promise<string>;
  readonly #clock: Clock;
  #known: Promise<string> | null = null;

  /** @param secret signs the tokens; asked for once */
  constructor(secret: () => Promise<string>, clock: Clock) {
    this.#secret = secret;
    this.#clock = clock;
  }

  /**
   * @param email normalized
   * @param value of the browser's cookie; anything else is allowed
   * @returns the name of the browser; null when no user with this email has signed in there
   */
  async nameOf(email: string, value: string | undefined): Promise<string | null> {
    const tokens = tokensOf(value);
    if (tokens.length === 0) return null;
    const secret = await this.#key();
    for (const token of tokens) {
      const name = this.#nameIn(token, email, secret);
      if (name !== null) return name;
    }
    return null;
  }

  /** @returns the value of the cookie after a sign-in with this email; tokens of other people stay */
  async remember(email: string, value: string | undefined): Promise<string> {
    const secret = await this.#key();
    const expires = (this.#clock.now().getTime() + DEVICE_LASTS_MS).toString(36);
    const name = randomBytes(16).toString('base64url');
    const own = `${expires}.${name}.${signature(secret, email, expires, name).toString('base64url')}`;
    const others = tokensOf(value).filter((token) => this.#nameIn(token, email, secret) === null);
    return [own, ...others].slice(0, MAX_TOKENS).join('~');
  }

  #nameIn(token: string, email: string, secret: string): string | null {
    const [, expires = '', name = '', signed = ''] = TOKEN.exec(token) ?? [];
    if (Number.parseInt(expires, 36) <= this.#clock.now().getTime()) return null;
    const shown = Buffer.from(signed, 'base64url');
    const right = signature(secret, email, expires, name);
    return shown.length === right.length && timingSafeEqual(shown, right) ? name : null;
  }

  #key(): Promise<string> {
    this.#known ??= this.#secret().catch((error: unknown) => {
      this.#known = null;
      throw error;
    });
    return this.#known;
  }
}

function tokensOf(value: string | undefined): string[] {
  if (value === undefined || value.length > MAX_VALUE_LENGTH) return [];
  return value
    .split('~')
    .filter((token) => TOKEN.test(token))
    .slice(0, MAX_TOKENS);
}

function signature(secret: string, email: string, expires: string, name: string): Buffer {
  return createHmac('sha256', secret).update(`${expires}.${name}.${email}`).digest();
}

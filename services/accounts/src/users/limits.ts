import { hash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Clock } from '@call-analytics/service-kit';
import type { Origin } from '../users.ts';
import type { Attempts } from './attempts.ts';
import { tooManyAttempts } from './refusals.ts';

const MINUTE_MS = 60_000;

/** How many attempts there may be within a time that begins with the first of them. */
const LIMITS = {
  /** Of one user: what guesses their password, wherever it comes from. */
  password: { byEmail: 10, byAddress: 50, withinMs: 15 * MINUTE_MS },
  signUp: { byEmail: 10, byAddress: 20, withinMs: 60 * MINUTE_MS },
  reset: { byEmail: 5, byAddress: 20, withinMs: 60 * MINUTE_MS },
} as const;
export type Limited = keyof typeof LIMITS;

/** Limits on attempts, counted in the store: all processes count together. */
export class Limits {
  readonly #attempts: Attempts;
  readonly #clock: Clock;

  constructor(attempts: Attempts, clock: Clock) {
    this.#attempts = attempts;
    this.#clock = clock;
  }

  /**
   * Counts an attempt before it is made, so that many at once are no more than many in a row.
   * @returns what to call when it was no guess: then it does not count
   * @throws WorkError `rate-limited` `too_many_attempts`
   */
  async attempt(what: Limited, email: string, { ip }: Origin): Promise<() => Promise<void>> {
    const { byEmail, byAddress, withinMs } = LIMITS[what];
    // The address first: who has used up theirs does not use up those of the people whose emails they try.
    const counted = [
      { key: keyOf(`${what} address ${networkOf(ip)}`), limit: byAddress },
      { key: keyOf(`${what} email ${email}`), limit: byEmail },
    ];
    for (const { key, limit } of counted) {
      const now = this.#clock.now();
      const { count, until } = await this.#attempts.count(key, new Date(now.getTime() + withinMs), now);
      if (count > limit) throw tooManyAttempts(until);
    }
    return async () => {
      for (const { key } of counted) await this.#attempts.uncount(key);
    };
  }
}

/** Of one length, however long an email is, and nobody reads in the store who tried to sign in. */
function keyOf(attempt: string): string {
  return hash('sha256', attempt, 'hex');
}

/** @returns the address; of IPv6 the network of 64 bits, which is what one customer gets (RFC 6177), and of IPv4 written as IPv6 the IPv4 address */
export function networkOf(ip: string): string {
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

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@call-analytics/service-kit';

/** How long a browser stays known after a sign-in, in ms. */
export const DEVICE_LASTS_MS = 365 * 86_400_000;
/** How many people one browser is known to. */
const MAX_TOKENS = 5;
const LONGEST_VALUE = 1_000;
const TOKEN = /^([0-9a-z]{1,12})\.([\w-]{22})\.([\w-]{43})$/;

/**
 * Browsers in which somebody has signed in before. Wrong passwords from elsewhere must not lock a person out of them
 * (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies).
 *
 * A browser keeps one signed token for each of its people: when it ends, a random name, and a signature over both and the email.
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
   * @returns the name of the browser; null when nobody with this email has signed in there
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
  if (value === undefined || value.length > LONGEST_VALUE) return [];
  return value
    .split('~')
    .filter((token) => TOKEN.test(token))
    .slice(0, MAX_TOKENS);
}

function signature(secret: string, email: string, expires: string, name: string): Buffer {
  return createHmac('sha256', secret).update(`${expires}.${name}.${email}`).digest();
}

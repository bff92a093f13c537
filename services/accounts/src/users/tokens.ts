import { hash, randomBytes } from 'node:crypto';

const RANDOM_BYTES = 32;
const SHAPE = /^[\w-]{43}$/;

/** @returns the text of a new session or one-time link: 256 random bits, in characters that stand in addresses and cookies as they are */
export function newToken(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url');
}

/** @returns the SHA-256, in hex, that is stored in the token's place; null for what no token looks like. A plain hash is enough: there is nothing to guess. */
export function hashToken(token: string): string | null {
  return SHAPE.test(token) ? hash('sha256', token, 'hex') : null;
}

/** A new token with its hash. */
export function tokenWithHash(): { token: string; hash: string } {
  const token = newToken();
  return { token, hash: hash('sha256', token, 'hex') };
}

import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'aca_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 32 characters of 62 are 190 random bits; the five that a list of keys shows leave 160 unknown. */
const RANDOM_LENGTH = 32;
/** 62^6 is more than 2^32: the whole CRC fits. */
const CHECKSUM_LENGTH = 6;
const KEY_LENGTH = PREFIX.length + RANDOM_LENGTH + CHECKSUM_LENGTH;
const SHOWN_LENGTH = PREFIX.length + 5;
/** The largest multiple of 62 that a byte can reach: bytes above it would make the first characters of the alphabet likelier. */
const FAIR_BYTES = 248;

/** @returns the text of a new key: prefix, random characters, checksum */
export function makeApiKey(): string {
  let body = PREFIX;
  while (body.length < PREFIX.length + RANDOM_LENGTH) {
    for (const byte of randomBytes(RANDOM_LENGTH)) {
      if (byte < FAIR_BYTES && body.length < PREFIX.length + RANDOM_LENGTH)
        body += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return body + checksumOf(body);
}

/** Tells a mistyped, cut or foreign key without a read: a CRC-32 sees every single wrong character and every swapped pair. */
export function isWellFormedApiKey(apiKey: string): boolean {
  if (apiKey.length !== KEY_LENGTH || !apiKey.startsWith(PREFIX)) return false;
  const body = apiKey.slice(0, -CHECKSUM_LENGTH);
  return apiKey.slice(-CHECKSUM_LENGTH) === checksumOf(body);
}

/** @returns the SHA-256, in hex, that is stored in the key's place. A plain hash is enough: the key is random, so there is nothing to guess. */
export function hashApiKey(apiKey: string): string {
  return hash('sha256', apiKey, 'hex');
}

/** @returns the first characters, by which a person recognises the key */
export function shownPrefix(apiKey: string): string {
  return apiKey.slice(0, SHOWN_LENGTH);
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}

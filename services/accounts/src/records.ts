import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Logger, WorkError } from '@call-analytics/service-kit';
import { v7 as uuidv7 } from 'uuid';
import { type Account, type ApiKey, type NewKey, OPERATOR } from './accounts.ts';
import { checkedName } from './refusals.ts';

const PREFIX = 'aca_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 32 characters of 62 are 190 random bits; the five that a list of keys shows leave 160 unknown. */
const RANDOM_LENGTH = 32;
/** 62^6 is more than 2^32: the whole CRC fits. */
const CHECKSUM_LENGTH = 6;
const KEY_LENGTH = PREFIX.length + RANDOM_LENGTH + CHECKSUM_LENGTH;
const SHOWN_LENGTH = PREFIX.length + 5;
/** The largest multiple of 62 within a byte. Larger bytes would make the first characters of the alphabet likelier. */
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

/** Detects a mistyped or cut key without a read: a CRC-32 sees each wrong character and each swapped pair. */
export function isWellFormedApiKey(apiKey: string): boolean {
  if (apiKey.length !== KEY_LENGTH || !apiKey.startsWith(PREFIX)) return false;
  const body = apiKey.slice(0, -CHECKSUM_LENGTH);
  return apiKey.slice(-CHECKSUM_LENGTH) === checksumOf(body);
}

/** @returns the SHA-256, in hex, that is stored instead of the key. A plain hash is enough, because keys are random. */
export function hashApiKey(apiKey: string): string {
  return hash('sha256', apiKey, 'hex');
}

/** @returns the first characters, by which a person recognizes the key */
function shownPrefix(apiKey: string): string {
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

/** @throws WorkError `rejected` `invalid_name` */
export function newAccount(name: string, createdAt: Date): Account {
  return { id: newId('acc'), name: checkedName(name), createdAt };
}

/**
 * @returns the key without its secret, the secret, and the hash (hex) that is stored instead of the secret
 * @throws WorkError `rejected` `invalid_name`, `invalid_expiry`
 */
export function newKey(
  { name, scope = 'write', expiresAt = null, createdBy = OPERATOR }: NewKey,
  createdAt: Date,
): { key: ApiKey; secret: string; hash: string } {
  const checked = checkedName(name);
  if (expiresAt !== null && !(expiresAt > createdAt))
    throw new WorkError({
      kind: 'rejected',
      code: 'invalid_expiry',
      message: 'The expiry date must be in the future.',
    });
  const secret = makeApiKey();
  const times = { createdAt, expiresAt, lastUsedAt: null, revokedAt: null };
  const key: ApiKey = { id: newId('key'), name: checked, prefix: shownPrefix(secret), scope, createdBy, ...times };
  return { key, secret, hash: hashApiKey(secret) };
}

/** @returns the user who creates the key; null when it is the operator */
export function userOf({ createdBy }: ApiKey): string | null {
  return createdBy === null || createdBy === OPERATOR ? null : createdBy;
}

/** Whether the key has not expired. One that was revoked does not work either. */
export function isUnexpired({ expiresAt }: ApiKey, now: Date): boolean {
  return expiresAt === null || expiresAt > now;
}

/** Ids begin with the time, so that those of one moment are listed in the order in which they were made. */
export function newId(kind: 'acc' | 'key' | 'usr' | 'idn' | 'inv' | 'lnk'): string {
  return `${kind}_${uuidv7().replaceAll('-', '')}`;
}

const FLUSH_AFTER_MS = 1_000;
export const USED_AT_MOST_EVERY_MS = 60_000;

/** Writes when keys were used: key id to ms since 1970, in the order of use. What it throws on is given again later. */
export type WriteUses = (uses: ReadonlyMap<string, number>) => void | Promise<void>;

/** Collects when keys were used and writes it a second later in one batch, so that no request waits for a write. */
export class LastUsed {
  readonly #pending = new Map<string, number>();
  readonly #write: WriteUses;
  readonly #log: Pick<Logger, 'warn' | 'info'> | undefined;
  #timer: NodeJS.Timeout | null = null;
  #isFailing = false;

  constructor(write: WriteUses, log?: Pick<Logger, 'warn' | 'info'>) {
    this.#write = write;
    this.#log = log;
  }

  /** @param known what the database says */
  used(keyId: string, known: Date | null, now: Date): void {
    const passed = known === null ? USED_AT_MOST_EVERY_MS : now.getTime() - known.getTime();
    // A time in the future is a clock that was set back: it must not keep the key looking used for ever.
    if (passed < USED_AT_MOST_EVERY_MS && passed >= -USED_AT_MOST_EVERY_MS) return;
    if (this.#pending.has(keyId)) return;
    this.#pending.set(keyId, now.getTime());
    this.#flushSoon();
  }

  async close(): Promise<void> {
    await this.#flush();
    this.#stopTimer();
  }

  /** Never throws: a failed write is tried again, and losing it would only make a last use look a minute older. */
  async #flush(): Promise<void> {
    this.#stopTimer();
    if (this.#pending.size === 0) return;
    const uses = new Map(this.#pending);
    try {
      await this.#write(uses);
      for (const keyId of uses.keys()) this.#pending.delete(keyId);
      if (this.#isFailing) this.#log?.info('the last uses of keys are written again');
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#log?.warn({ err: error }, 'the last uses of keys cannot be written; trying again');
      this.#isFailing = true;
      this.#flushSoon();
    }
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => this.#flush(), FLUSH_AFTER_MS).unref();
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

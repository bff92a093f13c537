import { hash, randomBytes } from 'node:crypto';
import { newId } from '../records.ts';
import type { Actor, Invitation } from '../users.ts';
import type { Parts } from './make-users.ts';
import type { NewInvitation, NewUserLink } from './stores.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LASTS_MS = {
  invitation: 7 * 24 * HOUR_MS,
  setup: 24 * HOUR_MS,
  confirm: 24 * HOUR_MS,
  'sign-in': 10 * MINUTE_MS,
  reset: HOUR_MS,
};

export async function makeUserLink(
  { links, clock }: Parts,
  kind: NewUserLink['kind'],
  userId: string,
): Promise<{ token: string; expiresAt: Date }> {
  const { token, hash } = tokenWithHash();
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + LASTS_MS[kind]);
  await links.add({ id: newId('lnk'), hash, kind, userId, createdAt, expiresAt });
  return { token, expiresAt };
}

/** @param email that the link proves; null: the link is for the first user */
export async function makeSignUpLink(
  { installation, clock }: Parts,
  email: string | null,
): Promise<{ token: string; expiresAt: Date }> {
  const { token, hash } = tokenWithHash();
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + LASTS_MS[email === null ? 'setup' : 'confirm']);
  await installation.addSignUpLink({ hash, email, createdAt, expiresAt });
  return { token, expiresAt };
}

/** @param actor null for the operator */
export async function makeInvitation(
  { directory, clock }: Parts,
  actor: Actor | null,
  { accountId, role }: Pick<NewInvitation, 'accountId' | 'role'>,
): Promise<{ token: string; invitation: Invitation }> {
  const { token, hash } = tokenWithHash();
  const createdAt = clock.now();
  const invitation = {
    id: newId('inv'),
    role,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + LASTS_MS.invitation),
  };
  await directory.addInvitation(actor, { ...invitation, hash, accountId });
  return { token, invitation };
}

const RANDOM_BYTES = 32;
const SHAPE = /^[\w-]{43}$/;

/** @returns the token of a new session or one-time link: 256 random bits in characters that URLs and cookies allow */
function newToken(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url');
}

/**
 * @returns the SHA-256, in hex, that is stored instead of the token; null for a malformed token. A plain hash is
 *   enough, because a token is random.
 */
export function hashToken(token: string): string | null {
  return SHAPE.test(token) ? hash('sha256', token, 'hex') : null;
}

/** A new token with its hash. */
export function tokenWithHash(): { token: string; hash: string } {
  const token = newToken();
  return { token, hash: hash('sha256', token, 'hex') };
}

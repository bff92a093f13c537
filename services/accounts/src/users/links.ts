import { hash, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { failureOf, SettingsError } from '@call-analytics/service-kit';
import type { Actor, Invitation } from '../accounts.ts';
import { newId } from '../records.ts';
import type { UsersSettings } from '../settings.ts';
import type { Dependencies, Mail, SendMail } from './dependencies.ts';
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
  { links, clock }: Dependencies,
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
  { installation, clock }: Dependencies,
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
  { directory, clock }: Dependencies,
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

export function resetMail(to: string, link: string): Mail {
  return {
    to,
    subject: 'Reset your Call Analytics password',
    text: [
      `We received a request to reset the password of ${to}.`,
      `To choose a new password, open this link. It works once and expires in one hour:\n\n${link}`,
      'A new password signs you out everywhere and revokes the API keys you created.',
      'If you did not request this, ignore this email. Your password does not change.\n',
    ].join('\n\n'),
  };
}

export function confirmMail(to: string, link: string): Mail {
  return {
    to,
    subject: 'Confirm your email for Call Analytics',
    text: [
      `We received a request to create a Call Analytics account for ${to}.`,
      `To confirm your email and choose a password, open this link. It works once and expires in 24 hours:\n\n${link}`,
      'If you did not request this, ignore this email. No account is created.\n',
    ].join('\n\n'),
  };
}

/** Sent instead of `confirmMail`, so that the page does not reveal which emails have a user. */
export function alreadyUserMail(to: string, publicUrl: string): Mail {
  return {
    to,
    subject: 'You already have a Call Analytics account',
    text: [
      `We received a request to create a Call Analytics account for ${to}. This email already has a user.`,
      `Sign in at ${publicUrl}. If you forgot your password, reset it there.`,
      'If you did not request this, ignore this email.\n',
    ].join('\n\n'),
  };
}

/** How long the mail server may take for each of its steps, in ms. */
const TIMEOUT_MS = 10_000;

/**
 * @returns a function that sends mail through the server in the settings; null when they name none
 * @throws SettingsError when MAIL_FROM is missing
 */
export function senderOf({ SMTP_URL: url, MAIL_FROM: from }: Omit<UsersSettings, 'PUBLIC_URL'>): SendMail | null {
  if (url === undefined) return null;
  if (from === undefined)
    throw new SettingsError(
      'MAIL_FROM is not set: with SMTP_URL mails need a sender, such as Call Analytics <calls@example.com>.',
    );
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  // Only where mails are sent: it takes a tenth of the time to load that the rest of the service takes.
  const { createTransport } = createRequire(import.meta.url)('nodemailer') as typeof import('nodemailer');
  const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
  return async (mail) => {
    await transport.sendMail({ from, ...mail });
  };
}

/** By then the answer has left, also through a gateway. */
const ANSWERED_WITHIN_MS = 100;

/**
 * Does something after the request was answered, so that neither the answer nor its time reveals whether a user exists.
 * @param failed the log line when it fails
 */
export function afterTheAnswer({ background, log }: Dependencies, failed: string, work: () => Promise<void>): void {
  const done = sleep(ANSWERED_WITHIN_MS)
    .then(work)
    .catch((error: unknown) => {
      const { code } = failureOf(error);
      log.error({ code, reason: (error as { code?: string }).code }, failed);
    })
    .finally(() => background.delete(done));
  background.add(done);
}

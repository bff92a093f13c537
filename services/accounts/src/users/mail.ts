import { setTimeout as sleep } from 'node:timers/promises';
import { failureOf, SettingsError } from '@call-analytics/service-kit';
import { createTransport } from 'nodemailer';
import type { UsersSettings } from '../settings.ts';
import type { Parts } from './make-users.ts';

interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** @throws when the mail server did not take it */
export type SendMail = (mail: Mail) => Promise<void>;

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

/** In place of `confirmMail`, so that the page tells nobody which emails have a user. */
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
export function afterTheAnswer({ background, log }: Parts, failed: string, work: () => Promise<void>): void {
  const done = sleep(ANSWERED_WITHIN_MS)
    .then(work)
    .catch((error: unknown) => {
      const { code } = failureOf(error);
      log.error({ code, reason: (error as { code?: string }).code }, failed);
    })
    .finally(() => background.delete(done));
  background.add(done);
}

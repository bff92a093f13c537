import { SettingsError } from '@call-analytics/service-kit';
import { createTransport } from 'nodemailer';
import type { UsersSettings } from '../settings.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** @throws when the mail server did not take it */
export type SendMail = (mail: Mail) => Promise<void>;

export function resetMail(to: string, link: string): Mail {
  return {
    to,
    subject: 'A new password for Call Analytics',
    text: `Somebody, probably you, wants to choose a new password for ${to}.\n\nThis link works once, for an hour:\n\n${link}\n\nIf it was not you, do nothing: your password stays as it is.\n`,
  };
}

/** How long the mail server may take for each of its steps, in ms. */
const TIMEOUT_MS = 10_000;

/** @returns what sends mails by the server that the settings name; null when they name none. @throws SettingsError when there is no sender to send from */
export function senderOf({ SMTP_URL: url, MAIL_FROM: from }: UsersSettings): SendMail | null {
  if (url === undefined) return null;
  if (from === undefined)
    throw new SettingsError('MAIL_FROM is not set: with SMTP_URL mails need a sender, such as Call Analytics <calls@example.com>.');
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
  return async (mail) => {
    await transport.sendMail({ from, ...mail });
  };
}

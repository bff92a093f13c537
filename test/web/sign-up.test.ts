import { type SmtpServer, smtpServer } from '@call-analytics/accounts/users/smtp-server.fixture.ts';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { itNeeds } from '../requirements.fixture.ts';
import { until } from '../until.fixture.ts';
import { aBrowser } from './browser.fixture.ts';
import { inspectPage } from './inspect-page.fixture.ts';
import { WebInstallation } from './installation.fixture.ts';
import { PASSWORD } from './visitor.fixture.ts';

describe('signing up with a confirmed email', () => {
  let mail: SmtpServer;
  let web: WebInstallation;

  beforeAll(async () => {
    if (!aBrowser.present) return;
    mail = await smtpServer();
    web = await WebInstallation.open({ SIGN_UP: 'open', SMTP_URL: mail.url, MAIL_FROM: 'calls@example.com' });
  });
  afterAll(async () => {
    await web?.close();
    await mail?.close();
  });

  itNeeds(aBrowser, 'an account is created only by the link in the mail, for the email that it went to', async () => {
    const ada = await web.visitor();
    await ada.goTo('/sign-up');
    await ada.fill({ Email: 'ada@example.com' });
    await ada.button('Send link').click();
    await ada.page.getByText('Check your email.').waitFor();
    await ada.button('Send again').waitFor();
    expect(await inspectPage(ada, 'sign-up-confirm')).toEqual([]);

    await until(async () => mail.received.length > 0, 'the mail is sent');
    const sent = new URL(/http\S+#token=\S+/.exec(decoded(mail.received[0] ?? ''))?.[0] ?? '');
    expect(sent.origin).toBe(web.url);
    await ada.page.goto('about:blank');
    await ada.page.goto(sent.href);
    const email = ada.page.getByLabel('Email');
    expect(await email.inputValue()).toBe('ada@example.com');
    expect(await email.isEditable()).toBe(false);
    await ada.fill({ 'Your name': 'Ada Byron', 'Company or team': 'Acme', Password: PASSWORD });
    await ada.button('Create account').click();
    await ada.heading('No calls yet').waitFor();

    const late = await web.visitor();
    await late.page.goto(sent.href);
    await late.fill({ 'Your name': 'Eve', 'Company or team': 'Globex', Password: PASSWORD });
    await late.button('Create account').click();
    await late.page.getByRole('alert').waitFor();
    expect([...ada.pageErrors, ...ada.foreignRequests, ...late.pageErrors]).toEqual([]);
  });
});

/** The text of a mail in quoted-printable (RFC 2045, 6.7). */
function decoded(mail: string): string {
  return mail
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

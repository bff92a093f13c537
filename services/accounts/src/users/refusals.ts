import { WorkError } from '@call-analytics/service-kit';

const MESSAGES = {
  sign_up_closed: 'New users come in by invitation here. Ask an owner of your account for a link.',
  invitation_not_valid: 'This invitation does not work: it was used or withdrawn, or its time is over. Ask for a new one.',
  email_taken: 'There is a user with this email already. Sign in instead.',
  invalid_email: 'This is not an email address.',
  weak_password: 'A password has 10 to 128 characters and is not the email address.',
  wrong_credentials: 'The email or the password is wrong.',
  link_not_valid: 'This link does not work: it was used, or its time is over. Ask for a new one.',
  not_allowed: 'Only an owner of the account may do this.',
  no_such_member: 'The account has no such member.',
  last_owner: 'The account would have no owner any more. Make somebody else an owner first.',
  no_such_user: 'There is no such user.',
} as const;

/** What people are told when something about users cannot be done. */
export function refused(code: keyof typeof MESSAGES): WorkError {
  return new WorkError({ kind: 'rejected', code, message: MESSAGES[code] });
}

export function tooManyAttempts(until: Date): WorkError {
  return new WorkError({ kind: 'rate-limited', code: 'too_many_attempts', message: 'Too many attempts. Try again later.', until });
}

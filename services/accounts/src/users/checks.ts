import { PASSWORD_LENGTH } from '@call-analytics/contracts';
import { refused } from './refusals.ts';

/** RFC 5321, 4.5.3.1.3: a path of 256 octets with its angle brackets */
const LONGEST_EMAIL = 254;
/** Whether mail arrives there only mail can tell. */
const EMAIL = /^[^\s@<>,;:"()[\]\\\p{C}]+@[^\s@<>,;:"()[\]\\\p{C}]+$/u;

/** @returns the email as it is stored and looked up: without blanks around it, in lower case */
export function normalisedEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** @returns the normalised email. @throws WorkError `rejected` `invalid_email` */
export function checkedEmail(email: string): string {
  const normalised = normalisedEmail(email);
  if (normalised.length > LONGEST_EMAIL || !EMAIL.test(normalised)) throw refused('invalid_email');
  return normalised;
}

/**
 * Length is what makes a password strong; rules about characters make people write it down (NIST SP 800-63B, 3.1.1.2).
 * @throws WorkError `rejected` `weak_password`
 */
export function checkPassword(password: string, email: string): void {
  const { min, max } = PASSWORD_LENGTH;
  if (password.length < min || password.length > max || normalisedEmail(password) === email) throw refused('weak_password');
}

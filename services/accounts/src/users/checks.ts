import { readFileSync } from 'node:fs';
import { PASSWORD_LENGTH } from '@call-analytics/contracts';
import { refused } from '../refusals.ts';

/** RFC 5321, 4.5.3.1.3: a path of 256 octets with its angle brackets */
const LONGEST_EMAIL = 254;
/** Whether mail arrives there only mail can tell. */
const EMAIL = /^[^\s@<>,;:"()[\]\\\p{C}]+@[^\s@<>,;:"()[\]\\\p{C}]+$/u;
/** In characters: shorter ones are in too many good passwords. */
const SHORTEST_WORD = 4;
const DIGITS = ['1234567890', '0987654321'].map((digits) => digits.repeat(PASSWORD_LENGTH.max));

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
 * Length is what makes a password strong. Rules about kinds of characters make people write it down; what is refused
 * instead is what attackers try first (NIST SP 800-63B, 3.1.1.2): common passwords, words about the user, repetitions
 * and sequences.
 * @param about the email, the name and the name of the account
 * @throws WorkError `rejected` `weak_password`
 */
export function checkPassword(password: string, about: readonly string[]): void {
  const { min, max } = PASSWORD_LENGTH;
  if (password.length < min || password.length > max) throw refused('weak_password');
  const lower = squeezed(password);
  // "password123!" is as common as "password123", and "password2026" and "passwordpassword" hardly less.
  const word = lower.replace(/^\P{L}+|\P{L}+$/gu, '');
  const forms = [lower, lower.replace(/[^\p{L}\p{N}]+$/u, ''), ...(word.length < SHORTEST_WORD ? [] : [word])].map(
    (each) => /^(.+?)\1+$/u.exec(each)?.[1] ?? each,
  );
  const known = about.flatMap((each) => [squeezed(each), squeezed(each.split('@')[0] ?? '')]);
  if (forms.some((each) => commonPasswords().has(each) || known.includes(each) || isMonotonous(each))) {
    throw refused('weak_password');
  }
}

/** Without case and blanks, so that a name is recognized however it is written. */
function squeezed(text: string): string {
  return text.toLowerCase().replace(/\s+/g, '');
}

/**
 * Of three different characters or fewer, such as `aaaaaaaaaa` and `1212121212`, or a sequence such as `abcdefghij` or
 * `0987654321`.
 */
function isMonotonous(password: string): boolean {
  const codes = [...password].map((character) => character.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, i) => code - (codes[i] ?? 0)));
  const isSequence = steps.size === 1 && (steps.has(1) || steps.has(-1));
  return new Set(codes).size <= 3 || isSequence || DIGITS.some((digits) => digits.includes(password));
}

let common: ReadonlySet<string> | null = null;

/** With the words in them. Read when it is needed first: many processes never check a password. */
function commonPasswords(): ReadonlySet<string> {
  common ??= new Set(
    readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .flatMap((line) => [line, line.replace(/^[^a-z]+|[^a-z]+$/g, '')])
      .filter((each) => each.length >= SHORTEST_WORD),
  );
  return common;
}

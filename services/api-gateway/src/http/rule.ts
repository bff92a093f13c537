import type { z } from 'zod';

const KINDS: Readonly<Record<string, string>> = { string: 'text', object: 'an object', array: 'a list', boolean: 'true or false' };
const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'must be a time in UTC such as 2026-05-04T10:00:00.000Z',
  date: 'must be a day such as 2026-05-04',
};

/** What a value must be, in words that follow its name: `must be text`, `may have 200 characters at most`. */
export function ruleOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      // Zod says what it was given nowhere else: not the value, which may be a password.
      if (issue.message.endsWith('received undefined')) return 'is missing';
      return `must be ${KINDS[issue.expected] ?? 'a number'}`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'too_big':
      return issue.origin === 'string' ? `may have ${issue.maximum} characters at most` : `must be ${issue.maximum} at most`;
    case 'too_small':
      return issue.origin === 'string' ? `must have ${issue.minimum} characters at least` : `must be ${issue.minimum} at least`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'has the wrong form';
    case 'custom':
      return issue.message;
    default:
      return 'is not allowed';
  }
}

import type { z } from 'zod';

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  object: 'an object',
  array: 'a list',
  boolean: 'true or false',
};
const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'must be a time in UTC such as 2026-05-04T10:00:00.000Z',
  date: 'must be a day such as 2026-05-04',
};

/** What a value must be, in words that follow its name: `must be text`, `must have at most 200 characters`. */
export function ruleOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      // Zod says what it was given nowhere else: not the value, which may be a password.
      if (issue.message.endsWith('received undefined')) return 'is missing';
      return `must be ${KINDS[issue.expected] ?? 'a number'}`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'too_big':
      return issue.origin === 'string'
        ? `must have at most ${issue.maximum} characters`
        : `must be at most ${issue.maximum}`;
    case 'too_small':
      return issue.origin === 'string'
        ? `must have at least ${issue.minimum} characters`
        : `must be at least ${issue.minimum}`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'has an invalid format';
    case 'custom':
      return issue.message;
    default:
      return 'is not allowed';
  }
}

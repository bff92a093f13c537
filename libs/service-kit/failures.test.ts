import { describe, expect, it } from '@jest/globals';
import { type Failure, failureOf, WorkError } from './failures.ts';

describe('a failure', () => {
  it('is what the error says when somebody classified it, and its message is for people', () => {
    const failure: Failure = {
      kind: 'rate-limited',
      code: 'rate_limited',
      message: 'The engine asks to wait.',
      until: new Date(0),
    };
    const error = new WorkError(failure, { cause: new Error('HTTP 429') });
    expect(failureOf(error)).toBe(failure);
    expect(error.message).toBe('The engine asks to wait.');
    expect(error.cause).toEqual(new Error('HTTP 429'));
  });

  it.each([new TypeError('x is undefined'), 'a string', undefined, null, { failure: { kind: 'transient' } }])(
    'that nobody classified is a bug of ours, and tells the caller nothing of it: %p',
    (error) => {
      expect(failureOf(error)).toEqual({
        kind: 'bug',
        code: 'internal_error',
        message: 'Something went wrong on our side.',
      });
    },
  );
});

import { describe, expect, it } from '@jest/globals';
import { safeNext } from './connection.ts';

const ORIGIN = 'https://calls.example.com';

describe('where a sign-in leads', () => {
  it.each(['/calls/call_1?text=price#end', '/settings/keys', '/'])('to a path of this origin: %s', (next) => {
    expect(safeNext(next, ORIGIN)).toBe(next);
  });

  it.each([
    undefined,
    '',
    'calls',
    '//evil.example/',
    '/\\evil.example/',
    '/\t/evil.example/',
    'https://evil.example/',
    'javascript:alert(1)',
    `${ORIGIN}.evil.example/`,
  ])('nowhere else: %j', (next) => {
    expect(safeNext(next, ORIGIN)).toBe('/calls');
  });
});

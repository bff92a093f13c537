import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { GENERATED, generatedTypes } from './generate.ts';

it('the types of the messages are those of accounts.proto: otherwise run "npm run proto"', () => {
  expect(readFileSync(GENERATED, 'utf8')).toBe(generatedTypes());
});

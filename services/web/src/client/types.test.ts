import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { DOCUMENTS, typesOf } from './types.ts';

describe('the types of the client', () => {
  it.each(DOCUMENTS)('are those of $document.pathname (npm run client makes them anew)', async ({ document, types }) => {
    expect(await readFile(types, 'utf8')).toBe(await typesOf(document));
  });
});

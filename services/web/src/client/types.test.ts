import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { DOCUMENTS, typesOf } from './types.ts';

describe('the types of the client', () => {
  it.each(DOCUMENTS.map((each) => ({ ...each, name: each.document.pathname.split('/').at(-1) })))(
    'are those of $name (npm run client makes them anew)',
    async ({ document, types }) => {
      expect(await readFile(types, 'utf8')).toBe(await typesOf(document));
    },
  );
});

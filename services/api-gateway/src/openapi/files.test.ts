import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { descriptionFiles } from './files.ts';

describe('docs/openapi.json and docs/app-openapi.json', () => {
  it.each(descriptionFiles().map(({ file, text }) => [file.pathname.split('/').at(-1), file, text] as const))(
    'are what the gateway says of itself (npm run openapi writes them): %s',
    (_, file, text) => {
      expect(readFileSync(file, 'utf8')).toBe(text);
    },
  );
});

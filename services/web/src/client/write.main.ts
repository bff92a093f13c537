import { writeFile } from 'node:fs/promises';
import { DOCUMENTS, typesOf } from './types.ts';

for (const { document, types } of DOCUMENTS) await writeFile(types, await typesOf(document));

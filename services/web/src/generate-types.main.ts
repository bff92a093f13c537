import { mkdir, readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';

// `npm run client`: writes the types of both APIs, by which the pages are checked, from their OpenAPI documents.

const DOCUMENTS = new URL('../../../docs/', import.meta.url);
const TYPES = new URL('app/api/generated/', import.meta.url);

await mkdir(TYPES, { recursive: true });
await Promise.all([generate('openapi.json', 'api.ts'), generate('app-openapi.json', 'app.ts')]);

async function generate(document: string, types: string): Promise<void> {
  const described: Described = JSON.parse(await readFile(new URL(document, DOCUMENTS), 'utf8'));
  for (const methods of Object.values(described.paths))
    for (const operation of Object.values(methods)) removeUnused(operation);
  const text = astToString(await openapiTS(JSON.stringify(described), { excludeDeprecated: true }));
  await writeFile(new URL(types, TYPES), text);
}

interface Described {
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  responses: Record<string, { headers?: unknown }>;
}

/** Removes error responses and headers, which the pages do not read by type. They are three quarters of the types. */
function removeUnused({ responses }: Operation): void {
  for (const [status, response] of Object.entries(responses))
    if (Number(status) >= 400) delete responses[status];
    else delete response.headers;
}

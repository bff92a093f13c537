import { readFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';

const HERE = new URL('../../../../', import.meta.url);

/** The documents that describe the APIs, and where the types of each are kept. */
export const DOCUMENTS = [
  { document: new URL('docs/openapi.json', HERE), types: new URL('services/web/src/app/api/generated/api.ts', HERE) },
  {
    document: new URL('docs/app-openapi.json', HERE),
    types: new URL('services/web/src/app/api/generated/app.ts', HERE),
  },
];

/** The types of an OpenAPI document, as a module. */
export async function typesOf(document: URL): Promise<string> {
  const described: { paths: Record<string, Record<string, Operation>> } = JSON.parse(await readFile(document, 'utf8'));
  const of = document.pathname.split('/').at(-1);
  for (const operation of Object.values(described.paths).flatMap((methods) => Object.values(methods)))
    leaveOut(operation);
  const types = astToString(await openapiTS(JSON.stringify(described), { excludeDeprecated: true }));
  return `// Made of docs/${of} by npm run client: change it there.\n\n${types}`;
}

interface Operation {
  responses: Record<string, { headers?: unknown }>;
}

/**
 * Removes error responses and headers, which the pages do not read by type. They would be three quarters of the file.
 */
function leaveOut({ responses }: Operation): void {
  for (const [status, response] of Object.entries(responses))
    if (Number(status) >= 400) delete responses[status];
    else delete response.headers;
}

import {
  CallDetail,
  CallList,
  CallListItem,
  Me,
  Problem,
  Progress,
  ReportSection,
  Scorecard,
  UploadAccepted,
} from '@call-analytics/contracts';
import { z } from 'zod';
import { CallsQuery } from '../list-calls/query.ts';
import { UploadFields } from '../upload-call/form.ts';

export type JsonSchema = Record<string, unknown>;

const Health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });
const Readiness = z
  .object({
    status: z.enum(['ready', 'not ready']),
    reasons: z.array(z.string()).optional(),
    degraded: z.array(z.string()).optional().describe('What does not answer although requests can be served'),
  })
  .meta({ id: 'Readiness', description: 'Whether the service is ready, or why not' });

const NAMED = {
  CallDetail,
  CallList,
  CallListItem,
  Me,
  Problem,
  Progress,
  ReportSection,
  Scorecard,
  UploadAccepted,
  Health,
  Readiness,
};
export type SchemaName = keyof typeof NAMED;

/** The schemas that validate, as `components.schemas` of the API description. */
export function componentSchemas(): Record<SchemaName, JsonSchema> {
  return namedSchemas(Object.keys(NAMED)) as Record<SchemaName, JsonSchema>;
}

/** The schemas of these names, and of those that they refer to, as `components.schemas` of a description. */
export function namedSchemas(names: readonly string[]): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { uri: (id) => `#/components/schemas/${id}`, io: 'output' });
  const found = new Map<string, JsonSchema>();
  const add = (name: string) => {
    if (found.has(name)) return;
    const schema = plain(schemas[name] as JsonSchema);
    found.set(name, schema);
    for (const [, inner] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) add(String(inner));
  };
  for (const name of names) add(name);
  return Object.fromEntries(found);
}

/** The query of GET /calls as parameters. */
export function queryParameters(): object[] {
  return Object.entries(propertiesOf(CallsQuery)).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema,
  }));
}

/** The form of POST /calls. */
export function uploadForm(): JsonSchema {
  const file = {
    type: 'string',
    format: 'binary',
    description: 'The recording: MP3, WAV, M4A, OGG, FLAC, AAC or WMA. The content decides, not the file name',
  };
  return {
    type: 'object',
    required: ['file'],
    additionalProperties: false,
    properties: { file, ...propertiesOf(UploadFields) },
  };
}

function propertiesOf(schema: z.ZodType): Record<string, JsonSchema> {
  return plain(z.toJSONSchema(schema, { io: 'output' }) as JsonSchema).properties as Record<string, JsonSchema>;
}

/** In the description a schema stands at its own place: it needs no name and no dialect of its own. */
function plain({ $schema: _dialect, $id: _id, id: _name, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

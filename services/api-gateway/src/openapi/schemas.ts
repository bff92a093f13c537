import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** The schemas with these names, and those that they refer to, as `components.schemas`. */
export function namedSchemas(names: readonly string[]): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { uri: (id) => `#/components/schemas/${id}`, io: 'input' });
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

/** @throws Error for a schema without a name, which is a bug */
export function refTo(schema: z.ZodType): { $ref: string } {
  const name = z.globalRegistry.get(schema)?.id;
  if (name === undefined) throw new Error('a schema without a name');
  return { $ref: `#/components/schemas/${name}` };
}

export function queryParameters(query: z.ZodObject): object[] {
  return Object.entries(query.shape).map(([name, field]) => {
    const { description, ...schema } = plain(z.toJSONSchema(field as z.ZodType, { io: 'output' }) as JsonSchema);
    const required = !(field as z.ZodType).safeParse(undefined).success;
    return { name, in: 'query', required, ...(description === undefined ? {} : { description }), schema };
  });
}

/** A multipart form with a recording in the part `file`. */
export function formSchema(fields: z.ZodObject): JsonSchema {
  const file = {
    type: 'string',
    format: 'binary',
    description: 'The recording: MP3, WAV, M4A, OGG, FLAC, AAC or WMA. The content decides, not the file name',
  };
  const { properties } = z.toJSONSchema(fields, { io: 'output' }) as { properties: Record<string, JsonSchema> };
  return { type: 'object', required: ['file'], additionalProperties: false, properties: { file, ...properties } };
}

/** Inside the document a schema needs no name and no dialect of its own. */
function plain({ $schema: _dialect, $id: _id, id: _name, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

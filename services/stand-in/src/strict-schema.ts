/** A JSON schema, as far as it is known. */
export type Schema = { readonly [key: string]: unknown };

// developers.openai.com/api/docs/guides/structured-outputs, "Supported schemas", read 2026-11-21.
const MOST_PROPERTIES = 5_000;
const DEEPEST = 10;
const TAKEN_EVERYWHERE = [
  'type',
  'description',
  'title',
  'enum',
  'const',
  'anyOf',
  '$ref',
  '$defs',
  'definitions',
  '$schema',
  '$id',
];
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items', 'minItems', 'maxItems'],
  string: ['pattern', 'format'],
  number: ['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  integer: ['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  boolean: [],
  null: [],
};

/** @returns what strict mode has against the schema, in the API's words; null when it takes it */
export function strictSchemaProblem(schema: unknown): string | null {
  if (!isSchema(schema) || schema.type !== 'object') {
    return `schema must be a JSON Schema of 'type: "object"', got 'type: "${isSchema(schema) ? String(schema.type ?? 'None') : 'None'}"'.`;
  }
  let properties = 0;
  const visit = (node: unknown, path: readonly string[], depth: number): string | null => {
    const context = `In context=(${path.map((step) => `'${step}'`).join(', ')}${path.length === 1 ? ',' : ''}), `;
    if (!isSchema(node)) return `${context}schema must have a 'type' key.`;
    if (depth > DEEPEST) return `${context}schema exceeds the limit of ${DEEPEST} levels of nesting.`;
    const types = [node.type ?? []].flat().map(String);
    if (types.length === 0 && !['anyOf', '$ref', 'enum', 'const'].some((key) => key in node))
      return `${context}schema must have a 'type' key.`;
    const taken = [...TAKEN_EVERYWHERE, ...types.flatMap((type) => TAKEN[type] ?? [])];
    const refused = Object.keys(node).find((key) => !taken.includes(key));
    if (refused !== undefined) return `${context}'${refused}' is not permitted.`;
    if (types.includes('object')) {
      const keys = Object.keys(isSchema(node.properties) ? node.properties : {});
      properties += keys.length;
      if (properties > MOST_PROPERTIES) return `schema exceeds the limit of ${MOST_PROPERTIES} properties.`;
      if (node.additionalProperties !== false)
        return `${context}'additionalProperties' is required to be supplied and to be false.`;
      const required = Array.isArray(node.required) ? node.required : [];
      const missing = keys.find((key) => !required.includes(key));
      if (missing !== undefined) {
        return `${context}'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
      }
      const extra = required.find((key) => !keys.includes(String(key)));
      if (extra !== undefined) return `${context}'required' holds '${String(extra)}', which is no property.`;
    }
    if (types.includes('array') && !isSchema(node.items)) return `${context}array schema missing items.`;
    const children: [unknown, readonly string[], number][] = [
      ...entries(node.properties).map(
        ([key, child]) => [child, [...path, 'properties', key], depth + 1] as [unknown, string[], number],
      ),
      ...(node.items === undefined ? [] : [[node.items, [...path, 'items'], depth + 1] as [unknown, string[], number]]),
      ...(Array.isArray(node.anyOf) ? node.anyOf : []).map(
        (child, i) => [child, [...path, 'anyOf', String(i)], depth] as [unknown, string[], number],
      ),
      ...entries(node.$defs).map(
        ([key, child]) => [child, [...path, '$defs', key], depth] as [unknown, string[], number],
      ),
      ...entries(node.definitions).map(
        ([key, child]) => [child, [...path, 'definitions', key], depth] as [unknown, string[], number],
      ),
    ];
    for (const [child, childPath, childDepth] of children) {
      const problem = visit(child, childPath, childDepth);
      if (problem !== null) return problem;
    }
    return null;
  };
  return visit(schema, [], 0);
}

/** @returns the schema that a `$ref` within the same document points at */
export function resolved(node: Schema, root: Schema): Schema {
  if (typeof node.$ref !== 'string') return node;
  let target: unknown = root;
  for (const step of node.$ref.replace(/^#\/?/, '').split('/').filter(Boolean))
    target = isSchema(target) ? target[step] : undefined;
  return isSchema(target) ? target : {};
}

export function isSchema(node: unknown): node is Schema {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

function entries(node: unknown): [string, unknown][] {
  return isSchema(node) ? Object.entries(node) : [];
}

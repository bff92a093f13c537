import { texts } from '../texts/texts.ts';

const { docs: words } = texts;

// What the reference reads of an OpenAPI 3.1 document, made by the gateway from the schemas that it validates by.

export interface Schema {
  type?: string;
  $ref?: string;
  anyOf?: Schema[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  format?: string;
  pattern?: string;
  default?: unknown;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
}
export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  description?: string;
  schema: Schema;
}
interface Content {
  schema?: Schema;
  examples?: Record<string, { value: unknown }>;
}
export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { description: string; content?: Record<string, Content> }>;
}
export interface Description {
  info: { title: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters?: Record<string, Parameter> };
}

export interface Endpoint {
  method: string;
  path: string;
  operation: Operation;
}
export interface ErrorRow {
  status: number;
  code: string;
  title: string;
  meaning: string;
}

/** In the order of the tags. */
export function endpointsOf({ paths, tags }: Description): { tag: string; endpoints: Endpoint[] }[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return tags
    .map(({ name }) => ({ tag: name, endpoints: all.filter(({ operation }) => operation.tags.includes(name)) }))
    .filter(({ endpoints }) => endpoints.length > 0);
}

/** With those that several operations share. */
export function parametersOf({ parameters = [] }: Operation, { components }: Description): Parameter[] {
  return parameters.flatMap((each) => (each.$ref === undefined ? each : (components.parameters?.[nameOf(each.$ref)] ?? [])));
}

/** Every code that some answer may have, once, by status. Their meanings are in the descriptions: "`code`: meaning", a paragraph each. */
export function errorsOf({ paths }: Description): ErrorRow[] {
  const rows = new Map<string, ErrorRow>();
  for (const { responses } of Object.values(paths).flatMap((methods) => Object.values(methods)))
    for (const { description, content = {} } of Object.values(responses))
      for (const [code, { value }] of Object.entries(content['application/problem+json']?.examples ?? {})) {
        const { status, title } = value as { status: number; title: string };
        const meaning = description.split('\n\n').find((said) => said.startsWith(`\`${code}\`: `));
        rows.set(code, { status, code, title, meaning: meaning?.slice(code.length + 4) ?? '' });
      }
  return [...rows.values()].sort((a, b) => a.status - b.status || a.code.localeCompare(b.code));
}

/** A schema in a few words. */
export function ruleOf({ type, $ref, anyOf, items, minimum, maximum, format, pattern, ...rest }: Schema): string {
  const said: string[] = [];
  if ($ref !== undefined) said.push(nameOf($ref));
  else if (anyOf !== undefined) said.push(anyOf.map(ruleOf).join(words.or));
  else if (type === 'array') said.push(words.listOf(ruleOf(items ?? {})));
  else if (rest.const !== undefined) said.push(String(rest.const));
  else if (rest.enum !== undefined) said.push(rest.enum.join(', '));
  else if (type !== undefined) said.push(type);
  if (minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) said.push(words.range(minimum, maximum));
  if (format !== undefined) said.push(format);
  else if (pattern !== undefined) said.push(pattern);
  if (rest.default !== undefined) said.push(words.byDefault(String(rest.default)));
  return said.join(', ');
}

function nameOf(ref: string): string {
  return ref.split('/').at(-1) ?? '';
}

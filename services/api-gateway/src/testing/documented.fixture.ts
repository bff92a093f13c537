import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

type Json = Record<string, unknown>;
interface Described {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

/**
 * Asks a gateway over HTTP and holds each answer against its own OpenAPI documents: an answer that they do not know is
 * an error.
 */
export function documentedClient(url: string) {
  const descriptions = new Map<string, ReturnType<typeof describedBy>>();
  return async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const document = path.startsWith('/app/') ? '/app/openapi.json' : '/api/v1/openapi.json';
    const validators = descriptions.get(document) ?? describedBy(url + document);
    descriptions.set(document, validators);
    const response = await fetch(url + path, { redirect: 'manual', ...init });
    const text = await response.text();
    const answer = {
      status: response.status,
      headers: response.headers,
      body: isJson(response.headers) && text !== '' ? JSON.parse(text) : text,
    };
    if (text !== '') (await validators)((init.method ?? 'GET').toLowerCase(), path, answer);
    return answer;
  };
}

async function describedBy(url: string): Promise<(method: string, path: string, answer: Answer) => void> {
  const document = (await (await fetch(url)).json()) as Described & Json;
  // The schema of schemas knows no keyword of an OpenAPI document, and takes longer to compile than that.
  const ajv = new Ajv2020({ strict: false, allErrors: true, meta: false, validateSchema: false });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema(document, 'api');
  return (method: string, path: string, { status, headers, body }: Answer) => {
    // What has a name of its own before what takes any.
    const templates = Object.keys(document.paths).toSorted(
      (one, other) => Number(one.includes('{')) - Number(other.includes('{')),
    );
    const known = templates.find((template) => matches(template, new URL(path, 'http://gateway').pathname));
    const operation = known === undefined ? undefined : document.paths[known]?.[method];
    const pointer =
      operation === undefined
        ? '#/components/schemas/Problem'
        : pointerTo(document, known ?? '', method, status, headers);
    const validate = ajv.getSchema(`api${pointer}`);
    if (validate === undefined) throw new Error(`${method} ${path} answered ${status}, which is not documented`);
    if (!validate(body))
      throw new Error(
        `${method} ${path} ${status} is not as documented: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`,
      );
  };
}

function pointerTo(document: Described, path: string, method: string, status: number, headers: Headers): string {
  const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
  const content = document.paths[path]?.[method]?.responses[status]?.content?.[type];
  if (content === undefined) throw new Error(`${method} ${path} answered ${status} ${type}, which is not documented`);
  return `#/${['paths', path, method, 'responses', String(status), 'content', type, 'schema'].map(escaped).join('/')}`;
}

function matches(template: string, path: string): boolean {
  const pattern = template.replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${pattern}$`).test(path);
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function isJson(headers: Headers): boolean {
  return /json/.test(headers.get('content-type') ?? '');
}

import { CallDetail, CallList, Me, Scorecard, UploadAccepted } from '@call-analytics/contracts';
import { describe, expect, it } from '@jest/globals';
import { docsPage } from '../docs-page/docs-page.ts';
import { PROBLEMS } from '../http/problem.ts';
import { apiDescription, type Operation } from './document.ts';
import { ACCEPTED, DETAIL, FAILED, LIST, ME, NOT_SCORED, QUEUED, SCORECARD } from './examples.ts';

const LIMITS = { maxUploadBytes: 3 * 2 ** 20, idleMs: 60_000 };
const document = apiDescription(LIMITS);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): [string, Operation, string] => [`${method} ${path}`, operation, path]),
);

/** Every `$ref` anywhere in the document. */
function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === '$ref' ? [String(inner)] : refsIn(inner)));
}

describe('the API description', () => {
  it('refers to nothing that is not in it', () => {
    const refs = refsIn(document);
    expect(refs.length).toBeGreaterThan(20);
    for (const ref of refs) {
      const found = ref
        .split('/')
        .slice(1)
        .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document);
      expect({ ref, found }).toEqual({ ref, found: expect.any(Object) });
    }
  });

  it('names each operation once, and each of its path parameters', () => {
    expect(new Set(operations.map(([, { operationId }]) => operationId)).size).toBe(operations.length);
    for (const [, { parameters = [] }, path] of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const named = (parameters as { in?: string; name: string }[]).filter((each) => each.in === 'path').map(({ name }) => name);
      expect(named).toEqual(inPath);
    }
  });

  it('has the shapes of the contract, key by key', () => {
    const { CallDetail: detail, CallListItem: item, Me: me } = document.components.schemas;
    expect(Object.keys((detail as { properties: object }).properties)).toEqual(Object.keys(CallDetail.shape));
    expect((item as { additionalProperties: unknown }).additionalProperties).toBe(false);
    expect((me as { required: string[] }).required).toEqual(['id', 'name', 'createdAt', 'key']);
  });

  it('gives a call no null but the score, so that typed clients can rely on strings', () => {
    for (const schema of [document.components.schemas.CallDetail, document.components.schemas.CallListItem]) {
      const properties = Object.entries((schema as { properties: Record<string, object> }).properties);
      expect(properties.filter(([, property]) => JSON.stringify(property).includes('"null"')).map(([name]) => name)).toEqual(['score']);
    }
  });

  it('tells the rules of the query and of the form as they are checked', () => {
    const query = document.paths['/api/v1/calls']?.get?.parameters as { name: string; schema: object }[];
    expect(query.slice(0, 3).map(({ name, schema }) => ({ name, ...schema }))).toEqual([
      { name: 'limit', type: 'integer', minimum: 1, maximum: 100, default: 50 },
      { name: 'offset', type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 },
      { name: 'status', type: 'string', enum: ['queued', 'transcribing', 'analyzing', 'completed', 'failed'] },
    ]);
    const body = document.paths['/api/v1/calls']?.post?.requestBody as {
      content: Record<string, { schema: { properties: object; required: string[] } }>;
    };
    const { schema } = body.content['multipart/form-data'] ?? {};
    expect(schema?.required).toEqual(['file']);
    expect(schema?.properties).toMatchObject({
      file: { format: 'binary' },
      reportType: { enum: ['high_level', 'medium', 'detailed'], default: 'medium' },
    });
  });

  it('asks for a key everywhere under /api/v1 but at itself', () => {
    const open = operations.filter(([, { security }]) => security?.length === 0).map(([name]) => name);
    expect(open).toEqual(['get /api/v1/openapi.json', 'get /docs', 'get /healthz', 'get /readyz']);
  });

  it('has examples that are true', () => {
    for (const example of [DETAIL, QUEUED, FAILED]) expect(CallDetail.parse(example)).toEqual(example);
    for (const example of [SCORECARD, NOT_SCORED]) expect(Scorecard.parse(example)).toEqual(example);
    expect(CallList.parse(LIST)).toEqual(LIST);
    expect(Me.parse(ME)).toEqual(ME);
    expect(UploadAccepted.parse(ACCEPTED)).toEqual(ACCEPTED);
  });
});

describe('the page that shows it', () => {
  const { html, headers } = docsPage(document, LIMITS);

  it('needs nothing from elsewhere and allows no script', () => {
    expect(html).not.toMatch(/<script|<link|<img|src=|@import|url\(/);
    expect(html).not.toMatch(/https?:\/\/(?!127\.0\.0\.1)/);
    expect(headers['Content-Security-Policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='/);
  });

  it('describes every operation, every error and every object, under the names that answers point to', () => {
    for (const [, { operationId }] of operations) expect(html).toContain(`id="${operationId}"`);
    for (const code of Object.keys(PROBLEMS)) expect(html).toContain(`id="${code}"`);
    for (const name of Object.keys(document.components.schemas)) expect(html).toContain(`id="${name}"`);
    const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    for (const id of targets) expect(html).toContain(`id="${id}"`);
  });

  it('names the limits as they are set', () => {
    expect(html).toMatch(/Recording<\/td><td>3 MiB.*Pause in an upload<\/td><td>60 s/);
  });

  it('shows text as text', () => {
    const hostile = docsPage({ ...document, info: { ...document.info, description: '<script>alert(1)</script>' } }, LIMITS);
    expect(hostile.html).not.toContain('<script>');
  });
});

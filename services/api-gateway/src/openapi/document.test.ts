import { readFileSync } from 'node:fs';
import { CallDetail, CallList, Me, Scorecard, UploadAccepted } from '@call-analytics/contracts';
import { describe, expect, it } from '@jest/globals';
import { PROBLEMS } from '../http/problem.ts';
import { apiDescription, type Operation } from './document.ts';
import { ACCEPTED, DETAIL, FAILED, LIST, ME, NOT_SCORED, QUEUED, SCORECARD } from './examples.ts';

const LIMITS = { maxUploadBytes: 3 * 2 ** 20, idleMs: 60_000, minBytesPerSecond: 8_192, uploadsPerAccount: 7 };
const document = apiDescription(LIMITS);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): [string, Operation, string] => [
    `${method} ${path}`,
    operation,
    path,
  ]),
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
      const named = (parameters as { in?: string; name: string }[])
        .filter((each) => each.in === 'path')
        .map(({ name }) => name);
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
      expect(
        properties.filter(([, property]) => JSON.stringify(property).includes('"null"')).map(([name]) => name),
      ).toEqual(['score']);
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

describe('the guide', () => {
  const { description } = document.info;

  it('has a section for every error code, which the `type` of an error leads to', () => {
    for (const [code, { status, title }] of Object.entries(PROBLEMS))
      expect(description).toContain(`\n## ${code}\n\n**${status} ${title}.**`);
  });

  it('names the limits as they are set', () => {
    expect(description).toMatch(/\| Size of a recording \| 3 MiB \|(.|\n)*\| Pause in an upload \| 60 s \|/);
    expect(description).toContain('| at least 8 KiB a second, averaged over 60 s |');
    expect(description).toContain('| Uploads of one account at the same time | 7 |');
  });

  it('names the address of the installation where it is known, and no other host', () => {
    const known = apiDescription({ ...LIMITS, publicUrl: 'https://calls.acme.test' }).info.description;
    expect(known).toContain('export CALLS_URL=https://calls.acme.test\n');
    for (const text of [known, description])
      expect(text.match(/https?:\/\/[\w.:]+/g)).toEqual([
        text === known ? 'https://calls.acme.test' : 'https://calls.example.com',
      ]);
  });

  it('shows the samples as they are run', () => {
    for (const file of ['report.sh', 'report.py', 'report.mts'])
      expect(description).toContain(readFileSync(new URL(`../../samples/${file}`, import.meta.url), 'utf8').trimEnd());
  });
});

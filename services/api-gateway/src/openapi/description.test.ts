import { readFileSync } from 'node:fs';
import * as contracts from '@call-analytics/contracts';
import { describe, expect, it } from '@jest/globals';
import { PROBLEMS } from '../http/problem.ts';
import { APP_OPERATIONS } from '../operations/operations.ts';
import { apiDescription, appDescription, type Description, descriptionFiles } from './description.ts';
import { ACCEPTED, DETAIL, FAILED, LIST, ME, QUEUED } from './examples.ts';
import { JUDGED, NOT_SCORED, SCORED } from './scorecard-examples.ts';

const LIMITS = { maxUploadBytes: 3 * 2 ** 20, idleMs: 60_000, minBytesPerSecond: 8_192, uploadsPerAccount: 7 };
const api = apiDescription(LIMITS);
const app = appDescription(LIMITS);
const apiOperations = operationsOf(api);
const appOperations = operationsOf(app);

function operationsOf({ paths }: Description) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** Every `$ref` anywhere in the document. */
function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === '$ref' ? [String(inner)] : refsIn(inner)));
}

describe.each([
  ['/api/v1', api],
  ['/app', app],
])('the description of %s', (_, document) => {
  it('has no broken reference', () => {
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
});

describe('the description of /api/v1', () => {
  it('names each operation once, and each of its path parameters', () => {
    expect(new Set(apiOperations.map(({ operation }) => operation.operationId)).size).toBe(apiOperations.length);
    for (const { path, operation } of [...apiOperations, ...appOperations]) {
      const { parameters = [] } = operation;
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const named = (parameters as { in?: string; name: string }[])
        .filter((each) => each.in === 'path')
        .map(({ name }) => name);
      expect(named).toEqual(inPath);
    }
  });

  it('has the shapes of the contract, key by key', () => {
    const { CallDetail: detail, CallListItem: item, Me: me } = api.components.schemas;
    expect(Object.keys((detail as { properties: object }).properties)).toEqual(Object.keys(contracts.CallDetail.shape));
    expect((item as { additionalProperties: unknown }).additionalProperties).toBe(false);
    expect((me as { required: string[] }).required).toEqual(['id', 'name', 'createdAt', 'key']);
  });

  it('gives a call no null but the score, so that typed clients can rely on strings', () => {
    for (const schema of [api.components.schemas.CallDetail, api.components.schemas.CallListItem]) {
      const properties = Object.entries((schema as { properties: Record<string, object> }).properties);
      expect(
        properties.filter(([, property]) => JSON.stringify(property).includes('"null"')).map(([name]) => name),
      ).toEqual(['score']);
    }
  });

  it('has the rules of the query and of the form', () => {
    const query = api.paths['/api/v1/calls']?.get?.parameters as { name: string; schema: object }[];
    expect(query.slice(0, 3).map(({ name, schema }) => ({ name, ...schema }))).toEqual([
      { name: 'limit', type: 'integer', minimum: 1, maximum: 100, default: 50 },
      { name: 'offset', type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 },
      { name: 'status', type: 'string', enum: ['queued', 'transcribing', 'analyzing', 'completed', 'failed'] },
    ]);
    const body = api.paths['/api/v1/calls']?.post?.requestBody as {
      content: Record<string, { schema: { properties: object; required: string[] } }>;
    };
    const { schema } = body.content['multipart/form-data'] ?? {};
    expect(schema?.required).toEqual(['file']);
    expect(schema?.properties).toMatchObject({
      file: { format: 'binary' },
      reportType: { enum: ['high_level', 'medium', 'detailed'], default: 'medium' },
    });
  });

  it('needs a credential everywhere but for the documentation and the health checks', () => {
    const open = apiOperations.filter(({ operation }) => operation.security?.length === 0).map(({ path }) => path);
    expect(open).toEqual(['/api/v1/openapi.json', '/docs', '/healthz', '/readyz']);
  });

  it('has examples that fit the schemas', () => {
    for (const example of [DETAIL, QUEUED, FAILED]) expect(contracts.CallDetail.parse(example)).toEqual(example);
    for (const example of [JUDGED, SCORED, NOT_SCORED]) expect(contracts.Scorecard.parse(example)).toEqual(example);
    expect(contracts.CallList.parse(LIST)).toEqual(LIST);
    expect(contracts.Me.parse(ME)).toEqual(ME);
    expect(contracts.UploadAccepted.parse(ACCEPTED)).toEqual(ACCEPTED);
  });
});

describe('the guide', () => {
  const { description } = api.info;

  it('has a section for every error code, which the `type` of an error leads to', () => {
    for (const [code, { status, title }] of Object.entries(PROBLEMS))
      expect(description).toContain(`\n## ${code}\n\n**${status} ${title}.**`);
  });

  it('names the limits as they are set', () => {
    expect(description).toMatch(/\| Size of a recording \| 3 MiB \|(.|\n)*\| Pause in an upload \| 60 s \|/);
    expect(description).toContain('| at least 8 KiB a second, averaged over 60 s |');
    expect(description).toContain('| Uploads of one account at the same time | 7 |');
    expect(description).not.toMatch(/\{\{|undefined/);
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

describe('the description of /app', () => {
  it('has every operation, under its own name', () => {
    expect(appOperations.map(({ operation }) => operation.operationId).sort()).toEqual(
      Object.keys(APP_OPERATIONS).sort(),
    );
  });

  it('needs a session everywhere but before the sign-in and for the sign-out', () => {
    const open = appOperations
      .filter(({ operation }) => operation.security?.length === 0)
      .map(({ operation }) => operation.operationId);
    expect(open.sort()).toEqual(
      [
        'findInvitation',
        'requestPasswordReset',
        'requestSignUp',
        'resetPassword',
        'showInstallation',
        'signIn',
        'signInByLink',
        'signOut',
        'signUp',
      ].sort(),
    );
  });

  it('refuses other sites wherever something changes', () => {
    for (const { method, operation } of appOperations) {
      const codes = Object.values(operation.responses).flatMap((response) => {
        const { content = {} } = response as { content?: Record<string, { examples?: object }> };
        return Object.keys(content['application/problem+json']?.examples ?? {});
      });
      expect({ id: operation.operationId, crossSite: codes.includes('cross_site_request') }).toEqual({
        id: operation.operationId,
        crossSite: method !== 'get',
      });
    }
  });

  it('has the shapes of the contract, key by key', () => {
    const { SignUp, Session, FoundCalls } = app.components.schemas as Record<
      string,
      { properties: object; required: string[] }
    >;
    expect(Object.keys(SignUp?.properties ?? {})).toEqual(Object.keys(contracts.SignUp.shape));
    expect(SignUp?.required).toEqual(['name', 'email', 'password']);
    expect(Object.keys(Session?.properties ?? {})).toEqual(Object.keys(contracts.Session.shape));
    expect(FoundCalls?.required).toEqual(['calls', 'total', 'limit', 'offset']);
  });

  it('requires no field of a request that the service has a default for', () => {
    const { NewKey } = app.components.schemas;
    expect(NewKey).toMatchObject({ required: ['name'], properties: { scope: { default: 'write' } } });
  });

  it('has the rules of a query, and which parameters are required', () => {
    const parameters = app.paths['/app/calls']?.get?.parameters as {
      name: string;
      required: boolean;
      schema: object;
    }[];
    expect(parameters.map(({ name }) => name)).toEqual(Object.keys(contracts.CallSearch.shape));
    expect(parameters.every(({ required }) => !required)).toBe(true);
    expect(parameters[0]).toMatchObject({
      name: 'limit',
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
    });
    const days = app.paths['/app/overview']?.get?.parameters as { required: boolean }[];
    expect(days.every(({ required }) => required)).toBe(true);
  });

  it('has nothing in common with /api/v1, and each error is in one of the two', () => {
    expect(Object.keys(api.paths).filter((path) => path.startsWith('/app'))).toEqual([]);
    const described = JSON.stringify([api.paths, app.paths]);
    for (const code of Object.keys(PROBLEMS)) {
      if (code !== 'not_found' && code !== 'method_not_allowed') expect(described).toContain(`"${code}":`);
    }
  });
});

describe('docs/openapi.json and docs/app-openapi.json', () => {
  it.each(descriptionFiles().map(({ file, text }) => [file.pathname.split('/').at(-1), file, text] as const))(
    'are up to date (npm run openapi writes them): %s',
    (_, file, text) => {
      expect(readFileSync(file, 'utf8')).toBe(text);
    },
  );
});

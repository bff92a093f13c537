import * as contracts from '@call-analytics/contracts';
import { describe, expect, it } from '@jest/globals';
import { PROBLEMS } from '../http/problem.ts';
import { apiDescription } from '../openapi/document.ts';
import { appDescription } from './description.ts';
import { OPERATIONS } from './operations.ts';

const document = appDescription();
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

/** Every `$ref` anywhere in the document. */
function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === '$ref' ? [String(inner)] : refsIn(inner)));
}

describe("the description of the web application's API", () => {
  it('has every operation, under its own name', () => {
    expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual(Object.keys(OPERATIONS).sort());
  });

  it('refers to nothing that is not in it', () => {
    const refs = refsIn(document);
    expect(refs.length).toBeGreaterThan(50);
    for (const ref of refs) {
      const found = ref
        .split('/')
        .slice(1)
        .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document);
      expect({ ref, found }).toEqual({ ref, found: expect.any(Object) });
    }
  });

  it('asks for a session everywhere but where nobody can have one yet, or needs none any more', () => {
    const open = operations
      .filter(({ operation }) => operation.security.length === 0)
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

  it('says of everything that changes something that other sites are refused', () => {
    for (const { method, operation } of operations) {
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
    const { SignUp, Session, FoundCalls } = document.components.schemas as Record<
      string,
      { properties: object; required: string[] }
    >;
    expect(Object.keys(SignUp?.properties ?? {})).toEqual(Object.keys(contracts.SignUp.shape));
    expect(SignUp?.required).toEqual(['name', 'email', 'password']);
    expect(Object.keys(Session?.properties ?? {})).toEqual(Object.keys(contracts.Session.shape));
    expect(FoundCalls?.required).toEqual(['calls', 'total', 'limit', 'offset']);
  });

  it('tells the rules of a query as they are checked, and what may be left out', () => {
    const parameters = document.paths['/app/calls']?.get?.parameters as {
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
    const days = document.paths['/app/overview']?.get?.parameters as { required: boolean }[];
    expect(days.every(({ required }) => required)).toBe(true);
  });

  it('is apart from that of the API for programs: each error stands in one of them, and nothing of /app in that one', () => {
    const api = apiDescription({ maxUploadBytes: 1, idleMs: 1, minBytesPerSecond: 1, uploadsPerAccount: 1 });
    expect(Object.keys(api.paths).filter((path) => path.startsWith('/app'))).toEqual([]);
    const described = JSON.stringify([api.paths, document.paths]);
    for (const code of Object.keys(PROBLEMS)) {
      if (code !== 'not_found' && code !== 'method_not_allowed') expect(described).toContain(`"${code}":`);
    }
  });
});

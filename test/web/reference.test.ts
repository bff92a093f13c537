import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type Description, endpointsOf, errorsOf, parametersOf, ruleOf } from '../../services/web/src/app/docs/openapi.ts';

const text = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
const description = JSON.parse(text) as Description;

describe('the API reference', () => {
  it('has every operation, each once', () => {
    const shown = endpointsOf(description).flatMap(({ endpoints }) => endpoints.map(({ operation }) => operation.operationId));
    const all = Object.values(description.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    expect(shown.sort()).toEqual(all.sort());
  });

  it('has every code of an error once, with what it means', () => {
    const rows = errorsOf(description);
    const codes = [...text.matchAll(/"code": ?"([a-z_]+)"/g)].map(([, code]) => code);
    expect(rows.map(({ code }) => code).sort()).toEqual([...new Set(codes)].sort());
    expect(rows.filter(({ meaning, title }) => meaning === '' || title === '')).toEqual([]);
  });

  it('names also the parameters that operations share', () => {
    const upload = endpointsOf(description)
      .flatMap(({ endpoints }) => endpoints)
      .find(({ operation }) => operation.operationId === 'uploadCall');
    expect(upload && parametersOf(upload.operation, description).map(({ name }) => name)).toEqual(['Idempotency-Key', 'X-Request-Id']);
  });

  it.each([
    [{ type: 'integer', minimum: 1, maximum: 100, default: 50 }, 'integer, 1 to 100, default 50'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string or null'],
    [{ type: 'array', items: { $ref: '#/components/schemas/ReportSection' } }, 'list of ReportSection'],
    [{ type: 'string', enum: ['a', 'b'] }, 'a, b'],
  ])('says the rule of %j', (schema, said) => {
    expect(ruleOf(schema)).toBe(said);
  });
});

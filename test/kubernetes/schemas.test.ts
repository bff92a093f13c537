import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { Ajv, type ValidateFunction } from 'ajv';
import { parse } from 'yaml';
import { describeNeeds, program, type Requirement } from '../requirements.fixture.ts';
import { COMPONENTS, copyManifests, type Manifest, render } from './manifests.fixture.ts';

/** The custom resource definitions of operators that the cluster of the tests lacks, in their Go modules. */
const MODULES = [
  {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.94.1',
    sum: 'h1:QEIb2wenPH+SdMN1xMf8l4Pmj00YYXXI6HlbLlQWkww=',
    files: ['podmonitors', 'prometheusrules'].map(
      (name) => `example/prometheus-operator-crd/monitoring.coreos.com_${name}.yaml`,
    ),
  },
  {
    module: 'github.com/external-secrets/external-secrets@v0.20.4',
    sum: 'h1:HhNAjWfFEshhItphr28SGsHzf2bUP7uDAOVLg76uNAg=',
    files: ['config/crds/bases/external-secrets.io_externalsecrets.yaml'],
  },
];
/** The folders of the modules, once they are fetched. */
const fetched = new Map<string, string>();
/** A machine without Go, or whose proxy of modules lacks one of them, cannot check. */
const definitions: Requirement = { what: 'go with the modules of the operators', present: fetchModules() };

function fetchModules(): boolean {
  if (!program('kubectl').present || !program('go').present) return false;
  for (const { module, sum } of MODULES) {
    let answer: string;
    try {
      // Outside of a module, so that only this one is fetched, once for all runs.
      const options = { cwd: tmpdir(), encoding: 'utf8', timeout: 60_000, stdio: 'pipe' } as const;
      answer = execFileSync('go', ['mod', 'download', '-json', module], options);
    } catch (error) {
      process.stderr.write(`the modules of the operators: ${error}\n`);
      return false;
    }
    const { Dir, Sum } = JSON.parse(answer);
    if (Sum !== sum) throw new Error(`${module} has the sum ${Sum}, not ${sum}`);
    fetched.set(module, Dir);
  }
  return true;
}

/** Objects whose keys are free. */
const FREE = ['labels', 'matchLabels', 'annotations', 'params'];

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
}

interface Definition {
  spec: {
    group: string;
    names: { kind: string };
    versions: { name: string; schema: { openAPIV3Schema: Schema } }[];
  };
}

/** @returns the schema without unknown fields, as the API server's strict validation and kubeconform have it */
function strict(schema: Schema): Schema {
  const { properties, items, additionalProperties } = schema;
  const isClosed = properties !== undefined && !schema['x-kubernetes-preserve-unknown-fields'];
  return {
    ...schema,
    ...(isClosed && { additionalProperties: false }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: strict(additionalProperties) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, strict(each)])),
    }),
    ...(items && { items: strict(items) }),
  };
}

const texts: Schema = { type: 'object', additionalProperties: { type: 'string' } };
/** Definitions leave it to the API server. */
const metadata: Schema = {
  type: 'object',
  properties: { name: { type: 'string' }, namespace: { type: 'string' }, labels: texts, annotations: texts },
};

const goPattern = Object.assign(
  (pattern: string) => new RegExp(pattern.replace('(?i)', ''), pattern.includes('(?i)') ? 'i' : ''),
  { code: 'new RegExp' },
);

/** @returns a validator for each version and kind, such as `monitoring.coreos.com/v1 PodMonitor` */
function validators(): Map<string, ValidateFunction> {
  // The formats of numbers and the patterns are Go's.
  const options = { validateFormats: false, unicodeRegExp: false, code: { regExp: goPattern } };
  const ajv = new Ajv({ allErrors: true, strict: false, ...options });
  const found = new Map<string, ValidateFunction>();
  for (const { module, files } of MODULES) {
    for (const file of files) {
      const { spec } = parse(readFileSync(join(fetched.get(module) ?? '', file), 'utf8')) as Definition;
      for (const { name, schema } of spec.versions) {
        const { openAPIV3Schema: whole } = schema;
        const closed = strict({ ...whole, properties: { ...whole.properties, metadata } });
        found.set(`${spec.group}/${name} ${spec.names.kind}`, ajv.compile(closed));
      }
    }
  }
  return found;
}

/** @returns the paths of all fields, without those whose keys are free */
function fieldsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null || FREE.includes(path.at(-1) ?? '')) return [];
  return Object.entries(value).flatMap(([key, each]) => [
    ...(Array.isArray(value) ? [] : [[...path, key]]),
    ...fieldsOf(each, [...path, key]),
  ]);
}

function misspelled(object: Manifest, path: string[]): Manifest {
  const copy = structuredClone(object);
  const last = path.at(-1) ?? '';
  // biome-ignore lint/suspicious/noExplicitAny: any object on the way
  const parent = path.slice(0, -1).reduce((at: any, key) => at[key], copy);
  parent[`${last}s`] = parent[last];
  delete parent[last];
  return copy;
}

describeNeeds(program('kubectl'), 'the objects of operators', () => {
  describeNeeds(definitions, 'by the definitions of the operators', () => {
    let objects: (Manifest & { apiVersion: string })[];
    let errors: (object: Manifest & { apiVersion?: string }) => string[];
    beforeAll(() => {
      const schemas = validators();
      const folder = copyManifests(COMPONENTS, 'local');
      const known = (each: Manifest & { apiVersion?: string }) => schemas.get(`${each.apiVersion} ${each.kind}`);
      errors = (object) => {
        const validate = known(object);
        if (validate === undefined) return [`no definition of ${object.apiVersion} ${object.kind}`];
        validate(object);
        return (validate.errors ?? []).map(({ instancePath, message, params }) =>
          [object.kind, instancePath, message, JSON.stringify(params)].join(' '),
        );
      };
      const groups = /^(monitoring\.coreos\.com|external-secrets\.io)\//;
      objects = (render(join(folder, 'k8s/overlays/all')) as typeof objects).filter((each) =>
        groups.test(each.apiVersion),
      );
      rmSync(folder, { recursive: true });
    }, 120_000);

    it('have no field, value or version that these do not know', () => {
      const kinds = [...new Set(objects.map(({ kind }) => kind))].sort();
      expect(kinds).toEqual(['ExternalSecret', 'PodMonitor', 'PrometheusRule']);
      expect(objects.flatMap(errors)).toEqual([]);
    });

    it('are refused when any of their fields is misspelled', () => {
      const cases = objects.flatMap((object) => fieldsOf(object).map((path) => [object, path] as const));
      expect(cases.length).toBeGreaterThan(100);
      const accepted = cases.filter(([object, path]) => errors(misspelled(object, path)).length === 0);
      expect(accepted.map(([{ kind, metadata }, path]) => [kind, metadata.name, ...path].join(' '))).toEqual([]);
    });
  });
});

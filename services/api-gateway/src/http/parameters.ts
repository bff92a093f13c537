import type { z } from 'zod';
import { HttpProblem } from './problem.ts';
import { shown } from './shown.ts';

/**
 * Reads the query of a request.
 * @param url as in the request line
 * @param ruleOf what a value must be, in words that follow "it"
 * @throws HttpProblem naming the parameter, its value and the rule
 */
export function readParameters<S extends z.ZodObject>(
  url: string,
  schema: S,
  ruleOf: (issue: z.core.$ZodIssue) => string,
): z.output<S> {
  const given = new Map<string, string>();
  const start = url.indexOf('?');
  for (const [name, value] of new URLSearchParams(start === -1 ? '' : url.slice(start))) {
    if (!Object.hasOwn(schema.shape, name)) throw unknown(name, Object.keys(schema.shape));
    if (given.has(name)) throw invalid(`The parameter "${name}" is repeated (${shown(value)}). Send it once.`);
    given.set(name, value);
  }
  const read = schema.safeParse(Object.fromEntries(given));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const name = String(issue?.path[0]);
  const rule = issue === undefined ? 'is not allowed' : ruleOf(issue);
  throw invalid(given.has(name) ? `"${name}" is ${shown(given.get(name))}; it ${rule}.` : `"${name}" ${rule}.`);
}

/** @throws HttpProblem for a request that takes no parameters and has one: a misspelled filter must not be ignored */
export function refuseParameters(url: string): void {
  const start = url.indexOf('?');
  if (start === -1) return;
  const [name] = new URLSearchParams(url.slice(start)).keys();
  if (name !== undefined) throw unknown(name, []);
}

function unknown(name: string, allowed: readonly string[]): HttpProblem {
  const rule = allowed.length === 0 ? 'This request takes none.' : `Allowed: ${allowed.join(', ')}.`;
  return invalid(`Unknown parameter ${shown(name)}. ${rule}`);
}

function invalid(detail: string): HttpProblem {
  return new HttpProblem('invalid_parameter', detail);
}

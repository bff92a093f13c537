import type { z } from 'zod';
import { HttpProblem } from './problem.ts';
import { shown } from './shown.ts';

/**
 * Reads the query of a request.
 * @param url as in the request line
 * @param ruleOf what a value must be, in words that follow "it"
 * @throws HttpProblem naming the parameter, its value and the rule
 */
export function readParameters<S extends z.ZodObject>(url: string, schema: S, ruleOf: (issue: z.core.$ZodIssue) => string): z.output<S> {
  const given = new Map<string, string>();
  const start = url.indexOf('?');
  for (const [name, value] of new URLSearchParams(start === -1 ? '' : url.slice(start))) {
    if (!Object.hasOwn(schema.shape, name))
      throw invalid(`There is no parameter ${shown(name)}. Allowed are ${Object.keys(schema.shape).join(', ')}.`);
    if (given.has(name)) throw invalid(`"${name}" is there twice (${shown(value)}); it may be there once.`);
    given.set(name, value);
  }
  const read = schema.safeParse(Object.fromEntries(given));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const name = String(issue?.path[0]);
  const rule = issue === undefined ? 'is not allowed' : ruleOf(issue);
  throw invalid(given.has(name) ? `"${name}" is ${shown(given.get(name))}; it ${rule}.` : `"${name}" ${rule}.`);
}

function invalid(detail: string): HttpProblem {
  return new HttpProblem('invalid_parameter', detail);
}

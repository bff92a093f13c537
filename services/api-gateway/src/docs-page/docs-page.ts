import { createHash } from 'node:crypto';
import { PROBLEMS } from '../http/problem.ts';
import { shownBytes } from '../http/shown.ts';
import type { ApiDescription, Limits, Operation } from '../openapi/document.ts';
import { code, escaped, prose } from './html.ts';
import { STYLE } from './style.ts';

/** The API description as a page to read: no script, nothing fetched, one inline style that the policy names by its hash. */
export function docsPage(description: ApiDescription, limits: Limits): { html: string; headers: Record<string, string> } {
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(description.info.title)} API</title>
<style>${STYLE}</style>
</head>
<body>
<nav>
<strong>${escaped(description.info.title)}</strong>
<a href="#start">Quick start</a>
${description.tags
  .map(({ name }) =>
    [
      `<span>${escaped(name)}</span>`,
      ...operations
        .filter(({ operation }) => operation.tags.includes(name))
        .map(({ operation }) => `<a href="#${operation.operationId}">${escaped(operation.summary)}</a>`),
    ].join('\n'),
  )
  .join('\n')}
<span>Reference</span>
<a href="#states">States</a>
<a href="#objects">Objects</a>
<a href="#limits">Limits</a>
<a href="#errors">Errors</a>
<a href="/api/v1/openapi.json">OpenAPI document</a>
</nav>
<main>
<h1>${escaped(description.info.title)} API</h1>
<p>${prose(description.info.description)}</p>
${quickStart()}
${operations.map((each) => operationSection(each, description)).join('\n')}
${states()}
<section id="objects"><h2>Objects</h2>
${Object.entries(description.components.schemas).map(schemaSection).join('\n')}
</section>
${limitTable(limits)}
${errors()}
</main>
</body>
</html>
`;
  const style = createHash('sha256').update(STYLE).digest('base64');
  return {
    html,
    headers: {
      'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'Referrer-Policy': 'no-referrer',
    },
  };
}

function quickStart(): string {
  return `<section id="start"><h2>Quick start</h2>
<p>Every request below <code>/api/v1</code> carries an API key. Make one on the settings page of the <a href="/settings/keys">web application</a>, or let whoever runs this
service make one with <code>npm run accounts -- create --name "Acme"</code>.</p>
<ol>
<li>Upload a recording. The answer comes at once and names the call.
${code(`export KEY=aca_...            # your API key
export API=http://127.0.0.1:8080/api/v1   # the address of this service

curl -H "Authorization: Bearer $KEY" -F file=@call.mp3 -F reportType=medium $API/calls`)}</li>
<li>Poll the call every few seconds until its <code>status</code> is <code>completed</code> or <code>failed</code>.
${code('curl -H "Authorization: Bearer $KEY" $API/calls/call_...')}</li>
<li>Read the report in the same answer, or list all calls.
${code('curl -H "Authorization: Bearer $KEY" "$API/calls?status=completed&limit=10"')}</li>
</ol>
<p>An upload that may have got lost can be sent again without making a second call: give it a name of your own in the header
<code>Idempotency-Key</code>, the same one each time.</p></section>`;
}

function operationSection(
  { path, method, operation }: { path: string; method: string; operation: Operation },
  { components }: ApiDescription,
): string {
  return `<section id="${operation.operationId}"><h2>${escaped(operation.summary)}</h2>
<p class="route"><b class="${method}">${method}</b> <code>${escaped(path)}</code></p>
<p>${prose(operation.description)}</p>
${parameterTable(operation, components.parameters)}
${formTable(operation)}
${Object.entries(operation.responses)
  .map(([status, { description, content = {} }]) => {
    const [type, body] = Object.entries(content)[0] ?? [];
    const isProblem = type === 'application/problem+json';
    const codes = Object.keys(body?.examples ?? {});
    if (isProblem) return `<p><b>${status}</b> ${codes.map((each) => `<a href="#${each}"><code>${each}</code></a>`).join(' ')}</p>`;
    const examples = Object.entries(body?.examples ?? {})
      .map(
        ([name, { value }], i) =>
          `<details${i === 0 ? ' open' : ''}><summary>${escaped(name)}</summary>${code(JSON.stringify(value, null, 2))}</details>`,
      )
      .join('\n');
    return `<p><b>${status}</b> ${prose(description)}</p>\n${examples}`;
  })
  .join('\n')}
</section>`;
}

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required: boolean;
  description: string;
  schema: Record<string, unknown>;
}

function parameterTable({ parameters = [] }: Operation, shared: Record<string, object>): string {
  const all = (parameters as Parameter[]).map((each) =>
    each.$ref === undefined ? each : (shared[each.$ref.split('/').at(-1) ?? ''] as Parameter),
  );
  if (all.length === 0) return '';
  const rows = all.map(
    (each) =>
      `<tr><td><code>${escaped(each.name)}</code></td><td>${each.in}</td><td>${ruleOf(each.schema)}</td><td>${prose(each.description)}</td></tr>`,
  );
  return `<table><thead><tr><th>Parameter</th><th>In</th><th>Rule</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function formTable({ requestBody }: Operation): string {
  const content = (requestBody as { content?: Record<string, { schema: ObjectSchema }> } | undefined)?.content;
  const schema = content?.['multipart/form-data']?.schema;
  return schema === undefined ? '' : propertyTable(schema, 'Part');
}

interface ObjectSchema {
  properties?: Record<string, Record<string, unknown>>;
  required?: string[];
  description?: string;
}

function schemaSection([name, schema]: [string, ObjectSchema]): string {
  return `<h3 id="${name}">${escaped(name)}</h3><p>${prose(schema.description ?? '')}</p>${propertyTable(schema, 'Field')}`;
}

function propertyTable({ properties = {}, required = [] }: ObjectSchema, heading: string): string {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const optional = required.includes(name) ? '' : ' <i>optional</i>';
    return `<tr><td><code>${escaped(name)}</code>${optional}</td><td>${ruleOf(schema)}</td><td>${prose(String(schema.description ?? ''))}</td></tr>`;
  });
  return `<table><thead><tr><th>${heading}</th><th>Rule</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

/** A JSON Schema in a few words. */
function ruleOf(schema: Record<string, unknown>): string {
  const { type, $ref, anyOf, items, minimum, maximum, format, pattern } = schema;
  const said: string[] = [];
  if (typeof $ref === 'string')
    said.push(`<a href="#${escaped($ref.split('/').at(-1) ?? '')}">${escaped($ref.split('/').at(-1) ?? '')}</a>`);
  else if (Array.isArray(anyOf)) said.push(anyOf.map((each) => ruleOf(each as Record<string, unknown>)).join(' or '));
  else if (type === 'array') said.push(`list of ${ruleOf(items as Record<string, unknown>)}`);
  else if (schema.const !== undefined) said.push(`<code>${escaped(String(schema.const))}</code>`);
  else if (Array.isArray(schema.enum)) said.push(schema.enum.map((value) => `<code>${escaped(String(value))}</code>`).join(' '));
  else if (typeof type === 'string') said.push(escaped(type));
  if (minimum !== undefined && maximum !== undefined) said.push(`${minimum} to ${maximum}`);
  if (typeof format === 'string') said.push(escaped(format));
  else if (typeof pattern === 'string') said.push(`<code>${escaped(pattern)}</code>`);
  if (schema.default !== undefined) said.push(`default <code>${escaped(String(schema.default))}</code>`);
  return said.join(', ');
}

function states(): string {
  return `<section id="states"><h2>States</h2>
<p class="flow"><code>queued</code> → <code>transcribing</code> → <code>analyzing</code> → <code>completed</code></p>
<p>Each of the first three may also become <code>failed</code>; then <code>errorMessage</code> says why and what to do. <code>completed</code> and <code>failed</code>
are final. What is not known yet is <code>null</code>, or an empty list; no field is ever missing. A recording without speech completes with an empty transcript and
without a score.</p></section>`;
}

function limitTable({ maxUploadBytes, idleMs }: Limits): string {
  const rows = [
    ['Recording', shownBytes(maxUploadBytes)],
    ['Time of an upload', 'none while bytes flow'],
    ['Pause in an upload', `${idleMs / 1000} s`],
    ['Header fields of a request', '16 KiB'],
    ['File name', '255 characters; what is longer is cut'],
    ['Calls on a page', '1 to 100, 50 unless asked otherwise'],
  ];
  return `<section id="limits"><h2>Limits</h2>
<table><tbody>${rows.map(([what, limit]) => `<tr><td>${what}</td><td>${limit}</td></tr>`).join('')}</tbody></table></section>`;
}

function errors(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([name, { status, title, meaning }]) =>
      `<tr id="${name}"><td>${status}</td><td><code>${name}</code></td><td><b>${escaped(title)}.</b> ${prose(meaning)}</td></tr>`,
  );
  return `<section id="errors"><h2>Errors</h2>
<p>Every error is <code>application/problem+json</code> (RFC 9457): <code>code</code> is stable and for programs, <code>detail</code> says what to do,
<code>requestId</code> (also in the header <code>X-Request-Id</code>) is what to name when asking for help. Send the same request again after 5xx and 408;
change it after any other error.</p>
<table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></section>`;
}

import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../', import.meta.url));
/** Where people read: pages, errors, emails, commands, reports and the documentation. */
const READ = globSync(
  [
    ...['README.md', 'SECURITY.md', '.env.example', 'docs/{.,runbooks}/*.md', 'docs/{openapi,app-openapi}.json'],
    ...['services/web/src/app/texts/en/*.ts', 'services/api-gateway/src/http/problem.ts', 'libs/contracts/states.ts'],
    ...['services/accounts/src/{refusals,users/links,cli/*}.ts', 'services/ops/src/*.ts'],
    ...[
      'services/analysis/src/call/{catalogue,sections,not-scored,rubric}.ts',
      'services/*/src/settings.ts',
      'services/standalone/src/standalone.ts',
    ],
  ],
  { cwd: root, exclude: (path) => path.endsWith('.test.ts') },
);
const BRITISH = new RegExp(
  [
    String.raw`\b\w*(?:colour|behaviour|favour|honour|neighbour)\w*`,
    String.raw`\b(?:organ|normal|serial|initial|minim|maxim|summar|optim|apolog|priorit|custom|author|final|emphas)is(?:e|ed|es|ing|ation)\b`,
    String.raw`\banaly(?:sed|ser|sing)\b|\b(?:cancelled|cancelling|travelling|centre|licence)\b`,
    String.raw`\b(?:whilst|judgement|grey|fulfil|artefact|learnt|spelt|e-mails?)\b`,
  ].join('|'),
  'gi',
);

describe('what people read', () => {
  it('is in many places', () => {
    expect(READ.length).toBeGreaterThan(40);
  });

  it.each(READ)('is spelled in American English: %s', (path) => {
    // Names of tests and of code are as they are there.
    const text = readFileSync(`${root}${path}`, 'utf8').replace(/^\| .* \| `.*` \| .*$|^import .*|`[^`\n]*\.ts`/gm, '');
    expect(text.match(BRITISH) ?? []).toEqual([]);
  });
});

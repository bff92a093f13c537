import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../', import.meta.url));
/** Where people read: pages, errors, emails, commands, reports, logs and the documentation, with the code around them. */
const READ = globSync(
  [
    '{README,SECURITY,CONTRIBUTING}.md',
    '.env.example',
    'docs/{.,runbooks,decisions}/*.md',
    'docs/{openapi,app-openapi}.json',
    '{k8s,services/*,test/*}/README.md',
    'services/web/src/app/texts/en/*.ts',
    'services/api-gateway/src/{operations,upload,http,session,openapi}/*.{ts,md}',
    'libs/{contracts,calls,worker,openai,service-kit}/*.ts',
    'services/accounts/src/{refusals,users/*,cli/*,grpc/*}.ts',
    'services/ops/src/*.ts',
    'services/analysis/src/call/{catalogue,sections,not-scored,rubric}.ts',
    'services/*/src/*.ts',
    'services/transcription/src/{engines,voices,join}/*.ts',
  ],
  { cwd: root },
  // Trackers find words in British spelling too.
).filter((path) => !path.endsWith('.test.ts') && path !== 'libs/calls/tracker-match.ts');
const BRITISH = new RegExp(
  [
    String.raw`\b\w*(?:colour|behaviour|favour|honour|neighbour)\w*`,
    String.raw`\w*(?:recogn|organ|normal|serial|initial|minim|maxim|summar|optim|apolog|priorit|custom|author|final|emphas)is(?:e|ed|er|es|ing|ation)(?![a-z])\w*`,
    String.raw`\banaly(?:sed|ser|sing)\b|\b(?:travelling|centre|licence)\b`,
    // Not aria-labelledby, and not the event 'cancelled' of gRPC.
    String.raw`(?<!aria-)\b\w*(?:label|model|signal|total)l(?:ed|ing)\w*|\bcancell(?:ed|ing)\b(?!')`,
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
    const names = /^\| .* \| `.*` \| .*$|^import .*|`[^`\n]*\.ts`|: Labelled\b/gm;
    const text = readFileSync(`${root}${path}`, 'utf8').replace(names, '');
    expect(text.match(BRITISH) ?? []).toEqual([]);
  });
});

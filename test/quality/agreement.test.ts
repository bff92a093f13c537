import { fileURLToPath } from 'node:url';
import type { Analysis } from '@call-analytics/calls';
import { expect, it } from '@jest/globals';
import { analysis } from '../../libs/calls/contract/call-store.fixture.ts';
import { answer, completion, inTurn, scriptedServer } from '../../services/analysis/src/openai/analyst.fixture.ts';
import { ranAlone } from '../terminal.fixture.ts';
import { agreementOf } from './agreement.ts';

const judged = (score: number | null, ...answers: ('yes' | 'no')[]): Analysis => ({
  ...analysis,
  score,
  scorecard: { version: 0, questions: answers.map((each) => ({ answer: each }) as never), failedBy: null },
});

it('runs agree on an answer of a call when all of them give it', () => {
  const first = [judged(80, 'yes', 'no'), judged(50, 'yes'), judged(null)];
  const second = [judged(80, 'yes', 'yes'), { ...judged(60, 'yes'), saleStatus: 'sold' as const }, judged(null)];
  expect(agreementOf([first, second, first])).toEqual({
    runs: 3,
    shares: {
      status: { of: 3, holds: 2 },
      kind: { of: 3, holds: 3 },
      checks: { of: 3, holds: 2 },
      score: { of: 3, holds: 2 },
    },
    scoreSpread: 5,
  });
});

it('npm run quality -- --engine openai --runs 3 prints the agreement of the runs, their tokens and their money', async () => {
  const kind = (of: 'service' | 'other') =>
    completion(answer({ call_kind: { evidence: { line: 0, quote: 'customer care' }, kind: of } }));
  const server = await scriptedServer(inTurn(kind('service'), kind('service'), kind('other')));
  try {
    const main = fileURLToPath(new URL('main.ts', import.meta.url));
    const args = ['--engine', 'openai', '--runs', '3', '--only', 'boots-refund-service'];
    const env = { PATH: process.env.PATH ?? '', OPENAI_BASE_URL: server.baseUrl };
    const { code, out, err } = await ranAlone(main, args, env);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(server.requests).toHaveLength(3);
    expect(out).toContain('| Equal in 3 runs | |');
    expect(out).toMatch(/\| Sale status \| 100% \(1 of 1/);
    expect(out).toMatch(/\| Kind of call \| 0% \(0 of 1/);
    expect(out).toMatch(/^3 analyses: \d{4,} tokens read, 1200 written; \$0\.\d{4}, \$0\.\d{6} an analysis$/m);
  } finally {
    await server.close();
  }
});

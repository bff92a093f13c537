import type { AccountCosts, CallCosts, Spending } from '@call-analytics/contracts';
import { ID } from './examples.ts';

export const SPENDING: Spending = {
  revision: 1,
  limitPerDay: 20,
  installationLimitPerDay: 50,
  day: '2026-05-04',
  dollars: 3.4182,
  reachedAt: null,
  endsAt: '2026-05-05T00:00:00.000Z',
  uncounted: [],
};

const SUMS = {
  ...{ dollars: 14.2107, transcription: 13.6, analysis: 0.6107 },
  ...{ calls: 212, attempts: 431, unpriced: 0, seconds: 181_340.5 },
};
export const ACCOUNT_COSTS: AccountCosts = {
  ...{ from: '2026-05-01', to: '2026-05-31', by: 'month' },
  total: SUMS,
  periods: [{ period: '2026-05', ...SUMS }],
};

export const COSTS: CallCosts = {
  callId: ID,
  dollars: 0.0491,
  attempts: [
    {
      ...{ attempt: 1, stage: 'transcription', engine: 'openai gpt-transcribe', dollars: 0.0473 },
      at: '2026-05-04T10:00:21.311Z',
    },
    {
      ...{ attempt: 2, stage: 'analysis', engine: 'openai gpt-6-luna', dollars: 0.0018 },
      at: '2026-05-04T10:00:34.902Z',
    },
  ],
};

import { type AnalysisEngine, LIMIT_PER_DAY } from '@call-analytics/contracts';
import { duration } from '@call-analytics/service-kit';
import { z } from 'zod';

/** Read by the analysis, which has these engines, and by the gateway, which offers them. */
export const analysisEngines = z
  .enum(['openai', 'rules', 'openai,rules', 'rules,openai'])
  .transform((names) => names.split(',') as [AnalysisEngine, ...AnalysisEngine[]])
  .optional()
  .describe(
    'openai, rules, or both separated by a comma: the first analyzes calls, and a repeated analysis may name the ' +
      'other; unset: openai when OPENAI_API_KEY, ANALYSIS_API_KEY or ANALYSIS_BASE_URL is set, else rules',
  );

/** What every process that changes calls must agree on. */
export const callSettings = z.object({
  FAILED_AUDIO_RETENTION: duration().prefault('24h').describe('how long the recording of a failed call is kept'),
  OUTAGE_LIMIT: duration({ min: '1s', max: '30d' })
    .prefault('24h')
    .describe('how long a call waits for an unavailable engine or store before it fails'),
  LEASE_DURATION: duration({ min: '1s', max: '1h' })
    .prefault('30s')
    .describe('how long a worker may go without renewing its lease before its call goes to another'),
  GRANT_DURATION: duration({ min: '1s', max: '1h' })
    .prefault('30s')
    .describe('how long a granted call may stay unclaimed before it is granted again'),
  REMOVAL_GRACE: duration({ min: '1s', max: '1h' })
    .prefault('30s')
    .describe('how long a deleted call can be restored; after that all its data is deleted permanently'),
  SPENDING_LIMIT_PER_DAY: z
    .string()
    .regex(/^\d{1,7}(\.\d+)?$/, 'must be US dollars, such as 25 or 2.50')
    .transform(Number)
    .pipe(z.number().min(LIMIT_PER_DAY.min).max(LIMIT_PER_DAY.max))
    .optional()
    .describe(
      'the most that an account may spend on engines in a day (UTC), in US dollars at list prices; when it is ' +
        'reached, calls wait until 00:00 UTC; unset: no limit',
    ),
});

export type CallSettings = z.infer<typeof callSettings>;

/** The limits of a call. Durations in milliseconds. */
export interface Policy {
  /** Counted failures of a stage after which the call is failed. */
  maxFailures: number;
  leaseMs: number;
  /** How long a granted call may stay unclaimed before it is granted again. */
  grantMs: number;
  /** How long the recording of a failed call is kept. */
  failedAudioRetentionMs: number;
  /** How long a call waits for a dependency that does not work before it fails. */
  outageLimitMs: number;
  /** How long a removed call can be restored. */
  removalGraceMs: number;
  /** What the engines may cost an account on a day, in US dollars; null without a limit. */
  spendingLimit: number | null;
}

export function policyOf(settings: CallSettings): Policy {
  return {
    maxFailures: 5,
    leaseMs: settings.LEASE_DURATION,
    grantMs: settings.GRANT_DURATION,
    failedAudioRetentionMs: settings.FAILED_AUDIO_RETENTION,
    outageLimitMs: settings.OUTAGE_LIMIT,
    removalGraceMs: settings.REMOVAL_GRACE,
    spendingLimit: settings.SPENDING_LIMIT_PER_DAY ?? null,
  };
}

export const DEFAULT_POLICY: Policy = policyOf(callSettings.parse({}));

import { z } from 'zod';
import { STAGES } from './values.ts';

// What calls cost, and what an account may spend on a day.

/** US dollars, as a limit of a day. */
export const LIMIT_PER_DAY = { min: 0.01, max: 1_000_000 } as const;

const dollars = z
  .number()
  .min(0)
  .nullable()
  .describe('US dollars at list prices, without attempts at an unknown price; null when no price is known');
const revision = z.int().min(0).describe("Counts the changes of the account's own limit; 0 before the first change");
const limitPerDay = z
  .number()
  .min(LIMIT_PER_DAY.min)
  .max(LIMIT_PER_DAY.max)
  .nullable()
  .describe("The account's own limit in US dollars; null for none");
const timestamp = z.iso.datetime();

export const Spending = z
  .strictObject({
    revision,
    limitPerDay,
    installationLimitPerDay: z
      .number()
      .nullable()
      .describe('The limit of the installation for each account, in US dollars; null for none. The smaller one counts'),
    day: z.iso.date().describe('Today in UTC'),
    dollars: dollars.describe(
      'What calls of the account have cost today, in US dollars; null when no engine in use has a known price',
    ),
    reachedAt: timestamp.nullable().describe('Since when the calls of the account wait; null below the limit'),
    endsAt: timestamp.describe('When the day ends and calls that wait go on: 00:00 UTC'),
    uncounted: z
      .array(z.string())
      .describe(
        "Engines that the account's own limit does not count, because their price is not known: those of the latest " +
          'completed call. Empty when the account has no limit of its own',
      ),
  })
  .meta({ id: 'Spending', description: 'What the account has spent today, and its limit' });

/** The revision is that which was edited. */
export const SpendingLimit = z
  .strictObject({ revision, limitPerDay })
  .meta({ id: 'SpendingLimit', description: "The account's own limit for a day" });

export const CallCosts = z
  .strictObject({
    callId: z.string().describe('Call identifier'),
    dollars,
    attempts: z
      .array(
        z.strictObject({
          attempt: z.int().min(1).describe('Counts the times that a worker began to work on the call'),
          stage: z.enum(STAGES),
          engine: z.string().describe('Name and model of the engine'),
          dollars,
          at: timestamp.describe('When its last request was paid'),
        }),
      )
      .describe(
        'The attempts that asked an engine, in order. Attempts that cost nothing, such as those of an engine on the ' +
          'same machine, are left out',
      ),
  })
  .meta({ id: 'CallCosts', description: 'What a call has cost' });

export const CostsQuery = z
  .strictObject({
    from: z.iso.date().describe('First day, UTC'),
    to: z.iso.date().describe('Last day, UTC; at most 3660 days'),
    by: z.enum(['day', 'month']).default('day'),
  })
  .meta({ id: 'CostsQuery', description: 'The range of days' });

const sums = {
  dollars,
  transcription: dollars,
  analysis: dollars,
  calls: z
    .int()
    .min(0)
    .describe('Calls that first cost something in this period. Each call is counted in one period only'),
  attempts: z.int().min(0).describe('Attempts at a stage that had a price, known or unknown; failed attempts too'),
  unpriced: z.int().min(0).describe('Attempts with an unknown price. They are in no sum of dollars'),
  seconds: z.number().min(0).describe('The length of the recordings of these calls'),
};
export const AccountCosts = z
  .strictObject({
    from: z.iso.date(),
    to: z.iso.date(),
    by: z.enum(['day', 'month']),
    total: z.strictObject(sums),
    periods: z
      .array(z.strictObject({ period: z.string().describe('Such as 2026-11-23, or 2026-11 by month'), ...sums }))
      .describe('In order of time, without periods that have no attempts. Deleting a call changes none of them'),
  })
  .meta({ id: 'AccountCosts', description: 'What calls of the account have cost by day or month' });

export type AccountCosts = z.infer<typeof AccountCosts>;
export type Spending = z.infer<typeof Spending>;
export type CallCosts = z.infer<typeof CallCosts>;

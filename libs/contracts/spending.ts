import { z } from 'zod';
import { STAGES } from './states.ts';

// What calls cost, and what an account may spend on a day.

/** US dollars, as a limit of a day. */
export const LIMIT_PER_DAY = { min: 0.01, max: 1_000_000 } as const;

const dollars = z.number().min(0).describe('US dollars, estimated by the list prices of the engines');
const revision = z.int().min(0).describe('Counts the changes of the own limit; 0 before the first one');
const limitPerDay = z
  .number()
  .min(LIMIT_PER_DAY.min)
  .max(LIMIT_PER_DAY.max)
  .nullable()
  .describe('The own limit of the account in US dollars; null for none');
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
    dollars: dollars.describe('What calls of the account have cost today, in US dollars'),
    reachedAt: timestamp
      .nullable()
      .describe('Since when the calls of the account wait; null while work begins on them'),
    endsAt: timestamp.describe('When the day ends and calls that wait go on: 00:00 UTC'),
  })
  .meta({ id: 'Spending', description: 'What the account has spent today, and its limit' });

/** The revision is that which was edited. */
export const SpendingLimit = z
  .strictObject({ revision, limitPerDay })
  .meta({ id: 'SpendingLimit', description: 'The own limit of the account for a day' });

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
      .describe('The attempts that cost something, in order. Engines on the own machine and unknown prices count as 0'),
  })
  .meta({ id: 'CallCosts', description: 'What a call has cost' });

export type Spending = z.infer<typeof Spending>;
export type CallCosts = z.infer<typeof CallCosts>;

import { duration, wholeNumber } from '@call-analytics/service-kit';
import { z } from 'zod';

export const dispatcherSettings = z.object({
  IN_FLIGHT_PER_ACCOUNT: wholeNumber({ min: 1, max: 10_000 })
    .prefault('4')
    .describe('how many calls of one account are worked on at a time, in each stage'),
  DISPATCH_INTERVAL: duration()
    .prefault('1s')
    .refine((ms) => ms >= 10 && ms <= 60_000, 'must be from 10ms to 60s')
    .describe('how often waiting work is looked for when nothing announces it, 10ms to 60s'),
});

export type DispatcherSettings = z.infer<typeof dispatcherSettings>;

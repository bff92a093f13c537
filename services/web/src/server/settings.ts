import { wholeNumber } from '@call-analytics/service-kit';
import { z } from 'zod';

export const webSettings = z.object({
  WEB_PORT: wholeNumber({ min: 0, max: 65_535 })
    .prefault('8081')
    .describe('where the pages are served, 0 to 65535; 0 takes any free port'),
  WEB_HOST: z.string().default('127.0.0.1').describe('the address to listen on; 0.0.0.0 for all'),
});

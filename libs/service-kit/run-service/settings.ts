import { z } from 'zod';
import { LOG_LEVELS } from '../log.ts';
import { duration, wholeNumber } from '../settings.ts';
import { tracingSettings } from '../tracing/settings.ts';

/** What every service's process has. */
export const serviceSettings = z.object({
  OPS_PORT: wholeNumber({ min: 0, max: 65_535 })
    .prefault('9090')
    .describe('where /healthz, /readyz and /metrics are, 0 to 65535; 0 takes any free port'),
  OPS_HOST: z.string().default('127.0.0.1').describe('the address of that port; 0.0.0.0 for all'),
  // Kubernetes and compose kill a process after 30 s.
  SHUTDOWN_DEADLINE: duration({ min: '1s', max: '1h' })
    .prefault('25s')
    .describe('how long stopping may take, 1s to 1h'),
  LOG_LEVEL: z
    .enum(LOG_LEVELS)
    .default('info')
    .describe(`one of ${LOG_LEVELS.join(', ')}`),
  ...tracingSettings.shape,
});
